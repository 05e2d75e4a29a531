// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_shapes.hpp"
#include "divergence.hpp"
#include "interleaved_variables.hpp"
#include "sub_group_builtins.hpp"

#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit::simd {

std::int64_t private_stride(const AllocaInst& variable) {
  if (const std::uint64_t element = interleaved_element(variable))
    return std::int64_t(element);
  const DataLayout& layout = variable.getDataLayout();
  const std::uint64_t count = cast<ConstantInt>(variable.getArraySize())->getZExtValue();
  return std::int64_t(
      alignTo(count * layout.getTypeAllocSize(variable.getAllocatedType()), variable.getAlign()));
}

lane_shapes::lane_shapes(Function& function, const forward_graph& graph, const LoopInfo& loops,
                         ArrayRef<lane_shape> arguments, unsigned lanes)
    : graph_(graph), loops_(loops), lanes_(lanes) {
  for (Argument& each : function.args())
    shapes_[&each] = arguments[each.getArgNo()];
  for (const BasicBlock* block : graph.order())
    for (const Instruction& instruction : *block)
      worklist_.insert(&instruction);
  // In order first, then what changed.
  const SmallVector<const Instruction*> all = worklist_.takeVector();
  for (const Instruction* instruction : all)
    update(*instruction);
  while (!worklist_.empty())
    update(*worklist_.pop_back_val());
  // Phis of nothing but undefined values and each other are left.
  undef_is_uniform_ = true;
  for (const auto& [value, shape] : shapes_)
    if (shape.what == lane_shape::kind::undefined && isa<PHINode>(value))
      worklist_.insert(cast<PHINode>(value));
  while (!worklist_.empty())
    update(*worklist_.pop_back_val());
}

lane_shape lane_shapes::operator[](const Value* value) const {
  if (const auto* number = dyn_cast<ConstantInt>(value))
    return lane_shape::uniform(std::min(number->getValue().countr_zero(), 63U));
  if (isa<Constant, InlineAsm>(value))
    return lane_shape::uniform();
  return shapes_.lookup(value);
}

void lane_shapes::update(const Instruction& instruction) {
  if (const auto* branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isConditional() && (*this)[branch->getCondition()].is_varying())
      part(*branch->getParent());
    return;
  }
  lane_shape& shape = shapes_[&instruction];
  const lane_shape latest = shape_of(instruction);
  if (latest == shape)
    return;
  shape = latest;
  for (const User* user : instruction.users())
    worklist_.insert(cast<Instruction>(user));
}

void lane_shapes::part(const BasicBlock& block) {
  if (!divergent_.insert(&block).second)
    return;
  const divergence found = divergence_of(block, graph_, loops_);
  divergent_loops_.insert_range(found.loops);
  for (const BasicBlock* join : found.joins)
    if (joins_.insert(join).second)
      for (const PHINode& phi : join->phis())
        worklist_.insert(&phi);
}

lane_shape lane_shapes::shape_of(const Instruction& instruction) const {
  if (const auto* phi = dyn_cast<PHINode>(&instruction))
    return of_phi(*phi);
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
    return lane_shape::strided(private_stride(*variable), true, true);
  if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return of_address(*address);
  if (const auto* binary = dyn_cast<BinaryOperator>(&instruction))
    return of_binary(*binary);
  if (const auto* cast = dyn_cast<CastInst>(&instruction))
    return of_cast(*cast);
  if (const auto* compare = dyn_cast<ICmpInst>(&instruction))
    return of_comparison(*compare);
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    return of_call(*call);
  if (const auto* select = dyn_cast<SelectInst>(&instruction))
    return of_select(*select);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return lane_shape::varying();
  if (const auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && load->isVolatile())
    return lane_shape::varying();
  return otherwise(instruction);
}

