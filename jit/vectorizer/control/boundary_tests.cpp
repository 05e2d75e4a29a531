// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Filters, stencils and windows look at the neighbours of an element, and test whether there are any. Before,
// as a work-item:
//   loop:
//     %k = phi i32 [ -2, %before ], [ %next, %loop ]              ; to 2, for all lanes
//     %at = add nsw i32 %i, %k
//     %least = call i32 @llvm.smax.i32(i32 %at, i32 0)
//     %inside = call i32 @llvm.smin.i32(i32 %least, i32 %last)
//     %x = load float, ptr (%data + %inside)                      ; of a vector: gathered
// After:
//   before:
//     %first = add nsw i32 %i, -2
//     %is.first.inside = icmp sge i32 %first, 0
//     %end = add nsw i32 %i, 2
//     %is.end.inside = icmp sle i32 %end, %last
//     %are = and i1 %is.first.inside, %is.end.inside
//     %all = call i1 @__falx_sub_group_all(i1 %are)
//     br i1 %all, label %loop.inside, label %loop
//   loop.inside:
//     %k.inside = phi i32 …
//     %at.inside = add nsw i32 %i, %k.inside
//     %x.inside = load float, ptr (%data + %at.inside)            ; of a vector: as it lies
// Tests that are left out have a usual outcome:
//   max(a, b), min(a, b)    a, where lanes have neighbouring ones and b is the same for all
//   a % b, a & 2^n - 1      a, or a - b where a is a sum with b
//   a < b                   as the branch has it that leads to code, or the selection that takes what differs
//   a == b                  no
// and it is the outcome in all iterations if it is with the extremes of both sides, which ScalarEvolution
// knows. Vectors with a lane at the boundary, which are few, keep all tests.

#include "boundary_tests.hpp"
#include "boundary_conditions.hpp"
#include "linearization.hpp"
#include "pipeline/budgets.hpp"
#include "prepare_for_lanes.hpp"
#include "region_copy.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"
#include "whole_guards.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <cmath>
#include <optional>

using namespace llvm;
using namespace PatternMatch;

namespace falx::jit::simd {
namespace {

/// Clocks of a comparison before the test of all lanes.
constexpr double COMPARISON = 1.5;
/// Masks of both ways, and a branch or a selection.
constexpr double BRANCH_OF_LANES = 4;
/// Iterations of a loop that lanes go through together, which has few where it goes to neighbours.
constexpr double NEIGHBOURS = 4;
/// Elements to one whose number is known.
constexpr unsigned FARTHEST_NEIGHBOUR = 64;
/// Clocks of a remainder of numbers, 32 bits wide, on AMD's family 17h and 1Ah and Intel's Ice Lake: 12
/// to 20.
constexpr double REMAINDER = 12;
constexpr unsigned MOST_DEPTH = 8;

/// A test of lanes with its usual outcome.
struct boundary_test {
  Instruction* test;
  /// Stands for the test: one of its operands, a constant, or what \p subtrahend is taken from.
  Value* result;
  Value* subtrahend = nullptr;
  /// All have to hold.
  SmallVector<condition, 2> conditions = {};
  /// The code that is left out if they do begins behind this block: its own, or the one before a loop.
  BasicBlock* level = nullptr;
};

using tests_of_level = MapVector<const Loop*, SmallVector<boundary_test, 4>>;

/// A plan to copy the code between two places.
struct boundary_copy {
  ArrayRef<boundary_test> tests;
  /// Within which all of them have their usual outcome.
  simd::limits limits;
  /// The code begins before this instruction, and ends behind the other one.
  Instruction *first, *last;
};

class boundary_search {
public:
  boundary_search(Function& work_item, unsigned lanes, const cost_model& costs, const access_costs& accesses,
                  FunctionAnalysisManager& analyses)
      : code_(work_item, lanes),
        plan_(code_.dominators, code_.loops, code_.graph, code_.shapes, costs, lanes), accesses_(accesses),
        lanes_(lanes), work_item_(work_item), post_dominators_(work_item),
        conditions_(work_item, code_, analyses.getResult<TargetLibraryAnalysis>(work_item)),
        evolution_(conditions_.evolution()), dominators_(conditions_.dominators()),
        loops_(conditions_.loops()) {}

