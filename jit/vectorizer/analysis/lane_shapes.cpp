// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_shapes.hpp"
#include "divergence.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"
#include "vectorizer/memory/interleaved_variables.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <cassert>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

std::int64_t private_stride(const AllocaInst& variable) {
  if (const std::uint64_t element = interleaved_element(variable))
    return std::int64_t(element);
  const DataLayout& layout = variable.getDataLayout();
  const std::uint64_t count = cast<ConstantInt>(variable.getArraySize())->getZExtValue();
  return std::int64_t(
      alignTo(count * layout.getTypeAllocSize(variable.getAllocatedType()), variable.getAlign()));
}

lane_shapes::lane_shapes(Function& work_item, const forward_graph& graph, const LoopInfo& loops,
                         unsigned lanes)
    : layout_(work_item.getDataLayout()), graph_(&graph), loops_(loops), lanes_(lanes) {
  propagate(work_item, graph.order());
}

/// Where phis choose by more than what lanes share, lanes meet: unless the header of a loop, which they come
/// to together.
lane_shapes::lane_shapes(Function& work_item, const uniformity& uniform, const LoopInfo& loops,
                         unsigned lanes)
    : layout_(work_item.getDataLayout()), graph_(nullptr), loops_(loops), lanes_(lanes) {
  for (const Instruction* branch : uniform.divergent_branches()) {
    divergent_.insert(branch->getParent());
    for (const Loop* loop = loops.getLoopFor(branch->getParent()); loop != nullptr;
         loop = loop->getParentLoop())
      if (loop->isLoopExiting(branch->getParent()))
        divergent_loops_.insert(loop);
  }
  const auto varies = [&](const PHINode& phi) { return !uniform.is_uniform(&phi); };
  ReversePostOrderTraversal<Function*> order(&work_item);
  for (BasicBlock* block : order) {
    const BasicBlock* before = block->getSinglePredecessor();
    const bool may_join =
        before == nullptr ? !loops.isLoopHeader(block) : is_divergent(loops.getLoopFor(before));
    if (may_join && any_of(block->phis(), varies))
      joins_.insert(block);
  }
  propagate(work_item, SmallVector<BasicBlock*>(order.begin(), order.end()));
}

void lane_shapes::propagate(Function& work_item, ArrayRef<BasicBlock*> order) {
  for (const Argument& each : work_item.args())
    shapes_[&each] = lane_shape::uniform();
  // Vectors begin at multiples of their size.
  shapes_[argument(work_item, parameter::index_x)] = shapes_[argument(work_item, parameter::linear)] =
      lane_shape::strided(1, true, true, Log2_32(lanes_));
  for (const BasicBlock* block : order)
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
  assert(none_of(shapes_, [](const auto& each) { return each.second.what == lane_shape::kind::undefined; }) &&
         "a value has got no shape");
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
    if (graph_ != nullptr && branch->isConditional() && (*this)[branch->getCondition()].is_varying())
      part(*branch->getParent());
    return;
  }
  lane_shape& shape = shapes_[&instruction];
  const lane_shape latest = shape_of(instruction);
  if (latest == shape)
    return;
  assert(join(shape, latest) == latest && "a shape says more than it did before: the analysis need not end");
  shape = latest;
  for (const User* user : instruction.users())
    worklist_.insert(cast<Instruction>(user));
}

