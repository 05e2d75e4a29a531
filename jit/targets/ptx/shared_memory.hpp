// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/NVPTXAddrSpace.h>

namespace falx::jit {

/// A variable of the group: shared memory whose size is known when the kernel is compiled.
inline llvm::GlobalVariable* create_shared(llvm::Module& module, llvm::Type* type, llvm::Align alignment,
                                           const llvm::Twine& name) {
  auto* memory = new llvm::GlobalVariable(
      module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
      name, /*InsertBefore=*/nullptr, llvm::GlobalValue::NotThreadLocal, llvm::NVPTXAS::ADDRESS_SPACE_SHARED);
  memory->setAlignment(alignment);
  return memory;
}

/// The result of \p call becomes the address of \p bytes of the group's.
inline void replace_by_shared(llvm::CallInst& call, std::uint64_t bytes, llvm::Align alignment,
                              const llvm::Twine& name) {
  llvm::Type* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(call.getContext()), bytes);
  llvm::GlobalVariable* memory = create_shared(*call.getModule(), type, alignment, name);
  call.replaceAllUsesWith(llvm::ConstantExpr::getAddrSpaceCast(memory, call.getType()));
  call.eraseFromParent();
}

} // namespace falx::jit