  /// Copies the code of the first tests for which that is worth it.
  bool change(boundary_scope scope, std::size_t& budget);

private:
  std::optional<boundary_test> as_test(Instruction& instruction);
  std::optional<boundary_test> as_extremum(MinMaxIntrinsic& extremum);
  std::optional<boundary_test> as_remainder(BinaryOperator& binary);
  std::optional<boundary_test> as_comparison(ICmpInst& compare);
  std::optional<bool> usual_outcome(const Value& condition, unsigned depth = 0) const;
  std::optional<bool> outcome_of_branch(const BranchInst& branch) const;
  bool is_known(const Value& value) const { return !code_.shapes[&value].is_varying(); }
  bool is_uniform(const Value& value) const { return code_.shapes[&value].is_uniform(); }

  bool set_level(boundary_test& test);
  double gain_of(ArrayRef<boundary_test> tests, const Loop* around, SmallVectorImpl<Instruction*>& accesses);
  double trips(const BasicBlock& block, const Loop* around) const;
  bool becomes_known(const Value& value, const DenseMap<const Value*, const boundary_test*>& tests,
                     bool& depends, unsigned depth = 0) const;
  std::optional<boundary_copy> plan_copy(SmallVectorImpl<boundary_test>& tests, const Loop* around,
                                         boundary_scope scope);
  bool copy(const boundary_copy& plan, std::size_t& budget);
  void leave_out(ArrayRef<boundary_test> tests, const ValueToValueMapTy& copies);

