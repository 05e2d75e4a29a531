// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The plugin's entry for LLVM: one module pass at the very start of the pipeline, at every -O level, before
// anything is inlined.
#include "ahead_of_time.hpp"
#include "annotations.hpp"
#include "aspects.hpp"
#include "ast/device_pass.hpp"
#include "constants.hpp"
#include "device_globals.hpp"
#include "device_module.hpp"
#include "dynamic_functions.hpp"
#include "host_atomics.hpp"
#include "host_module.hpp"
#include "host_tasks.hpp"
#include "image_writer.hpp"
#include "restrictions.hpp"
#include "target_branches.hpp"

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
    annotations.dynamic_functions = find_dynamic_functions(host);
    const bool has_host_tasks = fill_in_accessor_offsets(host);
    const bool has_restrictions = keep_restrictions(host);
    bool changes = false;
    if (llvm::Module* separate = device_pass_module()) {
      device_annotations separate_annotations = take_device_annotations(*separate);
      separate_annotations.dynamic_functions = find_dynamic_functions(*separate);
      keep_restrictions(*separate);
      changes = extract(*separate, separate_annotations, host, annotations);
    } else {
      changes = extract(host, annotations, host, annotations);
    }
    changes |= fold_target_queries(host, /*is_device=*/false);
    changes |= forward_atomic_objects(host);
    return changes || has_host_tasks || has_restrictions ? llvm::PreservedAnalyses::none()
                                                         : llvm::PreservedAnalyses::all();
  }

private:
  static bool has_device_code(const device_annotations& annotations,
                              llvm::ArrayRef<llvm::GlobalVariable*> globals) {
    const auto is_defined = [](const llvm::GlobalValue* value) { return !value->isDeclaration(); };
    return llvm::any_of(annotations.kernels, [](const auto& each) { return !each.first->isDeclaration(); }) ||
           llvm::any_of(annotations.externals, is_defined) || !annotations.dynamic_functions.empty() ||
           llvm::any_of(globals, is_defined);
  }

  // The variable of the host's module that has the name of one that device code refers to.
  static llvm::Constant* host_variable(llvm::Module& host, const llvm::GlobalVariable& variable) {
    if (llvm::GlobalVariable* found = host.getGlobalVariable(variable.getName(), /*AllowInternal=*/true))
      return found;
    host.getContext().emitError("variable '" + variable.getName() +
                                "' is used by device code alone; use it in host code, too, where "
                                "__SYCL_DEVICE_ONLY__ is not defined");
    return llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(host.getContext()));
  }

  // Device code comes from \p source, which is the host's module unless device code had a pass of its own.
  static bool extract(llvm::Module& source, const device_annotations& source_annotations, llvm::Module& host,
                      const device_annotations& annotations) {
    const llvm::SmallVector<llvm::GlobalVariable*> source_globals = device_globals_of(source);
    if (!has_device_code(source_annotations, source_globals))
      return false;
    std::unique_ptr<llvm::Module> device = make_device_module(source, source_annotations);
    const llvm::SmallVector<device_constant> constants = find_constants(*device, source_annotations);
    const llvm::SmallVector<device_global> globals =
        find_device_globals(*device, source_globals, source_annotations);
    const llvm::SmallString<0> image = write_device_image(
        *device, source_annotations, find_aspects(*device, source_annotations), constants, globals);
    llvm::SmallVector<llvm::Constant*> host_constants;
    for (const device_constant& constant : constants)
      host_constants.push_back(host_variable(host, *constant.variable));
    llvm::SmallVector<llvm::Constant*> global_addresses;
    for (const device_global& global : globals)
      global_addresses.push_back(host_variable(host, *global.variable));
    llvm::SmallVector<llvm::Function*> imports;
    for (llvm::Function* external : source_annotations.externals)
      if (external->isDeclaration() && !is_replaced(*external) &&
          device->getFunction(external->getName()) != nullptr)
        imports.push_back(host_function(host, *external));
    fold_target_queries(host, /*is_device=*/false);
    rewrite_host_module(host, annotations, image, imports, host_constants, global_addresses);
    compile_ahead_of_time(host, image);
    return true;
  }

  static llvm::Function* host_function(llvm::Module& host, llvm::Function& external) {
    if (llvm::Function* found = host.getFunction(external.getName()))
      return found;
    // Only its address is asked for: the device pass's type belongs to another context.
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(host.getContext()), false);
    return llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, external.getName(), host);
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
