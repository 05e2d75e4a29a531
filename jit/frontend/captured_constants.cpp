// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, where bytes 8 to 15 of the function object are known to be those of i64 32:
//   define void @kernel(ptr %function) {
//     %address = getelementptr i8, ptr %function, i64 8
//     %stride = load i64, ptr %address
//     %index = mul i64 %row, %stride
// After:
//     %index = mul i64 %row, 32
//
// And where bytes 16 to 27 are known, of a structure that is copied whole:
//     call void @llvm.memcpy(ptr %copy, ptr %structure, i64 12)   ; from offset 16
// After:
//     call void @llvm.memcpy(ptr %copy, ptr @captured, i64 12)    ; a constant with these bytes
// And where the pointer at byte 32 is known to be aligned to 64 bytes:
//     %pointer = load ptr, ptr %address, !align !{i64 64}
// Bytes in between that are not known (padding, or members of other classes) are copied first, as they were.

#include "passes.hpp"
#include "scalar_simplification.hpp"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit {

/// What \p load gives if it reads \p offset of the function object; null if that is not known.
static Constant* value_of(const LoadInst& load, std::uint64_t offset, ArrayRef<captured_bytes> known) {
  const DataLayout& layout = load.getDataLayout();
  const TypeSize size = layout.getTypeStoreSize(load.getType());
  if (load.isVolatile() || size.isScalable())
    return nullptr;
  for (const captured_bytes& part : known) {
    if (offset < part.offset || offset - part.offset > part.bytes.size() ||
        size.getFixedValue() > part.bytes.size() - (offset - part.offset))
      continue;
    Constant* bytes = ConstantDataArray::get(load.getContext(), ArrayRef<unsigned char>(part.bytes));
    const APInt position(64, offset - part.offset);
    return ConstantFoldLoadFromConst(bytes, load.getType(), position, layout);
  }
  return nullptr;
}

static GlobalVariable* constant_with(Module& module, ArrayRef<unsigned char> bytes) {
  Constant* contents = ConstantDataArray::get(module.getContext(), bytes);
  auto* constant = new GlobalVariable(module, contents->getType(), /*isConstant=*/true,
                                      GlobalValue::PrivateLinkage, contents, "captured");
  constant->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  constant->setAlignment(Align(16));
  return constant;
}

/// What \p copy takes from \p offset of the function object on becomes a copy of constants, if known. Gives
/// back whether anything was.
static bool copy_constants(MemCpyInst& copy, std::uint64_t offset, ArrayRef<captured_bytes> known) {
  auto* length = dyn_cast<ConstantInt>(copy.getLength());
  if (copy.isVolatile() || length == nullptr)
    return false;
  const std::uint64_t end = offset + length->getZExtValue();
  const bool is_private = isa<AllocaInst>(copy.getDest()->stripPointerCasts());
  bool changed = false;
  for (const captured_bytes& part : known) {
    const std::uint64_t part_end = part.offset + part.bytes.size();
    const std::uint64_t first = std::max(offset, part.offset), last = std::min(end, part_end);
    if (first >= last)
      continue;
    const ArrayRef<unsigned char> bytes =
        ArrayRef(part.bytes)
            .slice(static_cast<std::size_t>(first - part.offset), static_cast<std::size_t>(last - first));
    if (first == offset && last == end) {
      copy.setSource(constant_with(*copy.getModule(), bytes));
      copy.setSourceAlignment(Align(16));
      return true;
    }
    if (!is_private)
      continue; // copying once more would cost more than it gives
    IRBuilder<> builder(copy.getNextNode());
    Value* to = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), copy.getDest(), first - offset);
    builder.CreateMemCpy(to, commonAlignment(copy.getDestAlign().valueOrOne(), first - offset),
                         constant_with(*copy.getModule(), bytes), Align(16), last - first);
    changed = true;
  }
  return changed;
}

static void note_alignment(LoadInst& load, std::uint64_t offset, ArrayRef<captured_alignment> aligned) {
  const auto* found = find_if(aligned, [&](const captured_alignment& some) { return some.offset == offset; });
  if (found == aligned.end() || !load.getType()->isPointerTy())
    return;
  LLVMContext& context = load.getContext();
  auto* alignment = ConstantInt::get(Type::getInt64Ty(context), found->alignment);
  load.setMetadata(LLVMContext::MD_align, MDNode::get(context, ConstantAsMetadata::get(alignment)));
}

static bool fold(Function& kernel, ArrayRef<captured_bytes> known, ArrayRef<captured_alignment> aligned,
                 bool only_integers) {
  if (known.empty() && aligned.empty())
    return false;
  assert(is_sorted(known, [](const captured_bytes& left,
                             const captured_bytes& right) { return left.offset < right.offset; }) &&
         "each byte of the function object is known once");
  bool changed = false;
  struct place {
    Value* pointer;
    std::uint64_t offset;
  };
  SmallVector<place> open = {{kernel.getArg(0), 0}};
  SmallVector<Instruction*> folded;
  while (!open.empty()) {
    const place at = open.pop_back_val();
    for (User* user : make_early_inc_range(at.pointer->users())) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        Constant* value =
            only_integers && !load->getType()->isIntegerTy() ? nullptr : value_of(*load, at.offset, known);
        if (value == nullptr) {
          note_alignment(*load, at.offset, aligned);
          continue;
        }
        load->replaceAllUsesWith(value);
        folded.push_back(load);
      } else if (auto* step = dyn_cast<GEPOperator>(user);
                 step != nullptr && step->getPointerOperand() == at.pointer) {
        APInt offset(64, at.offset);
        if (step->getType()->isPointerTy() && step->accumulateConstantOffset(kernel.getDataLayout(), offset))
          open.push_back({step, offset.getZExtValue()});
      } else if (auto* copy = dyn_cast<MemCpyInst>(user); copy != nullptr && !only_integers &&
                                                          copy->getRawSource() == at.pointer &&
                                                          copy->getRawDest() != at.pointer) {
        changed |= copy_constants(*copy, at.offset, known);
      }
    }
  }
  for (Instruction* load : folded)
    RecursivelyDeleteTriviallyDeadInstructions(load);
  return changed || !folded.empty();
}

PreservedAnalyses fold_captured_constants::run(Module& module, ModuleAnalysisManager& analyses) {
  return simplify_if_changed(
      module, analyses, [&](Function& kernel) { return fold(kernel, known_, aligned_, only_integers_); });
}

} // namespace falx::jit