  const prepared_function code_;
  const linearization plan_;
  const access_costs& accesses_;
  const unsigned lanes_;
  Function& work_item_;
  PostDominatorTree post_dominators_;
  boundary_conditions conditions_;
  ScalarEvolution& evolution_;
  DominatorTree& dominators_;
  LoopInfo& loops_;
};

} // namespace

std::optional<boundary_test> boundary_search::as_extremum(MinMaxIntrinsic& extremum) {
  const std::optional<unsigned> own = own_operand(extremum, code_.shapes);
  return own ? std::optional(boundary_test{&extremum, extremum.getArgOperand(*own)}) : std::nullopt;
}

std::optional<boundary_test> boundary_search::as_remainder(BinaryOperator& binary) {
  Value *left = binary.getOperand(0), *right = binary.getOperand(1);
  const bool is_mask = binary.getOpcode() == Instruction::And;
  const bool divides = binary.getOpcode() == Instruction::URem || binary.getOpcode() == Instruction::SRem;
  if (!binary.getType()->isIntegerTy() || !is_uniform(*right) ||
      (is_mask ? !match(right, m_LowBitMask()) : !divides) ||
      (is_uniform(*left) && (is_mask || isa<Constant>(right))))
    return std::nullopt;
  boundary_test test{&binary, left};
  const SCEV* divisor = evolution_.getSCEV(right);
  const auto* sum = dyn_cast<SCEVAddExpr>(evolution_.getSCEV(left));
  // A sum that wraps is poison.
  Value* other = nullptr;
  if (!is_mask && (match(left, m_NSWAdd(m_Value(other), m_Specific(right))) ||
                   match(left, m_NSWAdd(m_Specific(right), m_Value(other)))))
    test.result = other;
  else if (sum != nullptr && !is_mask && is_contained(sum->operands(), divisor) &&
           match(left, m_NSWAdd(m_Value(), m_Value())))
    test.subtrahend = right;
  // Of numbers whose quotient is asked for, too, parts of a vector have one (vector_parts.cpp).
  if (any_of(left->users(),
             [&](const User* user) { return match(user, m_IDiv(m_Specific(left), m_Specific(right))); }))
    return std::nullopt;
  // A neighbour's number. Others, as of elements in rows of an image, are not below the divisor.
  const bool is_neighbour =
      other != nullptr || test.subtrahend != nullptr || isa<SCEVAddRecExpr>(evolution_.getSCEV(left)) ||
      (sum != nullptr && isa<SCEVConstant>(sum->getOperand(0)) &&
       cast<SCEVConstant>(sum->getOperand(0))->getAPInt().abs().ule(FARTHEST_NEIGHBOUR));
  if (!is_neighbour || !is_known(*left))
    return std::nullopt;
  return test;
}

/// A branch over code, out of which it leads to where that ends: in a loop, or with a value that there is
/// otherwise, too. What else lanes come to in order has a copy of its own (whole_guards.cpp).
std::optional<bool> boundary_search::outcome_of_branch(const BranchInst& branch) const {
  const BasicBlock* from = branch.getParent();
  const Loop* loop = loops_.getLoopFor(from);
  if (loop != nullptr && loop->isLoopExiting(from))
    return std::nullopt;
  for (const unsigned way : {0U, 1U}) {
    const BasicBlock *code = branch.getSuccessor(way), *end = branch.getSuccessor(1 - way);
    if (code->getSinglePredecessor() == from && post_dominators_.dominates(end, code) &&
        end->getSinglePredecessor() == nullptr && (loop != nullptr || !end->phis().empty()))
      return way == 0;
  }
  return std::nullopt;
}

/// As those have it that use it, if they agree.
std::optional<bool> boundary_search::usual_outcome(const Value& condition, unsigned depth) const {
  std::optional<bool> outcome;
  if (depth == MOST_DEPTH)
    return outcome;
  for (const User* user : condition.users()) {
    std::optional<bool> here;
    const auto* select = dyn_cast<SelectInst>(user);
    if (match(user, m_Not(m_Specific(&condition)))) {
      here = usual_outcome(*user, depth + 1);
      if (here)
        here = !*here;
    } else if (match(user, m_LogicalAnd(m_Value(), m_Value())) ||
               match(user, m_LogicalOr(m_Value(), m_Value()))) {
      here = usual_outcome(*user, depth + 1);
      if (here && *here != match(user, m_LogicalAnd(m_Value(), m_Value())))
        here.reset(); // one of both is enough
    } else if (select != nullptr && select->getCondition() == &condition) {
      const bool is_first = is_uniform(*select->getTrueValue()),
                 is_other = is_uniform(*select->getFalseValue());
      if (is_first != is_other)
        here = is_other;
    } else if (const auto* branch = dyn_cast<BranchInst>(user)) {
      here = outcome_of_branch(*branch);
      if (!here)
        return std::nullopt;
    }
    if (here && outcome && *here != *outcome)
      return std::nullopt;
    if (here)
      outcome = here;
  }
  return outcome;
}

std::optional<boundary_test> boundary_search::as_comparison(ICmpInst& compare) {
  const bool is_left = is_uniform(*compare.getOperand(0)), is_right = is_uniform(*compare.getOperand(1));
  if (!compare.getOperand(0)->getType()->isIntegerTy() || is_left == is_right ||
      !is_known(*compare.getOperand(is_left ? 1 : 0)))
    return std::nullopt;
  const std::optional<bool> outcome = usual_outcome(compare);
  if (!outcome || (compare.isEquality() && *outcome == (compare.getPredicate() == CmpInst::ICMP_EQ)))
    return std::nullopt;
  return boundary_test{&compare, ConstantInt::getBool(compare.getContext(), *outcome)};
}

std::optional<boundary_test> boundary_search::as_test(Instruction& instruction) {
  std::optional<boundary_test> test;
  if (auto* extremum = dyn_cast<MinMaxIntrinsic>(&instruction))
    test = as_extremum(*extremum);
  else if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
    test = as_remainder(*binary);
  else if (auto* compare = dyn_cast<ICmpInst>(&instruction))
    test = as_comparison(*compare);
  return test && set_level(*test) ? test : std::nullopt;
}

/// Finds the conditions under which it has its usual outcome, outside of as many loops as possible that lanes
/// go through together: others have iterations in which it has not.
bool boundary_search::set_level(boundary_test& test) {
  CmpInst::Predicate predicate = CmpInst::BAD_ICMP_PREDICATE;
  const Value *left = test.test->getOperand(0), *right = test.test->getOperand(1);
  if (const auto* extremum = dyn_cast<MinMaxIntrinsic>(test.test)) {
    predicate = predicate_of(*extremum);
    if (test.result == right)
      std::swap(left, right);
  } else if (const auto* compare = dyn_cast<ICmpInst>(test.test)) {
    predicate =
        cast<ConstantInt>(test.result)->isOne() ? compare->getPredicate() : compare->getInversePredicate();
  } else {
    if (test.subtrahend == nullptr)
      left = test.result;
    predicate = test.test->getOpcode() == Instruction::And ? CmpInst::ICMP_ULE : CmpInst::ICMP_ULT;
  }
  SmallVector<const Loop*, 4> levels{nullptr};
  for (const Loop* loop = loops_.getLoopFor(test.test->getParent()); loop != nullptr;
       loop = loop->getParentLoop()) {
    const Loop* prepared = code_.loops.getLoopFor(loop->getHeader());
    if (code_.shapes.is_divergent(prepared))
      break;
    levels.push_back(loop);
  }
  for (const Loop* around : reverse(levels)) {
    test.level = around == nullptr ? test.test->getParent() : around->getLoopPreheader();
    if (test.level == nullptr)
      continue;
    std::optional<boundary_conditions::conditions> found =
        conditions_.of({predicate, *left, *right, *test.test->getParent(), around, test.subtrahend});
    if (found) {
      test.conditions = std::move(*found);
      return true;
    }
  }
  return false;
}

double boundary_search::trips(const BasicBlock& block, const Loop* around) const {
  double product = 1;
  for (const Loop* loop = loops_.getLoopFor(&block); loop != around && loop != nullptr;
       loop = loop->getParentLoop())
    product *= NEIGHBOURS;
  return product;
}

/// \p value is at known distances from lane to lane once the tests have their outcomes. \p depends: by these.
bool boundary_search::becomes_known(const Value& value,
                                    const DenseMap<const Value*, const boundary_test*>& tests, bool& depends,
                                    unsigned depth) const {
  if (is_known(value))
    return true;
  const auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || depth == MOST_DEPTH)
    return false;
  const auto of = [&](const Value& part) { return becomes_known(part, tests, depends, depth + 1); };
  if (const boundary_test* test = tests.lookup(instruction)) {
    depends = true;
    return of(*test->result);
  }
  if (const auto* select = dyn_cast<SelectInst>(instruction))
    if (const boundary_test* test = tests.lookup(select->getCondition())) {
      depends = true;
      return of(
          *(cast<ConstantInt>(test->result)->isOne() ? select->getTrueValue() : select->getFalseValue()));
    }
  if (const auto* phi = dyn_cast<PHINode>(instruction)) {
    const Loop* loop = loops_.getLoopFor(phi->getParent());
    return loop != nullptr && loop->getHeader() == phi->getParent() &&
           of(*phi->getIncomingValueForBlock(loop->getLoopPreheader()));
  }
  switch (instruction->getOpcode()) {
  case Instruction::Mul:
  case Instruction::Shl:
    return is_uniform(*instruction->getOperand(1)) && of(*instruction->getOperand(0));
  case Instruction::Or:
    if (!cast<PossiblyDisjointInst>(instruction)->isDisjoint())
      return false;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::GetElementPtr:
    return all_of(instruction->operands(), [&](const Use& operand) { return of(*operand); });
  default:
    return false;
  }
}

