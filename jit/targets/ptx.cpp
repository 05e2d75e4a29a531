// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx.hpp"
#include "falx/kernel.hpp"
#include "math/built_in_library.hpp"
#include "passes/captured_constants.hpp"
#include "passes/define_prefetch.hpp"
#include "passes/device_module.hpp"
#include "passes/pass_runner.hpp"
#include "passes/prepare_device_code.hpp"
#include "passes/ptx/builtins.hpp"
#include "passes/ptx/check_device_code.hpp"
#include "passes/ptx/copy_expansion.hpp"
#include "passes/ptx/group_scope.hpp"
#include "passes/ptx/kernel_entry.hpp"
#include "passes/ptx/library_calls.hpp"
#include "passes/ptx/loop_unrolling.hpp"
#include "passes/ptx/math_functions.hpp"
#include "passes/ptx/native_atomics.hpp"
#include "passes/ptx/prefetches.hpp"
#include "passes/ptx/ptx_attributes.hpp"
#include "passes/ptx/variable_types.hpp"
#include "passes/scalar_simplification.hpp"
#include "quiet_diagnostics.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include <mutex>

using namespace llvm;

namespace falx::jit {

/// What is compiled for if the request does not say.
constexpr unsigned DEFAULT_SM = 70;

/// The number in "sm_90a".
static unsigned sm_of(const request& request) {
  StringRef cpu(request.cpu.data(), request.cpu.size());
  unsigned sm = DEFAULT_SM;
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

static CodeGenOptLevel code_generation_level(unsigned level) {
  return level == 0   ? CodeGenOptLevel::None
         : level == 1 ? CodeGenOptLevel::Less
                      : CodeGenOptLevel::Aggressive;
}

static Expected<std::unique_ptr<TargetMachine>> create_ptx_machine(const request& request,
                                                                   const Triple& triple) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr)
    return failure("No PTX can be made: " + error);
  const std::string cpu = request.cpu.empty() ? "sm_70" : std::string(request.cpu);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu, features_of(request), options, Reloc::PIC_, CodeModel::Small,
                                  code_generation_level(request.config.optimization_level)));
}

static void write_attributes(Function& kernel, const request& request) {
  ptx_attributes attributes;
  attributes.kernel.kind = request.kind;
  attributes.kernel.dimensions = request.dimensions;
  for (unsigned axis = 0; axis < 3; ++axis)
    attributes.kernel.local_range[axis] = request.config.local_range[axis];
  attributes.narrow_indices = request.config.narrow_indices;
  attributes.linear_grid = request.config.linear_grid;
  attributes.sm = sm_of(request);
  attributes.ptx = ptx_version_of(features_of(request));
  attributes.write(kernel);
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
      request.math_library.empty() ? built_in_math_library() : request.math_library;
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
  runner.forget_analyses();

  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(InferAddressSpacesPass()));
  passes.addPass(runner.default_pipeline(level));
  runner.run(std::move(passes), module);
}

static Expected<std::vector<unsigned char>> emit_text(Module& module, TargetMachine& machine) {
  SmallVector<char, 0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    return failure("No PTX can be made for " + machine.getTargetCPU() + ".");
  passes.run(module);
  return std::vector<unsigned char>(text.begin(), text.end());
}

static Error check(Module& module, const std::string& errors, StringRef kernel) {
  if (!errors.empty())
    return failure("Kernel '" + kernel + "' cannot be compiled: " + errors);
#ifndef NDEBUG
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    return failure("Kernel '" + kernel + "': a pass of Falx made invalid code: " + message);
#endif
  return Error::success();
}

Expected<std::vector<unsigned char>> compile_for_ptx(const request& request) {
  const StringRef name(request.kernel.data(), request.kernel.size());
  if (request.config.sub_group_size != 0 && request.config.sub_group_size != WARP_SIZE)
    return failure("Kernel '" + name + "' requires sub-groups of " + Twine(request.config.sub_group_size) +
                   " work-items; on this device they have " + Twine(WARP_SIZE) + ".");
  std::string errors;
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<quiet_diagnostics>(errors));

  SmallVector<StringRef, 4> bitcode;
  for (const std::span<const unsigned char>& image : request.images)
    bitcode.push_back(StringRef(reinterpret_cast<const char*>(image.data()), image.size()));
  Expected<std::unique_ptr<Module>> module = load_device_module(context, bitcode, request.constants, name);
  if (!module)
    return module.takeError();
  Expected<std::unique_ptr<TargetMachine>> machine =
      create_ptx_machine(request, Triple("nvptx64-nvidia-cuda"));
  if (!machine)
    return machine.takeError();
  write_attributes(*(*module)->getFunction(name), request);
  // The path of the source file must not reach the text.
  (*module)->setSourceFileName(name);

  prepare_device_code(**module);
  define_prefetch(**module, PTX_PREFETCHES);
  const auto pin = [&](Function& kernel) {
    if (request.kind == std::uint32_t(kernel_kind::work_group))
      pin_group_variables(kernel);
  };
  if (Error error = inline_and_simplify(**module, nullptr, pin))
    return error;
  if (fold_captured_constants(*find_kernel(**module), request.captured))
    simplify_once_more(*find_kernel(**module));
  Expected<Function*> entry = form_ptx_entry(**module);
  if (!entry)
    return entry.takeError();
  if (Error error = lower_ptx_builtins(**entry))
    return error;
  if (Error error = check_device_code(**module, name))
    return error;
  const std::span<const unsigned char> functions = device_library();
  if (Error error =
          lower_library_calls(**module, {reinterpret_cast<const char*>(functions.data()), functions.size()}))
    return error;
  if (Error error = lower_math_functions(**module, math_library_of(request), sm_of(request)))
    return error;
  if (Error error = check(**module, errors, name))
    return error;
  retarget(**module, **machine);
  optimize(**module, **entry, **machine, request.config.optimization_level);
  form_native_atomics(**module, sm_of(request));
  give_variables_ptx_types(**module);
  for (Function& function : **module) {
    expand_small_copies(function);
    form_prefetches(function);
  }
  if (Error error = check_definitions(**module, name))
    return error;
  Expected<std::vector<unsigned char>> text = emit_text(**module, **machine);
  if (!text)
    return text.takeError();
  if (Error error = check(**module, errors, name))
    return error;
  return text;
}

} // namespace falx::jit
