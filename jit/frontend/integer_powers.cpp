// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                                After:
//   %y = call float @llvm.powi.f32.i32(float %x, i32 3)    %1 = fmul float %x, %x
//                                                          %y = fmul float %x, %1
//
// InstCombine makes powi of pow, where that may be approximated, of exponents that are integers. Instruction
// selection takes it apart, too, but no vector of the program's is one there, nor does NVPTX get so far.

#include "integer_powers.hpp"

#include "pipeline/replacements.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/bit.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit {

/// As many as LLVM's instruction selection makes of a powi.
constexpr unsigned MOST_PRODUCTS = 6;

/// By squares; null if there are too many.
static Value* products_of(Value* base, std::int64_t exponent, IRBuilder<>& builder) {
  const std::uint64_t magnitude = AbsoluteValue(exponent);
  Value* result = ConstantFP::get(base->getType(), 1);
  if (magnitude == 0)
    return result;
  if (unsigned(llvm::popcount(magnitude)) - 1 + Log2_64(magnitude) > MOST_PRODUCTS)
    return nullptr;
  Value* product = nullptr;
  Value* square = base;
  for (std::uint64_t left = magnitude;;) {
    if (left % 2 != 0)
      product = product == nullptr ? square : builder.CreateFMul(product, square);
    left /= 2;
    if (left == 0)
      break;
    square = builder.CreateFMul(square, square);
  }
  return exponent > 0 ? product : builder.CreateFDiv(result, product);
}

bool expand_integer_powers(Module& module) {
  bool has_changed = false;
  for (Function& function : module)
    for (Instruction& instruction : make_early_inc_range(instructions(function))) {
      auto* call = dyn_cast<IntrinsicInst>(&instruction);
      if (call == nullptr || call->getIntrinsicID() != Intrinsic::powi)
        continue;
      const auto* exponent = dyn_cast<ConstantInt>(call->getArgOperand(1));
      IRBuilder<> builder(call);
      builder.setFastMathFlags(call->getFastMathFlags());
      Value* products = exponent != nullptr
                            ? products_of(call->getArgOperand(0), exponent->getSExtValue(), builder)
                            : nullptr;
      if (products == nullptr)
        continue;
      replace_instruction(*call, products);
      has_changed = true;
    }
  return has_changed;
}

} // namespace falx::jit
