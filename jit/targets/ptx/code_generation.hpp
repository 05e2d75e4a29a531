// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class FunctionPass;
class Pass;
class TargetMachine;
} // namespace llvm

namespace falx::jit {

/// As long as it lives, the machine's code generator has, in this thread, passes of ours between LLVM's own.
/// One at a time.
struct extended_code_generation {
  explicit extended_code_generation(const llvm::TargetMachine& machine);
  ~extended_code_generation();
  extended_code_generation(const extended_code_generation&) = delete;
  extended_code_generation& operator=(const extended_code_generation&) = delete;
};

/// To be run behind loop strength reduction (exit_tests.cpp). A pass manager owns it.
llvm::FunctionPass* create_exit_test_widening();
/// The same (recomputed_tests.cpp).
llvm::FunctionPass* create_test_recomputation();
/// The same (strides.cpp).
llvm::FunctionPass* create_stride_chaining();

/// To be run when instructions are selected, before registers are (prerequisite_grids.cpp). A pass manager
/// owns it.
llvm::Pass* create_prerequisite_waits();

} // namespace falx::jit
