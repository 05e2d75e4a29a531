// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work-items that divide their ids by the width of a row,
//   row = i / width; column = i % width; sum = data[row * width + 3] * factors[column];
// have one quotient in a vector, and columns that follow each other, unless the vector goes on in the next
// row. So a vector runs in parts: the lanes of its first lane's row together. Before:
//   define void @kernel.work_item(…, i64 %index.x, …) {
//     %row = udiv i64 %i, %width                              ; %i: strided by 1, %width: uniform
//     %column = urem i64 %i, %width
// After, the function of a part:
//   define void @kernel.work_item.parted(…, i64 %index.x, …, i64 %quotient) {
//     %column = sub nuw i64 %i, (mul nuw i64 %quotient, %width)                          ; strided by 1
// and around the vector forms of both, for 16 lanes, what is called in place of the one of the first:
//   define void @kernel.work_item.parted.lanes.vector(…, <16 x i1> %active) {
//     if (all lanes are active, %width > 15, and lane 0's column is below %width - 15)
//       @kernel.work_item.parted.lanes(…, lane 0's row, %active)
//     else
//       @….parts(…, %active)
//   define void @….parts(…, <16 x i1> %active) {
//     %row = lanes in lane 0's row, if %width > 15, else none
//     if (%active & %row)
//       @kernel.work_item.parted.lanes(…, lane 0's row, %active & %row)
//     if (%active & ~%row)
//       @kernel.work_item.lanes(…, %active & ~%row)
//
// Several quotients may be common at once, and one may be of another's rest: then lanes run together that
// agree on all with the first. The rest of a vector of several sub-groups runs by sub-groups.

#include "vector_parts.hpp"
#include "pipeline/budgets.hpp"
#include "vectorizer/analysis/integer_divisions.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/control/prepare_for_lanes.hpp"
#include "vectorizer/control/work_item_loops.hpp"
#include "vectorizer/cost/work_item_costs.hpp"
#include "vectorizer/emission/reciprocals.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>
#include <cmath>

using namespace llvm;

namespace falx::jit::simd {

/// How far the last lane's dividend is from the first one's.
static std::uint64_t span_of(std::uint64_t stride, unsigned lanes) {
  return stride * (lanes - 1);
}

/// Where the function begins \p value is what it is later, if that is ever computed: nothing traps, and it
/// depends on no control flow, nor on parameters from \p end on.
static bool is_known_at_entry(Value& value, unsigned end) {
  if (const auto* parameter = dyn_cast<Argument>(&value))
    return parameter->getArgNo() < end;
  const auto* step = dyn_cast<Instruction>(&value);
  if (step == nullptr)
    return true;
  if (!can_rematerialise(*step, [](const Instruction&) { return false; }))
    return false;
  return isSafeToSpeculativelyExecute(step) &&
         all_of(step->operands(), [end](const Use& operand) { return is_known_at_entry(*operand, end); });
}

/// The quotient of \p division, which varies, can be the same for all lanes of a part. Parameters from
/// \p quotients on are other quotients, which a dividend may depend on; how wide rows are is known before.
static std::optional<common_quotient> quotient_of(const BinaryOperator& division, const lane_shapes& shapes,
                                                  unsigned lanes, unsigned quotients) {
  Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  const unsigned bits = division.getType()->getIntegerBitWidth();
  const lane_shape shape = shapes[dividend];
  constexpr std::int64_t MOST = std::int64_t(1) << 16;
  if (!shapes[&division].is_varying() || !shape.is_progression() || shape.stride <= 0 ||
      shape.stride > MOST || !shapes[divisor].is_uniform() || (bits != 32 && bits != 64))
    return std::nullopt;
  const auto stride = std::uint64_t(shape.stride);
  const auto* constant = dyn_cast<ConstantInt>(divisor);
  if (constant != nullptr && (is_signed(division) ? constant->getValue().sle(span_of(stride, lanes))
                                                  : constant->getValue().ule(span_of(stride, lanes))))
    return std::nullopt;
  if (!is_known_at_entry(*dividend, ~0U) || !is_known_at_entry(*divisor, quotients))
    return std::nullopt;
  return common_quotient{dividend, divisor, is_signed(division), stride};
}

/// Puts \p parameter in the place of the quotient wherever \p function divides so.
static void replace_divisions(Function& function, const common_quotient& quotient, Value& parameter) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* division = dyn_cast<BinaryOperator>(&instruction);
    if (division == nullptr || !division->isIntDivRem() || division->getOperand(0) != quotient.dividend ||
        division->getOperand(1) != quotient.divisor || is_signed(*division) != quotient.is_signed)
      continue;
    IRBuilder<> builder(division);
    Value* result = builder.CreateTrunc(&parameter, division->getType());
    if (!is_quotient(*division)) {
      // As far from zero as the dividend, at the most, and with its sign.
      const bool is_unsigned = !quotient.is_signed;
      const bool stays_signed =
          quotient.is_signed || isKnownNonNegative(quotient.dividend, division->getDataLayout());
      Value* whole = builder.CreateMul(result, quotient.divisor, "", is_unsigned, stays_signed);
      result = builder.CreateSub(quotient.dividend, whole, "", is_unsigned, stays_signed);
    }
    division->replaceAllUsesWith(result);
    division->eraseFromParent();
  }
}

