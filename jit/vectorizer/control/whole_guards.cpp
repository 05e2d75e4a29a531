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
//     br i1 %inside, label %body, label %end, !prof !unlikely
//   body:
//     store float %x, ptr %at                               ; masked
//     br label %end
// Masked stores of AVX and AVX2 take up to ten times as long as stores, and what lies at known distances is
// shuffled where all lanes are active, and gathered elsewhere. As the tests are in order, nearly all of the
// vectors that are left have no lanes behind them: linearization lets those pass by.
//
// Tests against the same bounds, one behind the other, as an unrolled loop over the elements of a work-item
// makes them (if (4 * i + k < n)), have one copy for the case that all lanes pass all of them:
//   entry:
//     %first = icmp slt i32 %i4, %n
//     %second = icmp slt i32 %i4.1, %n                      ; computed early
//     %pass = and i1 %first, %second
//     %all = call i1 @__falx_sub_group_all(i1 %pass)
// The copy is one block, so that what lies side by side is accessed together.

#include "whole_guards.hpp"
#include "linearization.hpp"
#include "pipeline/branch_weights.hpp"
#include "pipeline/budgets.hpp"
#include "prepare_for_lanes.hpp"
#include "region_copy.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit::simd {
namespace {

/// A further branch that lanes come to, between code and code.
struct next_guard {
  BasicBlock* block;
  /// The successor that is the code.
  unsigned way;
  /// How many blocks are before it.
  std::size_t blocks_before;
  double cost_of_masks;
};

/// Code that lanes come to, or do not, by one branch, and then by further ones.
struct guarded_code {
  BranchInst* branch;
  BasicBlock* first;
  SmallVector<BasicBlock*> blocks;
  BasicBlock* end;
  SmallVector<next_guard, 4> next;
};

/// What something that differs between lanes is compared with.
using bound = std::pair<CmpInst::Predicate, const Value*>;
using set_of_bounds = SmallSetVector<bound, 4>;

class guard_search {
public:
  guard_search(Function& work_item, unsigned lanes, const cost_model& costs, const access_costs& accesses)
      : code_(work_item, lanes), accesses_(accesses), lanes_(lanes),
        plan_(code_.dominators, code_.loops, code_.graph, code_.shapes, costs, lanes) {}

  /// The first that is worth a copy of at most \p most instructions.
  std::optional<guarded_code> find(std::size_t most) const;
  const DominatorTree& dominators() const { return code_.dominators; }

private:
  bool is_in_order(const Value& condition, bool is, unsigned depth = 0) const;
  bool has_copy(const BasicBlock& block) const;
  std::optional<guarded_code> code_behind(BranchInst& branch, unsigned way) const;
  bool find_bounds(const Value& condition, bool is, set_of_bounds& bounds) const;
  void add_next_guards(guarded_code& code, std::size_t most) const;
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

/// \p block is of what is left behind a test of all lanes that \p counts.
static bool is_left_by(const BasicBlock& block, const DominatorTree& dominators,
                       function_ref<bool(const Value& vote)> counts) {
  for (const auto* node = dominators.getNode(&block); node->getIDom() != nullptr; node = node->getIDom()) {
    const BasicBlock* before = node->getBlock()->getSinglePredecessor();
    const auto* branch = before == nullptr ? nullptr : dyn_cast<BranchInst>(before->getTerminator());
    if (branch != nullptr && branch->isConditional() && branch->getSuccessor(1) == node->getBlock() &&
        is_vote(*branch->getCondition()) && counts(*branch->getCondition()))
      return true;
  }
  return false;
}

CallInst* emit_vote(IRBuilderBase& builder, Value& condition, const Twine& name) {
  FunctionCallee vote = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      "__falx_sub_group_all", builder.getInt1Ty(), builder.getInt1Ty());
  CallInst* all = builder.CreateCall(vote, {&condition}, name);
  all->setConvergent();
  all->setDoesNotThrow();
  return all;
}

bool is_left_by_whole_vectors(const BasicBlock& block, const DominatorTree& dominators) {
  return is_left_by(block, dominators, [](const Value&) { return true; });
}

/// \p block has a copy for the case that all lanes come there. Vectors at a boundary may be whole.
bool guard_search::has_copy(const BasicBlock& block) const {
  return is_left_by(block, code_.dominators,
                    [](const Value& vote) { return !cast<Instruction>(vote).hasMetadata(BOUNDARY_TEST); });
}

std::optional<guarded_code> guard_search::code_behind(BranchInst& branch, unsigned way) const {
  BasicBlock& from = *branch.getParent();
  guarded_code code{&branch, branch.getSuccessor(way), {}, nullptr, {}};
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
  // Of each vector of memory in which lanes have elements.
  const lane_shape shape = code_.shapes[pointer];
  const std::uint64_t size = code_.shapes.layout().getTypeStoreSize(getLoadStoreType(&access));
  const std::uint64_t vectors =
      shape.is_progression() ? std::uint64_t(std::abs(shape.stride)) / std::max(size, std::uint64_t{1}) : 1;
  return accesses_.of_mask(access, lanes_) *
         double(std::clamp(vectors, std::uint64_t{1}, std::uint64_t{lanes_}));
}

double guard_search::cost_of_masks(const guarded_code& code) const {
  double cost = 0;
  for (const BasicBlock* block : code.blocks)
    for (const Instruction& instruction : *block)
      cost += cost_of_mask(instruction);
  return cost;
}

/// False if \p condition has other parts than comparisons with what all lanes share.
bool guard_search::find_bounds(const Value& condition, bool is, set_of_bounds& bounds) const {
  const Value *left = nullptr, *right = nullptr;
  if (is ? match(&condition, m_LogicalAnd(m_Value(left), m_Value(right)))
         : match(&condition, m_LogicalOr(m_Value(left), m_Value(right))))
    return find_bounds(*left, is, bounds) && find_bounds(*right, is, bounds);
  const auto* compare = dyn_cast<ICmpInst>(&condition);
  if (compare == nullptr)
    return false;
  CmpInst::Predicate predicate = is ? compare->getPredicate() : compare->getInversePredicate();
  const Value *value = compare->getOperand(0), *limit = compare->getOperand(1);
  if (code_.shapes[value].is_uniform()) {
    std::swap(value, limit);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  if (!code_.shapes[limit].is_uniform())
    return false;
  bounds.insert({predicate, limit});
  return true;
}

/// \p value can be had at \p place by computing once more what lies between.
static bool can_be_had_at(const Value& value, const Instruction& place, const DominatorTree& dominators,
                          unsigned depth = 0) {
  constexpr unsigned MOST_DEPTH = 6;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || dominators.dominates(instruction, &place))
    return true;
  return depth < MOST_DEPTH && !isa<PHINode>(instruction) && !instruction->mayReadFromMemory() &&
         isSafeToSpeculativelyExecute(instruction) &&
         all_of(
             instruction->operands(),
             [&](const Use& operand) { return can_be_had_at(*operand, place, dominators, depth + 1); });
}

static std::size_t size_of(ArrayRef<BasicBlock*> blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::size_t{0},
                         [](std::size_t sum, const BasicBlock* block) { return sum + block->size(); });
}

