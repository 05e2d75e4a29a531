// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx_pipeline.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/launch_passes.hpp"
#include "frontend/loop_passes.hpp"
#include "frontend/passes.hpp"
#include "frontend/scalar_simplification.hpp"
#include "frontend/specialization_constants.hpp"
#include "llvm_workarounds/workarounds.hpp"
#include "math/built_in_library.hpp"
#include "passes.hpp"
#include "pipeline/invariants.hpp"
#include "pipeline/pass_runner.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "targets/unchanged_atomics.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LoopDeletion.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>

#include <span>

using namespace llvm;

namespace falx::jit {

/// libdevice or libclc.
static StringRef math_library_of(const request& request) {
  const std::span<const unsigned char> given = request.math_library.bytes;
  return given.empty() ? StringRef(bitcode_of(library::math)) : toStringRef(ArrayRef<std::uint8_t>(given));
}

ModulePassManager ptx_lowering(const request& request, bool verifies) {
  ModulePassManager passes;
  passes.addPass(lower_specialization_constants());
  passes.addPass(answer_device_queries());
  passes.addPass(form_native_functions());
  passes.addPass(prepare_device_code());
  passes.addPass(define_builtins(library::ptx_builtins));
  passes.addPass(
      scalar_simplification([](FunctionPassManager& kernel) { kernel.addPass(pin_group_variables()); }));
  passes.addPass(lower_device_globals());
  passes.addPass(lower_work_group_variables());
  passes.addPass(lower_launch_values());
  passes.addPass(fold_captured_constants(request.captured, request.aligned));
  passes.addPass(simplification_of_constants());
  passes.addPass(forward_captured_copies());
  passes.addPass(form_ptx_entry());
  passes.addPass(lower_ptx_builtins());
  passes.addPass(check_device_code());
  passes.addPass(lower_library_calls());
  passes.addPass(lower_math_functions(math_library_of(request)));
  passes.addPass(flush_denormals());
  if (request.keeps_results) {
    // Mathematical functions are the device's by now, so that none is computed by LLVM.
    passes.addPass(check_exact_results());
    passes.addPass(fold_captured_constants(request.integers, {}, /*only_integers=*/true));
    passes.addPass(simplification_of_constants());
  }
  if (verifies)
    passes.addPass(verify_module());
  return passes;
}

PipelineTuningOptions ptx_tuning(unsigned level) {
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = level >= 2; // pairs of half and bfloat16
  // Arrays in registers: loops over all their elements, unrolled, hold more accesses than LLVM looks at.
  tuning.LicmMssaNoAccForPromotionCap = 2000;
  return tuning;
}

void extend_pipelines_for_ptx(PassBuilder& builder) {
  builder.registerLateLoopOptimizationsEPCallback([](LoopPassManager& passes, OptimizationLevel chosen) {
    if (chosen == OptimizationLevel::O3) {
      passes.addPass(unswitch_launch_conditions());
      passes.addPass(unroll_for_registers());
    }
  });
  // After loops have been unrolled whole, before they are in part.
  builder.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel chosen) {
    if (chosen == OptimizationLevel::O3) {
      LoopPassManager counting;
      counting.addPass(recognize_bit_counts());
      counting.addPass(LoopDeletionPass());
      passes.addPass(createFunctionToLoopPassAdaptor(std::move(counting)));
      passes.addPass(convert_comparing_branches());
      passes.addPass(request_unrolling());
      passes.addPass(keep_bytes_scalar());
    }
  });
  builder.registerVectorizerEndEPCallback([](FunctionPassManager& passes, OptimizationLevel chosen) {
    if (chosen == OptimizationLevel::O3)
      passes.addPass(unroll_remainders());
  });
}

ModulePassManager ptx_optimization(const request& request, PassBuilder& builder) {
  const unsigned level = request.config.optimization_level;
  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(GlobalDCEPass());
  if (level != 0)
    // Reads what was copied out of the function object from there.
    passes.addPass(createModuleToFunctionPassAdaptor(InstCombinePass()));
  passes.addPass(mark_captured_pointers());
  passes.addPass(declare_restricted_pointers(request.disjoint));
  FunctionPassManager spaces;
  spaces.addPass(hide_constant_pointers());
  spaces.addPass(infer_address_spaces());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(spaces)));
  passes.addPass(mark_constant_loads());
  passes.addPass(default_pipeline(builder, level));
  // What were copies of objects, by way of arrays of the work-item.
  passes.addPass(declare_restricted_pointers(request.disjoint));
  passes.addPass(mark_constant_loads());
  FunctionPassManager extrema;
  extrema.addPass(skip_unchanged_atomics(skip_unchanged_atomics::numbers::floating));
  extrema.addPass(form_integer_extrema());
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(extrema)));
  passes.addPass(form_native_atomics());
  passes.addPass(give_variables_ptx_types());
  passes.addPass(expand_roots());
  passes.addPass(GlobalDCEPass());
  if (level != 0)
    passes.addPass(derive_arguments());
  FunctionPassManager late;
  late.addPass(remove_redundant_barriers());
  late.addPass(unite_index_extensions());
  late.addPass(expand_copies());
  late.addPass(form_prefetches());
  late.addPass(sink_counter_steps());
  late.addPass(leave_unrolling_to_assembler());
  late.addPass(compare_cases());
  late.addPass(ask_sums_for_overflow());
  late.addPass(form_conditional_updates());
  late.addPass(hoist_loads());
  late.addPass(share_divisors());
  late.addPass(hide_constant_pointers()); // LLVM's code generator infers address spaces, too
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(late)));
  passes.addPass(check_finished_code());
  return passes;
}

void retarget(Module& module, const TargetMachine& machine) {
  const DataLayout& host = module.getDataLayout();
  for (GlobalVariable& variable : module.globals())
    if (!variable.getAlign())
      variable.setAlignment(host.getPreferredAlign(&variable));
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function& function : module)
    if (!function.isDeclaration())
      set_target_attributes(function, machine);
}

} // namespace falx::jit