static operation_cost cost_of(const Instruction& instruction, const lane_shapes& shapes,
                              const cost_model& costs, unsigned lanes) {
  const operation_cost cost = costs.in_lanes(instruction, shapes, lanes);
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  const lane_shape shape = pointer != nullptr ? shapes[pointer] : lane_shape();
  if (pointer == nullptr || !shape.is_progression() || shape.is_uniform())
    return cost;
  if (costs.is_within_registers(instruction, shape, lanes, /*members=*/1))
    return costs.of_shuffles(instruction, lanes, /*members=*/1, cost).value_or(cost);
  if (costs.has_masked(instruction, /*is_scattered=*/true, lanes))
    return cost;
  // Addresses are one and known distances from it.
  const double addresses = costs.of_addresses(instruction, lanes);
  return {std::max(cost.vector - addresses, 0.0), cost.memory, std::max(cost.issue - addresses, 0.0),
          cost.latency};
}

/// Of one vector. An iteration of a loop counts as often as LLVM guesses.
static double clocks_of(Function& function, const lane_shapes& shapes, const cost_model& costs,
                        unsigned lanes) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  double result = 0;
  for (const BasicBlock& block : function) {
    operation_cost once;
    for (const Instruction& instruction : block)
      once += cost_of(instruction, shapes, costs, lanes);
    result += std::pow(GUESSED_ITERATIONS, loops.getLoopDepth(&block)) * costs.units().clocks(once);
  }
  return result;
}

/// Code in two forms takes twice as long to compile and twice the instruction cache, so that it is to be
/// faster by more than the costs may be wrong.
constexpr double LEAST_GAIN = 1.25;

/// Vectors that go on in the next row take a second part, and all divide the first lane's number: by its
/// divisor's reciprocal.
static double cost_in_parts(double whole, ArrayRef<common_quotient> quotients, unsigned lanes,
                            const processor_units& units) {
  constexpr double LIKELY_WIDTH = 256, INSTRUCTIONS = 9;
  double parts = 1;
  for (const common_quotient& quotient : quotients) {
    const auto* constant = dyn_cast<ConstantInt>(quotient.divisor);
    const double width = constant != nullptr ? double(constant->getZExtValue()) : LIKELY_WIDTH;
    parts += std::min(1.0, double(span_of(quotient.stride, lanes)) / width);
  }
  return parts * whole + INSTRUCTIONS * double(quotients.size()) / units.issue;
}

/// The first one that quotient_of has.
static std::optional<common_quotient> find_quotient(const Function& function, const lane_shapes& shapes,
                                                    unsigned lanes, unsigned quotients) {
  for (const Instruction& instruction : instructions(function))
    if (const auto* division = dyn_cast<BinaryOperator>(&instruction);
        division != nullptr && division->isIntDivRem())
      if (const auto quotient = quotient_of(*division, shapes, lanes, quotients))
        return quotient;
  return std::nullopt;
}