/// A function of its operands: uniform if these are.
lane_shape lane_shapes::otherwise(const Instruction& instruction) const {
  for (const Value* operand : instruction.operands()) {
    const lane_shape shape = (*this)[operand];
    if (shape.what == lane_shape::kind::undefined)
      return {};
    if (!shape.is_uniform())
      return lane_shape::varying();
  }
  return lane_shape::uniform();
}

lane_shape lane_shapes::of_phi(const PHINode& phi) const {
  lane_shape result;
  for (const Value* incoming : phi.incoming_values())
    if (incoming != &phi && !isa<UndefValue>(incoming))
      result = join(result, (*this)[incoming]);
  if (result.what == lane_shape::kind::undefined && undef_is_uniform_)
    return lane_shape::uniform();
  if (!result.is_scalar() || !is_join(phi.getParent()))
    return result;
  // Lanes that come by different ways bring different values, unless all are the same. The same value that a
  // divergent loop computed in different iterations is not.
  const Value* same = phi.getIncomingValue(0);
  for (const Value* incoming : phi.incoming_values())
    if (incoming != same)
      return lane_shape::varying();
  const auto* definition = dyn_cast<Instruction>(same);
  const Loop* inside = definition != nullptr ? loops_.getLoopFor(definition->getParent()) : nullptr;
  return inside != nullptr && !inside->contains(phi.getParent()) ? lane_shape::varying() : result;
}

/// As much of the shape of a number as its type has room for. What does not leave a block of aligned numbers
/// does not wrap.
lane_shape lane_shapes::in_width(lane_shape shape, const Type& type) const {
  if (!shape.is_scalar() || !type.isIntegerTy())
    return shape;
  shape.alignment = std::uint8_t(std::min<unsigned>(shape.alignment, type.getIntegerBitWidth() - 1));
  if (shape.is_in_block(lanes_))
    shape.exact_signed = shape.exact_unsigned = true;
  return shape;
}

lane_shape lane_shapes::of_binary(const BinaryOperator& binary) const {
  const lane_shape left = (*this)[binary.getOperand(0)], right = (*this)[binary.getOperand(1)];
  if (left.what == lane_shape::kind::undefined || right.what == lane_shape::kind::undefined)
    return {};
  if (left.is_scalar() && right.is_scalar() && binary.getType()->isIntegerTy()) {
    const lane_shape shape = of_integers(binary, left, right);
    if (shape.is_scalar())
      return in_width(shape, *binary.getType());
  }
  return left.is_uniform() && right.is_uniform() ? lane_shape::uniform() : lane_shape::varying();
}

lane_shape lane_shapes::of_integers(const BinaryOperator& binary, lane_shape left, lane_shape right) const {
  const auto* no_wrap = dyn_cast<OverflowingBinaryOperator>(&binary);
  const bool is_exact_signed =
      left.exact_signed && right.exact_signed && (no_wrap == nullptr || no_wrap->hasNoSignedWrap());
  const bool is_exact_unsigned =
      left.exact_unsigned && right.exact_unsigned && (no_wrap == nullptr || no_wrap->hasNoUnsignedWrap());
  const auto strided = [&](std::int64_t stride, unsigned alignment) {
    return lane_shape::strided(stride, is_exact_signed, is_exact_unsigned, std::min(alignment, 63U));
  };
  const unsigned least = std::min(left.alignment, right.alignment);
  std::int64_t stride = 0;
  const auto* factor = dyn_cast<ConstantInt>(binary.getOperand(1));
  switch (binary.getOpcode()) {
  case Instruction::Add:
    if (!AddOverflow(left.stride, right.stride, stride))
      return strided(stride, least);
    break;
  case Instruction::Sub:
    if (!SubOverflow(left.stride, right.stride, stride))
      return strided(stride, least);
    break;
  case Instruction::Mul:
    if (left.is_uniform() && right.is_uniform())
      return strided(0, left.alignment + right.alignment);
    if (factor != nullptr && factor->getBitWidth() <= 64 &&
        !MulOverflow(left.stride, factor->getSExtValue(), stride))
      return strided(stride, left.alignment + right.alignment);
    break;
  case Instruction::Shl:
    if (factor != nullptr && factor->getValue().ult(32) &&
        !MulOverflow(left.stride, std::int64_t(1) << factor->getZExtValue(), stride))
      return strided(stride, left.alignment + unsigned(factor->getZExtValue()));
    break;
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(binary).isDisjoint() && (left.is_uniform() || right.is_uniform()) &&
        !AddOverflow(left.stride, right.stride, stride))
      return lane_shape::strided(stride, false, false, least);
    break;
  default:
    break;
  }
  return factor != nullptr && factor->getBitWidth() <= 64 ? of_bits(binary, left) : lane_shape::varying();
}

