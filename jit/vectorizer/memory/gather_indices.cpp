// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for data[start + column] with unsigned columns of 32 bits:
//   %wide = zext <16 x i32> %column to <16 x i64>
//   %index = add <16 x i64> %wide, splat (%start)
//   %at = getelementptr float, ptr %data, <16 x i64> %index
//   call <16 x float> @llvm.masked.gather(<16 x ptr> %at, …)
// After:
//   %narrow = xor <16 x i32> %column, splat (i32 0x80000000)
//   %base = getelementptr i8, ptr %data, i64 (4 * %start + 0x200000000)
//   %at = getelementptr float, ptr %base, <16 x i32> %narrow
//
// An x86-64 gather adds a scalar base and an index of 64 bits, or of 32 bits that it extends with their sign,
// times 1, 2, 4 or 8, modulo 2^64. With 64 bits there are half as many lanes in a register, so it takes two
// gathers and what widens and joins. An unsigned number is a signed one plus 2^31. LLVM 22 finds short
// indices by itself where they are extended with their sign and nothing is added.

#include "pipeline/replacements.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/memory/masked_access.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// The addresses of one gather as what all lanes have, and scale * (an extended index).
class lane_addresses {
public:
  lane_addresses(Instruction& access, Value& pointers)
      : access_(access), pointers_(pointers), layout_(access.getDataLayout()),
        form_(affine_form_of(pointers, layout_)), base_(scalar_of(*form_.base)) {}

  /// They have that form, and LLVM would not find the short index by itself.
  bool are_worth_it();
  Value* narrowed();

private:
  static Value* scalar_of(Value& value) {
    return value.getType()->isVectorTy() ? getSplatValue(&value) : &value;
  }

  bool is_index() const;

  Instruction& access_;
  Value& pointers_;
  const DataLayout& layout_;
  affine_form form_;
  Value* base_;
  /// The same for all lanes.
  SmallVector<affine_form::term, 2> addends_;
  CastInst* extension_ = nullptr;
  std::uint64_t scale_ = 0;
};

} // namespace

/// The addresses' own, not of a sum or a product.
bool lane_addresses::is_index() const {
  const auto* address = dyn_cast<GEPOperator>(&pointers_);
  for (; address != nullptr; address = dyn_cast<GEPOperator>(address->getPointerOperand()))
    if (is_contained(address->operand_values(), extension_))
      return true;
  return false;
}

bool lane_addresses::are_worth_it() {
  for (const auto& [value, scale] : form_.terms) {
    if (value->getType()->getScalarSizeInBits() != 64)
      return false;
    if (Value* scalar = scalar_of(*value)) {
      addends_.push_back({scalar, scale});
      continue;
    }
    auto* extension = dyn_cast<CastInst>(value);
    if (extension_ != nullptr || extension == nullptr || !isa<SExtInst, ZExtInst>(extension) ||
        extension->getSrcTy()->getScalarSizeInBits() > 32)
      return false;
    extension_ = extension;
    scale_ = scale;
  }
  if (base_ == nullptr || extension_ == nullptr || !isPowerOf2_64(scale_) || scale_ > 8)
    return false;
  const bool is_long = extension_->getSrcTy()->getScalarSizeInBits() == 32;
  return !addends_.empty() || !is_index() || (is_long && isa<ZExtInst>(extension_));
}

Value* lane_addresses::narrowed() {
  IRBuilder<> builder(extension_);
  auto* lanes = cast<FixedVectorType>(extension_->getType());
  auto* narrow = FixedVectorType::get(builder.getInt32Ty(), lanes->getNumElements());
  Value* index = extension_->getOperand(0);
  if (narrow != index->getType()) {
    index = builder.CreateCast(extension_->getOpcode(), index, narrow);
  } else if (isa<ZExtInst>(extension_) && !extension_->hasNonNeg() &&
             !computeKnownBits(index, layout_).isNonNegative()) {
    index = builder.CreateXor(index, ConstantInt::get(narrow, APInt::getSignMask(32)));
    form_.constant += scale_ << 31;
  }
  builder.SetInsertPoint(&access_);
  Value* base = base_;
  for (const auto& [scalar, scale] : addends_)
    base = builder.CreatePtrAdd(base, builder.CreateMul(scalar, builder.getInt64(scale)));
  if (form_.constant != 0)
    base = builder.CreatePtrAdd(base, builder.getInt64(form_.constant));
  return builder.CreateGEP(builder.getIntNTy(unsigned(8 * scale_)), base, index);
}

PreservedAnalyses narrow_gather_indices::run(Function& function, FunctionAnalysisManager& analyses) {
  const access_costs costs(analyses.getResult<TargetIRAnalysis>(function));
  bool has_changed = false;
  for (Instruction& instruction : instructions(function)) {
    auto* call = dyn_cast<IntrinsicInst>(&instruction);
    if (call == nullptr)
      continue;
    const masked_access access(*call);
    if (access.type == nullptr || !access.is_scattered ||
        !costs.has_scattered(access.is_load, *access.type->getElementType(), Align(),
                             access.type->getNumElements()))
      continue;
    if (lane_addresses addresses(*call, *access.at); addresses.are_worth_it()) {
      call->setArgOperand(access.address, addresses.narrowed());
      has_changed = true;
    }
  }
  return preserved_by_replacements(has_changed);
}

} // namespace falx::jit::simd