/// Lanes tell each other something, or say which of them go on.
static bool needs_all_lanes(const Function& function, const vector_request& request) {
  return request.end_number != ~0U || any_of(instructions(function), [](const Instruction& instruction) {
           const auto* call = dyn_cast<CallInst>(&instruction);
           return is_order_of_lanes(instruction) || (call != nullptr && !sub_group_builtin(*call).empty());
         });
}

/// With parameters for quotients.
static Function* copy_of(Function& work_item) {
  LLVMContext& context = work_item.getContext();
  SmallVector<Type*> parameters;
  for (Argument& each : drop_begin(work_item.args(), PARAMETER_COUNT))
    parameters.push_back(each.getType());
  parameters.append(MOST_COMMON_QUOTIENTS, Type::getInt64Ty(context));
  Function* copy = create_work_item_function(work_item, work_item.getName() + ".parted",
                                             work_item.getReturnType(), parameters);
  ValueToValueMapTy map;
  for (Argument& each : work_item.args())
    map[&each] = copy->getArg(each.getArgNo());
  SmallVector<ReturnInst*, 1> ends;
  CloneFunctionInto(copy, &work_item, map, CloneFunctionChangeType::LocalChangesOnly, ends);
  copy->removeFnAttr("falx-kind");
  return copy;
}

std::optional<parted_work_item> form_parted_work_item(Function& work_item, const lane_shapes& shapes,
                                                      const vector_request& request,
                                                      const cost_model& costs) {
  if (!request.may_run_in_parts || !find_quotient(work_item, shapes, request.lanes, ~0U) ||
      needs_all_lanes(work_item, request))
    return std::nullopt;
  parted_work_item result{copy_of(work_item), {}};
  const unsigned first = result.function->arg_size() - MOST_COMMON_QUOTIENTS;
  while (true) {
    const prepared_function prepared(*result.function, request.lanes);
    const auto next = find_quotient(*result.function, prepared.shapes, request.lanes, first);
    if (next && result.quotients.size() < MOST_COMMON_QUOTIENTS) {
      replace_divisions(*result.function, *next, *result.function->getArg(first + result.quotients.size()));
      result.quotients.push_back(*next);
      continue;
    }
    const double parted = clocks_of(*result.function, prepared.shapes, costs, request.lanes);
    if (LEAST_GAIN * cost_in_parts(parted, result.quotients, request.lanes, costs.units()) <
        clocks_of(work_item, shapes, costs, request.lanes))
      return result;
    result.function->eraseFromParent();
    return std::nullopt;
  }
}

namespace {

class parts_emission {
public:
  parts_emission(const parted_work_item& parted, const vector_forms& forms, const vector_request& request)
      : parted_(parted), together_(*forms.together), whole_(forms.whole), request_(request),
        lanes_(request.lanes), builder_(together_.getContext()) {}
  Function* emit_parts();
  Function* emit_vector(Function& parts);

private:
  struct agreement {
    SmallVector<Value*, MOST_COMMON_QUOTIENTS> quotients;
    /// How far the first lane's dividends may be exceeded: at least 0, at most by the last lane's.
    SmallVector<Value*, 2> room;
  };
  struct division_of_first {
    Value *dividend, *divisor;
  };
  Function* begin(const Twine& name);
  Value* is_wide();
  division_of_first divide_first(const common_quotient& quotient, ArrayRef<Value*> before);
  agreement agree_with_first();
  Value* all_agree(SmallVectorImpl<Value*>& quotients);
  CallInst* call(Function& callee, ArrayRef<Value*> quotients, Value* active);
  void run_sub_groups(Value* active);
  void end(CallInst* result);

  const parted_work_item& parted_;
  Function& together_;
  Function* const whole_;
  const vector_request& request_;
  const unsigned lanes_;
  IRBuilder<> builder_;
  Function* function_ = nullptr;
};

} // namespace

