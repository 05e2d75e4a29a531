// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <llvm/ADT/StringMap.h>

#include <cstdint>
#include <string>

namespace falx::jit {

/// Bytes on the stack by function, of those that have any.
using frame_sizes = llvm::StringMap<std::uint64_t>;

/// Keeps errors for the response, and what code generation says of frames (attribute warn-stack-size); other
/// remarks and warnings (a loop that was not vectorised) are not the user's.
class quiet_diagnostics : public llvm::DiagnosticHandler {
public:
  quiet_diagnostics(std::string& errors, frame_sizes& frames) : errors_(errors), frames_(frames) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
    if (info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream stream(errors_);
      llvm::DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << ' ';
    } else if (const auto* frame = llvm::dyn_cast<llvm::DiagnosticInfoStackSize>(&info)) {
      frames_[frame->getFunction().getName()] = frame->getStackSize();
    }
    return true;
  }

private:
  std::string& errors_;
  frame_sizes& frames_;
};

} // namespace falx::jit
