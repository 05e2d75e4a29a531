// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   for (i = starts[row]; i < starts[row + 1]; ++i)     16 rows as a vector          one row after the other
//     sum += values[i] * x[columns[i]];
//                                          iteration:   3 gathers, 2 lines of        3 loads, an addition
//                                                       memory that nobody fetched   that waits 4 clocks:
//                                                       before: 130 clocks           16 x 4 clocks
//                                          iterations:  those of the longest row,    those of each row
//                                                       twice the mean
//
// Mandelbrot has the same loop's end, but a vector does in one iteration what 16 numbers do in 16.

#include "form_results.hpp"
#include "frontend/builtin_calls.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "recurrences.hpp"
#include "row_elements.hpp"
#include "vectorizer/control/one_lane_code.hpp"
#include "vectorizer/emission/vector_calls.hpp"
#include "vectorizer/passes.hpp"
#include "vectorizer/vectorize_function.hpp"
#include "work_item_costs.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/Analysis/BranchProbabilityInfo.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cmath>

using namespace llvm;

namespace falx::jit::simd {

/// Bytes that memory is fetched in: x86-64's lines, and those of most of AArch64.
constexpr double LINE_BYTES = 64;

/// Clocks until a line is there that the processor did not see coming, while others are on their way, too: as
/// many lanes as go through rows of their own are more streams than it follows. Measured on AMD's family 1Ah
/// (bench/divergence, SpMV with a row per item): an iteration of 16 lanes takes 142 clocks, of which its
/// three gathers take 42 and 2 such lines the rest.
constexpr double UNEXPECTED_LINE = 50;

/// Clocks of what LLVM adds where vectors along a row begin and end: a sum of a vector's elements takes twice
/// the instructions, of which others' hide the half.
constexpr double ROW_ENDS = 3;

/// Whether any lane is active: a mask to a number, a comparison and a branch.
constexpr double MASK_TEST_INSTRUCTIONS = 3;
/// Whether neighbours are in one page (branchless_accesses.cpp): that, a choice, a sum and a comparison more.
constexpr double PAGE_TEST_INSTRUCTIONS = 6;

namespace {

/// Estimated clocks of as many work-items as a vector has lanes.
struct form_costs {
  /// As one vector.
  double vector = 0;
  /// One after the other.
  double one_by_one = 0;
  /// As form_estimate has it.
  bool errs_far = false;
  /// LLVM makes vectors along rows of one work-item.
  bool has_row_vectors = false;
};

/// How often blocks run follows from the numbers of iterations that are known, LLVM's guesses at branches
/// where nothing is, and for vectors from where lanes part: a vector runs a block if any lane comes to it,
/// and stays in a loop until the last has left.
class form_estimate : work_item_costs {
public:
  form_estimate(Function& work_item, FunctionAnalysisManager& analyses, const cost_model& costs,
                unsigned lanes)
      : work_item_costs(work_item, analyses, costs, lanes),
        frequencies_(analyses.getResult<BlockFrequencyAnalysis>(work_item)),
        probabilities_(analyses.getResult<BranchProbabilityAnalysis>(work_item)) {
    count_strided_accesses();
  }
  form_costs run();
  bool errs_far() const;

private:
  /// How often something runs per call of the work-item function: for one work-item, and for a vector.
  struct counts {
    double one = 1;
    double vector = 1;
  };
  counts of_iteration(const Loop* loop);
  /// Of a run of a block per iteration of its loop.
  counts in_iteration(const BasicBlock& block) const;
  bool is_of_one_lane(const BasicBlock& block) const;
  double unexpected_lines(const Instruction& access, const Loop* loop) const;
  bool is_masked(const BasicBlock& block) const;
  bool is_lane_by_lane(const Instruction& instruction) const;
  operation_cost of_lanes(const Instruction& instruction) const;
  operation_cost of_vector(const Instruction& instruction) const;
  operation_cost of_masks(const BasicBlock& block) const;
  operation_cost of_one(const Instruction& instruction) const;
  double mispredicted(const BasicBlock& block) const;
  void count_strided_accesses();
  bool is_shuffled(const Instruction& access) const;
  unsigned members_of(const Instruction& access) const;
  bool is_guard(const Value& condition) const;
  bool is_in_divergent_loop(const BasicBlock& block) const;
  bool becomes_branch(const Instruction& instruction, const Loop* loop) const;
  double clocks_of_row(const Loop& loop, unsigned elements) const;
  form_costs of_blocks(const Loop* loop, ArrayRef<const BasicBlock*> blocks);