/// A function that takes what the vector form does.
Function* parts_emission::begin(const Twine& name) {
  SmallVector<Type*> parameters;
  for (Argument& each : drop_begin(together_.args(), PARAMETER_COUNT))
    parameters.push_back(each.getType());
  parameters.erase(parameters.end() - 1 - MOST_COMMON_QUOTIENTS, parameters.end() - 1);
  function_ = create_work_item_function(together_, name, together_.getReturnType(), parameters);
  for (const Attribute attribute : together_.getAttributes().getFnAttrs())
    if (attribute.isStringAttribute())
      function_->addFnAttr(attribute);
  builder_.SetInsertPoint(BasicBlock::Create(together_.getContext(), "entry", function_));
  describe_artificial_function(*function_, together_, builder_);
  return function_;
}

/// All divisors exceed what dividends of a vector differ by: it is in two rows at the most.
Value* parts_emission::is_wide() {
  Value* result = builder_.getTrue();
  rematerialiser at_entry(builder_, rematerialiser::flags::dropped, [&](Value& value) -> Value* {
    const auto* parameter = dyn_cast<Argument>(&value);
    return parameter != nullptr ? function_->getArg(parameter->getArgNo()) : nullptr;
  });
  for (const common_quotient& each : parted_.quotients) {
    Value* divisor = builder_.CreateFreeze(at_entry.emit(*each.divisor));
    Value* span = ConstantInt::get(divisor->getType(), span_of(each.stride, lanes_));
    result = builder_.CreateAnd(result, each.is_signed ? builder_.CreateICmpSGT(divisor, span)
                                                       : builder_.CreateICmpUGT(divisor, span));
  }
  return result;
}

/// What lane 0 divides, after the quotients \p before, one of which may be part of it, and by what: by what
/// it divides by where it is wide, and by nothing that traps.
parts_emission::division_of_first parts_emission::divide_first(const common_quotient& quotient,
                                                               ArrayRef<Value*> before) {
  const unsigned first = parted_.function->arg_size() - MOST_COMMON_QUOTIENTS;
  rematerialiser at_entry(builder_, rematerialiser::flags::dropped, [&](Value& value) -> Value* {
    const auto* parameter = dyn_cast<Argument>(&value);
    if (parameter == nullptr)
      return nullptr;
    const unsigned number = parameter->getArgNo();
    return number < first ? function_->getArg(number) : before[number - first];
  });
  Value *dividend = at_entry.emit(*quotient.dividend), *divisor = at_entry.emit(*quotient.divisor);
  Value* least = ConstantInt::get(divisor->getType(), span_of(quotient.stride, lanes_) + 1);
  divisor = builder_.CreateBinaryIntrinsic(quotient.is_signed ? Intrinsic::smax : Intrinsic::umax,
                                           builder_.CreateFreeze(divisor), least);
  return {builder_.CreateFreeze(dividend), divisor};
}

parts_emission::agreement parts_emission::agree_with_first() {
  agreement result;
  for (const common_quotient& each : parted_.quotients) {
    const auto [dividend, divisor] = divide_first(each, result.quotients);
    Type* type = dividend->getType();
    const auto number = [&](std::uint64_t value) { return ConstantInt::get(type, value); };
    const std::uint64_t span = span_of(each.stride, lanes_);
    Value* quotient = each.is_signed ? builder_.CreateSDiv(dividend, divisor, "quotient")
                                     : builder_.CreateUDiv(dividend, divisor, "quotient");
    Value* rest = builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor));
    Value* room = builder_.CreateSub(builder_.CreateSub(divisor, number(1)), rest);
    if (each.is_signed) // towards zero: a negative rest ends there
      room =
          builder_.CreateSelect(builder_.CreateICmpSLT(dividend, number(0)), builder_.CreateNeg(rest), room);
    result.quotients.push_back(builder_.CreateZExt(quotient, builder_.getInt64Ty()));
    // Of lanes that do not divide, dividends may wrap.
    const unsigned bits = type->getIntegerBitWidth();
    const APInt most = each.is_signed ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    Value* to_wrap = builder_.CreateBinaryIntrinsic(
        Intrinsic::umin, builder_.CreateSub(ConstantInt::get(type, most), dividend), number(span));
    result.room.push_back(builder_.CreateBinaryIntrinsic(Intrinsic::umin, room, to_wrap));
  }
  result.quotients.resize(MOST_COMMON_QUOTIENTS, builder_.getInt64(0));
  return result;
}

