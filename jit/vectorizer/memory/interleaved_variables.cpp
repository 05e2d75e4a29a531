// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After, for 8 lanes:
//   %a = alloca [3 x float]                        %a = alloca [96 x i8], align 64, !falx.element !{i64 4}
//   %at = getelementptr float, ptr %a, i64 %n      %bytes = mul nsw i32 %n, 32, extended to i64
//                                                  %at = getelementptr i8, ptr %a, i64 %bytes
//   %x = load float, ptr %at                       %x = load float, ptr %at
//
// The address is that of lane 0; lane i's is 4 bytes times i behind it. So lanes that access the same element
// access consecutive memory, and once the vector function is optimised, elements whose number is known become
// vectors in registers.
//
// It takes that every access has the size of one element, at a multiple of it, and that the address does
// not escape. All other variables keep a whole copy per lane, one behind the other.

#include "interleaved_variables.hpp"
#include "vectorizer/analysis/lane_safety.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

static constexpr const char* ELEMENT = "falx.element";

std::uint64_t interleaved_element(const AllocaInst& variable) {
  const MDNode* element = variable.getMetadata(ELEMENT);
  return element != nullptr ? mdconst::extract<ConstantInt>(element->getOperand(0))->getZExtValue() : 0;
}

namespace {

/// Finds out about one variable, and lays it out anew.
class variable_layout {
public:
  variable_layout(AllocaInst& variable, unsigned lanes)
      : variable_(variable), lanes_(lanes), layout_(variable.getDataLayout()) {}

  /// Is every use one that the new layout serves?
  bool can_interleave();
  void interleave();

private:
  bool take_element(const Type& type);
  bool take_use(Use& use);
  bool take_transfer(MemIntrinsic& transfer);
  bool steps_over_elements(const GetElementPtrInst& address) const;
  void expand(MemIntrinsic& transfer);

  AllocaInst& variable_;
  unsigned lanes_;
  const DataLayout& layout_;
  std::uint64_t element_ = 0;
  /// Everything that points into the variable, itself first.
  SetVector<Instruction*> pointers_;
  SmallVector<GetElementPtrInst*> addresses_;
  SetVector<MemIntrinsic*> transfers_;
};

} // namespace

bool variable_layout::take_element(const Type& type) {
  auto* accessed = const_cast<Type*>(&type);
  if (!has_vector_layout(accessed, layout_))
    return false;
  const std::uint64_t size = layout_.getTypeStoreSize(accessed);
  if (element_ != 0 && element_ != size)
    return false;
  element_ = size;
  return true;
}

/// Of known length, between a variable and something else that is the same for all lanes or another variable.
bool variable_layout::take_transfer(MemIntrinsic& transfer) {
  constexpr std::uint64_t LONGEST = 4096;
  const auto* length = dyn_cast<ConstantInt>(transfer.getLength());
  if (length == nullptr || transfer.isVolatile() || length->getZExtValue() > LONGEST ||
      isa<MemMoveInst>(transfer))
    return false;
  transfers_.insert(&transfer);
  return true;
}

bool variable_layout::take_use(Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* load = dyn_cast<LoadInst>(user))
    return load->isSimple() && take_element(*load->getType());
  if (auto* store = dyn_cast<StoreInst>(user))
    return store->isSimple() && use.getOperandNo() == StoreInst::getPointerOperandIndex() &&
           take_element(*store->getValueOperand()->getType());
  if (auto* address = dyn_cast<GetElementPtrInst>(user)) {
    addresses_.push_back(address);
    pointers_.insert(address);
    return !address->getType()->isVectorTy();
  }
  if (isa<PHINode, SelectInst>(user)) {
    pointers_.insert(user);
    return true;
  }
  if (auto* intrinsic = dyn_cast<IntrinsicInst>(user);
      intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic())
    return true;
  if (auto* transfer = dyn_cast<MemIntrinsic>(user))
    return take_transfer(*transfer);
  return isa<ICmpInst>(user);
}

bool variable_layout::steps_over_elements(const GetElementPtrInst& address) const {
  SmallMapVector<Value*, APInt, 4> variable_offsets;
  const unsigned width = layout_.getIndexTypeSizeInBits(address.getType());
  APInt constant(width, 0);
  if (!address.collectOffset(layout_, width, variable_offsets, constant))
    return false;
  const auto is_multiple = [&](const APInt& offset) { return offset.srem(std::int64_t(element_)) == 0; };
  return is_multiple(constant) &&
         all_of(variable_offsets, [&](const auto& each) { return is_multiple(each.second); });
}

bool variable_layout::can_interleave() {
  if (!variable_.isStaticAlloca())
    return false;
  pointers_.insert(&variable_);
  for (unsigned index = 0; index < pointers_.size(); ++index)
    for (Use& use : pointers_[index]->uses())
      if (!take_use(use))
        return false;
  constexpr std::uint64_t LARGEST = 1 << 20;
  if (element_ == 0 || !isPowerOf2_64(element_) || *variable_.getAllocationSize(layout_) > LARGEST)
    return false;
  // Ways that join bring pointers into this variable only.
  const auto is_ours = [&](const Value* value) {
    const auto* pointer = dyn_cast<Instruction>(value);
    return pointer != nullptr && pointers_.contains(const_cast<Instruction*>(pointer));
  };
  for (Instruction* pointer : pointers_) {
    if (const auto* phi = dyn_cast<PHINode>(pointer);
        phi != nullptr && !all_of(phi->incoming_values(), is_ours))
      return false;
    if (const auto* select = dyn_cast<SelectInst>(pointer);
        select != nullptr && (!is_ours(select->getTrueValue()) || !is_ours(select->getFalseValue())))
      return false;
    for (const User* user : pointer->users())
      if (const auto* compare = dyn_cast<ICmpInst>(user);
          compare != nullptr && (!is_ours(compare->getOperand(0)) || !is_ours(compare->getOperand(1))))
        return false;
  }
  const bool has_whole_elements =
      *variable_.getAllocationSize(layout_) % element_ == 0 &&
      all_of(transfers_, [&](const MemIntrinsic* transfer) {
        return cast<ConstantInt>(transfer->getLength())->getZExtValue() % element_ == 0;
      });
  return has_whole_elements &&
         all_of(addresses_, [&](const GetElementPtrInst* address) { return steps_over_elements(*address); });
}

