// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, of a structure of four floats:
//   call void @llvm.memcpy(ptr align 16 %to, ptr align 16 %from, i64 16)
// After:
//   %0 = load i64, ptr %from
//   %at = getelementptr i8, ptr %from, i64 8
//   %1 = load i64, ptr %at
//   store i64 %0, ptr %to
//   …
// A call runs for one lane after the other. Words are loaded as they lie and shuffled, and as they are
// shuffled back to be stored, LLVM takes out both. A variable between two copies becomes values.

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// Bytes of a word of which a structure of \p bytes has few enough that shuffles there and back are found to
/// be for nothing: of two, three or five (vectorizer/memory/shuffle_network.cpp makes several steps of
/// others).
static std::optional<unsigned> word_of(std::uint64_t bytes) {
  for (const unsigned word : {8U, 4U})
    if (bytes % word == 0 && is_contained({2U, 3U, 5U}, bytes / word))
      return word;
  return std::nullopt;
}

/// Nothing but copies touch a variable: as words it becomes values. Others become values of their members.
static bool is_only_copied(const AllocaInst& variable) {
  return all_of(variable.users(), [](const User* user) {
    const auto* call = dyn_cast<Instruction>(user);
    return isa<MemCpyInst>(user) || (call != nullptr && call->isLifetimeStartOrEnd());
  });
}

static bool is_to_be_expanded(const MemCpyInst& copy) {
  const auto* length = dyn_cast<ConstantInt>(copy.getLength());
  const auto is_memory = [](const Value* pointer) {
    const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer));
    return variable == nullptr || (variable == pointer && is_only_copied(*variable));
  };
  return length != nullptr && !copy.isVolatile() && word_of(length->getZExtValue()) &&
         is_memory(copy.getDest()) && is_memory(copy.getSource());
}

static void expand(MemCpyInst& copy) {
  const std::uint64_t bytes = cast<ConstantInt>(copy.getLength())->getZExtValue();
  const unsigned word = *word_of(bytes);
  AAMDNodes nodes = copy.getAAMetadata();
  nodes.TBAA = nodes.TBAAStruct = nullptr;
  IRBuilder<> builder(&copy);
  Type* type = builder.getIntNTy(word * 8);
  const auto at = [&](Value* pointer, std::uint64_t offset) {
    return offset == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, offset);
  };
  SmallVector<Value*> words;
  for (std::uint64_t offset = 0; offset < bytes; offset += word) {
    LoadInst* load =
        builder.CreateAlignedLoad(type, at(copy.getSource(), offset),
                                  commonAlignment(copy.getSourceAlign().valueOrOne(), offset), "word");
    load->setAAMetadata(nodes);
    words.push_back(load);
  }
  for (const auto& [number, value] : enumerate(words)) {
    const std::uint64_t offset = number * word;
    StoreInst* store = builder.CreateAlignedStore(value, at(copy.getDest(), offset),
                                                  commonAlignment(copy.getDestAlign().valueOrOne(), offset));
    store->setAAMetadata(nodes);
  }
  copy.eraseFromParent();
}

PreservedAnalyses copy_by_words::run(Function& function, FunctionAnalysisManager&) {
  SmallVector<MemCpyInst*> copies;
  for (Instruction& instruction : instructions(function))
    if (auto* copy = dyn_cast<MemCpyInst>(&instruction); copy != nullptr && is_to_be_expanded(*copy))
      copies.push_back(copy);
  for (MemCpyInst* copy : copies)
    expand(*copy);
  return copies.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

} // namespace falx::jit