  const BlockFrequencyInfo& frequencies_;
  const BranchProbabilityInfo& probabilities_;
  DenseMap<const Loop*, counts> iterations_;
  /// By block, opcode, what they are of, and the distance from lane to lane in bytes.
  using strided_accesses = std::tuple<const BasicBlock*, unsigned, const Value*, std::int64_t>;
  DenseMap<strided_accesses, unsigned> strided_;
};

} // namespace

/// The last of so many lanes leaves, if every number of iterations up to twice the mean is as likely, after
/// 2 n / (n + 1) times the mean.
static double trips_of_last(unsigned lanes) {
  return 2.0 * lanes / (lanes + 1.0);
}

form_estimate::counts form_estimate::of_iteration(const Loop* loop) {
  if (loop == nullptr)
    return {};
  if (const auto known = iterations_.find(loop); known != iterations_.end())
    return known->second;
  const BasicBlock* before = loop->getLoopPreheader();
  counts result = of_iteration(loop->getParentLoop());
  const counts entered = before != nullptr ? in_iteration(*before) : counts{};
  const double trips = trips_of(*loop);
  result.one *= entered.one * trips;
  result.vector *= entered.vector * trips * (shapes.is_divergent(loop) ? trips_of_last(lanes) : 1);
  iterations_[loop] = result;
  return result;
}

/// One lane at most comes to \p block, by a branch in the same loop, as where the first of a group adds up.
bool form_estimate::is_of_one_lane(const BasicBlock& block) const {
  const Loop* loop = loops.getLoopFor(&block);
  for (auto* node = dominators.getNode(&block)->getIDom(); node != nullptr; node = node->getIDom()) {
    const BasicBlock* from = node->getBlock();
    if (loop != nullptr && !loop->contains(from))
      return false;
    const auto* branch = dyn_cast<BranchInst>(from->getTerminator());
    if (branch == nullptr || !branch->isConditional())
      continue;
    for (const unsigned way : {0U, 1U})
      if (one_lane_test(*branch->getCondition(), way == 0, shapes) != nullptr &&
          dominators.dominates(BasicBlockEdge(from, branch->getSuccessor(way)), &block))
        return true;
  }
  return false;
}

form_estimate::counts form_estimate::in_iteration(const BasicBlock& block) const {
  if (is_of_one_lane(block))
    return {1.0 / lanes, 1};
  const Loop* loop = loops.getLoopFor(&block);
  const BasicBlock& from = loop != nullptr ? *loop->getHeader() : work_item.getEntryBlock();
  const double all = double(frequencies_.getBlockFreq(&from).getFrequency());
  const double share =
      all == 0 ? 1 : std::min(1.0, double(frequencies_.getBlockFreq(&block).getFrequency()) / all);
  return {share, is_conditional(block) ? 1 - std::pow(1 - share, lanes) : share};
}

/// Lines of memory per iteration of \p loop that \p access comes to in the rows of all lanes. Rows that all
/// lanes go through to one end are as long as each other, and the processor sees them coming.
double form_estimate::unexpected_lines(const Instruction& access, const Loop* loop) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  if (loop == nullptr || !shapes.is_divergent(loop) || pointer == nullptr || !shapes[pointer].is_varying() ||
      isa<AllocaInst>(getUnderlyingObject(pointer)))
    return 0;
  const std::optional<double> step = likely_step(*evolution.getSCEV(const_cast<Value*>(pointer)), *loop);
  const double bytes = step ? std::abs(*step) : LINE_BYTES;
  return bytes < LINE_BYTES ? lanes * bytes / LINE_BYTES : 0;
}

