// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_module.hpp"
#include "device_globals.hpp"
#include "function_replacements.hpp"
#include "image_parts.hpp"
#include "kernel_attributes.hpp"
#include "specialization_constants.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// Lists such as llvm.used and the annotations would pull in every kernel of the image, and constructors have
/// no meaning on a device.
static void drop_global_lists(Module& module) {
  for (StringRef name : {"llvm.used", "llvm.compiler.used", "llvm.global.annotations", "llvm.global_ctors",
                         "llvm.global_dtors"})
    if (GlobalVariable* list = module.getGlobalVariable(name, /*AllowInternal=*/true)) {
      list->setInitializer(nullptr);
      list->setLinkage(GlobalValue::ExternalLinkage);
      if (list->use_empty())
        list->eraseFromParent();
    }
  module.setModuleInlineAsm("");
}

static bool has_undefined_symbols(const Module& module) {
  return any_of(
             module.functions(),
             [](const Function& function) { return function.isDeclaration() && !function.isIntrinsic(); }) ||
         any_of(module.globals(), [](const GlobalVariable& variable) {
           return variable.isDeclaration() && !is_device_global(variable);
         });
}

static auto count_definitions(const Module& module) {
  return count_if(module.global_objects(),
                  [](const GlobalObject& object) { return !object.isDeclaration(); });
}

/// Lazily parsed, and with the kernel visible from outside whatever linkage its translation unit gave it.
static Expected<std::unique_ptr<Module>> open_image(LLVMContext& context, StringRef bytes, StringRef kernel) {
  Expected<std::unique_ptr<Module>> image =
      getLazyBitcodeModule(MemoryBufferRef(bytes, "device image"), context, /*ShouldLazyLoadMetadata=*/true);
  if (!image)
    return failure("A device image that kernel '" + kernel +
                   "' needs is damaged: " + toString(image.takeError()) + ".");
  drop_global_lists(**image);
  if (Function* entry = (*image)->getFunction(kernel); entry != nullptr && !entry->isDeclaration()) {
    entry->setLinkage(GlobalValue::ExternalLinkage);
    entry->setVisibility(GlobalValue::DefaultVisibility);
    entry->setComdat(nullptr);
  }
  return image;
}

/// What the request changes in the image at \p index.
static Error configure_image(Module& image, std::size_t index, const request& request) {
  if (Error error = set_specialization_constants(image, index, request.constants))
    return error;
  if (Error error = place_device_globals(image, index, request.device_globals))
    return error;
  take_out_replaced_functions(image, index, request.functions);
  return Error::success();
}

/// Links into \p module what it still misses. Images may need each other, so this goes on until nothing
/// changes.
static Error link_images(Module& module, ArrayRef<StringRef> bitcode, const request& request,
                         StringRef kernel) {
  for (bool progress = true; progress && has_undefined_symbols(module);) {
    const auto defined_before = count_definitions(module);
    for (const auto& [index, bytes] : enumerate(bitcode)) {
      if (!has_undefined_symbols(module))
        break;
      Expected<std::unique_ptr<Module>> image = open_image(module.getContext(), bytes, kernel);
      if (!image)
        return image.takeError();
      if (module.getDataLayoutStr().empty()) { // the first
        module.setDataLayout((*image)->getDataLayout());
        module.setTargetTriple((*image)->getTargetTriple());
      }
      if (Error error = configure_image(**image, index, request))
        return error;
      if (Linker::linkModules(module, std::move(*image), Linker::LinkOnlyNeeded))
        return failure("The device images of kernel '" + kernel + "' cannot be linked with each other.");
    }
    progress = bitcode.size() > 1 && count_definitions(module) != defined_before;
  }
  return Error::success();
}

image_part part_for(const request& request) {
  if (request.images.size() != 1 || !request.functions.empty())
    return {};
  SmallVector<StringRef, 8> symbols = {StringRef(request.kernel)};
  for (const specialization_constant& constant : request.constants)
    symbols.push_back(constant.symbol);
  for (const device_global& global : request.device_globals)
    symbols.push_back(global.symbol);
  return part_of_image(request.images.front(), symbols);
}

Expected<std::unique_ptr<Module>> load_device_module(LLVMContext& context, ArrayRef<StringRef> bitcode,
                                                     const request& request, StringRef kernel) {
  if (bitcode.empty())
    return failure("No device image was given for kernel '" + kernel + "'.");
  auto module = std::make_unique<Module>(kernel, context);
  // The wish that makes LinkOnlyNeeded fetch the kernel; its type is settled by the definition.
  FunctionType* type = FunctionType::get(Type::getVoidTy(context), {PointerType::get(context, 0)}, false);
  Function::Create(type, Function::ExternalLinkage, kernel, *module);
  wish_for_definitions(*module, request.functions);
  const image_part part = part_for(request);
  const StringRef part_bitcode = toStringRef(ArrayRef(part.bitcode));
  if (Error error = link_images(*module, part_bitcode.empty() ? bitcode : part_bitcode, request, kernel))
    return error;
  if (Error error = define_replaced_functions(*module, request.functions, kernel))
    return error;

  Function* entry = module->getFunction(kernel);
  if (entry == nullptr || entry->isDeclaration())
    return failure("Kernel '" + kernel + "' is not defined in the device images it was submitted with.");
  if (entry->arg_size() != 1 || !entry->getReturnType()->isVoidTy())
    return failure("Kernel '" + kernel + "' does not have the form void(const Function*).");
  describe_device_globals(*entry, request);
  for (GlobalValue& value : module->global_values()) {
    if (value.isDeclaration())
      continue;
    value.setVisibility(GlobalValue::DefaultVisibility);
    const auto* variable = dyn_cast<GlobalVariable>(&value);
    if (variable == nullptr || !is_work_group_variable(*variable)) // of whose memory nothing is known yet
      value.setLinkage(GlobalValue::InternalLinkage);
    if (auto* object = dyn_cast<GlobalObject>(&value))
      object->setComdat(nullptr);
  }
  return module;
}

} // namespace falx::jit
