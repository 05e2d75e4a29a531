// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu.hpp"
#include "barriers/redundant_barriers.hpp"
#include "barriers/split_barriers.hpp"
#include "cpu_abi.hpp"
#include "elf_linker.hpp"
#include "falx/kernel.hpp"
#include "frontend/captured_constants.hpp"
#include "frontend/define_prefetch.hpp"
#include "frontend/define_thread_builtins.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/inlining.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/lower_builtins.hpp"
#include "frontend/prepare_device_code.hpp"
#include "frontend/restricted_pointers.hpp"
#include "frontend/scalar_simplification.hpp"
#include "kernel_function.hpp"
#include "line_table.hpp"
#include "llvm_workarounds/half_minima.hpp"
#include "llvm_workarounds/mask_shifts.hpp"
#include "llvm_workarounds/masked_loads.hpp"
#include "llvm_workarounds/masked_pointers.hpp"
#include "llvm_workarounds/outlined_masks.hpp"
#include "llvm_workarounds/single_lane_stores.hpp"
#include "pipeline/pass_runner.hpp"
#include "stack_need.hpp"
#include "targets/compilation.hpp"
#include "vectorizer/control/constant_loops.hpp"
#include "vectorizer/cost/interleaving.hpp"
#include "vectorizer/cost/scattered_accesses.hpp"
#include "vectorizer/memory/gather_indices.hpp"
#include "vectorizer/special/estimate_roots.hpp"
#include "vectorizer/special/leading_lane.hpp"
#include "vectorizer/special/loops_in_step.hpp"
#include "vectorizer/vectorize_function.hpp"
#include "vectorizer/vectorize_range.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>
#include <mutex>

using namespace llvm;

namespace falx::jit {

static std::string host_features() {
  SubtargetFeatures features;
  for (const auto& [name, enabled] : sys::getHostCPUFeatures())
    features.AddFeature(name, enabled);
  // A StringMap has no order; the same machine must give the same string.
  std::vector<std::string> sorted = features.getFeatures();
  llvm::sort(sorted);
  return join(sorted, ",");
}

static Expected<std::unique_ptr<TargetMachine>> create_cpu_machine(const request& request,
                                                                   const Triple& triple) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  const std::string cpu = request.cpu.empty() ? sys::getHostCPUName().str() : std::string(request.cpu);
  const std::string features =
      request.cpu.empty() && request.features.empty() ? host_features() : std::string(request.features);
  return create_machine(triple, cpu, features, request.config.optimization_level);
}

/// The name of the CPU implies instructions as well.
static bool has_x86_feature(const TargetMachine& machine, StringRef feature) {
  return machine.getTargetTriple().isX86() &&
         machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str());
}

/// Every function gets the target's attributes, and where there is AVX-512, all of its vector width: kernels
/// are loops over work-items, which repay it.
static void apply_target_attributes(Module& module, const TargetMachine& machine) {
  const StringRef features = machine.getTargetFeatureString();
  const bool wide = has_x86_feature(machine, "avx512vl");
  for (Function& function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", features);
    if (wide)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

static void optimize(Module& module, TargetMachine& machine, unsigned level) {
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = level >= 2;
  tuning.SLPVectorization = level >= 2;
  pass_runner runner(&machine, tuning);

  ModulePassManager passes;
  passes.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  passes.addPass(GlobalDCEPass());
  passes.addPass(runner.default_pipeline(level));
  runner.run(std::move(passes), module);
}

#ifndef NDEBUG
/// Somebody calls a builtin that a pass should have replaced: loading the kernel would fail, or linking it.
static bool has_builtins(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.isDeclaration() && function.getName().starts_with("__falx_") && !function.use_empty();
  });
}
#endif

