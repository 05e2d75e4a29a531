// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrumentation.hpp"
#include "pass_budgets.hpp"

using namespace llvm;

namespace falx::jit {

void instrument(PassInstrumentationCallbacks& callbacks, const pass_failures& failures) {
  limit_passes(callbacks);
  callbacks.registerShouldRunOptionalPassCallback([&](StringRef, Any) { return !failures.has_failed(); });
}

} // namespace falx::jit
