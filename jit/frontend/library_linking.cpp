// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "library_linking.hpp"
#include "kernel_attributes.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

using namespace llvm;

namespace falx::jit {

Expected<std::unique_ptr<Module>> open_library(StringRef bitcode, LLVMContext& context) {
  Expected<std::unique_ptr<Module>> library =
      getLazyBitcodeModule(MemoryBufferRef(bitcode, "library"), context, /*ShouldLazyLoadMetadata=*/true);
  if (!library)
    return failure("A library of device functions is damaged: " + toString(library.takeError()) + ".");
  return library;
}

Error link_library(Module& module, std::unique_ptr<Module> library) {
  SmallPtrSet<const Function*, 32> before;
  for (const Function& function : module)
    if (!function.isDeclaration())
      before.insert(&function);
  // So that LLVM's linker does not warn; the types in question have the same layout everywhere.
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    return failure("A library of device functions cannot be linked.");
  for (Function& function : module) {
    if (function.isDeclaration() || before.contains(&function))
      continue;
    function.setLinkage(GlobalValue::InternalLinkage);
    function.setVisibility(GlobalValue::DefaultVisibility);
    function.setDSOLocal(true);
    function.removeFnAttr(Attribute::Convergent);
    for (const char* key : {"frame-pointer", "stack-protector-buffer-size", "target-cpu", "target-features",
                            "no-trapping-math", "less-precise-fpmad", "disable-tail-calls", "no-builtins"})
      function.removeFnAttr(key);
  }
  return Error::success();
}

} // namespace falx::jit