/// Simplified device code to the function that the runtime calls.
static Error form_kernel(Module& module) {
  Expected<Function*> body = lower_builtins(module);
  if (!body)
    return body.takeError();
  kernel_attributes attributes = kernel_attributes::read(**body);
  if (attributes.sub_group_size > 1) {
    simd::unroll_constant_loops(**body);
    attributes.lanes = attributes.sub_group_size * simd::interleave_count(**body);
    attributes.write(**body);
    if (attributes.kind == std::uint32_t(kernel_kind::nd_range))
      keep_loops_in_step(**body);
  }
  if (attributes.kind == std::uint32_t(kernel_kind::nd_range)) {
    if (attributes.sub_group_size <= 1)
      fold_constants(**body);
    body = form_group_function(**body);
  } else if (attributes.lanes > 1) {
    Expected<simd::range_vectors> vectors = simd::vectorize_range(**body);
    if (!vectors)
      return vectors.takeError();
    emit_kernel_function(*vectors->body, vectors->rest);
    return Error::success();
  }
  if (!body)
    return body.takeError();
  emit_kernel_function(**body);
  return Error::success();
}

/// What of SLEEF the target can run; empty if nothing.
static std::string vector_math_level(const TargetMachine& machine, const request& request) {
  if (!has_vector_math_library(request.libraries))
    return {};
  if (has_x86_feature(machine, "avx512f"))
    return "avx512f";
  if (has_x86_feature(machine, "avx2") && has_x86_feature(machine, "fma"))
    return "avx2";
  return has_x86_feature(machine, "sse4.1") ? "sse4" : "";
}

/// For response::remark.
static std::string remark_of(StringRef kernel, const ErrorInfoBase& why) {
  return ("kernel '" + kernel + "' is not run as vectors: " + why.message()).str();
}

/// As vectors of config.sub_group_size lanes if that is possible and groups do not have just one work-item,
/// which may have vectors of its own; else one work-item after the other. \p remark gets why.
static Error form_kernel(compilation& compilation, const TargetMachine& machine, const request& request,
                         std::string& remark) {
  const configuration& config = request.config;
  Module& module = compilation.module();
  kernel_attributes attributes = kernel_attributes::read(*find_kernel(module));
  const bool has_items = attributes.kind == std::uint32_t(kernel_kind::nd_range) ||
                         attributes.kind == std::uint32_t(kernel_kind::range);
  const std::uint32_t* local = config.local_range;
  const bool is_alone = local[0] == 1 && local[1] == 1 && local[2] == 1;
  if (Error error = check_private_bytes(module, 1, compilation.kernel_name()))
    return error;
  if (config.sub_group_size <= 1 || !has_items || (is_alone && !config.sub_group_size_is_required))
    return form_kernel(module);
  if (Error error = check_private_bytes(module, config.sub_group_size, compilation.kernel_name())) {
    if (config.sub_group_size_is_required)
      return error;
    handleAllErrors(std::move(error), [&](const ErrorInfoBase& why) {
      remark = remark_of(compilation.kernel_name(), why); // one work-item at a time has room
    });
    return form_kernel(module);
  }
  std::unique_ptr<Module> scalar = CloneModule(module);
  attributes.sub_group_size = attributes.lanes = config.sub_group_size;
  attributes.vector_math = vector_math_level(machine, request);
  Function& kernel = *find_kernel(module);
  attributes.scattered = simd::sizes_of_scattered_accesses(machine, kernel, config.sub_group_size);
  attributes.computes_under_masks = has_x86_feature(machine, "avx512vl");
  const std::string name = kernel.getName().str();
  attributes.write(kernel);
  return handleErrors(form_kernel(module), [&](const simd::not_vectorizable& why) -> Error {
    if (config.sub_group_size_is_required)
      return failure("Kernel '" + name + "' demands sub-groups of " + Twine(config.sub_group_size) +
                     " work-items, but cannot be run as vectors: " + why.message() + ".");
    remark = remark_of(name, why);
    compilation.replace_module(std::move(scalar));
    return form_kernel(compilation.module());
  });
}

