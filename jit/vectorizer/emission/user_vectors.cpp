// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %v = insertelement <2 x i32> %u, i32 %x, i64 %i
//   %word = bitcast <2 x i32> %v to i64
// After:
//   %v.0 = select i1 (%i == 0), i32 %x, i32 %u.0
//   %v.1 = select i1 (%i == 1), i32 %x, i32 %u.1
//   %word = or i64 (zext %v.0), (shl (zext %v.1), 32)
//
// LLVM's Scalarizer does most of it. Casts between elements of different sizes and reductions, which it
// leaves, come first; those it makes itself between two vectors are gone then.

#include "user_vectors.hpp"
#include "pipeline/nested_passes.hpp"
#include "pipeline/replacements.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

using namespace llvm;

namespace falx::jit::simd {

bool uses_vectors(const Function& function) {
  return any_of(instructions(function), [](const Instruction& instruction) {
    return instruction.getType()->isVectorTy() ||
           any_of(instruction.operands(), [](const Use& use) { return use->getType()->isVectorTy(); });
  });
}

/// 1 for what is no vector.
static unsigned element_count(Type* type) {
  const auto* vector = dyn_cast<FixedVectorType>(type);
  return vector != nullptr ? vector->getNumElements() : 1;
}

/// The elements' bits, each as an integer.
static SmallVector<Value*> words_of(IRBuilder<>& builder, Value* value) {
  Type* word = builder.getIntNTy(value->getType()->getScalarSizeInBits());
  SmallVector<Value*> words;
  for (unsigned i = 0; i < element_count(value->getType()); ++i) {
    Value* element = value->getType()->isVectorTy() ? builder.CreateExtractElement(value, i) : value;
    words.push_back(builder.CreateBitCast(element, word));
  }
  return words;
}

/// The \p bits bits from \p first on of what \p words make together, the first word lowest.
static Value* bits_of(IRBuilder<>& builder, ArrayRef<Value*> words, unsigned first, unsigned bits) {
  const unsigned word_bits = words.front()->getType()->getIntegerBitWidth();
  Value* result = nullptr;
  for (unsigned i = first / word_bits; i * word_bits < first + bits; ++i) {
    const unsigned begin = i * word_bits;
    Value* part = words[i];
    if (begin < first)
      part = builder.CreateLShr(part, first - begin);
    part = builder.CreateZExtOrTrunc(part, builder.getIntNTy(bits));
    if (begin > first)
      part = builder.CreateShl(part, begin - first);
    result = result != nullptr ? builder.CreateOr(result, part) : part;
  }
  return result;
}

static Value* cast_by_elements(BitCastInst& cast) {
  IRBuilder<> builder(&cast);
  Type *type = cast.getType(), *element = type->getScalarType();
  const unsigned bits = element->getPrimitiveSizeInBits();
  const SmallVector<Value*> words = words_of(builder, cast.getOperand(0));
  Value* result = PoisonValue::get(type);
  for (unsigned i = 0; i < element_count(type); ++i) {
    Value* value = builder.CreateBitCast(bits_of(builder, words, i * bits, bits), element);
    result = type->isVectorTy() ? builder.CreateInsertElement(result, value, i) : value;
  }
  return result;
}

/// Null if the intrinsic is no reduction.
static Value* reduce_by_elements(IntrinsicInst& intrinsic) {
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  if (!Intrinsic::getBaseName(id).starts_with("llvm.vector.reduce."))
    return nullptr;
  IRBuilder<> builder(&intrinsic);
  if (isa<FPMathOperator>(intrinsic))
    builder.setFastMathFlags(intrinsic.getFastMathFlags());
  const bool has_start = id == Intrinsic::vector_reduce_fadd || id == Intrinsic::vector_reduce_fmul;
  const unsigned operation = getArithmeticReductionInstruction(id);
  Value* vector = intrinsic.getArgOperand(has_start ? 1 : 0);
  Value* result = has_start ? intrinsic.getArgOperand(0)
                            : getReductionIdentity(id, intrinsic.getType(), builder.getFastMathFlags());
  for (unsigned i = 0; i < element_count(vector->getType()); ++i) {
    Value* element = builder.CreateExtractElement(vector, i);
    if (Instruction::isBinaryOp(operation))
      result = builder.CreateBinOp(Instruction::BinaryOps(operation), result, element);
    else
      result = builder.CreateBinaryIntrinsic(getMinMaxReductionIntrinsicOp(id), result, element);
  }
  return result;
}

static Value* by_elements(Instruction& instruction) {
  if (auto* cast = dyn_cast<BitCastInst>(&instruction))
    return element_count(cast->getSrcTy()) != element_count(cast->getDestTy()) ? cast_by_elements(*cast)
                                                                               : nullptr;
  auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic != nullptr ? reduce_by_elements(*intrinsic) : nullptr;
}

void take_vectors_apart(Function& function, FunctionAnalysisManager& analyses) {
  if (!uses_vectors(function))
    return;
  for (Instruction& instruction : make_early_inc_range(instructions(function)))
    if (Value* value = by_elements(instruction))
      replace_instruction(instruction, value);
  ScalarizerPassOptions everything;
  everything.ScalarizeLoadStore = true;
  FunctionPassManager passes;
  passes.addPass(ScalarizerPass(everything));
  run_nested(std::move(passes), function, analyses);
}

} // namespace falx::jit::simd