/// What a constant second operand does to aligned numbers: cut off above (and), below (shift), turned over.
lane_shape lane_shapes::of_bits(const BinaryOperator& binary, lane_shape left) const {
  const APInt& constant = cast<ConstantInt>(binary.getOperand(1))->getValue();
  switch (binary.getOpcode()) {
  case Instruction::And: {
    if (left.is_uniform())
      return lane_shape::uniform(std::max<unsigned>(left.alignment, constant.countr_zero()));
    // The bits in which lanes differ are all kept, or all cut off; the others are the base's.
    if (left.is_in_block(lanes_, constant.countr_one()))
      return lane_shape::strided(left.stride, false, false, left.alignment);
    if (left.is_in_block(lanes_, constant.countr_zero()))
      return lane_shape::uniform(std::max<unsigned>(left.alignment, constant.countr_zero()));
    break;
  }
  case Instruction::LShr:
  case Instruction::AShr: {
    if (constant.uge(63))
      break;
    const unsigned shift = unsigned(constant.getZExtValue());
    const unsigned alignment = left.alignment > shift ? left.alignment - shift : 0;
    if (left.is_in_block(lanes_, shift))
      return lane_shape::uniform(alignment);
    if (left.is_in_block(lanes_) && left.stride % (std::int64_t(1) << shift) == 0 && left.alignment >= shift)
      return lane_shape::strided(left.stride >> shift, true, true, alignment);
    break;
  }
  case Instruction::Xor:
    if (constant.isAllOnes() && left.stride != INT64_MIN)
      return lane_shape::strided(-left.stride, left.exact_signed, left.exact_unsigned);
    if (left.is_in_block(lanes_, constant.countr_zero()))
      return lane_shape::strided(left.stride, false, false,
                                 std::min<unsigned>(left.alignment, constant.countr_zero()));
    break;
  default:
    break;
  }
  return lane_shape::varying();
}

/// Is \p left < \p right the same for all lanes? It is if left's block ends at right or before, or begins
/// there or behind.
static bool compares_as_block(lane_shape left, lane_shape right, unsigned lanes) {
  return right.is_uniform() && left.is_in_block(lanes, right.alignment);
}

lane_shape lane_shapes::of_comparison(const ICmpInst& compare) const {
  lane_shape left = (*this)[compare.getOperand(0)], right = (*this)[compare.getOperand(1)];
  ICmpInst::Predicate predicate = compare.getPredicate();
  const Value* bound = compare.getOperand(1);
  if (left.is_uniform() && !right.is_uniform()) {
    std::swap(left, right);
    predicate = ICmpInst::getSwappedPredicate(predicate);
    bound = compare.getOperand(0);
  }
  if (ICmpInst::isLT(predicate) || ICmpInst::isGE(predicate)) {
    if (compares_as_block(left, right, lanes_))
      return lane_shape::uniform();
  } else if (const auto* number = dyn_cast<ConstantInt>(bound);
             number != nullptr && (ICmpInst::isGT(predicate) || ICmpInst::isLE(predicate))) {
    // x > c is x >= c + 1, where that does not wrap.
    const APInt next = number->getValue() + 1;
    const bool wraps = ICmpInst::isSigned(predicate) ? next.isMinSignedValue() : next.isZero();
    if (!wraps && compares_as_block(left, lane_shape::uniform(std::min(next.countr_zero(), 63U)), lanes_))
      return lane_shape::uniform();
  }
  return otherwise(compare);
}

