// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include <cstdint>

/// \file
/// The passes of target ptx, in the order of ptx_pipeline.cpp, each with the file that shows IR before and
/// after.

namespace falx::jit {

/// Parameters of the kernel that form_ptx_entry makes: the function object and ptx::launch_arguments; and
/// what derive_arguments adds.
constexpr unsigned FUNCTION_OBJECT = 0, LAUNCH_ARGUMENTS = 1, DERIVED_ARGUMENTS = 2;
/// Metadata of the module, with the words of derived_arguments_abi.hpp.
constexpr llvm::StringLiteral DERIVED_ARGUMENTS_METADATA = "falx.derived_arguments";
/// The largest work-group that any NVIDIA GPU runs.
constexpr std::uint32_t MAX_GROUP_SIZE = 1024;
/// Work-items of a sub-group.
constexpr std::uint32_t WARP_SIZE = 32;

/// Leaves functions that headers define for all devices to define_builtins where GPUs have instructions for
/// them (native_functions.cpp). To be run before functions are inlined.
struct form_native_functions : llvm::PassInfoMixin<form_native_functions> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Gives the kernel the form that targets/ptx_abi.hpp describes: the function object and the launch's
/// arguments are parameters by value, and pointers in the function object point to global memory
/// (kernel_entry.cpp).
struct form_ptx_entry : kernel_pass<form_ptx_entry> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Kernels of kind work_group, with variables still in memory: keeps those that work-items write from
/// becoming values (group_scope.cpp).
struct pin_group_variables : llvm::PassInfoMixin<pin_group_variables> {
  llvm::PreservedAnalyses run(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Expands the builtins of falx/device_builtins.hpp in a kernel that form_ptx_entry made, all of them
/// (builtins.cpp). Fails with a sentence on an unknown builtin and on what a GPU does not have.
struct lower_ptx_builtins : kernel_pass<lower_ptx_builtins> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Fails with a sentence that names the kernel and what in it has no form in PTX, so that LLVM, which would
/// end the program, never sees it: long double, assembly of the host, thread-local variables, wide atomics
/// (check_device_code.cpp). To be run before libraries for the device are linked, which may hold its
/// assembly.
struct check_device_code : kernel_pass<check_device_code> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Maps what host code expects of the C library and of its compiler's run-time library: assertions become the
/// driver's __assertfail, which reports file and line, other ways to end the program a trap, div a
/// division; comparing memory and conversions of 128-bit integers become functions of math/device_library.c,
/// which are linked (library_calls.cpp).
struct lower_library_calls : llvm::PassInfoMixin<lower_library_calls> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Turns calls of <math.h> functions, and intrinsics that PTX has no exact instruction for, into instructions
/// that it has and calls of \p library, libdevice or libclc as bitcode, and links what is called
/// (math_functions.cpp). Precise: correctly rounded square roots and divisions.
/// Fails if the library is damaged.
class lower_math_functions : public kernel_pass<lower_math_functions> {
public:
  explicit lower_math_functions(llvm::StringRef library) : library_(library) {}
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);

private:
  llvm::StringRef library_;
};

/// Has the functions of a kernel that takes denormal floats for 0 do so, each with all that they compute
/// (denormals.cpp). To be run when everything is linked, before anything is inlined into functions that do.
struct flush_denormals : kernel_pass<flush_denormals> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Tells that the pointers which the entry loads from its function object point to global memory, and how
/// they are aligned (kernel_entry.cpp). Once more when optimisation has turned copies of the function object
/// into loads.
struct mark_captured_pointers : kernel_pass<mark_captured_pointers> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// LLVM's InferAddressSpaces for code that LLVM's middle end still optimises: variables of a function stay
/// generic (address_spaces.cpp).
struct infer_address_spaces : llvm::PassInfoMixin<infer_address_spaces> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Marks loads from global memory as invariant where restricted parameters of functions say that nothing
/// which the kernel writes is read there, by whichever work-item (constant_loads.cpp). To be run when
/// everything is inlined and address spaces are known, before loops change: a scope in a loop says less.
struct mark_constant_loads : kernel_pass<mark_constant_loads> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

#ifndef NDEBUG
/// For an assertion: nothing but a variable of its own is taken for local memory. Any other address that LLVM
/// makes one of local memory is read in the wrong place, without a word.
bool local_memory_is_variables(const llvm::Module& module);
#endif

/// Makes atomic minima and maxima of float and double of those of integers, which are instructions
/// (float_extrema.cpp). To be run before atomic operations get their instructions.
struct form_integer_extrema : llvm::PassInfoMixin<form_integer_extrema> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Keeps LLVM's vectorizer from loops that compute with bytes, which costs more on a GPU than it gains
/// (byte_vectors.cpp). Loops of which the program says whether they are to be vectorized are left alone.
struct keep_bytes_scalar : llvm::PassInfoMixin<keep_bytes_scalar> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Computes both ways of a branch where they are short and compare, which keeps the assembler from
/// predicating them, and selects (if_conversion.cpp). Where the program says that a way is rare, the branch
/// stays.
struct convert_comparing_branches : llvm::PassInfoMixin<convert_comparing_branches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Has LLVM unroll innermost loops as far as NVCC does, which is further than LLVM's own choice for GPUs:
/// latencies of memory and of arithmetic overlap in the copies (loop_unrolling.cpp). To be run before LLVM's
/// pass that unrolls in part. Loops of which the program says how far to unroll them are left alone.
struct request_unrolling : llvm::PassInfoMixin<request_unrolling> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Has LLVM make a version of an innermost loop for either way of a condition that the launch decides, where
/// that costs little code (loop_unswitching.cpp). To be run when values of the function object are in
/// registers, and without MemorySSA, by which LLVM finds conditions in memory, which may vary.
struct unswitch_launch_conditions : llvm::PassInfoMixin<unswitch_launch_conditions> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& manager,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater& updater);
};

