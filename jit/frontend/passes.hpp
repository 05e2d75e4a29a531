// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "math/built_in_library.hpp"
#include "pipeline/pass_failures.hpp"
#include "request/request.hpp"

#include <utility>
#include <vector>

/// \file
/// Passes of both targets, in the order of the pipelines. The .cpp file that is named with each shows IR
/// before and after.

namespace falx::jit {

/// Makes constants of what kernels ask of their device (device_queries.cpp), before anything is inlined, so
/// that what is for other devices goes before anybody could refuse it.
struct answer_device_queries : llvm::PassInfoMixin<answer_device_queries> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Makes device code out of what was compiled as host code (prepare_device_code.cpp): drops exceptions,
/// sanitizer calls, and attributes of the host's target; turns throwing into a trap; tells what the math
/// library does not touch.
struct prepare_device_code : llvm::PassInfoMixin<prepare_device_code> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// What one prefetch brings: __falx_cache_line_bytes of targets/cpu/cpu_builtins.c.
constexpr unsigned CPU_CACHE_LINE_BYTES = 64;

/// Gives the builtins that need no index space (prefetches, native functions, on CPUs fences and scopes) the
/// bodies that they have in the target's library of builtins (targets/cpu/cpu_builtins.c). These are inlined,
/// so they also work in functions that are not. What is in no library is left to the lowering of builtins,
/// which reports it.
class define_builtins : public llvm::PassInfoMixin<define_builtins> {
public:
  explicit define_builtins(library builtins) : builtins_(builtins) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  library builtins_;
};

/// For targets where a call costs little: functions that the program calls cold ([[gnu::cold]]) stay calls,
/// marked with noinline, unless choose_what_to_inline finds that they use builtins (inlining.cpp). In vectors
/// they run lane by lane.
struct keep_cold_functions : llvm::PassInfoMixin<keep_cold_functions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Marks with alwaysinline what becomes part of the kernel before the passes of the JIT (inlining.cpp):
/// everything, unless the kernel would grow large; then what uses builtins, what is small and what is called
/// once. The rest is LLVM's to inline or not. The kernel becomes visible from outside, so that it survives
/// the removal of what is unused.
struct choose_what_to_inline : kernel_pass<choose_what_to_inline> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Inlines what is marked with alwaysinline, and erases what nobody calls any more, as LLVM's AlwaysInliner
/// does. That one asks what aliases in every function that it inlines, and for what the answer takes, which
/// counts only where parameters are restricted.
struct inline_chosen : llvm::PassInfoMixin<inline_chosen> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Numbers of sycl::access::address_space.
enum class address_space : unsigned { global_space, local_space, constant_space, private_space };

/// Answers the calls of __falx_lies_in_address_space in the kernel whose object is known, so that variables
/// of which nothing else takes the address become values (known_address_spaces.cpp).
struct fold_known_address_spaces : llvm::PassInfoMixin<fold_known_address_spaces> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Gives each work-item (in hierarchical kernels each work-group) a copy of those parts of the function
/// object that the kernel may write, so that all later passes may take for granted that the object itself
/// never changes (captured_state.cpp). For kernels into which everything is inlined and whose private
/// variables are values, before InstCombine takes the types off addresses. Where there is a copy, it asks for
/// promotion by simplify_again. Fails if the kernel does not say how large the object is.
struct keep_captured_state_private : llvm::PassInfoMixin<keep_captured_state_private> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Takes for the function object itself what the kernel copies of it into private variables and only reads
/// there (captured_copies.cpp). Behind keep_captured_state_private.
struct forward_captured_copies : kernel_pass<forward_captured_copies> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Computes with 64 bits what is computed with 32 from an index of 64 and then extended again
/// (wide_indices.cpp).
struct wide_indices : llvm::PassInfoMixin<wide_indices> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Replaces what the kernel, whose first parameter points to the function object, loads or copies from known
/// bytes of it, and writes the known alignments of pointers to their loads (captured_constants.cpp). For
/// kernels into which everything is inlined. Loads that reach beyond the known bytes, and pointers that
/// escape, stay. Where anything was replaced, it asks for simplification by simplify_again.
class fold_captured_constants : public llvm::PassInfoMixin<fold_captured_constants> {
public:
  /// Only what is loaded as an integer, if \p only_integers.
  fold_captured_constants(std::vector<captured_bytes> known, std::vector<captured_alignment> aligned,
                          bool only_integers = false)
      : known_(std::move(known)), aligned_(std::move(aligned)), only_integers_(only_integers) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  std::vector<captured_bytes> known_;
  std::vector<captured_alignment> aligned_;
  bool only_integers_;
};

/// Computes 2 * x - (x & m), where the butterflies of sorting networks and transforms begin, in a way that
/// says what becomes of the bits of x (masked_differences.cpp).
struct masked_differences : llvm::PassInfoMixin<masked_differences> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Tells LLVM which of the pointers that the function object of a kernel holds lead to different memory
/// (restricted_pointers.cpp).
///
/// - The attribute "falx-restrict" ([[intel::kernel_args_restrict]]) promises that memory which is reached
///   through one of them, and written, is reached through no other. What is reached through a pointer that
///   nothing is written through does not change while the kernel runs, so GPUs read it as constants. Pointers
///   that escape keep their aliases.
/// - The pointers at the offsets in \p disjoint lead to different allocations. Memory that is reached in
///   other ways may be any of these.
struct declare_restricted_pointers : kernel_pass<declare_restricted_pointers> {
  explicit declare_restricted_pointers(std::vector<std::uint64_t> disjoint = {})
      : disjoint_(std::move(disjoint)) {}
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

private:
  std::vector<std::uint64_t> disjoint_;
};

/// replace_computed_loop (loop_passes.hpp) for each loop of the kernel.
struct replace_computed_loops : kernel_pass<replace_computed_loops> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Loops that write where captured pointers are told apart keep in registers what they read and write in one
/// place again and again: LLVM's LICM, before work-items become vectors (restricted_pointers.cpp).
struct hoist_loop_accesses : kernel_pass<hoist_loop_accesses> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