/// Clocks that the code takes less without the tests, and its accesses that gain.
double boundary_search::gain_of(ArrayRef<boundary_test> tests, const Loop* around,
                                SmallVectorImpl<Instruction*>& accesses) {
  DenseMap<const Value*, const boundary_test*> by_value;
  SmallPtrSet<const BasicBlock*, 8> guarded;
  double gain = 0;
  bool has_gain = false;
  for (const boundary_test& test : tests) {
    by_value[test.test] = &test;
    const bool divides = test.test->isIntDivRem() && !isa<Constant>(test.test->getOperand(1));
    gain += (divides ? REMAINDER : COMPARISON) * trips(*test.test->getParent(), around);
    has_gain = has_gain || divides;
  }
  for (BasicBlock& block : work_item_) {
    const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (branch == nullptr || !branch->isConditional() || !code_.shapes.is_divergent(&block))
      continue;
    const std::optional<bool> outcome = outcome_of_branch(*branch);
    SmallVector<const Value*, 4> parts{branch->getCondition()};
    bool depends = outcome.has_value();
    for (std::size_t at = 0; at < parts.size() && depends; ++at) {
      const Value *left = nullptr, *right = nullptr;
      if (*outcome ? match(parts[at], m_LogicalAnd(m_Value(left), m_Value(right)))
                   : match(parts[at], m_LogicalOr(m_Value(left), m_Value(right))))
        parts.append({left, right});
      else
        depends = is_uniform(*parts[at]) || by_value.contains(parts[at]);
    }
    if (!depends)
      continue;
    guarded.insert(branch->getSuccessor(*outcome ? 0 : 1));
    gain += BRANCH_OF_LANES * trips(block, around);
  }
  double of_accesses = 0;
  for (BasicBlock& block : work_item_) {
    const bool is_guarded =
        any_of(guarded, [&](const BasicBlock* code) { return dominators_.dominates(code, &block); });
    for (Instruction& instruction : block) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (pointer == nullptr || is_uniform(*pointer))
        continue;
      bool depends = false;
      double here = 0;
      if (is_known(*pointer))
        here = is_guarded ? std::max(accesses_.of_mask(instruction, lanes_), COMPARISON) : 0;
      else if (becomes_known(*pointer, by_value, depends) && depends)
        here = accesses_.of_scattered(instruction, lanes_) -
               accesses_.of_consecutive(instruction, lanes_, lanes_);
      if (here <= 0)
        continue;
      of_accesses += here * trips(block, around);
      accesses.push_back(&instruction);
    }
  }
  return of_accesses == 0 && !has_gain ? 0 : gain + of_accesses;
}

