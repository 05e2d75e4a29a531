// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx.hpp"
#include "address_spaces.hpp"
#include "barriers/redundant_barriers.hpp"
#include "branchless_roots.hpp"
#include "builtins.hpp"
#include "check_device_code.hpp"
#include "copy_expansion.hpp"
#include "counter_steps.hpp"
#include "early_returns.hpp"
#include "falx/kernel.hpp"
#include "frontend/captured_constants.hpp"
#include "frontend/define_prefetch.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/prepare_device_code.hpp"
#include "frontend/restricted_pointers.hpp"
#include "frontend/scalar_simplification.hpp"
#include "group_scope.hpp"
#include "kernel_entry.hpp"
#include "library_calls.hpp"
#include "llvm_workarounds/ptx_atomics.hpp"
#include "loop_unrolling.hpp"
#include "math/built_in_library.hpp"
#include "math_functions.hpp"
#include "pipeline/pass_runner.hpp"
#include "prefetches.hpp"
#include "ptx_attributes.hpp"
#include "targets/compilation.hpp"
#include "variable_types.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>

#include <cassert>
#include <mutex>

using namespace llvm;

namespace falx::jit {

/// What is compiled for if the request does not say.
constexpr StringRef DEFAULT_CPU = "sm_70";

static StringRef cpu_of(const request& request) {
  return request.cpu.empty() ? DEFAULT_CPU : StringRef(request.cpu.data(), request.cpu.size());
}

/// The number in "sm_90a".
static unsigned sm_of(const request& request) {
  StringRef cpu = cpu_of(request);
  unsigned sm = 70;
  if (cpu.consume_front("sm_"))
    cpu.consumeInteger(10, sm);
  return sm;
}

/// The version of PTX is the driver's to say; what every driver in use knows is the default.
static std::string features_of(const request& request) {
  if (!request.features.empty())
    return std::string(request.features);
  return sm_of(request) >= 100 ? "+ptx86" : "+ptx78";
}

/// The number in "+ptx83".
static unsigned ptx_version_of(StringRef features) {
  unsigned version = 0;
  SmallVector<StringRef, 4> list;
  features.split(list, ',');
  for (StringRef feature : list)
    if (feature.consume_front("+ptx"))
      feature.getAsInteger(10, version);
  return version;
}

static Expected<std::unique_ptr<TargetMachine>> create_ptx_machine(const request& request) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  return create_machine(Triple("nvptx64-nvidia-cuda"), cpu_of(request), features_of(request),
                        request.config.optimization_level);
}

static void write_attributes(compilation& compilation, const request& request) {
  ptx_attributes attributes;
  attributes.kernel = compilation.attributes();
  attributes.linear_grid = request.config.linear_grid;
  attributes.sm = sm_of(request);
  attributes.ptx = ptx_version_of(features_of(request));
  attributes.write(*compilation.module().getFunction(compilation.kernel_name()));
}

/// From the host's target to the GPU's. The layouts agree on every type that device code may use; alignments
/// that the old one implies are written down.
static void retarget(Module& module, const TargetMachine& machine) {
  const DataLayout& host = module.getDataLayout();
  for (GlobalVariable& variable : module.globals())
    if (!variable.getAlign())
      variable.setAlignment(host.getPreferredAlign(&variable));
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  for (Function& function : module)
    if (!function.isDeclaration()) {
      function.addFnAttr("target-cpu", machine.getTargetCPU());
      function.addFnAttr("target-features", machine.getTargetFeatureString());
    }
}

static StringRef math_library_of(const request& request) {
  const std::span<const unsigned char> library =
      request.math_library.bytes.empty() ? built_in_math_library() : request.math_library.bytes;
  return {reinterpret_cast<const char*>(library.data()), library.size()};
}

static void optimize(Module& module, Function& entry, TargetMachine& machine, unsigned level) {
  PipelineTuningOptions tuning;
  tuning.SLPVectorization = level >= 2; // pairs of half and bfloat16
  pass_runner runner(&machine, tuning);
  // After loops have been unrolled whole, before they are in part.
  runner.builder().registerVectorizerStartEPCallback(
      [](FunctionPassManager& passes, OptimizationLevel chosen) {
        if (chosen == OptimizationLevel::O3)
          passes.addPass(request_unrolling());
      });

  ModulePassManager inlining;
  inlining.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  inlining.addPass(GlobalDCEPass());
  if (level != 0)
    // Reads what was copied out of the function object from there.
    inlining.addPass(createModuleToFunctionPassAdaptor(InstCombinePass()));
  runner.run(std::move(inlining), module);
  mark_captured_pointers(entry);
  assume_captured_alignments(entry);
  if (has_restricted_pointers(entry))
    declare_restricted_pointers(entry, *function_object(entry));
  runner.invalidate_analyses();

  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(infer_address_spaces()));
  passes.addPass(runner.default_pipeline(level));
  runner.run(std::move(passes), module);
  assert(local_memory_is_variables(module) && "what is no variable is read from local memory");
}

Expected<std::vector<unsigned char>> compile_for_ptx(const request& request,
                                                     const diagnostic_options& options) {
  compilation compilation(request, options);
  const StringRef name = compilation.kernel_name();
  if (request.config.sub_group_size != 0 && request.config.sub_group_size != WARP_SIZE)
    return failure("Kernel '" + name + "' requires sub-groups of " + Twine(request.config.sub_group_size) +
                   " work-items; on this device they have " + Twine(WARP_SIZE) + ".");
  if (Error error = compilation.load())
    return error;
  Expected<std::unique_ptr<TargetMachine>> machine = create_ptx_machine(request);
  if (!machine)
    return machine.takeError();
  Module& module = compilation.module();
  write_attributes(compilation, request);

  prepare_device_code(module);
  define_prefetch(module, PTX_PREFETCHES);
  const auto pin = [&](Function& kernel) {
    if (request.kind == std::uint32_t(kernel_kind::work_group))
      pin_group_variables(kernel);
  };
  if (Error error = inline_and_simplify(module, nullptr, pin))
    return error;
  if (Error error = lower_device_globals(module))
    return error;
  if (fold_captured_constants(*find_kernel(module), request.captured, request.aligned))
    simplify_once_more(*find_kernel(module));
  Expected<Function*> entry = form_ptx_entry(module);
  if (!entry)
    return entry.takeError();
  if (Error error = lower_ptx_builtins(**entry))
    return error;
  if (Error error = check_device_code(module, name))
    return error;
  const std::span<const unsigned char> functions = device_library();
  if (Error error =
          lower_library_calls(module, {reinterpret_cast<const char*>(functions.data()), functions.size()}))
    return error;
  if (Error error = lower_math_functions(module, math_library_of(request), sm_of(request)))
    return error;
  if (Error error = compilation.check())
    return error;
  retarget(module, **machine);
  optimize(module, **entry, **machine, request.config.optimization_level);
  remove_redundant_barriers(**entry);
  form_native_atomics(module, sm_of(request));
  give_variables_ptx_types(module);
  for (Function& function : module) {
    expand_small_copies(function);
    expand_roots(function);
    form_prefetches(function);
    sink_counter_steps(function);
    join_early_returns(function);
  }
  if (Error error = check_definitions(module, name))
    return error;
  if (Error error = check_private_memory(module, name))
    return error;
  Expected<SmallVector<char, 0>> text = compilation.emit(**machine, CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  return std::vector<unsigned char>(text->begin(), text->end());
}

} // namespace falx::jit
