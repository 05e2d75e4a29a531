// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

/// \file
/// A pass for each fault of LLVM 22. README.md has a table of them; the head of each .cpp file says what goes
/// wrong, and shows IR before and after. They run right before machine code is made.

namespace falx::jit {

/// x86-64 without AVX-512 FP16 (half_minima.cpp): the lesser and greater of two halves, also of vectors, are
/// found among floats.
struct compare_halves_as_floats : llvm::PassInfoMixin<compare_halves_as_floats> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// AVX-512 (mask_shifts.cpp): shuffles of masks do not take lanes from zero.
struct take_zeros_out_of_mask_shuffles : llvm::PassInfoMixin<take_zeros_out_of_mask_shuffles> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// AVX without AVX-512 (masked_loads.cpp): masked loads of several registers, of which some are known to be
/// left out whole, become loads of the others.
struct leave_out_registers_of_masked_loads : llvm::PassInfoMixin<leave_out_registers_of_masked_loads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Masked loads and stores of vectors of pointers promise no more alignment than a pointer has
/// (masked_pointers.cpp).
struct limit_alignment_of_masked_pointers : llvm::PassInfoMixin<limit_alignment_of_masked_pointers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Of words that are made of two halves and shuffled, halves are shuffled (shuffled_words.cpp).
struct shuffle_halves_of_words : llvm::PassInfoMixin<shuffle_halves_of_words> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Masked stores of one lane that is known become stores of that lane (single_lane_stores.cpp).
struct take_single_lanes : llvm::PassInfoMixin<take_single_lanes> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Masked accesses for which the target has no instruction, where they are many, become calls of one function
/// for each form (outlined_masks.cpp).
struct outline_masked_accesses : llvm::PassInfoMixin<outline_masked_accesses> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Integers of more than 64 bits become halves by way of 32 (wide_integers.cpp).
struct convert_wide_integers_to_halves : llvm::PassInfoMixin<convert_wide_integers_to_halves> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// NVPTX (ptx_atomics.cpp): read-modify-write operations become the instructions that PTX has for them, with
/// their order and scope, and "red" where nobody uses the old value. What PTX has none for is left to LLVM,
/// which makes a loop of compare-and-swap. Address spaces have to be known.
struct form_native_atomics : kernel_pass<form_native_atomics> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// NVPTX (constant_pointers.cpp): addresses that are made of constants are none to InferAddressSpaces where
/// phis and selects have them beside others. Runs before it, wherever that is.
struct hide_constant_pointers : llvm::PassInfoMixin<hide_constant_pointers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
