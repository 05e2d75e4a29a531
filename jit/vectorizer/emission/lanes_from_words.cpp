// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for every lane of a vector of bytes:
//   %byte.3 = extractelement <16 x i8> %bytes, i64 3
//   %index.3 = zext i8 %byte.3 to i64
// After:
//   %words = bitcast <16 x i8> (freeze %bytes) to <2 x i64>
//   %word = extractelement <2 x i64> %words, i64 0           ; once for eight lanes
//   %index.3 = and i64 (lshr i64 %word, 24), 255
//
// What is loaded for nothing else is loaded as words:
//   %word = load i64, ptr %in
// as memory holds no poison once machine code is made.
//
// For AMD's Zen 4 (family 19h, models 10h to 1Fh and 60h to AFh). Stores whose addresses come out of vectors
// one by one (pextrb) are taken there to overlap with loads that they do not overlap with. 16 counters in
// memory, one after the other, as in the histogram of bench/cpu/groups.cpp, take 7.3 clocks each in the order
// in which LLVM 22 schedules them for znver4, 1.7 in that of Skylake, and 1.0 from words. The whole histogram
// takes 33 and 5.6 ms. Elsewhere nothing is gained: on a Xeon of model 207 it took 6.5 to 7.1 and 6.9 to 7.0.

#include "vectorizer/passes.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace falx::jit::simd {

namespace {

constexpr unsigned WORD_BITS = 64, BYTE_BITS = 8, BYTES_OF_WORD = WORD_BITS / BYTE_BITS;
/// Bytes of a word from which on it is taken out whole: a word takes as long as one of them, and each shift
/// and mask two operations of which there are four a clock, instead of two of which there are two.
constexpr unsigned LEAST_BYTES = BYTES_OF_WORD / 2;

/// The vector, and which of its words.
using word = std::pair<Value*, std::uint64_t>;

/// Bytes of vectors of whole words that are taken out in \p block, by word and in their order.
MapVector<word, SmallVector<ExtractElementInst*, BYTES_OF_WORD>> bytes_by_word(BasicBlock& block) {
  MapVector<word, SmallVector<ExtractElementInst*, BYTES_OF_WORD>> result;
  for (Instruction& instruction : block)
    if (auto* byte = dyn_cast<ExtractElementInst>(&instruction)) {
      const auto* type = dyn_cast<FixedVectorType>(byte->getVectorOperandType());
      const auto* lane = dyn_cast<ConstantInt>(byte->getIndexOperand());
      if (type != nullptr && lane != nullptr && type->getElementType()->isIntegerTy(BYTE_BITS) &&
          type->getNumElements() % BYTES_OF_WORD == 0 && lane->getValue().ult(type->getNumElements()))
        result[{byte->getVectorOperand(), lane->getZExtValue() / BYTES_OF_WORD}].push_back(byte);
    }
  return result;
}

/// The byte at \p shift of \p bits, in the place of \p byte and of its extensions.
void replace(ExtractElementInst& byte, Value& bits, std::uint64_t shift) {
  IRBuilder<> builder(&byte);
  Value* low = shift == 0 ? &bits : builder.CreateLShr(&bits, shift);
  for (User* user : make_early_inc_range(byte.users()))
    if (auto* extension = dyn_cast<ZExtInst>(user);
        extension != nullptr && extension->getType()->getScalarSizeInBits() <= WORD_BITS) {
      builder.SetInsertPoint(extension);
      Value* wide = builder.CreateAnd(low, maskTrailingOnes<std::uint64_t>(BYTE_BITS));
      extension->replaceAllUsesWith(builder.CreateTrunc(wide, extension->getType()));
      extension->eraseFromParent();
    }
  if (!byte.use_empty()) {
    builder.SetInsertPoint(&byte);
    byte.replaceAllUsesWith(builder.CreateTrunc(low, byte.getType()));
  }
  byte.eraseFromParent();
}

} // namespace

PreservedAnalyses take_lanes_from_words::run(Function& function, FunctionAnalysisManager&) {
  if (!function.getDataLayout().isLittleEndian() || !function.getDataLayout().isLegalInteger(WORD_BITS))
    return PreservedAnalyses::all();
  bool changes = false;
  for (BasicBlock& block : function)
    for (auto& [from, bytes] : bytes_by_word(block)) {
      if (bytes.size() < LEAST_BYTES)
        continue;
      IRBuilder<> builder(bytes.front());
      const auto& type = *cast<FixedVectorType>(from.first->getType());
      // A word with one byte of poison would be poison.
      Value* words = builder.CreateBitCast(
          builder.CreateFreeze(from.first),
          FixedVectorType::get(builder.getInt64Ty(), type.getNumElements() / BYTES_OF_WORD));
      Value* bits = builder.CreateExtractElement(words, from.second);
      for (ExtractElementInst* byte : bytes)
        replace(*byte, *bits,
                cast<ConstantInt>(byte->getIndexOperand())->getZExtValue() % BYTES_OF_WORD * BYTE_BITS);
      changes = true;
    }
  if (!changes)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace falx::jit::simd