/// The last lane's dividends, too, have lane 0's \p quotients, and are so small that these are products.
Value* parts_emission::all_agree(SmallVectorImpl<Value*>& quotients) {
  Value* result = is_wide();
  for (const common_quotient& each : parted_.quotients) {
    const auto [dividend, divisor] = divide_first(each, quotients);
    Type* type = dividend->getType();
    const unsigned bits = type->getIntegerBitWidth();
    const bool may_be_negative =
        each.is_signed && !isKnownNonNegative(each.dividend, together_.getDataLayout());
    const auto number = [&](const APInt& value) { return ConstantInt::get(type, value); };
    const APInt span(bits, span_of(each.stride, lanes_));
    const APInt positive = APInt::getLowBitsSet(bits, std::min(bits - each.is_signed, BITS_OF_DOUBLES));
    Value* quotient = quotient_by_reciprocal(builder_, each.is_signed, dividend, divisor);
    Value* rest = builder_.CreateSub(dividend, builder_.CreateMul(quotient, divisor));
    Value* small = nullptr;
    if (may_be_negative) {
      // Towards zero: a negative rest ends there, one of zero or more at the divisor.
      Value* most = builder_.CreateSub(divisor, number(APInt(bits, 1)));
      Value* is_negative = builder_.CreateICmpSLT(dividend, number(APInt(bits, 0)));
      rest = builder_.CreateSelect(is_negative, builder_.CreateAdd(rest, most), rest);
      small = builder_.CreateICmpULE(builder_.CreateAdd(dividend, number(positive)),
                                     number(positive + positive - span));
    } else
      small = builder_.CreateICmpULE(dividend, number(positive - span));
    Value* last = builder_.CreateSub(divisor, number(span + 1));
    result = builder_.CreateAnd(result, small);
    result = builder_.CreateAnd(result, builder_.CreateICmpULE(rest, last));
    quotients.push_back(builder_.CreateZExt(quotient, builder_.getInt64Ty()));
  }
  quotients.resize(MOST_COMMON_QUOTIENTS, builder_.getInt64(0));
  return result;
}

CallInst* parts_emission::call(Function& callee, ArrayRef<Value*> quotients, Value* active) {
  SmallVector<Value*> arguments;
  for (Argument& each : drop_end(function_->args()))
    arguments.push_back(&each);
  append_range(arguments, quotients);
  arguments.push_back(active);
  return builder_.CreateCall(&callee, arguments);
}

void parts_emission::end(CallInst* result) {
  if (result->getType()->isVoidTy())
    builder_.CreateRetVoid();
  else
    builder_.CreateRet(result);
}

/// Those of a vector that have an active lane, one after the other.
void parts_emission::run_sub_groups(Value* active) {
  LLVMContext& context = builder_.getContext();
  const unsigned size = request_.sub_group_size;
  Value* bits = builder_.CreateBitCast(active, builder_.getIntNTy(lanes_));
  emit_loop(builder_, builder_.getInt64(0), builder_.getInt64(lanes_ / size), false, around_vectors(context),
            "sub.group", [&](IRBuilder<>& at, Value* number) {
              Value* first = at.CreateMul(number, at.getInt64(size));
              Value* own = at.CreateLShr(bits, at.CreateZExtOrTrunc(first, bits->getType()));
              own = at.CreateTrunc(own, at.getIntNTy(size));
              BasicBlock* runs = BasicBlock::Create(context, "sub.group.runs", function_);
              BasicBlock* after = BasicBlock::Create(context, "sub.group.end", function_);
              at.CreateCondBr(at.CreateIsNotNull(own), runs, after);
              at.SetInsertPoint(runs);
              SmallVector<Value*> arguments;
              for (Argument& each : drop_end(function_->args()))
                arguments.push_back(&each);
              Value*& index = arguments[unsigned(parameter::index_x)];
              index = at.CreateAdd(index, first);
              arguments.push_back(at.CreateBitCast(own, FixedVectorType::get(at.getInt1Ty(), size)));
              at.CreateCall(request_.sub_group_form, arguments);
              at.CreateBr(after);
              at.SetInsertPoint(after);
            });
  builder_.CreateRetVoid();
}