operation_cost form_estimate::of_one(const Instruction& instruction) const {
  if (!builtin_name(instruction).empty()) // barriers and fences, which both forms have
    return {};
  operation_cost cost = model.of_scalar(instruction);
  // Of local memory: a load, an operation and a store (barriers/local_atomics.cpp).
  if (const auto* atomic = dyn_cast<AtomicRMWInst>(&instruction);
      atomic != nullptr && atomic->getSyncScopeID() == SyncScope::SingleThread)
    return {0, 2, 3, cost.latency};
  const auto* call = dyn_cast<CallInst>(&instruction);
  const bool is_call = call != nullptr && (!isa<IntrinsicInst>(call) || is_vector_math(*call));
  if (is_call || instruction.isAtomic()) {
    cost.vector = std::max(cost.vector, LANE_CALL * model.units().vector);
    cost.latency = std::max(cost.latency, LANE_CALL);
  }
  return cost;
}

bool form_estimate::is_in_divergent_loop(const BasicBlock& block) const {
  for (const Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop())
    if (shapes.is_divergent(loop))
      return true;
  return false;
}

/// Not all lanes are sure to be active there.
bool form_estimate::is_masked(const BasicBlock& block) const {
  return is_conditional(block) || is_in_divergent_loop(block);
}

/// What linearisation adds at the end of \p block: masks of its successors where lanes part, and where
/// iterations of a loop that lanes leave one by one end, the test whether any is left and, for each result,
/// what the lanes leave with.
operation_cost form_estimate::of_masks(const BasicBlock& block) const {
  operation_cost cost;
  if (shapes.is_divergent(&block))
    cost += model.of_masks(block.getContext(), 2, lanes);
  const Loop* loop = loops.getLoopFor(&block);
  if (loop == nullptr || loop->getLoopLatch() != &block || !shapes.is_divergent(loop))
    return cost;
  cost += operation_cost{0, 0, MASK_TEST_INSTRUCTIONS, 0};
  SmallVector<BasicBlock*, 4> exits;
  loop->getUniqueExitBlocks(exits);
  for (const BasicBlock* exit : exits)
    for (const PHINode& result : exit->phis())
      cost += model.of_blend(*result.getType(), lanes);
  return cost;
}

/// Beside what the lanes do, what is done for those that are not active.
operation_cost form_estimate::of_vector(const Instruction& instruction) const {
  operation_cost cost = of_lanes(instruction);
  if (is_done_once(instruction, shapes) || !is_masked(*instruction.getParent()))
    return cost;
  if (const auto* phi = dyn_cast<PHINode>(&instruction);
      phi != nullptr && !loops.isLoopHeader(phi->getParent()) && phi->getNumIncomingValues() > 1)
    cost += model.of_blend(*phi->getType(), lanes);
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer != nullptr && !model.has_masked(instruction, !shapes[pointer].is_scalar(), lanes))
    cost += shapes[pointer].is_scalar() ? operation_cost{0, 0, PAGE_TEST_INSTRUCTIONS, PAGE_TEST_INSTRUCTIONS}
                                        : model.of_blend(*pointer->getType(), lanes);
  return cost;
}

void form_estimate::count_strided_accesses() {
  for (const BasicBlock& block : work_item)
    for (const Instruction& instruction : block)
      if (const Value* pointer = getLoadStorePointerOperand(&instruction);
          pointer != nullptr && shapes[pointer].is_progression())
        ++strided_[{&block, instruction.getOpcode(), getUnderlyingObject(pointer), shapes[pointer].stride}];
}

/// What lies at known distances is loaded or stored as it lies, and shuffled (memory/shuffled_accesses.cpp),
/// if several lanes' elements lie in a register's worth of memory, alone or with others that have as far to
/// the next lane's, such as members of a structure.
bool form_estimate::is_shuffled(const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  const lane_shape shape = shapes[pointer];
  if (!shape.is_scalar() || !shape.is_progression())
    return shape.is_scalar();
  // Those that have left a loop are not accessed any more.
  if (is_in_divergent_loop(*access.getParent()))
    return false;
  return model.is_within_registers(access, shape, lanes, members_of(access));
}

/// Accesses that are shuffled together with this one, it among them.
unsigned form_estimate::members_of(const Instruction& access) const {
  const Value* pointer = getLoadStorePointerOperand(&access);
  return strided_.lookup(
      {access.getParent(), access.getOpcode(), getUnderlyingObject(pointer), shapes[pointer].stride});
}

