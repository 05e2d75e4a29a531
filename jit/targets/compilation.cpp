// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation.hpp"

#include "frontend/device_module.hpp"
#include "frontend/library_linking.hpp"
#include "pipeline/invariants.hpp"

#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit {

#ifdef NDEBUG
constexpr bool ALWAYS_VERIFIES = false;
#else
constexpr bool ALWAYS_VERIFIES = true;
#endif

namespace {

/// Keeps errors for the response, and what code generation says of frames (attribute warn-stack-size); other
/// remarks and warnings (a loop that was not vectorised) are not the user's.
class quiet_diagnostics : public DiagnosticHandler {
public:
  quiet_diagnostics(std::string& errors, frame_sizes& frames) : errors_(errors), frames_(frames) {}
  bool handleDiagnostics(const DiagnosticInfo& info) override {
    if (info.getSeverity() == DS_Error) {
      raw_string_ostream stream(errors_);
      DiagnosticPrinterRawOStream printer(stream);
      info.print(printer);
      stream << ' ';
    } else if (const auto* frame = dyn_cast<DiagnosticInfoStackSize>(&info)) {
      frames_[frame->getFunction().getName()] = frame->getStackSize();
    }
    return true;
  }

private:
  std::string& errors_;
  frame_sizes& frames_;
};

} // namespace

compilation::compilation(const request& request, const diagnostic_options& options)
    : request_(request), verifies_(options.verify || ALWAYS_VERIFIES) {
  context_.setDiagnosticHandler(std::make_unique<quiet_diagnostics>(errors_, frames_));
}

Error compilation::load() {
  SmallVector<StringRef, 4> bitcode;
  for (const identified_bytes& image : request_.images)
    bitcode.push_back(StringRef(reinterpret_cast<const char*>(image.bytes.data()), image.bytes.size()));
  if (Error error = load_device_module(context_, bitcode, request_, kernel_name()).moveInto(module_))
    return error;
  // So complex numbers are made of what every target has, and computed as vectors where real ones are. Those
  // of long double stay what they are: calls of the C library's on CPUs, and an error elsewhere.
  if (Error error = define_from_library(*module_, library::complex))
    return error;
  // The path of the source file must not reach the binary.
  module_->setSourceFileName(kernel_name());
  return Error::success();
}

kernel_attributes compilation::attributes() const {
  kernel_attributes attributes;
  attributes.kind = kernel_kind(request_.kind);
  attributes.dimensions = request_.dimensions;
  std::ranges::copy(request_.config.local_range, attributes.local_range);
  std::ranges::copy(request_.global_range, attributes.global_range);
  attributes.has_narrow_indices = request_.config.narrow_indices;
  attributes.has_no_offset = request_.config.no_offset;
  attributes.aspects = request_.aspects;
  return attributes;
}

Error compilation::check() {
  if (!errors_.empty())
    return failure("Kernel '" + kernel_name() + "' cannot be compiled: " + errors_);
  return verifies_ ? verify(*module_) : Error::success();
}

Expected<SmallVector<char, 0>> compilation::emit(TargetMachine& machine, CodeGenFileType type) {
  if (Error error = check())
    return error;
  Expected<SmallVector<char, 0>> code = emit_code(*module_, machine, type);
  if (!code)
    return code;
  if (Error error = check())
    return error;
  return code;
}

} // namespace falx::jit
