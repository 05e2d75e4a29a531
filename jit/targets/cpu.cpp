// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu.hpp"
#include "elf_linker.hpp"
#include "falx/kernel.hpp"
#include "passes/captured_constants.hpp"
#include "passes/define_prefetch.hpp"
#include "passes/define_thread_builtins.hpp"
#include "passes/device_module.hpp"
#include "passes/kernel_attributes.hpp"
#include "passes/kernel_function.hpp"
#include "passes/lower_builtins.hpp"
#include "passes/pass_runner.hpp"
#include "passes/prepare_device_code.hpp"
#include "passes/scalar_simplification.hpp"
#include "passes/simd/constant_loops.hpp"
#include "passes/simd/vectorize_function.hpp"
#include "passes/simd/vectors_at_once.hpp"
#include "passes/split_barriers.hpp"
#include "quiet_diagnostics.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Target/TargetOptions.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstdlib>
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

static Expected<std::unique_ptr<TargetMachine>> create_target_machine(const request& request,
                                                                      const Triple& triple) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  std::string error;
  const Target* target = TargetRegistry::lookupTarget(triple, error);
  if (target == nullptr)
    return failure("No machine code can be made for " + triple.str() + ": " + error);
  const std::string cpu = request.cpu.empty() ? sys::getHostCPUName().str() : std::string(request.cpu);
  const std::string features =
      request.cpu.empty() && request.features.empty() ? host_features() : std::string(request.features);
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard;
  const CodeGenOptLevel level = request.config.optimization_level == 0   ? CodeGenOptLevel::None
                                : request.config.optimization_level == 1 ? CodeGenOptLevel::Less
                                                                         : CodeGenOptLevel::Aggressive;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, cpu, features, options, Reloc::PIC_, CodeModel::Small, level));
}

/// Every function gets the target's attributes, and where there is AVX-512, all of its vector width: kernels
/// are loops over work-items, which repay it.
static void apply_target_attributes(Module& module, const TargetMachine& machine) {
  const StringRef features = machine.getTargetFeatureString();
  const bool wide = features.contains("+avx512vl");
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

static Expected<SmallVector<char, 0>> emit_object(Module& module, TargetMachine& machine) {
  SmallVector<char, 0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return failure("No object code can be made for " + machine.getTargetTriple().str() + ".");
  passes.run(module);
  return object;
}

/// Simplified device code to the function that the runtime calls.
static Error form_kernel(Module& module) {
  Expected<Function*> body = lower_builtins(module);
  if (!body)
    return body.takeError();
  kernel_attributes attributes = kernel_attributes::read(**body);
  if (attributes.sub_group_size > 1) {
    simd::unroll_constant_loops(**body);
    attributes.lanes = attributes.sub_group_size * simd::vectors_at_once(**body);
    attributes.write(**body);
  }
  if (attributes.kind == std::uint32_t(kernel_kind::nd_range)) {
    if (attributes.sub_group_size <= 1)
      fold_constants(**body);
    body = form_group_function(**body);
  } else if (attributes.lanes > 1) {
    body = simd::vectorize(**body, simd::request_for(attributes));
  }
  if (!body)
    return body.takeError();
  emit_kernel_function(**body);
  return Error::success();
}

/// What of SLEEF the target can run; empty if nothing.
static std::string vector_math_level(const TargetMachine& machine) {
  const StringRef features = machine.getTargetFeatureString();
  if (!machine.getTargetTriple().isX86() || !has_vector_math_library())
    return {};
  if (features.contains("+avx512f"))
    return "avx512f";
  if (features.contains("+avx2") && features.contains("+fma"))
    return "avx2";
  return features.contains("+sse4.1") ? "sse4" : "";
}

/// As vectors of config.sub_group_size lanes if that is possible, else one work-item after the other.
static Error form_kernel(std::unique_ptr<Module>& module, const TargetMachine& machine,
                         const configuration& config) {
  kernel_attributes attributes = kernel_attributes::read(*find_kernel(*module));
  const bool has_items = attributes.kind == std::uint32_t(kernel_kind::nd_range) ||
                         attributes.kind == std::uint32_t(kernel_kind::range);
  if (config.sub_group_size <= 1 || !has_items)
    return form_kernel(*module);
  std::unique_ptr<Module> scalar = CloneModule(*module);
  attributes.sub_group_size = attributes.lanes = config.sub_group_size;
  attributes.vector_math = vector_math_level(machine);
  Function& kernel = *find_kernel(*module);
  const std::string name = kernel.getName().str();
  attributes.write(kernel);
  return handleErrors(form_kernel(*module), [&](const simd::not_vectorizable& why) -> Error {
    std::string reason;
    raw_string_ostream stream(reason);
    why.log(stream);
    if (config.sub_group_size_is_required)
      return failure("Kernel '" + name + "' demands sub-groups of " + Twine(config.sub_group_size) +
                     " work-items, but cannot be run as vectors: " + reason + ".");
    if (std::getenv("FALX_SIMD_REPORT") != nullptr)
      errs() << "falx: kernel '" << name << "' is not run as vectors: " << reason << '\n';
    module = std::move(scalar);
    return form_kernel(*module);
  });
}

static Error check(Module& module, const std::string& errors, StringRef kernel) {
  if (!errors.empty())
    return failure("Kernel '" + kernel + "' cannot be compiled: " + errors);
#ifdef NDEBUG
  if (std::getenv("FALX_VERIFY") == nullptr)
    return Error::success();
#endif
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    return failure("Kernel '" + kernel + "': a pass of Falx made invalid code: " + message);
  return Error::success();
}

Expected<std::vector<unsigned char>> compile_for_cpu(const request& request) {
  const StringRef name(request.kernel.data(), request.kernel.size());
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
      create_target_machine(request, (*module)->getTargetTriple());
  if (!machine)
    return machine.takeError();

  kernel_attributes attributes;
  attributes.kind = request.kind;
  attributes.dimensions = request.dimensions;
  for (unsigned axis = 0; axis < 3; ++axis)
    attributes.local_range[axis] = request.config.local_range[axis];
  attributes.write(*(*module)->getFunction(name));
  // The path of the source file must not reach the binary.
  (*module)->setSourceFileName(name);

  prepare_device_code(**module);
  define_thread_builtins(**module);
  define_prefetch(**module, CPU_PREFETCHES);
  if (Error error = inline_and_simplify(**module, machine->get()))
    return error;
  if (fold_captured_constants(*find_kernel(**module), request.captured))
    simplify_once_more(*find_kernel(**module));
  if (Error error = form_kernel(*module, **machine, request.config))
    return error;
  if (Error error = check(**module, errors, name))
    return error;
  apply_target_attributes(**module, **machine);
  optimize(**module, **machine, request.config.optimization_level);
  Expected<SmallVector<char, 0>> object = emit_object(**module, **machine);
  if (!object)
    return object.takeError();
  if (Error error = check(**module, errors, name))
    return error;
  return link_shared_object(*object, name);
}

} // namespace falx::jit
