// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "code_generation.hpp"
#include "derived_arguments_abi.hpp"
#include "falx/device_architecture.hpp"
#include "passes.hpp"
#include "pipeline/instrumentation.hpp"
#include "pipeline/pass_runner.hpp"
#include "ptx_pipeline.hpp"
#include "targets/compilation.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>

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

/// The line behind the code that derived_arguments_abi.hpp describes, if there are such arguments.
static std::string derived_arguments_of(const Module& module) {
  std::string line;
  if (const NamedMDNode* list = module.getNamedMetadata(DERIVED_ARGUMENTS_METADATA))
    for (const MDNode* node : list->operands())
      line += (StringRef(ptx::DERIVED_ARGUMENTS.data(), ptx::DERIVED_ARGUMENTS.size()) +
               cast<MDString>(node->getOperand(0))->getString() + "\n")
                  .str();
  return line;
}

static void write_attributes(compilation& compilation, const request& request) {
  Function& kernel = *compilation.module().getFunction(compilation.kernel_name());
  kernel_attributes attributes = compilation.attributes();
  attributes.flushes_denormals =
      kernel.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign;
  attributes.linear_grid = request.config.linear_grid;
  attributes.sm = sm_of(request);
  attributes.architecture = nvidia_gpu_architecture(attributes.sm);
  attributes.ptx = ptx_version_of(features_of(request));
  attributes.write(kernel);
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
  pass_failures& failures = compilation.failures();
  write_attributes(compilation, request);

  instrumentation instrumentation(failures, options.skipped_passes);
  const unsigned level = request.config.optimization_level;
  pass_runner host(nullptr, {}, instrumentation.callbacks(), failures);
  host.run(ptx_lowering(request, compilation.verifies()), module);
  if (Error error = failures.take())
    return error;
  retarget(module, **machine);
  pass_runner gpu(machine->get(), ptx_tuning(level), instrumentation.callbacks(), failures);
  gpu.run(ptx_optimization(request, gpu.builder()), module);
  if (Error error = failures.take())
    return error;
  assert(local_memory_is_variables(module) && "what is no variable is read from local memory");
  const extended_code_generation extension(**machine);
  Expected<SmallVector<char, 0>> text = compilation.emit(**machine, CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  std::vector<unsigned char> code(text->begin(), text->end());
  append_range(code, derived_arguments_of(module));
  return code;
}

} // namespace falx::jit