/// Active lanes do it one after the other (emission/lane_loops.hpp).
bool form_estimate::is_lane_by_lane(const Instruction& instruction) const {
  if (is_done_once(instruction, shapes) || !builtin_name(instruction).empty())
    return false;
  const auto* call = dyn_cast<CallInst>(&instruction);
  return instruction.isAtomic() ||
         (call != nullptr && !is_vector_math(*call) &&
          (!isa<IntrinsicInst>(call) || call->getIntrinsicID() == Intrinsic::prefetch));
}

/// What the lanes do, if all are active.
operation_cost form_estimate::of_lanes(const Instruction& instruction) const {
  if (is_done_once(instruction, shapes) || !builtin_name(instruction).empty())
    return of_one(instruction);
  if (is_lane_by_lane(instruction)) {
    const operation_cost each = of_one(instruction);
    return {each.vector * lanes, each.memory * lanes, (each.issue + 1) * lanes, each.latency};
  }
  operation_cost cost = model.in_lanes(instruction, shapes, lanes);
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr) {
    // At worst each lane's operands are taken out, and its result is put in.
    const double by_lanes = lanes * (of_one(instruction).issue + 3);
    cost.vector = std::min(cost.vector, by_lanes);
    cost.issue = std::min(cost.issue, by_lanes);
    return cost;
  }
  if (is_shuffled(instruction))
    if (const auto shuffled = model.of_shuffles(instruction, lanes, members_of(instruction), cost))
      return *shuffled;
  // Starts of rows are taken out of vectors before the loop (memory/branchless_accesses.cpp).
  const Loop* loop = loops.getLoopFor(instruction.getParent());
  if (isa<LoadInst>(instruction) && loop != nullptr && shapes[pointer].is_varying() &&
      !is_masked(*instruction.getParent()) && !model.has_masked(instruction, true, lanes) &&
      likely_step(*evolution.getSCEV(const_cast<Value*>(pointer)), *loop)) {
    const double addresses = model.of_addresses(instruction, lanes);
    cost.vector = std::max(cost.vector - addresses, 0.0);
    cost.issue = std::max(cost.issue - addresses, 0.0);
  }
  return cost;
}

/// Clocks that one work-item loses at the block's end, if lanes part there. Of branches that go the less
/// likely way in so many cases on average, one may do so in twice as many cases or in none, and the processor
/// learns which: it is wrong in half of them.
double form_estimate::mispredicted(const BasicBlock& block) const {
  const Loop* loop = loops.getLoopFor(&block);
  if (!shapes.is_divergent(&block) || (loop != nullptr && loop->isLoopExiting(&block)))
    return 0;
  BranchProbability most = BranchProbability::getZero();
  for (const BasicBlock* next : successors(&block))
    most = std::max(most, probabilities_.getEdgeProbability(&block, next));
  const double other = 1 - double(most.getNumerator()) / most.getDenominator();
  return other / 2 * model.units().mispredicted;
}

/// LLVM makes a branch of choices in a loop that wait for a load (X86CmovConversion): what goes on may be
/// there before the load is. Of branches that go either way half the time, a quarter are predicted wrongly.
bool form_estimate::becomes_branch(const Instruction& instruction, const Loop* loop) const {
  return loop != nullptr && isa<ICmpInst>(instruction) && !is_done_once(instruction, shapes) &&
         any_of(instruction.operands(),
                [&](const Use& operand) {
                  const auto* load = dyn_cast<LoadInst>(operand);
                  return load != nullptr && loop->contains(load);
                }) &&
         any_of(instruction.users(),
                [](const User* user) { return isa<SelectInst>(user) && !user->getType()->isIntegerTy(1); });
}

/// Of one work-item: an iteration of \p loop, if LLVM makes one of \p elements of them.
double form_estimate::clocks_of_row(const Loop& loop, unsigned elements) const {
  operation_cost sum;
  for (const BasicBlock* block : loop.blocks())
    for (const Instruction& instruction : *block) {
      const auto is_scalar = [&](const Value& value) {
        const SCEV* number =
            evolution.isSCEVable(value.getType()) ? evolution.getSCEV(const_cast<Value*>(&value)) : nullptr;
        return number != nullptr && (isa<SCEVAddRecExpr>(number) || evolution.isLoopInvariant(number, &loop));
      };
      const bool ends_iteration =
          instruction.hasOneUse() && cast<Instruction>(*instruction.user_begin())->isTerminator();
      if (is_scalar(instruction) || ends_iteration || instruction.isTerminator() || isa<PHINode>(instruction))
        continue;
      if (Type* accessed = getLoadStorePointerOperand(&instruction) != nullptr
                               ? getLoadStoreType(&instruction)
                               : nullptr) {
        const double registers = model.registers_of(*accessed, elements);
        sum += {0, registers, registers, 0};
        continue;
      }
      Type* type = isa<CmpInst>(instruction) ? instruction.getOperand(0)->getType() : instruction.getType();
      const double registers = model.registers_of(*type, elements);
      sum += {registers, 0, registers, 0};
    }
  return model.units().clocks(sum);
}