/// Where the copy is that is worth it; takes tests away that are none before it.
std::optional<boundary_copy> boundary_search::plan_copy(SmallVectorImpl<boundary_test>& tests,
                                                        const Loop* around, boundary_scope scope) {
  Instruction* first = nullptr;
  for (;;) {
    if (tests.empty())
      return std::nullopt;
    BasicBlock* begin = tests.front().level;
    for (const boundary_test& test : tests)
      begin = dominators_.findNearestCommonDominator(begin, test.level);
    first = begin->getTerminator();
    for (const boundary_test& test : tests)
      if (test.test->getParent() == begin && test.test->comesBefore(first))
        first = test.test;
    const std::size_t before = tests.size();
    erase_if(tests, [&](const boundary_test& test) {
      return !all_of(test.conditions, [&](const condition& each) { return conditions_.bring(each, *first); });
    });
    if (tests.size() == before)
      break;
  }
  if (loops_.getLoopFor(first->getParent()) != around ||
      (scope == boundary_scope::whole_vectors && !plan_[first->getParent()].is_whole))
    return std::nullopt;
  // Variables stay in the entry.
  if (any_of(make_range(first->getIterator(), first->getParent()->end()), IsaPred<AllocaInst>))
    return std::nullopt;
  SmallVector<Instruction*> accesses;
  const double gain = gain_of(tests, around, accesses);
  limits limits;
  for (const boundary_test& test : tests)
    for (const condition& each : test.conditions)
      conditions_.add(limits, each);
  if (gain <= ALL_LANES_TEST + COMPARISON * double(limits.of_values.size() + limits.not_zero.size()))
    return std::nullopt;
  // To where all that gains is over, and loops around it are.
  BasicBlock* end = first->getParent();
  SmallVector<Instruction*> inside(accesses);
  for (const boundary_test& test : tests)
    inside.push_back(test.test);
  for (const Instruction* each : inside)
    end = post_dominators_.findNearestCommonDominator(end, const_cast<BasicBlock*>(each->getParent()));
  while (end != nullptr && loops_.getLoopFor(end) != around)
    end = post_dominators_.getNode(end)->getIDom()->getBlock();
  if (end == nullptr || (around != nullptr && end == around->getHeader() && end != first->getParent()))
    return std::nullopt;
  Instruction* last = nullptr;
  for (Instruction* each : inside)
    if (each->getParent() == end && (last == nullptr || last->comesBefore(each)))
      last = each;
  if (end == first->getParent() && last == nullptr)
    return std::nullopt;
  return boundary_copy{tests, std::move(limits), first, last != nullptr ? last : &end->front()};
}

