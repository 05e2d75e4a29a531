// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"
#include "jit.hpp"
#include "pipeline/pass_failures.hpp"
#include "target_machine.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/CodeGen.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <memory>
#include <string>
#include <vector>

namespace falx::jit {

/// A request on its way through a target: the module that the passes work on, and what LLVM says against it.
class compilation {
public:
  compilation(const request& request, const diagnostic_options& options);
  compilation(const compilation&) = delete;
  compilation& operator=(const compilation&) = delete;

  /// Makes the module out of the request's images. Fails like load_device_module.
  llvm::Error load();

  llvm::StringRef kernel_name() const { return {request_.kernel.data(), request_.kernel.size()}; }
  llvm::Module& module() { return *module_; }
  /// Where the passes over the module report to.
  pass_failures& failures() { return failures_; }
  /// Whether the passes are to be checked (check).
  bool verifies() const { return verifies_; }
  /// What the request says of the kernel's launches.
  kernel_attributes attributes() const;

  /// Fails if LLVM has found an error in the code so far; also, in builds with assertions and where
  /// the options demand it, if the module is invalid.
  llvm::Error check();

  /// The module's machine code. Fails like check.
  llvm::Expected<llvm::SmallVector<char, 0>> emit(llvm::TargetMachine& machine, llvm::CodeGenFileType type);

  /// Of the machine code that was emitted, for functions with attribute warn-stack-size.
  const frame_sizes& frames() const { return frames_; }

private:
  const request& request_;
  const bool verifies_;
  std::string errors_; // LLVM's
  frame_sizes frames_;
  pass_failures failures_{pass_failures::destination::caller};
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

/// Target "cpu": a shared object that exports falx_kernel_properties (targets/cpu/cpu_abi.hpp). Sets the
/// response's remark and is_quick.
llvm::Expected<std::vector<unsigned char>>
compile_for_cpu(const request& request, const diagnostic_options& options, response& response);

/// Target "ptx": text of a PTX module with one entry (targets/ptx/ptx_abi.hpp).
llvm::Expected<std::vector<unsigned char>> compile_for_ptx(const request& request,
                                                           const diagnostic_options& options);

} // namespace falx::jit