void lane_shapes::part(const BasicBlock& block) {
  if (!divergent_.insert(&block).second)
    return;
  const divergence found = divergence_of(block, *graph_, loops_);
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
    return isa<ConstantInt>(variable->getArraySize())
               ? lane_shape::strided(private_stride(*variable), true, true)
               : lane_shape::varying();
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

/// With these distances from lane 0's value, else like \p rest.
lane_shape lane_shapes::with_offsets(function_ref<std::int64_t(unsigned)> offset_of,
                                     const lane_shape& rest) const {
  const lane_shape progression =
      lane_shape::strided(offset_of(1), rest.exact_signed, rest.exact_unsigned, rest.alignment);
  const auto is_in_step = [&](unsigned lane) { return offset_of(lane) == progression.offset_of(lane); };
  if (all_of(seq(lanes_), is_in_step))
    return progression;
  std::vector<std::int64_t> of_lane(lanes_);
  for (unsigned lane = 0; lane < lanes_; ++lane)
    of_lane[lane] = offset_of(lane);
  lane_shape result = progression;
  result.what = lane_shape::kind::tabulated;
  result.exact_signed = rest.exact_signed;
  result.exact_unsigned = rest.exact_unsigned;
  result.stride = 0;
  result.offsets = &*offsets_.emplace(std::move(of_lane)).first;
  return result;
}

lane_shape lane_shapes::of_binary(const BinaryOperator& binary) const {
  const lane_shape left = (*this)[binary.getOperand(0)], right = (*this)[binary.getOperand(1)];
  if (left.what == lane_shape::kind::undefined || right.what == lane_shape::kind::undefined)
    return {};
  if (left.is_scalar() && right.is_scalar() && binary.getType()->isIntegerTy() &&
      binary.getType()->getIntegerBitWidth() <= 64) {
    lane_shape shape = of_integers(binary, left, right);
    if (shape.is_varying() && graph_ == nullptr && binary.isIntDivRem())
      shape = of_likely_quotient(binary, left, right);
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
  // Offsets are numbers modulo 2^64, as values are: only what is exact must not wrap, and its flags say so.
  const auto combined = [&](unsigned alignment,
                            function_ref<std::uint64_t(std::uint64_t, std::uint64_t)> both) {
    return with_offsets(
        [&](unsigned lane) {
          return std::int64_t(
              both(std::uint64_t(left.offset_of(lane)), std::uint64_t(right.offset_of(lane))));
        },
        lane_shape::strided(1, is_exact_signed, is_exact_unsigned, std::min(alignment, 63U)));
  };
  const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  const unsigned least = std::min(left.alignment, right.alignment);
  const auto* factor = dyn_cast<ConstantInt>(binary.getOperand(1));
  switch (binary.getOpcode()) {
  case Instruction::Add:
    // Twice the same, which a shift would say better.
    return combined(binary.getOperand(0) == binary.getOperand(1) ? least + 1 : least, sum);
  case Instruction::Sub:
    return combined(least, [](std::uint64_t a, std::uint64_t b) { return a - b; });
  case Instruction::Mul:
    if (left.is_uniform() && right.is_uniform())
      return lane_shape::uniform(std::min(left.alignment + right.alignment, 63));
    if (factor != nullptr) {
      lane_shape result = combined(left.alignment + right.alignment, [&](std::uint64_t a, std::uint64_t) {
        return a * std::uint64_t(factor->getSExtValue());
      });
      result.exact_unsigned &= result.is_uniform() || !factor->isNegative();
      return result;
    }
    break;
  case Instruction::Shl:
    if (factor != nullptr && factor->getValue().ult(64))
      return combined(left.alignment + unsigned(factor->getZExtValue()),
                      [&](std::uint64_t a, std::uint64_t) { return a << factor->getZExtValue(); });
    break;
  case Instruction::Or:
    // A sum without carries, which so never wraps.
    if (cast<PossiblyDisjointInst>(binary).isDisjoint() && (left.is_uniform() || right.is_uniform()))
      return combined(least, sum);
    break;
  default:
    break;
  }
  return of_bits(binary, left, right);
}

/// What bit operations do to numbers within an aligned block: the bits in which lanes differ are all zero in
/// the base.
lane_shape lane_shapes::of_bits(const BinaryOperator& binary, lane_shape left, lane_shape right) const {
  const auto* constant = dyn_cast<ConstantInt>(binary.getOperand(1));
  switch (binary.getOpcode()) {
  case Instruction::And:
    if (left.is_uniform() && right.is_uniform())
      return lane_shape::uniform(std::max(left.alignment, right.alignment));
    [[fallthrough]];
  case Instruction::Xor:
    if (constant != nullptr && constant->isMinusOne() && binary.getOpcode() == Instruction::Xor) {
      lane_shape result = with_offsets(
          [&](unsigned lane) { return std::int64_t(0 - std::uint64_t(left.offset_of(lane))); }, left);
      result.alignment = 0;
      return result;
    }
    if (right.is_uniform())
      return of_mask(binary, left, *binary.getOperand(1));
    return left.is_uniform() ? of_mask(binary, right, *binary.getOperand(0)) : lane_shape::varying();
  case Instruction::AShr:
    if (const lane_shape shape = of_shifted_extension(binary); shape.is_scalar())
      return shape;
    [[fallthrough]];
  case Instruction::LShr:
    return constant != nullptr && constant->getValue().ult(63)
               ? of_shift(left, unsigned(constant->getZExtValue()))
               : lane_shape::varying();
  case Instruction::UDiv:
  case Instruction::URem:
    return constant != nullptr ? of_quotient(binary, left, *constant) : lane_shape::varying();
  default:
    return lane_shape::varying();
  }
}

/// Bits that are the same for all lanes decide which of the lanes' own stay (and) or turn over (xor), as far
/// as they are known.
lane_shape lane_shapes::of_mask(const BinaryOperator& binary, lane_shape bits, const Value& mask) const {
  if (bits.is_uniform() || !bits.is_in_block(lanes_))
    return lane_shape::varying();
  std::uint64_t greatest = 0;
  for (unsigned lane = 0; lane < lanes_; ++lane)
    greatest = std::max(greatest, std::uint64_t(bits.offset_of(lane)));
  const unsigned needed = 64 - unsigned(countl_zero(greatest));
  const KnownBits known = computeKnownBits(&mask, binary.getDataLayout());
  assert(needed != 0 && needed <= known.getBitWidth() && "lanes differ in bits that the type does not have");
  if (!(known.Zero | known.One).trunc(needed).isAllOnes())
    return lane_shape::varying();
  const std::uint64_t own = known.One.trunc(needed).getZExtValue();
  const unsigned zeros = known.countMinTrailingZeros();
  if (binary.getOpcode() == Instruction::And)
    return with_offsets(
        [&](unsigned lane) { return std::int64_t(std::uint64_t(bits.offset_of(lane)) & own); },
        lane_shape::strided(1, false, false, std::max<unsigned>(bits.alignment, zeros)));
  return with_offsets(
      [&](unsigned lane) { return std::int64_t((std::uint64_t(bits.offset_of(lane)) ^ own) - own); },
      lane_shape::strided(1, false, false, std::min<unsigned>(bits.alignment, zeros)));
}

lane_shape lane_shapes::of_shift(lane_shape left, unsigned shift) const {
  const unsigned alignment = left.alignment > shift ? left.alignment - shift : 0;
  if (left.is_uniform())
    return lane_shape::uniform(alignment);
  if (!left.is_in_block(lanes_))
    return lane_shape::varying();
  return with_offsets([&](unsigned lane) { return left.offset_of(lane) >> shift; },
                      lane_shape::strided(1, false, false, alignment));
}

/// InstCombine's form of a number that is cut off, extended with its sign, and multiplied by the size of an
/// element: shl by 32, then ashr by 30. Numbers within a block have the same sign.
lane_shape lane_shapes::of_shifted_extension(const BinaryOperator& shift) const {
  const Value* whole = nullptr;
  const APInt *up = nullptr, *down = nullptr;
  if (!match(&shift, m_AShr(m_Shl(m_Value(whole), m_APInt(up)), m_APInt(down))) || down->ugt(*up) ||
      up->uge(shift.getType()->getIntegerBitWidth()))
    return lane_shape::varying();
  const lane_shape shape = (*this)[whole];
  const unsigned kept = shift.getType()->getIntegerBitWidth() - unsigned(up->getZExtValue());
  const unsigned left = unsigned((*up - *down).getZExtValue());
  if (!shape.is_scalar() || shape.is_uniform() || !shape.is_in_block(lanes_, kept - 1))
    return lane_shape::varying();
  return with_offsets(
      [&](unsigned lane) { return std::int64_t(std::uint64_t(shape.offset_of(lane)) << left); },
      lane_shape::strided(1, true, false, std::min(63U, std::min<unsigned>(shape.alignment, kept) + left)));
}

/// Where the divisor is a multiple of their block, numbers have the same quotient, and their remainders are a
/// block again.
lane_shape lane_shapes::of_quotient(const BinaryOperator& binary, lane_shape left,
                                    const ConstantInt& divisor) const {
  const unsigned zeros = divisor.getValue().countr_zero();
  if (divisor.isZero() || !left.is_in_block(lanes_, zeros))
    return lane_shape::varying();
  if (binary.getOpcode() == Instruction::UDiv)
    return lane_shape::uniform();
  left.alignment = std::uint8_t(std::min<unsigned>(left.alignment, zeros));
  return left;
}

/// Rows hold whole vectors, or most of them.
lane_shape lane_shapes::of_likely_quotient(const BinaryOperator& binary, lane_shape left,
                                           lane_shape right) const {
  const auto* divisor = dyn_cast<ConstantInt>(binary.getOperand(1));
  if (!left.is_progression() || left.stride < 0 || !right.is_uniform() ||
      (divisor != nullptr && divisor->getValue().ult(std::uint64_t(left.stride) * lanes_)))
    return lane_shape::varying();
  const bool is_quotient = binary.getOpcode() == Instruction::UDiv || binary.getOpcode() == Instruction::SDiv;
  return lane_shape::strided(is_quotient ? 0 : left.stride, true, true);
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
  if (!from.is_uniform() && is_number && cast.getDestTy()->getIntegerBitWidth() > 64)
    return lane_shape::varying();
  const auto strided = [&](bool exact_signed, bool exact_unsigned) {
    lane_shape result = from;
    result.exact_signed = exact_signed || from.is_uniform();
    result.exact_unsigned = exact_unsigned || from.is_uniform();
    return in_width(result, *cast.getDestTy());
  };
  const bool seldom_wraps = graph_ == nullptr && cast.getSrcTy()->getScalarSizeInBits() >= 32;
  switch (cast.getOpcode()) {
  case Instruction::SExt:
    return from.exact_signed || seldom_wraps ? strided(true, false) : lane_shape::varying();
  case Instruction::ZExt:
    return from.exact_unsigned || seldom_wraps || (from.exact_signed && cast.hasNonNeg())
               ? strided(true, true)
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
    if (cast.getSrcTy()->getScalarSizeInBits() == cast.getDestTy()->getScalarSizeInBits() ||
        cast.isNoopCast(cast.getDataLayout())) {
      lane_shape result = from;
      result.exact_signed = result.exact_unsigned = false;
      result.alignment = 0;
      return result;
    }
    return lane_shape::varying();
  default:
    return from.is_uniform() ? lane_shape::uniform() : lane_shape::varying();
  }
}

lane_shape lane_shapes::of_address(const GetElementPtrInst& address) const {
  const lane_shape base = (*this)[address.getPointerOperand()];
  if (base.what == lane_shape::kind::undefined)
    return {};
  bool is_scalar = base.is_scalar();
  SmallVector<std::pair<lane_shape, std::uint64_t>, 2> parts = {{base, 1}};
  const DataLayout& layout = address.getDataLayout();
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    const lane_shape index = (*this)[step.getOperand()];
    if (index.what == lane_shape::kind::undefined)
      return {};
    if (index.is_uniform())
      continue;
    // Narrower indices are extended: what they differ by does not survive that in general.
    is_scalar = is_scalar && index.is_scalar() && !step.isStruct() &&
                step.getOperand()->getType()->getScalarSizeInBits() ==
                    layout.getIndexTypeSizeInBits(address.getType());
    if (is_scalar)
      parts.push_back({index, step.getSequentialElementStride(layout).getFixedValue()});
  }
  if (!is_scalar)
    return lane_shape::varying();
  return with_offsets(
      [&](unsigned lane) {
        std::uint64_t offset = 0;
        for (const auto& [shape, size] : parts)
          offset += std::uint64_t(shape.offset_of(lane)) * size;
        return std::int64_t(offset);
      },
      lane_shape::strided(1));
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
