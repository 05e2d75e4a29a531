// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items beyond the end of an array do nothing, and these are at the end of the last work-group, so that
// nearly all vectors have all lanes behind such a test, or none. Before, as a work-item:
//   entry:
//     %inside = icmp slt i32 %i, %n
//     br i1 %inside, label %body, label %end
//   body:
//     store float %x, ptr %at
//     br label %end
// After:
//   entry:
//     %inside = icmp slt i32 %i, %n
//     %all = call i1 @__falx_sub_group_all(i1 %inside)      ; of the vector's lanes that are active
//     br i1 %all, label %body.whole, label %some
//   body.whole:
//     store float %x, ptr %at                               ; of all lanes that come to the entry
//     br label %end
//   some:
//     br i1 %inside, label %body, label %end
//   body:
//     store float %x, ptr %at                               ; masked
//     br label %end
// Masked stores of AVX and AVX2 take up to ten times as long as stores, and what lies at known distances is
// shuffled where all lanes are active, and gathered elsewhere.

#include "whole_guards.hpp"
#include "linearization.hpp"
#include "pipeline/budgets.hpp"
#include "prepare_for_lanes.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit::simd {
namespace {

/// Clocks that the test of all lanes takes: a mask as a number, its comparison, a branch.
constexpr double ALL_LANES_TEST = 3;

/// Code that lanes come to, or do not, by one branch.
struct guarded_code {
  BranchInst* branch;
  BasicBlock* first;
  SmallVector<BasicBlock*> blocks;
  BasicBlock* end;
};

class guard_search {
public:
  guard_search(Function& work_item, unsigned lanes, const cost_model& costs, const access_costs& accesses)
      : code_(work_item, lanes), accesses_(accesses), lanes_(lanes),
        plan_(code_.dominators, code_.loops, code_.graph, code_.shapes, costs, lanes) {}

  /// The first that is worth a copy of at most \p most instructions.
  std::optional<guarded_code> find(std::size_t most) const;

private:
  bool is_in_order(const Value& condition, bool is, unsigned depth = 0) const;
  bool has_copy(const BasicBlock& block) const;
  std::optional<guarded_code> code_behind(BranchInst& branch, unsigned way) const;
  double cost_of_masks(const guarded_code& code) const;
  double cost_of_mask(const Instruction& access) const;

  const prepared_function code_;
  const access_costs& accesses_;
  const unsigned lanes_;
  const linearization plan_;
};

} // namespace

static bool is_vote(const Value& value) {
  const auto* call = dyn_cast<CallInst>(&value);
  return call != nullptr && sub_group_builtin(*call) == "all";
}

/// \p condition \p is true of all lanes or of none, mostly: comparisons with what grows from lane to lane, or
/// along rows of lanes, and what all lanes share.
bool guard_search::is_in_order(const Value& condition, bool is, unsigned depth) const {
  constexpr unsigned MOST_DEPTH = 6;
  if (code_.shapes[&condition].is_uniform())
    return true;
  if (depth == MOST_DEPTH)
    return false;
  const Value *left = nullptr, *right = nullptr;
  if (match(&condition, m_LogicalAnd(m_Value(left), m_Value(right))) ||
      match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return is_in_order(*left, is, depth + 1) && is_in_order(*right, is, depth + 1);
  if (match(&condition, m_Not(m_Value(left))))
    return is_in_order(*left, !is, depth + 1);
  const auto* compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr || compare->getPredicate() == (is ? ICmpInst::ICMP_EQ : ICmpInst::ICMP_NE))
    return false;
  const auto is_known = [&](unsigned operand) {
    return !code_.shapes[compare->getOperand(operand)].is_varying();
  };
  return is_known(0) && is_known(1);
}

/// \p block is what is left behind a test of all lanes.
bool guard_search::has_copy(const BasicBlock& block) const {
  const BasicBlock* before = block.getSinglePredecessor();
  const auto* branch = before == nullptr ? nullptr : dyn_cast<BranchInst>(before->getTerminator());
  return branch != nullptr && branch->isConditional() && branch->getSuccessor(1) == &block &&
         is_vote(*branch->getCondition());
}

