// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "pipeline/pass_failures.hpp"

/// \file
/// Passes around the vectoriser, in the order of the pipeline (targets/cpu/cpu_pipeline.cpp). The .cpp file
/// that is named with each shows IR before and after.

namespace falx::jit {

namespace simd {

/// Makes straight code of loops with few iterations whose number is known, so that private variables that
/// such loops index become values before lanes are formed (control/constant_loops.cpp). Folds constants on
/// the way.
struct unroll_constant_loops : kernel_pass<unroll_constant_loops> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// What the pass does, in the middle of another one.
void unroll_and_simplify(llvm::Function& work_item, llvm::FunctionAnalysisManager& analyses);

/// Loops in which each lane goes through a row of its own, and all as many elements: several elements at
/// once, so that they are loaded as they lie and transposed, where that costs less than gathers
/// (control/row_loops.cpp). Gives the work-item function the target's attributes.
struct unroll_row_loops : llvm::PassInfoMixin<unroll_row_loops> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Numbers of 64 bits that lanes leave a loop with one by one have 32 where that is enough
/// (control/narrow_exits.cpp).
struct narrow_loop_exits : kernel_pass<narrow_loop_exits> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Decides how many sub-groups of the kernel run as one vector: 1, 2, 4 or 8, by kernel_attributes::lanes
/// (cost/interleaving.cpp). More than one pays where a loop waits for its own last result: the processor then
/// works on several independent chains, as many as its latency times its throughput, by LLVM's costs for the
/// target machine, if their values fit the registers. Of a kernel with work-groups only so many that a group
/// holds whole vectors, and its rows do, or vectors hold whole rows. Gives the work-item function the
/// target's attributes.
struct interleave : llvm::PassInfoMixin<interleave> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

/// Fails with one_by_one_is_chosen (vectorize_function.hpp) where work-items one after the other are
/// estimated to be faster, or slower if \p takes_slower (cost/form_costs.cpp); else the kernel's attributes
/// say whether its other form may be worth a try. For a kernel that cannot tell the size of its sub-groups.
/// Gives the work-item function the target's attributes.
class weigh_forms : public llvm::PassInfoMixin<weigh_forms> {
public:
  explicit weigh_forms(bool takes_slower = false) : takes_slower_(takes_slower) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  bool takes_slower_;
};

/// Makes the vector form of a kernel of kind range whose attributes name lanes (vectorize_range.cpp). Fails
/// as vectorize does.
struct vectorize_range : kernel_pass<vectorize_range> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

/// Of that vector form: the name of the function for a sub-group's lanes, for what does not fill the vector.
/// It is there if the vector has more lanes than a sub-group has work-items.
constexpr const char* REST = "falx-rest";

} // namespace simd

/// Where 1 / sqrt(x) is a vector of AVX-512 and the last two units of it may be wrong, as sycl::rsqrt has it
/// (targets/cpu/cpu_builtins.ll), makes an estimate with one step of refinement of it
/// (special/estimate_roots.cpp).
struct estimate_reciprocal_roots : llvm::PassInfoMixin<estimate_reciprocal_roots> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

namespace simd {

/// Of vectors: what is done alike to all members of structures is done before they are shuffled, or instead
/// (memory/member_operations.cpp).
struct compute_members_together : llvm::PassInfoMixin<compute_members_together> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Right before machine code is made: loops that go on while any lane does test the first lane first, as a
/// number (control/leading_lane.cpp).
struct test_leading_lanes : llvm::PassInfoMixin<test_leading_lanes> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Right before machine code is made for x86-64: gathers and scatters that the target has instructions for
/// get signed indices of 32 bits where their addresses allow it (memory/gather_indices.cpp).
struct narrow_gather_indices : llvm::PassInfoMixin<narrow_gather_indices> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Right before machine code is made: bytes that leave a vector one by one leave it eight at once
/// (emission/lanes_from_words.cpp), those of all vectors or of vectors that are loaded for nothing else.
struct take_lanes_from_words : llvm::PassInfoMixin<take_lanes_from_words> {
  explicit take_lanes_from_words(bool of_all) : of_all(of_all) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  bool of_all;
};

/// Right before machine code is made: masked accesses that the target has no instruction for need no branches
/// (memory/branchless_accesses.cpp).
struct remove_branches_of_lanes : llvm::PassInfoMixin<remove_branches_of_lanes> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Right before machine code is made for a processor without registers for masks: masks that several blocks
/// use have lanes as wide as what they are compared of and select (emission/mask_widths.cpp).
struct widen_masks : llvm::PassInfoMixin<widen_masks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace simd
} // namespace falx::jit