Function* parts_emission::emit_parts() {
  begin(together_.getName() + ".parts");
  LLVMContext& context = builder_.getContext();
  BasicBlock* entry = builder_.GetInsertBlock();
  BasicBlock* row = BasicBlock::Create(context, "row", function_);
  BasicBlock* part = BasicBlock::Create(context, "part", function_);
  BasicBlock* after = BasicBlock::Create(context, "part.end", function_);
  BasicBlock* rest = BasicBlock::Create(context, "rest", function_);
  Value* active = function_->getArg(function_->arg_size() - 1);
  builder_.CreateCondBr(is_wide(), row, rest);

  // The scalars of a part are lane 0's, so its row is the one that can run so: seen from another row, its
  // column would be below zero.
  builder_.SetInsertPoint(row);
  const agreement agreed = agree_with_first();
  Value* agreeing = active;
  for (const auto& [quotient, room] : zip(parted_.quotients, agreed.room)) {
    Value* last = builder_.CreateVectorSplat(lanes_, builder_.CreateZExtOrTrunc(room, builder_.getInt32Ty()));
    Value* distances = builder_.CreateMul(builder_.CreateStepVector(last->getType()),
                                          ConstantInt::get(last->getType(), quotient.stride));
    agreeing = builder_.CreateAnd(agreeing, builder_.CreateICmpULE(distances, last));
  }
  Value* others = builder_.CreateAnd(active, builder_.CreateNot(agreeing));
  const auto any = [&](Value* mask) {
    return builder_.CreateIsNotNull(builder_.CreateBitCast(mask, builder_.getIntNTy(lanes_)));
  };
  builder_.CreateCondBr(any(agreeing), part, rest);

  builder_.SetInsertPoint(part);
  CallInst* of_part = call(together_, agreed.quotients, agreeing);
  builder_.CreateCondBr(any(others), rest, after);
  builder_.SetInsertPoint(after);
  end(of_part);

  builder_.SetInsertPoint(rest);
  PHINode* left = builder_.CreatePHI(active->getType(), 3, "left");
  left->addIncoming(active, entry);
  left->addIncoming(others, row);
  left->addIncoming(others, part);
  if (whole_ != nullptr)
    end(call(*whole_, {}, left));
  else
    run_sub_groups(left);
  function_->removeFnAttr(Attribute::AlwaysInline);
  function_->addFnAttr(Attribute::NoInline);
  return function_;
}

Function* parts_emission::emit_vector(Function& parts) {
  begin(together_.getName() + ".vector");
  LLVMContext& context = builder_.getContext();
  Value* active = function_->getArg(function_->arg_size() - 1);
  Constant* all = Constant::getAllOnesValue(active->getType());
  Type* bits = builder_.getIntNTy(lanes_);
  Value* are_there =
      builder_.CreateICmpEQ(builder_.CreateBitCast(active, bits), Constant::getAllOnesValue(bits));
  SmallVector<Value*, MOST_COMMON_QUOTIENTS> quotients;
  Value* goes_together = builder_.CreateAnd(are_there, all_agree(quotients));
  BasicBlock* whole = BasicBlock::Create(context, "whole", function_);
  BasicBlock* apart = BasicBlock::Create(context, "apart", function_);
  builder_.CreateCondBr(goes_together, whole, apart, MDBuilder(context).createLikelyBranchWeights());
  builder_.SetInsertPoint(whole);
  end(call(together_, quotients, all));
  builder_.SetInsertPoint(apart);
  end(call(parts, {}, active));
  function_->addFnAttr(MASKED_FORM, parts.getName());
  return function_;
}

Function* emit_vector_in_parts(const parted_work_item& parted, const vector_forms& forms,
                               const vector_request& request, const TargetTransformInfo& target) {
  parts_emission emission(parted, forms, request);
  Function* parts = emission.emit_parts();
  // Large ones, without masks once more, would take longer to compile than they gain.
  return repays_two_copies(*forms.together, target) ? emission.emit_vector(*parts) : parts;
}

} // namespace falx::jit::simd
