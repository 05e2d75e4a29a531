// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   @scratch = internal addrspace(3) global i48 undef, align 8
// After, as LLVM would print the type as .u48, which is none:
//   @scratch = internal addrspace(3) global [6 x i8] undef, align 8

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

static bool is_ptx_width(unsigned bits) {
  return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
}

static Constant* bytes_of(Constant& value, ArrayType& type) {
  if (isa<UndefValue>(value))
    return isa<PoisonValue>(value) ? PoisonValue::get(&type) : UndefValue::get(&type);
  const auto* number = dyn_cast<ConstantInt>(&value);
  if (number == nullptr)
    return nullptr;
  const unsigned count = unsigned(type.getNumElements());
  const APInt bits = number->getValue().zext(8 * count);
  SmallVector<std::uint8_t, 16> bytes;
  for (unsigned i = 0; i < count; ++i)
    bytes.push_back(std::uint8_t(bits.extractBitsAsZExtValue(8, 8 * i)));
  return ConstantDataArray::get(value.getContext(), bytes);
}

PreservedAnalyses give_variables_ptx_types::run(Module& module, ModuleAnalysisManager&) {
  const DataLayout& layout = module.getDataLayout();
  for (GlobalVariable& variable : make_early_inc_range(module.globals())) {
    auto* integer = dyn_cast<IntegerType>(variable.getValueType());
    if (integer == nullptr || is_ptx_width(integer->getBitWidth()) || !variable.hasInitializer())
      continue;
    ArrayType* type = ArrayType::get(Type::getInt8Ty(module.getContext()),
                                     layout.getTypeStoreSize(integer).getFixedValue());
    Constant* bytes = bytes_of(*variable.getInitializer(), *type);
    if (bytes == nullptr)
      continue;
    auto* replacement =
        new GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), bytes, "", &variable,
                           variable.getThreadLocalMode(), variable.getAddressSpace());
    replacement->copyAttributesFrom(&variable);
    replacement->setAlignment(layout.getValueOrABITypeAlignment(variable.getAlign(), integer));
    replacement->takeName(&variable);
    variable.replaceAllUsesWith(replacement);
    variable.eraseFromParent();
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
