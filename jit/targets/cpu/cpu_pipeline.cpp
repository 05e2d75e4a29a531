// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_pipeline.hpp"
#include "falx/kernel.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/launch_passes.hpp"
#include "frontend/passes.hpp"
#include "frontend/scalar_simplification.hpp"
#include "frontend/specialization_constants.hpp"
#include "llvm_workarounds/workarounds.hpp"
#include "passes.hpp"
#include "pipeline/invariants.hpp"
#include "pipeline/pass_runner.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "quick_code.hpp"
#include "request/shared_libraries.hpp"
#include "targets/unchanged_atomics.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

using namespace llvm;

namespace falx::jit {

PipelineTuningOptions cpu_tuning(unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = level >= 2;
  return tuning;
}

/// Right before machine code is made.
static void add_late_passes(ModulePassManager& passes, const TargetMachine& machine) {
  const auto has = [&](StringRef feature) { return has_x86_feature(machine, feature); };
  FunctionPassManager functions;
  functions.addPass(limit_alignment_of_masked_pointers());
  functions.addPass(take_single_lanes());
  functions.addPass(shuffle_halves_of_words());
  functions.addPass(convert_wide_integers_to_halves());
  functions.addPass(simd::test_leading_lanes());
  if (has("avx") && !has("avx512f"))
    functions.addPass(leave_out_registers_of_masked_loads());
  if (machine.getTargetTriple().isX86() && !has("avx512fp16"))
    functions.addPass(compare_halves_as_floats());
  if (has("avx2"))
    functions.addPass(simd::narrow_gather_indices());
  functions.addPass(simd::remove_branches_of_lanes());
  functions.addPass(skip_unchanged_atomics(skip_unchanged_atomics::numbers::all));
  functions.addPass(simd::take_lanes_from_words(/*of_all=*/machine.getTargetCPU() == "znver4"));
  if (has("avx512f"))
    functions.addPass(take_zeros_out_of_mask_shuffles());
  else
    functions.addPass(simd::widen_masks());
  passes.addPass(outline_masked_accesses());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
}

/// What of SLEEF the target can run; empty if nothing.
static std::string vector_math_level(const TargetMachine& machine, const request& request) {
  if (none_of(request.libraries,
              [](const shared_library& library) { return library.name == VECTOR_MATH_LIBRARY; }))
    return {};
  if (has_x86_feature(machine, "avx512f"))
    return "avx512f";
  if (has_x86_feature(machine, "avx2") && has_x86_feature(machine, "fma"))
    return "avx2";
  return has_x86_feature(machine, "sse4.1") ? "sse4" : "";
}

static FunctionPassManager copies_and_contraction() {
  FunctionPassManager passes;
  passes.addPass(copy_by_words());
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(fuse_contracted());
  return passes;
}

ModulePassManager cpu_preparation() {
  ModulePassManager passes;
  passes.addPass(lower_specialization_constants());
  passes.addPass(answer_device_queries());
  passes.addPass(prepare_device_code());
  passes.addPass(declare_index_ranges());
  passes.addPass(define_builtins(library::cpu_builtins));
  passes.addPass(keep_cold_functions());
  passes.addPass(callee_simplification());
  return passes;
}

ModulePassManager cpu_formation(PassBuilder& builder, const TargetMachine& machine, const request& request,
                                bool is_quick, bool verifies) {
  vector_options vectors{.sub_group_size = request.config.sub_group_size,
                         .sub_group_size_is_required = request.config.sub_group_size_is_required,
                         .vectors_must_pay = request.config.vectors_must_pay,
                         .takes_other_form = request.takes_other_form,
                         .vector_math = vector_math_level(machine, request),
                         .computes_under_masks = has_x86_feature(machine, "avx512vl")};
  const bool estimates_roots = vectors.vector_math == "avx512f";
  ModulePassManager passes;
  if (is_quick && request.kind == std::uint32_t(kernel_kind::single_task))
    passes.addPass(keep_functions());
  passes.addPass(kernel_simplification());
  passes.addPass(lower_device_globals());
  passes.addPass(lower_work_group_variables());
  passes.addPass(lower_launch_values());
  passes.addPass(fold_captured_constants(request.captured, request.aligned));
  passes.addPass(simplification_of_constants());
  passes.addPass(forward_captured_copies());
  passes.addPass(createModuleToFunctionPassAdaptor(copies_and_contraction()));
  passes.addPass(define_math_functions());
  passes.addPass(declare_restricted_pointers(request.disjoint));
  passes.addPass(name_failing_work_items());
  FunctionPassManager functions;
  functions.addPass(
      expand_remainders(/*has_fused=*/!machine.getTargetTriple().isX86() || has_x86_feature(machine, "fma")));
  functions.addPass(expect_no_cold_calls());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  passes.addPass(form_kernel(std::move(vectors)));
  if (verifies)
    passes.addPass(verify_module());
  passes.addPass(apply_target_attributes());
  if (estimates_roots)
    passes.addPass(createModuleToFunctionPassAdaptor(estimate_reciprocal_roots()));
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(simd::compute_members_together()));
  passes.addPass(is_quick ? quick_optimization()
                          : default_pipeline(builder, request.config.optimization_level));
  add_late_passes(passes, machine);
  return passes;
}

ModulePassManager cpu_pipeline(PassBuilder& builder, const TargetMachine& machine, const request& request,
                               bool verifies) {
  ModulePassManager passes = cpu_preparation();
  passes.addPass(cpu_formation(builder, machine, request, /*is_quick=*/false, verifies));
  return passes;
}

} // namespace falx::jit