/// Further tests against the bounds of the first one, as long as there are at most \p most instructions
/// behind all of them.
void guard_search::add_next_guards(guarded_code& code, std::size_t most) const {
  set_of_bounds bounds;
  if (!find_bounds(*code.branch->getCondition(), code.branch->getSuccessor(0) == code.first, bounds))
    return;
  for (;;) {
    BasicBlock* block = code.end;
    auto* branch = dyn_cast<BranchInst>(block->getTerminator());
    if (branch == nullptr || !branch->isConditional() || !code_.shapes.is_divergent(block) ||
        !plan_[block].is_whole || !can_be_had_at(*branch->getCondition(), *code.branch, code_.dominators))
      break;
    std::optional<guarded_code> behind;
    unsigned way = 0;
    for (; way < 2 && !behind; way += behind ? 0 : 1) {
      set_of_bounds next;
      if (!find_bounds(*branch->getCondition(), way == 0, next) || next.size() != bounds.size() ||
          !all_of(next, [&](const bound& each) { return bounds.contains(each); }))
        continue;
      behind = code_behind(*branch, way);
      if (behind && branch->getSuccessor(1 - way) != behind->end)
        behind.reset();
    }
    if (!behind || size_of(code.blocks) + block->size() + size_of(behind->blocks) > most)
      break;
    code.next.push_back({block, way, code.blocks.size(), cost_of_masks(*behind)});
    code.blocks.push_back(block);
    code.blocks.append(behind->blocks);
    code.end = behind->end;
  }
  while (!code.next.empty() && code.next.back().cost_of_masks == 0) {
    code.end = code.next.back().block;
    code.blocks.truncate(code.next.back().blocks_before);
    code.next.pop_back();
  }
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
      if (!code || size_of(code->blocks) > most)
        continue;
      add_next_guards(*code, most);
      if (cost_of_masks(*code) > ALL_LANES_TEST)
        return code;
    }
  }
  return std::nullopt;
}

/// What blocks between the tests compute is used behind their end, where their copies come, too.
static void join_values(const guarded_code& code, ArrayRef<BasicBlock*> copies_of_blocks,
                        const ValueToValueMapTy& copies, const DominatorTree& dominators) {
  for (const next_guard& guard : code.next)
    for (Instruction& instruction : *guard.block) {
      SmallVector<Use*, 4> outside;
      for (Use& use : instruction.uses()) {
        const auto* user = cast<Instruction>(use.getUser());
        const auto* phi = dyn_cast<PHINode>(user);
        const BasicBlock* where = phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
        if (dominators.dominates(code.end, where))
          outside.push_back(&use);
      }
      if (outside.empty())
        continue;
      auto* joined = PHINode::Create(instruction.getType(), 2, instruction.getName() + ".joined");
      joined->insertBefore(code.end->begin());
      for (BasicBlock* before : predecessors(code.end))
        joined->addIncoming(
            is_contained(copies_of_blocks, before) ? copies.lookup(&instruction) : &instruction, before);
      for (Use* use : outside)
        use->set(joined);
    }
}