/// Nothing asks any more, in the copy, what is known there.
void boundary_search::leave_out(ArrayRef<boundary_test> tests, const ValueToValueMapTy& copies) {
  SmallSetVector<Instruction*, 16> open;
  const auto replace = [&](Instruction& instruction, Value& by) {
    for (User* user : instruction.users())
      open.insert(cast<Instruction>(user));
    instruction.replaceAllUsesWith(&by);
  };
  const auto copy_of = [&](Value* value) {
    Value* copied = copies.lookup(value);
    return copied != nullptr ? copied : value;
  };
  SmallVector<Instruction*, 8> replaced;
  for (const boundary_test& test : tests) {
    auto* copied = dyn_cast_or_null<Instruction>(static_cast<Value*>(copies.lookup(test.test)));
    if (copied == nullptr)
      continue; // a condition is made of it
    replaced.push_back(copied);
    Value* result = copy_of(test.result); // which another test may have given way to
    if (test.subtrahend != nullptr)
      result = IRBuilder<>(copied).CreateSub(result, copy_of(test.subtrahend));
    replace(*copied, *result);
  }
  SmallSetVector<BasicBlock*, 8> decided;
  while (!open.empty()) {
    Instruction* instruction = open.pop_back_val();
    if (auto* branch = dyn_cast<BranchInst>(instruction);
        branch != nullptr && branch->isConditional() && isa<ConstantInt>(branch->getCondition()))
      decided.insert(branch->getParent());
    else if (isa<SelectInst, BinaryOperator>(instruction) && !instruction->use_empty())
      if (Value* simpler =
              simplifyInstruction(instruction, SimplifyQuery(work_item_.getDataLayout(), instruction)))
        replace(*instruction, *simpler);
  }
  // Each by itself: another may be an operand no longer.
  for (Instruction* test : reverse(replaced))
    if (test->use_empty())
      test->eraseFromParent();
  for (BasicBlock* block : decided)
    ConstantFoldTerminator(block, /*DeleteDeadConditions=*/true);
  EliminateUnreachableBlocks(work_item_);
}

bool boundary_search::copy(const boundary_copy& plan, std::size_t& budget) {
  BasicBlock* before = plan.first->getParent();
  BasicBlock* last = plan.last->getParent();
  // Blocks of the code alone; loops that end there keep their exits.
  BasicBlock* end = nullptr;
  const bool ends_before = !dominators_.dominates(before, last);
  if (ends_before) {
    end = last;
  } else {
    BasicBlock::iterator behind = plan.last->getIterator();
    if (isa<PHINode>(plan.last))
      behind = last->getFirstNonPHIIt();
    else if (!plan.last->isTerminator())
      ++behind;
    end = SplitBlock(last, behind, &dominators_, &loops_);
  }
  BasicBlock* entry = SplitBlock(before, plan.first->getIterator(), &dominators_, &loops_);
  const std::optional<code_region> region = region_between(*entry, *end);
  if (!region || region->size() > budget)
    return false;
  budget -= region->size();

  IRBuilder<> builder(before->getTerminator());
  Value* inside = conditions_.emit(plan.limits, *before->getTerminator());
  // What would have gone wrong later, or not at all, does not go wrong here.
  CallInst* all = emit_vote(builder, *builder.CreateFreeze(inside), "inside");
  all->setMetadata(BOUNDARY_TEST, MDNode::get(work_item_.getContext(), {}));

  ValueToValueMapTy copies;
  copy_region(*region, *before, *all, ".inside", copies);
  leave_out(plan.tests, copies);
  return true;
}

bool boundary_search::change(boundary_scope scope, std::size_t& budget) {
  if (plan_.failure() != nullptr)
    return false;
  tests_of_level levels;
  for (BasicBlock* block : code_.graph.order()) {
    if (is_left_by_whole_vectors(*block, dominators_))
      continue;
    for (Instruction& instruction : *block)
      if (std::optional<boundary_test> test = as_test(instruction))
        levels[loops_.getLoopFor(test->level)].push_back(std::move(*test));
  }
  for (auto& [around, tests] : levels)
    if (const std::optional<boundary_copy> plan = plan_copy(tests, around, scope))
      return copy(*plan, budget);
  return false;
}

/// There is something to look at.
static bool has_candidates(const Function& work_item) {
  return any_of(instructions(work_item), [](const Instruction& instruction) {
    return isa<ICmpInst, MinMaxIntrinsic>(instruction) || instruction.getOpcode() == Instruction::SRem ||
           instruction.getOpcode() == Instruction::URem || instruction.getOpcode() == Instruction::And;
  });
}

bool leave_out_boundary_tests(Function& work_item, unsigned lanes, const cost_model& costs,
                              const access_costs& accesses, FunctionAnalysisManager& analyses,
                              boundary_scope scope, std::size_t& budget) {
  return budget != 0 && has_candidates(work_item) &&
         boundary_search(work_item, lanes, costs, accesses, analyses).change(scope, budget);
}

} // namespace falx::jit::simd
