// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pass_failures.hpp"

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassTimingInfo.h>

namespace falx::jit {

/// What sees each pass before and behind it: leaves passes out behind a failure, and LLVM's on code where
/// they would take longer than all others together and find nothing. The .cpp file names them. So are those
/// with the names (passes.def) in \p skipped, which has commas in between.
void instrument(llvm::PassInstrumentationCallbacks& callbacks, const pass_failures& failures,
                llvm::StringRef skipped = "");

/// The same with the times of passes, ours and LLVM's, which are printed at the end of its life where a tool
/// has set TimePassesIsEnabled.
class instrumentation {
public:
  instrumentation(const pass_failures& failures, llvm::StringRef skipped) {
    times_.registerCallbacks(callbacks_);
    instrument(callbacks_, failures, skipped);
  }
  ~instrumentation() { times_.print(); }
  instrumentation(const instrumentation&) = delete;
  instrumentation& operator=(const instrumentation&) = delete;

  llvm::PassInstrumentationCallbacks& callbacks() { return callbacks_; }

private:
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::TimePassesHandler times_;
};

} // namespace falx::jit