lane_shape lane_shapes::of_cast(const CastInst& cast) const {
  const lane_shape from = (*this)[cast.getOperand(0)];
  const bool is_number = cast.getSrcTy()->isIntegerTy() && cast.getDestTy()->isIntegerTy();
  if (!from.is_scalar() || (from.is_uniform() && !is_number))
    return from.is_uniform() ? lane_shape::uniform() : from;
  const auto strided = [&](bool exact_signed, bool exact_unsigned) {
    return in_width(lane_shape::strided(from.stride, exact_signed, exact_unsigned, from.alignment),
                    *cast.getDestTy());
  };
  switch (cast.getOpcode()) {
  case Instruction::SExt:
    return from.exact_signed ? strided(true, false) : lane_shape::varying();
  case Instruction::ZExt:
    return from.exact_unsigned || (from.exact_signed && cast.hasNonNeg()) ? strided(true, true)
                                                                          : lane_shape::varying();
  case Instruction::Trunc: {
    const auto& trunc = llvm::cast<TruncInst>(cast);
    return trunc.getType()->getIntegerBitWidth() < 8 && !from.is_uniform()
               ? lane_shape::varying()
               : strided(trunc.hasNoSignedWrap() && from.exact_signed,
                         trunc.hasNoUnsignedWrap() && from.exact_unsigned);
  }
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return cast.getSrcTy()->getScalarSizeInBits() == cast.getDestTy()->getScalarSizeInBits() ||
                   cast.isNoopCast(cast.getDataLayout())
               ? lane_shape::strided(from.stride)
               : lane_shape::varying();
  default:
    return from.is_uniform() ? lane_shape::uniform() : lane_shape::varying();
  }
}

lane_shape lane_shapes::of_address(const GetElementPtrInst& address) const {
  const lane_shape base = (*this)[address.getPointerOperand()];
  if (base.what == lane_shape::kind::undefined)
    return {};
  std::int64_t stride = base.stride;
  bool is_strided = base.is_scalar();
  const DataLayout& layout = address.getDataLayout();
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    const lane_shape index = (*this)[step.getOperand()];
    if (index.what == lane_shape::kind::undefined)
      return {};
    if (index.is_uniform())
      continue;
    std::int64_t part = 0;
    // Narrower indices are extended: a stride does not survive that in general.
    is_strided = is_strided && index.is_scalar() && !step.isStruct() &&
                 step.getOperand()->getType()->getScalarSizeInBits() ==
                     layout.getIndexTypeSizeInBits(address.getType()) &&
                 !MulOverflow(index.stride, std::int64_t(step.getSequentialElementStride(layout)), part) &&
                 !AddOverflow(stride, part, stride);
  }
  return is_strided ? lane_shape::strided(stride) : lane_shape::varying();
}

lane_shape lane_shapes::of_select(const SelectInst& select) const {
  const lane_shape condition = (*this)[select.getCondition()];
  if (condition.what == lane_shape::kind::undefined || condition.is_uniform())
    return join((*this)[select.getTrueValue()], (*this)[select.getFalseValue()]);
  return lane_shape::varying();
}

lane_shape lane_shapes::of_call(const CallInst& call) const {
  if (const std::optional<lane_shape> shape = shape_of_sub_group_builtin(call, *this))
    return *shape;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic() && call.getType()->isVoidTy())
    return lane_shape::uniform();
  if (!call.doesNotAccessMemory())
    return lane_shape::varying();
  return otherwise(call);
}

} // namespace falx::jit::simd
