// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Before, in the host module:
//   @counter = internal global %class.device_global { i32 3 }
//   define internal void @entry(ptr %f) { … store i32 4, ptr @counter … }
//
// After, in the device module:
//   @counter = external global %class.device_global
//
// The host's variable stays as it is: its address names the device global, and its bytes are the initial
// value.
#include "device_globals.hpp"

#include "constants.hpp"
#include "kernel_info.hpp"

#include "llvm/IR/Module.h"

namespace falx::compiler {

bool is_device_global(const llvm::GlobalVariable& variable) {
  const std::map<std::string, device_global_info>& infos = device_global_infos();
  return !infos.empty() && infos.contains(variable.getName().str());
}

llvm::SmallVector<llvm::GlobalVariable*> device_globals_of(llvm::Module& host) {
  llvm::SmallVector<llvm::GlobalVariable*> globals;
  for (llvm::GlobalVariable& variable : host.globals())
    if (is_device_global(variable))
      globals.push_back(&variable);
  llvm::sort(globals, [](const llvm::GlobalVariable* a, const llvm::GlobalVariable* b) {
    return a->getName() < b->getName();
  });
  return globals;
}

llvm::SmallVector<device_global> find_device_globals(llvm::Module& device,
                                                     llvm::ArrayRef<llvm::GlobalVariable*> host_globals,
                                                     const device_annotations& annotations) {
  llvm::SmallVector<device_global> globals;
  llvm::SmallVector<const llvm::GlobalVariable*> copies;
  for (llvm::GlobalVariable* variable : host_globals) {
    const llvm::GlobalVariable* copy = device.getGlobalVariable(variable->getName(), /*AllowInternal=*/true);
    if (variable->isDeclaration() && copy == nullptr)
      continue; // the host's business alone
    const auto info = device_global_infos().find(variable->getName().str());
    globals.push_back({variable, info->second.image_scope, false, {}});
    copies.push_back(copy);
  }
  if (globals.empty())
    return globals;
  visit_roots(device, annotations,
              [&](const llvm::Function& root, bool is_kernel, const global_set& reached) {
                for (std::size_t i = 0; i < globals.size(); ++i) {
                  if (copies[i] == nullptr || !reached.contains(copies[i]))
                    continue;
                  if (is_kernel)
                    globals[i].kernels.push_back(&root);
                  else
                    globals[i].used_by_exports = true;
                }
              });
  return globals;
}

} // namespace falx::compiler
