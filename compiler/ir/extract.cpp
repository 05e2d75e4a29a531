// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plugin's entry for LLVM: one module pass at the very start of the pipeline, at every -O level, before
// anything is inlined.
#include "annotations.hpp"
#include "aspects.hpp"
#include "constants.hpp"
#include "device_globals.hpp"
#include "device_module.hpp"
#include "dynamic_functions.hpp"
#include "host_atomics.hpp"
#include "host_module.hpp"
#include "host_tasks.hpp"
#include "image_writer.hpp"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

namespace falx::compiler {

namespace {

struct extract_device_image : llvm::PassInfoMixin<extract_device_image> {
  // optnone functions must not stop a pass that is part of the language.
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module& host, llvm::ModuleAnalysisManager&) {
    device_annotations annotations = take_device_annotations(host);
    const bool has_host_tasks = fill_in_accessor_offsets(host);
    bool has_device_code = false;
    for (const auto& [kernel, annotation] : annotations.kernels)
      has_device_code |= !kernel->isDeclaration();
    for (const llvm::Function* external : annotations.externals)
      has_device_code |= !external->isDeclaration();
    annotations.dynamic_functions = find_dynamic_functions(host);
    has_device_code |= !annotations.dynamic_functions.empty();
    const llvm::SmallVector<llvm::GlobalVariable*> host_globals = device_globals_of(host);
    for (const llvm::GlobalVariable* global : host_globals)
      has_device_code |= !global->isDeclaration();
    if (!has_device_code)
      return forward_atomic_objects(host) || has_host_tasks ? llvm::PreservedAnalyses::none()
                                                            : llvm::PreservedAnalyses::all();

    std::unique_ptr<llvm::Module> device = make_device_module(host, annotations);
    const llvm::SmallVector<device_constant> constants = find_constants(*device, annotations);
    const llvm::SmallVector<device_global> globals = find_device_globals(*device, host_globals, annotations);
    const llvm::SmallString<0> image =
        write_device_image(*device, annotations, find_aspects(*device, annotations), constants, globals);
    llvm::SmallVector<llvm::Constant*> host_constants;
    for (const device_constant& constant : constants)
      host_constants.push_back(host.getNamedValue(constant.variable->getName()));
    llvm::SmallVector<llvm::Constant*> global_addresses;
    for (const device_global& global : globals)
      global_addresses.push_back(global.variable);
    llvm::SmallVector<llvm::Function*> imports;
    for (llvm::Function* external : annotations.externals)
      if (external->isDeclaration() && !is_replaced(*external) &&
          device->getFunction(external->getName()) != nullptr)
        imports.push_back(external);
    rewrite_host_module(host, annotations, image, imports, host_constants, global_addresses);
    forward_atomic_objects(host);
    return llvm::PreservedAnalyses::none();
  }
};

} // namespace

} // namespace falx::compiler

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "falx", "0.1", [](llvm::PassBuilder& builder) {
            builder.registerPipelineStartEPCallback(
                [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
                  passes.addPass(falx::compiler::extract_device_image());
                });
            // For tests: opt -load-pass-plugin=… -passes=falx-extract
            builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::ModulePassManager& passes,
                                                       llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
              if (name != "falx-extract")
                return false;
              passes.addPass(falx::compiler::extract_device_image());
              return true;
            });
          }};
}