std::optional<guarded_code> guard_search::code_behind(BranchInst& branch, unsigned way) const {
  BasicBlock& from = *branch.getParent();
  guarded_code code{&branch, branch.getSuccessor(way), {}, nullptr};
  const Loop* around = code_.loops.getLoopFor(&from);
  if (code.first->getSinglePredecessor() != &from)
    return std::nullopt;
  for (BasicBlock* block : code_.graph.order()) {
    if (!code_.dominators.dominates(code.first, block))
      continue;
    code.blocks.push_back(block);
    if (isa<ReturnInst>(block->getTerminator()) || (around != nullptr && !around->contains(block)))
      return std::nullopt;
    for (BasicBlock* next : successors(block)) {
      if (code_.dominators.dominates(code.first, next))
        continue;
      if ((code.end != nullptr && code.end != next) || code_.loops.getLoopFor(next) != around ||
          (around != nullptr && around->getHeader() == next))
        return std::nullopt;
      code.end = next;
    }
  }
  return code.end == nullptr ? std::nullopt : std::optional(std::move(code));
}

/// What \p access takes more where some lanes may be left out.
double guard_search::cost_of_mask(const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (pointer == nullptr || code_.shapes[pointer].is_uniform() || code_.shapes[pointer].is_varying())
    return 0;
  return accesses_.of_mask(access, lanes_);
}

double guard_search::cost_of_masks(const guarded_code& code) const {
  double cost = 0;
  for (const BasicBlock* block : code.blocks)
    for (const Instruction& instruction : *block)
      cost += cost_of_mask(instruction);
  return cost;
}

std::optional<guarded_code> guard_search::find(std::size_t most) const {
  if (plan_.failure() != nullptr)
    return std::nullopt;
  for (BasicBlock* block : code_.graph.order()) {
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !code_.shapes.is_divergent(block) ||
        !plan_[block].is_whole || has_copy(*block))
      continue;
    for (const unsigned way : {0U, 1U}) {
      if (!is_in_order(*branch->getCondition(), way == 0))
        continue;
      std::optional<guarded_code> code = code_behind(*branch, way);
      std::size_t size = 0;
      for (const BasicBlock* each : code ? code->blocks : SmallVector<BasicBlock*>())
        size += each->size();
      if (code && size <= most && cost_of_masks(*code) > ALL_LANES_TEST)
        return code;
    }
  }
  return std::nullopt;
}

static void run_whole_first(const guarded_code& code) {
  BasicBlock& before = *code.branch->getParent();
  Function& function = *before.getParent();
  ValueToValueMapTy copies;
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock* block : code.blocks) {
    blocks.push_back(CloneBasicBlock(block, copies, ".whole", &function));
    copies[block] = blocks.back();
  }
  remapInstructionsInBlocks(blocks, copies);
  for (const auto& [block, copy] : zip_equal(code.blocks, blocks))
    for (PHINode& phi : code.end->phis())
      for (unsigned edge = 0, edges = phi.getNumIncomingValues(); edge < edges; ++edge)
        if (phi.getIncomingBlock(edge) == block) {
          Value* value = phi.getIncomingValue(edge);
          Value* copied = copies.lookup(value);
          phi.addIncoming(copied != nullptr ? copied : value, copy);
        }

  BasicBlock* some = BasicBlock::Create(function.getContext(), before.getName() + ".some", &function);
  for (BasicBlock* next : successors(&before))
    next->replacePhiUsesWith(&before, some);
  IRBuilder<> builder(code.branch);
  Value* condition = code.branch->getCondition();
  if (code.branch->getSuccessor(0) != code.first)
    condition = builder.CreateNot(condition);
  FunctionCallee vote = function.getParent()->getOrInsertFunction("__falx_sub_group_all", builder.getInt1Ty(),
                                                                  builder.getInt1Ty());
  CallInst* all = builder.CreateCall(vote, {condition}, "all");
  all->setConvergent();
  all->setDoesNotThrow();
  builder.CreateCondBr(all, cast<BasicBlock>(copies[code.first]), some);
  code.branch->moveBefore(*some, some->end());
}

void run_whole_guards_first(Function& work_item, unsigned lanes, const cost_model& costs,
                            const access_costs& accesses) {
  std::size_t left = MOST_COPIED_BEHIND_GUARDS;
  for (unsigned round = 0; round < MOST_COPIED_GUARDS; ++round) {
    const std::optional<guarded_code> code = guard_search(work_item, lanes, costs, accesses).find(left);
    if (!code)
      return;
    for (const BasicBlock* block : code->blocks)
      left -= block->size();
    run_whole_first(*code);
  }
}

} // namespace falx::jit::simd