/// Optimised code to a shared object.
static Expected<std::vector<unsigned char>> finish(compilation& compilation, TargetMachine& machine,
                                                   const request& request) {
  Module& module = compilation.module();
  prepare_frames(module);
  Expected<SmallVector<char, 0>> object = compilation.emit(machine, CodeGenFileType::ObjectFile);
  if (!object)
    return object.takeError();
  const StringRef kernel = compilation.kernel_name();
  const stack_need stack = find_stack_need(module, *module.getFunction(kernel), compilation.frames());
  SmallVector<char, 0> lines;
  if (module.getNamedValue(cpu::LINE_TABLE_SYMBOL) != nullptr)
    if (Error error = make_line_table(*object, kernel, machine).moveInto(lines))
      return error;
  return link_shared_object({*object,
                             lines,
                             {{cpu::STACK_BYTES_SYMBOL, stack.bytes},
                              {cpu::UNBOUNDED_STACK_SYMBOL, std::uint64_t{stack.is_unbounded}}}},
                            kernel, request.libraries);
}

Expected<std::vector<unsigned char>> compile_for_cpu(const request& request,
                                                     const diagnostic_options& options, std::string& remark) {
  compilation compilation(request, options);
  if (Error error = compilation.load())
    return error;
  Expected<std::unique_ptr<TargetMachine>> machine =
      create_cpu_machine(request, compilation.module().getTargetTriple());
  if (!machine)
    return machine.takeError();
  compilation.attributes().write(*compilation.module().getFunction(compilation.kernel_name()));

  prepare_device_code(compilation.module());
  declare_index_ranges(compilation.module(), compilation.attributes());
  define_thread_builtins(compilation.module());
  define_prefetch(compilation.module(), CPU_PREFETCHES);
  keep_cold_functions(compilation.module());
  if (Error error = inline_and_simplify(compilation.module(), machine->get()))
    return error;
  if (Error error = lower_device_globals(compilation.module()))
    return error;
  if (fold_captured_constants(*find_kernel(compilation.module()), request.captured, request.aligned))
    simplify_once_more(*find_kernel(compilation.module()));
  remove_redundant_barriers(*find_kernel(compilation.module()));
  if (Function& kernel = *find_kernel(compilation.module()); has_restricted_pointers(kernel))
    declare_restricted_pointers(kernel, *kernel.getArg(0));
  if (Error error = form_kernel(compilation, **machine, request, remark))
    return error;
  if (Error error = compilation.check())
    return error;
  assert(!has_builtins(compilation.module()) && "a builtin is left");
  apply_target_attributes(compilation.module(), **machine);
  if (vector_math_level(**machine, request) == "avx512f")
    for (Function& function : compilation.module())
      estimate_reciprocal_roots(function);
  optimize(compilation.module(), **machine, request.config.optimization_level);
  simd::limit_alignment_of_masked_pointers(compilation.module());
  simd::take_single_lanes(compilation.module());
  simd::test_leading_lanes(compilation.module());
  if (has_x86_feature(**machine, "avx") && !has_x86_feature(**machine, "avx512f"))
    simd::leave_out_registers_of_masked_loads(compilation.module());
  if (compilation.module().getTargetTriple().isX86() && !has_x86_feature(**machine, "avx512fp16"))
    compare_halves_as_floats(compilation.module());
  if (has_x86_feature(**machine, "avx2"))
    simd::narrow_gather_indices(compilation.module(),
                                simd::sizes_of_scattered_accesses(
                                    **machine, *compilation.module().getFunction(compilation.kernel_name()),
                                    request.config.sub_group_size));
  if (has_x86_feature(**machine, "avx512f"))
    simd::take_zeros_out_of_mask_shuffles(compilation.module());
  simd::outline_masked_accesses(compilation.module(), **machine);
  return finish(compilation, **machine, request);
}

} // namespace falx::jit
