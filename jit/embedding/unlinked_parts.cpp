// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <llvm/Plugins/PassPlugin.h>

/// \file
/// lld can optimise bitcode at link time, for every target of LLVM. The JIT gives it machine code for its own
/// targets; the functions that would register the others, and Polly, are here and do nothing, which keeps
/// 20 targets out of libfalx-jit.so.

// FALX_UNLINKED_TARGETS: FALX_TARGET(name) for each, from CMakeLists.txt.
#define FALX_TARGET(name)                                                                                    \
  void LLVMInitialize##name##TargetInfo() {}                                                                 \
  void LLVMInitialize##name##Target() {}                                                                     \
  void LLVMInitialize##name##TargetMC() {}                                                                   \
  void LLVMInitialize##name##AsmPrinter() {}                                                                 \
  void LLVMInitialize##name##AsmParser() {}
extern "C" {
FALX_UNLINKED_TARGETS
}

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {};
}