/// Blocks of \p loop that are in no inner one, or of no loop, per iteration.
form_costs form_estimate::of_blocks(const Loop* loop, ArrayRef<const BasicBlock*> blocks) {
  operation_cost one, vector;
  double lost_by_one = 0, lost_by_vector = 0, lines = 0;
  for (const BasicBlock* block : blocks) {
    const counts runs = in_iteration(*block);
    const auto add = [](operation_cost& sum, const operation_cost& cost, double count) {
      sum += {cost.vector * count, cost.memory * count, cost.issue * count, 0};
    };
    for (const Instruction& each : *block) {
      lost_by_one += becomes_branch(each, loop) ? runs.one * model.units().mispredicted / 4 : 0;
      add(one, of_one(each), runs.one);
      add(vector, of_vector(each), is_lane_by_lane(each) ? runs.one : runs.vector);
      lines += unexpected_lines(each, loop) * runs.vector;
    }
    add(vector, of_masks(*block), runs.vector);
    lost_by_one += mispredicted(*block) * runs.one;
    if (is_conditional(*block))
      lost_by_vector += std::min(runs.vector, 1 - runs.vector) * model.units().mispredicted;
  }
  form_costs result{model.units().clocks(vector), model.units().clocks(one)};
  if (loop != nullptr) {
    const auto is_any = [](const PHINode&) { return true; };
    result.vector = std::max(
        result.vector,
        slowest_recurrence(
            *loop, loops,
            {.latency = [&](const Instruction& each) -> std::optional<double> {
               return of_vector(each).latency;
             },
             .is_waited_for = is_any,
             .is_chosen_after = [&](const BasicBlock& from) { return shapes.is_divergent(&from); },
             .waits_for_lanes =
                 [&](const Instruction& each) {
                   return shapes.is_divergent(loop) && isa<LoadInst>(each) && !is_done_once(each, shapes);
                 }}));
    result.one_by_one =
        std::max(result.one_by_one,
                 slowest_recurrence(*loop, loops,
                                    {.latency = [&](const Instruction& each) -> std::optional<double> {
                                       return of_one(each).latency;
                                     },
                                     .is_waited_for = is_any,
                                     .is_chosen_after = [](const BasicBlock&) { return false; }}));
    if (const unsigned elements = row_elements(*loop); elements > 1) {
      result.has_row_vectors = true;
      result.one_by_one = std::min(result.one_by_one, clocks_of_row(*loop, elements) / elements);
      lost_by_one += ROW_ENDS / trips_of(*loop);
    }
    const double trips = trips_of(*loop);
    lost_by_vector += model.units().mispredicted / (trips * trips_of_last(lanes));
    if (shapes.is_divergent(loop))
      lost_by_one += model.units().mispredicted / trips;
  }
  result.vector += lost_by_vector + lines * UNEXPECTED_LINE;
  result.one_by_one += lost_by_one;
  return result;
}

form_costs form_estimate::run() {
  DenseMap<const Loop*, SmallVector<const BasicBlock*, 8>> blocks;
  for (const BasicBlock& block : work_item)
    if (dominators.isReachableFromEntry(&block))
      blocks[loops.getLoopFor(&block)].push_back(&block);
  form_costs sum;
  for (const auto& [loop, own] : blocks) {
    const counts runs = of_iteration(loop);
    const form_costs cost = of_blocks(loop, own);
    sum.vector += runs.vector * cost.vector;
    sum.one_by_one += lanes * runs.one * cost.one_by_one;
    sum.has_row_vectors = sum.has_row_vectors || cost.has_row_vectors;
  }
  return sum;
}