/// By element: what is loaded or stored is laid out with everything else.
void variable_layout::expand(MemIntrinsic& transfer) {
  const std::uint64_t count = cast<ConstantInt>(transfer.getLength())->getZExtValue() / element_;
  constexpr std::uint64_t FEW = 16;
  Type* type = Type::getIntNTy(variable_.getContext(), unsigned(element_ * 8));
  auto* copy = dyn_cast<MemTransferInst>(&transfer);
  auto* set = dyn_cast<MemSetInst>(&transfer);
  Value* filling = nullptr;
  if (set != nullptr) {
    IRBuilder<> builder(&transfer);
    filling = builder.CreateZExt(set->getValue(), type);
    filling = builder.CreateMul(filling,
                                ConstantInt::get(type, APInt::getSplat(unsigned(element_ * 8), APInt(8, 1))));
  }
  const auto load = [&](IRBuilder<>& builder, Value* number) -> Value* {
    if (copy == nullptr)
      return filling;
    return builder.CreateAlignedLoad(type, builder.CreateGEP(type, copy->getSource(), number),
                                     commonAlignment(copy->getSourceAlign().valueOrOne(), element_));
  };
  const auto store = [&](IRBuilder<>& builder, Value* number, Value* value) {
    builder.CreateAlignedStore(value, builder.CreateGEP(type, transfer.getDest(), number),
                               commonAlignment(transfer.getDestAlign().valueOrOne(), element_));
  };
  if (count <= FEW) {
    // All loads come first, as the memories may overlap.
    IRBuilder<> builder(&transfer);
    SmallVector<Value*> values;
    for (std::uint64_t number = 0; number < count; ++number)
      values.push_back(load(builder, builder.getInt64(number)));
    for (std::uint64_t number = 0; number < count; ++number)
      store(builder, builder.getInt64(number), values[number]);
  } else {
    auto [body, number] = SplitBlockAndInsertSimpleForLoop(
        ConstantInt::get(Type::getInt64Ty(variable_.getContext()), count), transfer.getIterator());
    IRBuilder<> builder(&*body);
    store(builder, number, load(builder, number));
  }
  transfer.eraseFromParent();
}

void variable_layout::interleave() {
  for (MemIntrinsic* transfer : transfers_)
    expand(*transfer);
  // Expanding has made addresses.
  addresses_.clear();
  pointers_.clear();
  transfers_.clear();
  [[maybe_unused]] const bool has_elements = can_interleave();
  assert(has_elements && "transfers are expanded by whole elements");
  for (GetElementPtrInst* address : addresses_) {
    IRBuilder<> builder(address);
    // 32 bits have room for all that is within the variable.
    Value* offset = emitGEPOffset(&builder, layout_, address, /*NoAssumptions=*/true);
    Value* narrow = builder.CreateTrunc(offset, builder.getInt32Ty(), "", /*IsNUW=*/false, /*IsNSW=*/true);
    narrow = builder.CreateNSWMul(narrow, builder.getInt32(lanes_));
    Value* bytes = builder.CreateSExt(narrow, offset->getType());
    Value* place =
        builder.CreateGEP(builder.getInt8Ty(), address->getPointerOperand(), bytes, address->getName());
    address->replaceAllUsesWith(place);
    pointers_.remove(address);
    if (auto* made = dyn_cast<Instruction>(place))
      pointers_.insert(made);
    address->eraseFromParent();
  }
  const Align alignment(element_);
  for (Instruction* pointer : pointers_)
    for (User* user : pointer->users()) {
      if (auto* load = dyn_cast<LoadInst>(user))
        load->setAlignment(alignment);
      else if (auto* store = dyn_cast<StoreInst>(user))
        store->setAlignment(alignment);
    }
  LLVMContext& context = variable_.getContext();
  IRBuilder<> builder(&variable_);
  const std::uint64_t size = *variable_.getAllocationSize(layout_) * lanes_;
  assert(isPowerOf2_64(element_) && size <= INT32_MAX && "offsets were computed with 32 bits");
  AllocaInst* wide = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), size));
  wide->takeName(&variable_);
  wide->setAlignment(Align(64));
  wide->setMetadata(ELEMENT, MDNode::get(context, {ConstantAsMetadata::get(builder.getInt64(element_))}));
  variable_.replaceAllUsesWith(wide);
  variable_.eraseFromParent();
}

void interleave_private_variables(Function& work_item, unsigned lanes) {
  SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : instructions(work_item))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  for (AllocaInst* variable : variables)
    if (variable_layout layout(*variable, lanes); layout.can_interleave())
      layout.interleave();
}

} // namespace falx::jit::simd
