// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_abi.hpp"
#include "cpu_pipeline.hpp"
#include "elf_linker.hpp"
#include "falx/device_architecture.hpp"
#include "line_table.hpp"
#include "pipeline/instrumentation.hpp"
#include "pipeline/pass_runner.hpp"
#include "quick_code.hpp"
#include "stack_need.hpp"
#include "targets/compilation.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

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

static Expected<borrowed_machine> borrow_cpu_machine(const request& request, const Triple& triple,
                                                     unsigned level) {
  static std::once_flag initialized;
  std::call_once(initialized, [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  });
  const std::string cpu = request.cpu.empty() ? sys::getHostCPUName().str() : std::string(request.cpu);
  const std::string features =
      request.cpu.empty() && request.features.empty() ? host_features() : std::string(request.features);
  return borrow_machine(triple, cpu, features, level);
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
                                                     const diagnostic_options& options, response& response) {
  compilation compilation(request, options);
  if (Error error = compilation.load())
    return error;
  const unsigned level = request.config.optimization_level;
  const Triple triple = compilation.module().getTargetTriple();
  Expected<borrowed_machine> machine = borrow_cpu_machine(request, triple, level);
  if (!machine)
    return machine.takeError();
  kernel_attributes attributes = compilation.attributes();
  if ((*machine)->getTargetTriple().getArch() == Triple::x86_64)
    attributes.architecture = X86_64_ARCHITECTURE;
  attributes.write(*compilation.module().getFunction(compilation.kernel_name()));

  instrumentation instrumentation(compilation.failures(), options.skipped_passes);
  pass_runner runner(machine->get(), cpu_tuning(level), instrumentation.callbacks(), compilation.failures());
  Module& module = compilation.module();
  runner.run(cpu_preparation(), module);
  const bool is_quick = request.tier == tier::quick ||
                        (request.tier == tier::estimated && !compilation.failures().has_failed() &&
                         suffices_quick_code(module, runner.analyses(), request));
  runner.run(cpu_formation(runner.builder(), **machine, request, is_quick, compilation.verifies()), module);
  response.remark = compilation.failures().take_remark();
  response.is_quick = is_quick;
  if (Error error = compilation.failures().take())
    return error;
  if (!is_quick)
    return finish(compilation, **machine, request);
  // Passes ask the machine what its code costs, which should not depend on how it is made.
  Expected<borrowed_machine> quick_machine = borrow_cpu_machine(request, triple, /*level=*/0);
  if (!quick_machine)
    return quick_machine.takeError();
  return finish(compilation, **quick_machine, request);
}

} // namespace falx::jit