/// The ways that no lane takes there go from the copies of tests.
static void pass_next_guards(const guarded_code& code, const ValueToValueMapTy& copies) {
  for (const next_guard& guard : code.next) {
    auto& block = *cast<BasicBlock>(copies.lookup(guard.block));
    auto* branch = cast<BranchInst>(block.getTerminator());
    BranchInst::Create(branch->getSuccessor(guard.way), branch->getIterator());
    branch->eraseFromParent();
  }
  for (const next_guard& guard : code.next) {
    auto& block = *cast<BasicBlock>(copies.lookup(guard.block));
    for (PHINode& phi : block.phis())
      phi.removeIncomingValueIf(
          [&](unsigned edge) { return !is_contained(predecessors(&block), phi.getIncomingBlock(edge)); },
          /*DeletePHIIfEmpty=*/false);
  }
}

/// What was computed behind each test is computed once: the addresses of neighbours begin alike.
static void unite_values(BasicBlock& block) {
  SmallVector<Instruction*> values;
  for (Instruction& instruction : make_early_inc_range(block)) {
    if (instruction.isTerminator() || isa<PHINode, AllocaInst>(instruction) ||
        instruction.mayHaveSideEffects() ||
        (instruction.mayReadFromMemory() && !instruction.hasMetadata(LLVMContext::MD_invariant_load)))
      continue;
    const auto same = find_if(
        values, [&](const Instruction* earlier) { return earlier->isIdenticalToWhenDefined(&instruction); });
    if (same == values.end()) {
      values.push_back(&instruction);
      continue;
    }
    (*same)->andIRFlags(&instruction);
    combineMetadataForCSE(*same, &instruction, /*DoesKMove=*/false);
    instruction.replaceAllUsesWith(*same);
    instruction.eraseFromParent();
  }
}

/// Behind a test that not all lanes have passed few vectors have lanes for it.
static void expect_no_lanes(BranchInst& branch, bool is_first_way) {
  if (!branch.hasMetadata(LLVMContext::MD_prof))
    set_unlikely(branch, is_first_way);
}

static void run_whole_first(const guarded_code& code, const DominatorTree& dominators) {
  BasicBlock& before = *code.branch->getParent();
  Function& function = *before.getParent();
  IRBuilder<> builder(code.branch);
  rematerialiser here(builder, rematerialiser::flags::kept, [&](Value& value) {
    const auto* instruction = dyn_cast<Instruction>(&value);
    return instruction == nullptr || dominators.dominates(instruction, code.branch) ? &value : nullptr;
  });
  const auto passed = [&](const BranchInst& branch, bool is_first_way) {
    Value* condition = here.emit(*branch.getCondition());
    return is_first_way ? condition : builder.CreateNot(condition);
  };
  Value* condition = passed(*code.branch, code.branch->getSuccessor(0) == code.first);
  for (const next_guard& guard : code.next)
    condition = builder.CreateAnd(
        condition, passed(*cast<BranchInst>(guard.block->getTerminator()), guard.way == 0), "pass");

  ValueToValueMapTy copies;
  const SmallVector<BasicBlock*> blocks = copy_blocks(code.blocks, ".whole", copies);
  pass_next_guards(code, copies);
  lead_to_end(code.blocks, *code.end, copies);
  join_values(code, blocks, copies, dominators);

  BasicBlock* some = BasicBlock::Create(function.getContext(), before.getName() + ".some", &function);
  for (BasicBlock* next : successors(&before))
    next->replacePhiUsesWith(&before, some);
  CallInst* all = emit_vote(builder, *condition, "all");
  builder.CreateCondBr(all, blocks.front(), some);
  code.branch->moveBefore(*some, some->end());
  expect_no_lanes(*code.branch, code.branch->getSuccessor(0) == code.first);
  for (const next_guard& guard : code.next)
    expect_no_lanes(*cast<BranchInst>(guard.block->getTerminator()), guard.way == 0);
  if (code.next.empty())
    return;
  SmallVector<BasicBlock*> whole;
  for (BasicBlock* block : reverse(blocks))
    if (block == blocks.front() || !MergeBlockIntoPredecessor(block))
      whole.push_back(block);
  for (BasicBlock* block : whole)
    unite_values(*block);
}

bool run_whole_guard_first(Function& work_item, unsigned lanes, const cost_model& costs,
                           const access_costs& accesses, std::size_t& budget) {
  const guard_search search(work_item, lanes, costs, accesses);
  const std::optional<guarded_code> code = search.find(budget);
  if (!code)
    return false;
  budget -= size_of(code->blocks);
  run_whole_first(*code, search.dominators());
  return true;
}

} // namespace falx::jit::simd
