// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for `int i = id; data[i + 1]`, where the declaration says that ids are below 2^31:
//   %id = call i64 @__falx_global_id_x()
//   %i = trunc i64 %id to i32
//   %next = add nsw i32 %i, 1
//   %index = sext i32 %next to i64
// After:
//   %id = call i64 @__falx_global_id_x()
//   %index = add nsw i64 %id, 1
//
// InstCombine would make shifts of it, in which nobody finds consecutive numbers again. Where nothing is
// known of the ids (kernels whose launch may have more than 2^31 work-items) nothing changes.

#include "passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// Finds out about one extension whether it can go into its operand, and puts it there.
class index_widening {
public:
  explicit index_widening(CastInst& extension)
      : extension_(extension), is_signed_(isa<SExtInst>(extension) || extension.hasNonNeg()),
        builder_(&extension) {}

  bool widen() {
    const std::optional<ConstantRange> range = range_of(*extension_.getOperand(0), 0);
    if (!range || !has_index_)
      return false;
    extension_.replaceAllUsesWith(wide(*extension_.getOperand(0)));
    return true;
  }

private:
  ConstantRange extended(const ConstantRange& range) const {
    return is_signed_ ? range.signExtend(64) : range.zeroExtend(64);
  }
  /// Of the values that the 32 bits may stand for.
  ConstantRange narrow_range() const { return extended(ConstantRange::getFull(32)); }
  /// Of a value that is extended as it is.
  ConstantRange range_of_leaf(const Value& value) const {
    const KnownBits known = computeKnownBits(&value, extension_.getDataLayout());
    return extended(ConstantRange::fromKnownBits(known, is_signed_));
  }
  static const CallInst* index_behind(const Value& value) {
    const auto* trunc = dyn_cast<TruncInst>(&value);
    const auto* call = trunc != nullptr ? dyn_cast<CallInst>(trunc->getOperand(0)) : nullptr;
    return call != nullptr && call->getType()->isIntegerTy(64) && call->getRange() ? call : nullptr;
  }
  /// Computed here, from what may be an index.
  static const BinaryOperator* step(const Value& value) {
    const auto* binary = dyn_cast<BinaryOperator>(&value);
    if (binary == nullptr)
      return nullptr;
    switch (binary->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
      return binary;
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      // Of an index itself: what is computed before its bits are cut off may be long and need no 64 bits.
      return any_of(binary->operands(), [](const Use& use) { return index_behind(*use) != nullptr; })
                 ? binary
                 : nullptr;
    default:
      return nullptr;
    }
  }
  std::optional<ConstantRange> range_of(const Value& value, unsigned depth);
  Value* wide(Value& value);

  CastInst& extension_;
  bool is_signed_;
  /// Some part is an index: only then is it worth the trouble.
  bool has_index_ = false;
  IRBuilder<> builder_;
  SmallPtrSet<const Value*, 8> steps_;
};

} // namespace

/// What \p value is when computed with 64 bits; nothing if that might not be what its 32 bits stand for.
std::optional<ConstantRange> index_widening::range_of(const Value& value, unsigned depth) {
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return ConstantRange(is_signed_ ? constant->getValue().sext(64) : constant->getValue().zext(64));
  if (const CallInst* index = index_behind(value)) {
    if (!narrow_range().contains(*index->getRange()))
      return std::nullopt;
    has_index_ = true;
    return index->getRange();
  }
  const BinaryOperator* binary = step(value);
  if (binary == nullptr || depth == MaxAnalysisRecursionDepth)
    return range_of_leaf(value);
  const bool had_index = has_index_;
  has_index_ = false;
  const std::optional<ConstantRange> left = range_of(*binary->getOperand(0), depth + 1);
  const std::optional<ConstantRange> right = range_of(*binary->getOperand(1), depth + 1);
  const bool is_of_index = has_index_;
  has_index_ |= had_index;
  if (!left || !right)
    return std::nullopt;
  if (!is_of_index)
    return range_of_leaf(value);
  const ConstantRange exact = left->binaryOp(binary->getOpcode(), *right);
  const bool cannot_wrap =
      binary->isBitwiseLogicOp() || (is_signed_ ? binary->hasNoSignedWrap() : binary->hasNoUnsignedWrap());
  if (!cannot_wrap && !narrow_range().contains(exact))
    return std::nullopt;
  steps_.insert(binary);
  return exact.intersectWith(narrow_range(), is_signed_ ? ConstantRange::Signed : ConstantRange::Unsigned);
}

Value* index_widening::wide(Value& value) {
  Type* type = builder_.getInt64Ty();
  if (!isa<Constant>(value) && index_behind(value) != nullptr)
    return cast<TruncInst>(value).getOperand(0);
  if (steps_.contains(&value)) {
    auto& binary = cast<BinaryOperator>(value);
    Value *left = wide(*binary.getOperand(0)), *right = wide(*binary.getOperand(1));
    // Factors have 32 bits, so their product has room in 64, signed or not, but for one.
    Value* result = builder_.CreateBinOp(binary.getOpcode(), left, right, binary.getName());
    if (auto* made = dyn_cast<BinaryOperator>(result);
        made != nullptr && is_signed_ && isa<OverflowingBinaryOperator>(made))
      made->setHasNoSignedWrap();
    return result;
  }
  return is_signed_ ? builder_.CreateSExt(&value, type) : builder_.CreateZExt(&value, type);
}

PreservedAnalyses wide_indices::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<CastInst*> extensions;
  for (Instruction& instruction : instructions(function))
    if (isa<SExtInst, ZExtInst>(instruction) && instruction.getType()->isIntegerTy(64) &&
        instruction.getOperand(0)->getType()->isIntegerTy(32))
      extensions.push_back(cast<CastInst>(&instruction));
  bool has_changed = false;
  for (CastInst* extension : extensions)
    if (index_widening(*extension).widen()) {
      RecursivelyDeleteTriviallyDeadInstructions(extension);
      has_changed = true;
    }
  return preserved_by_replacements(has_changed);
}

} // namespace falx::jit
