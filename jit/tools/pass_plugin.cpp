// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/instrumentation.hpp"
#include "pipeline/pass_runner.hpp"

#include <llvm/Plugins/PassPlugin.h>

/// \file
/// libfalx-passes.so: the passes of the JIT for LLVM's own opt, as in
///   opt -load-pass-plugin=libfalx-passes.so -passes=falx-lower-builtins,falx-vectorize

using namespace llvm;
using namespace falx::jit;

/// They live as long as the plugin is loaded, which is as long as opt runs.
static void register_with(PassBuilder& builder) {
  static pass_failures failures(pass_failures::destination::diagnostics);
  register_passes(builder, nullptr, failures);
  if (PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks())
    instrument(*callbacks, failures);
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "falx-passes", "1", register_with};
}
