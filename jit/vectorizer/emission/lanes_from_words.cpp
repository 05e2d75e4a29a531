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
// What is loaded for nothing else is loaded as words, as by hand:
//   %word = freeze i64 (load i64, ptr %in)
// No pass behind this one knows what the kernel stored, so that no byte is poison which would spoil a word.
//
// Other vectors, with AMD's Zen 4 (family 19h, models 10h to 1Fh and 60h to AFh): stores whose addresses come
// out of vectors one by one (pextrb) are taken there to overlap with loads that they do not overlap with. 16
// counters in memory, one after the other, as in the histogram of bench/cpu/groups.cpp, take 7.3 clocks each
// in the order in which LLVM 22 schedules them for znver4, 1.7 in that of Skylake, and 1.0 from words. The
// whole histogram takes 33 and 5.9 ms, and 5.55 if words are loaded. On a Xeon of model 207 words from
// vectors took 6.9 to 7.0 ms for 6.5 to 7.1.

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

using taken_bytes = SmallVector<ExtractElementInst*, BYTES_OF_WORD>;

/// Bytes that are taken out of vectors of whole words in \p block, by vector and word, in their order.
MapVector<Value*, SmallVector<taken_bytes, 2>> bytes_by_vector(BasicBlock& block) {
  MapVector<Value*, SmallVector<taken_bytes, 2>> result;
  for (Instruction& instruction : block)
    if (auto* byte = dyn_cast<ExtractElementInst>(&instruction)) {
      const auto* type = dyn_cast<FixedVectorType>(byte->getVectorOperandType());
      const auto* lane = dyn_cast<ConstantInt>(byte->getIndexOperand());
      if (type == nullptr || lane == nullptr || !type->getElementType()->isIntegerTy(BYTE_BITS) ||
          type->getNumElements() % BYTES_OF_WORD != 0 || lane->getValue().uge(type->getNumElements()))
        continue;
      auto& words = result[byte->getVectorOperand()];
      words.resize(type->getNumElements() / BYTES_OF_WORD);
      words[lane->getZExtValue() / BYTES_OF_WORD].push_back(byte);
    }
  return result;
}

bool is_taken_whole(const taken_bytes& bytes) {
  return bytes.size() >= LEAST_BYTES;
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

/// The load of \p vector if nothing but \p words is needed of it.
LoadInst* loaded_as_words(Value& vector, ArrayRef<taken_bytes> words) {
  auto* load = dyn_cast<LoadInst>(&vector);
  unsigned uses = 0;
  for (const taken_bytes& bytes : words)
    uses += bytes.size();
  return load != nullptr && load->isSimple() && load->hasNUses(uses) && all_of(words, is_taken_whole)
             ? load
             : nullptr;
}

Value* load_word(LoadInst& whole, unsigned number) {
  IRBuilder<> builder(&whole);
  const unsigned offset = number * BYTES_OF_WORD;
  Value* from = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), whole.getPointerOperand(), offset);
  LoadInst* word = builder.CreateAlignedLoad(builder.getInt64Ty(), from,
                                             commonAlignment(whole.getAlign(), offset), "word");
  word->copyMetadata(whole,
                     {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_nontemporal});
  return builder.CreateFreeze(word);
}

Value* extract_word(Value& vector, unsigned number, Instruction& place) {
  IRBuilder<> builder(&place);
  const auto& type = *cast<FixedVectorType>(vector.getType());
  // A word with one byte of poison would be poison.
  Value* words = builder.CreateBitCast(
      builder.CreateFreeze(&vector),
      FixedVectorType::get(builder.getInt64Ty(), type.getNumElements() / BYTES_OF_WORD));
  return builder.CreateExtractElement(words, number);
}

} // namespace

PreservedAnalyses take_lanes_from_words::run(Function& function, FunctionAnalysisManager&) {
  if (!function.getDataLayout().isLittleEndian() || !function.getDataLayout().isLegalInteger(WORD_BITS))
    return PreservedAnalyses::all();
  bool changes = false;
  for (BasicBlock& block : function)
    for (auto& [vector, words] : bytes_by_vector(block)) {
      LoadInst* load = loaded_as_words(*vector, words);
      if (load == nullptr && !of_all)
        continue;
      for (auto [number, bytes] : enumerate(words)) {
        if (!is_taken_whole(bytes))
          continue;
        Value* bits =
            load != nullptr ? load_word(*load, number) : extract_word(*vector, number, *bytes.front());
        for (ExtractElementInst* byte : bytes)
          replace(*byte, *bits,
                  cast<ConstantInt>(byte->getIndexOperand())->getZExtValue() % BYTES_OF_WORD * BYTE_BITS);
        changes = true;
      }
      if (load != nullptr)
        load->eraseFromParent();
    }
  if (!changes)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace falx::jit::simd
