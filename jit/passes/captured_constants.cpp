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

#include "captured_constants.hpp"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>

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

void fold_captured_constants(Function& kernel, ArrayRef<captured_bytes> known) {
  if (known.empty())
    return;
  struct place {
    Value* pointer;
    std::uint64_t offset;
  };
  SmallVector<place> open = {{kernel.getArg(0), 0}};
  SmallVector<Instruction*> folded;
  while (!open.empty()) {
    const place at = open.pop_back_val();
    for (User* user : at.pointer->users()) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        Constant* value = value_of(*load, at.offset, known);
        if (value == nullptr)
          continue;
        load->replaceAllUsesWith(value);
        folded.push_back(load);
      } else if (auto* step = dyn_cast<GEPOperator>(user);
                 step != nullptr && step->getPointerOperand() == at.pointer) {
        APInt offset(64, at.offset);
        if (step->getType()->isPointerTy() && step->accumulateConstantOffset(kernel.getDataLayout(), offset))
          open.push_back({step, offset.getZExtValue()});
      }
    }
  }
  for (Instruction* load : folded)
    RecursivelyDeleteTriviallyDeadInstructions(load);
}

} // namespace falx::jit