/// Has LLVM unroll loops of known length whole where that brings arrays of the work-item to registers
/// (private_arrays.cpp). To be run right before LLVM's pass that unrolls loops whole.
struct unroll_for_registers : llvm::PassInfoMixin<unroll_for_registers> {
  llvm::PreservedAnalyses run(llvm::Loop& loop, llvm::LoopAnalysisManager& manager,
                              llvm::LoopStandardAnalysisResults& analyses, llvm::LPMUpdater& updater);
};

/// Unrolls the loops for what copies of a loop leave over (loop_unrolling.cpp), as NVCC does. To be run when
/// LLVM has unrolled what it will.
struct unroll_remainders : llvm::PassInfoMixin<unroll_remainders> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Lets the assembler unroll loops of known length that LLVM has unrolled (loop_unrolling.cpp), as NVCC does.
/// For loops that request_unrolling has seen; to be run when LLVM has unrolled what it will.
struct leave_unrolling_to_assembler : llvm::PassInfoMixin<leave_unrolling_to_assembler> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// An index that is extended by its sign and by zeros, as it is not negative, is extended once, and what is
/// added to one has its 32 bits (index_extensions.cpp).
struct unite_index_extensions : llvm::PassInfoMixin<unite_index_extensions> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Gives variables whose type PTX does not have (i40, i48, i1), which optimisation makes of parts of arrays,
/// the next wider one that it has (variable_types.cpp).
struct give_variables_ptx_types : llvm::PassInfoMixin<give_variables_ptx_types> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Turns copies of known length, and long memory that is set, into loads and stores as wide as the alignment
/// allows, up to 128 bits, where code generation would take 64 bits or bytes, and moves between address
/// spaces, which LLVM drops, into what it can expand (copy_expansion.cpp).
struct expand_copies : llvm::PassInfoMixin<expand_copies> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Writes correctly rounded square roots of float, their reciprocals, reciprocal roots of double, and
/// quotients of half without branches (branchless_roots.cpp). The assembler's own code for them jumps to a
/// subroutine for rare arguments, and it moves no instruction across such a jump: what comes next waits until
/// the root is known.
struct expand_roots : llvm::PassInfoMixin<expand_roots> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Turns llvm.prefetch of data, which NVPTX's code generation drops, into prefetch instructions
/// (prefetches.cpp). Address spaces have to be known.
struct form_prefetches : llvm::PassInfoMixin<form_prefetches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Leaves to the host what is slow and depends on nothing but the launch, and what divisions of integers by
/// such numbers are made of (derived_arguments.cpp).
struct derive_arguments : kernel_pass<derive_arguments> {
  void change(llvm::Function& entry, llvm::FunctionAnalysisManager& analyses);
};

/// Takes out barriers behind others that serve as well (redundant_barriers.cpp).
struct remove_redundant_barriers : llvm::PassInfoMixin<remove_redundant_barriers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Moves the steps of loops' counters behind what looks at the old value, so that old and new value share a
/// register (counter_steps.cpp). To be run right before code generation, which keeps the order.
struct sink_counter_steps : llvm::PassInfoMixin<sink_counter_steps> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Writes what is added, or not, as one operation with a condition (conditional_updates.cpp). To be run when
/// LLVM, which prefers the other form, is done.
struct form_conditional_updates : llvm::PassInfoMixin<form_conditional_updates> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Finds out whether a sum has overflowed by the sum, where it is there (overflow_tests.cpp). To be run when
/// LLVM is done.
struct ask_sums_for_overflow : llvm::PassInfoMixin<ask_sums_for_overflow> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

/// Loads before quotients, roots and 64-bit integer divisions what is loaded behind them (load_hoisting.cpp).
/// To be run right before code generation, which keeps the order.
struct hoist_loads : llvm::PassInfoMixin<hoist_loads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

/// Computes quotients by a number that loops do not change, or that others of the same block have, from its
/// reciprocal, with one jump for those of a block (shared_divisors.cpp). To be run when loads are in front of
/// quotients.
struct share_divisors : llvm::PassInfoMixin<share_divisors> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& manager);
};

/// Computes again, behind loops, the results of tests in front of them that would keep a register each for as
/// long as the loops run (recomputed_tests.cpp). To be run when indices have their final form.
struct recompute_tests : llvm::PassInfoMixin<recompute_tests> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Has code generation find a switch's case by comparisons instead of a jump table, of the values that the
/// program has, where LLVM has made dense ones of them (switches.cpp). To be run right before code
/// generation: LLVM reads the attribute as a request not to make tables of values, too.
struct compare_cases : llvm::PassInfoMixin<compare_cases> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Loops whose end is found in the lower half of an offset look at all of it, so that the assembler knows how
/// many iterations they have (exit_tests.cpp).
struct widen_exit_tests : llvm::PassInfoMixin<widen_exit_tests> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Copies of a loop that walks in strides which only the launch knows take their addresses from one another,
/// so that the stride lives on alone, without its multiples (strides.cpp).
struct chain_strides : llvm::PassInfoMixin<chain_strides> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Fails, as not_supported, if numbers that the kernel computes may depend on what LLVM knows: where it may
/// contract or rearrange operations, or computes functions itself that the device approximates, if their
/// operands are constants (exact_results.cpp). Behind lower_math_functions.
struct check_exact_results : kernel_pass<check_exact_results> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Fails if functions or variables are used that nothing defines, or, as not_supported, if variables of a
/// function are larger than what a work-item can have on any GPU of NVIDIA's (check_device_code.cpp). To be
/// run last.
struct check_finished_code : kernel_pass<check_finished_code> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