/// A test that nearly all vectors pass or fail as a whole, such as for the end of an array.
bool form_estimate::is_guard(const Value& condition) const {
  const Value *left = nullptr, *right = nullptr;
  if (match(&condition, PatternMatch::m_LogicalOp(PatternMatch::m_Value(left), PatternMatch::m_Value(right))))
    return is_guard(*left) && is_guard(*right);
  const auto* compare = dyn_cast<ICmpInst>(&condition);
  return shapes[&condition].is_uniform() ||
         (compare != nullptr && !compare->isEquality() && all_of(compare->operands(), [&](const Use& side) {
            return shapes[side].is_uniform() || shapes[side].is_progression();
          }));
}

/// The forms differ in more than the estimate knows: what data decide, or where they lie.
bool form_estimate::errs_far() const {
  return any_of(work_item, [&](const BasicBlock& block) {
    const auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    if (shapes.is_divergent(&block) &&
        (branch == nullptr || is_in_divergent_loop(block) || !is_guard(*branch->getCondition())))
      return true;
    return any_of(block, [&](const Instruction& instruction) {
      const Value* pointer = getLoadStorePointerOperand(&instruction);
      if (pointer == nullptr || shapes[pointer].is_uniform())
        return false;
      const auto bytes = std::int64_t(shapes.layout().getTypeStoreSize(getLoadStoreType(&instruction)));
      return !shapes[pointer].is_progression() || std::abs(shapes[pointer].stride) != bytes;
    });
  });
}

/// Rows of a group that are shorter than a vector are neighbours in it, and what differs between rows differs
/// between its lanes.
static bool has_short_rows(const kernel_attributes& attributes) {
  return request_for(attributes).layout == lane_layout::linear && attributes.knows_local_range() &&
         attributes.local_range[0] < attributes.lanes;
}

static form_costs estimate(Function& work_item, FunctionAnalysisManager& analyses, const cost_model& costs,
                           const kernel_attributes& attributes) {
  form_estimate whole(work_item, analyses, costs, attributes.sub_group_size);
  form_costs result = whole.run();
  result.errs_far = whole.errs_far();
  if (!has_short_rows(attributes))
    return result;
  ValueToValueMapTy map;
  Function* linear = CloneFunction(&work_item, map);
  take_ids_from_linear_id(*linear);
  result.vector = form_estimate(*linear, analyses, costs, attributes.sub_group_size).run().vector;
  analyses.clear(*linear, linear->getName());
  linear->eraseFromParent();
  return result;
}

/// How far the estimates were off, of one form by the other, in kernels that were timed in both
/// (docs/mechanisms.md) and in which all work-items do the same with neighbours: beyond that the other form
/// is not worth a try. Of others they were off by up to forty times (decision 75).
constexpr double ESTIMATES_ERR_BY = 5;

char one_by_one_is_chosen::ID = 0;

PreservedAnalyses weigh_forms::run(Module& module, ModuleAnalysisManager& analyses) {
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  return change_kernel(
      module, analyses, [&](Function& work_item, FunctionAnalysisManager& functions) -> Error {
        kernel_attributes attributes = kernel_attributes::read(work_item);
        const cost_model costs = costs_of(work_item, attributes, machine);
        const form_costs found = estimate(work_item, functions, costs, attributes);
        analyses.getResult<failure_analysis>(module).failures->add_remark(
            module.getContext(),
            formatv("kernel '{0}' is estimated to take {1:F0} clocks as a vector of {2} work-items, {3:F0} "
                    "one after the other",
                    work_item.getName(), found.vector, attributes.sub_group_size, found.one_by_one));
        const bool are_near =
            found.errs_far || std::max(found.vector, found.one_by_one) <
                                  ESTIMATES_ERR_BY * std::min(found.vector, found.one_by_one);
        attributes.has_other_form =
            are_near && have_forms_same_results(work_item, functions.getResult<LoopAnalysis>(work_item));
        if ((found.vector <= found.one_by_one) == takes_slower_)
          return make_error<one_by_one_is_chosen>(attributes.has_other_form, found.has_row_vectors);
        attributes.write(work_item);
        return Error::success();
      });
}

} // namespace falx::jit::simd
