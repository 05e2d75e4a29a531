// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, in the image with the kernel, if @f is replaced by @g and @h:
//   define void @kernel(ptr %object) {
//     call void @f(i32 %i)
//   declare void @f(i32) "falx-dynamic"
// After take_out_replaced_functions:
//     call void @falx.replaced.0(i32 %i)
// After the linking of images, which fetches @g and @h, and define_replaced_functions:
//   define internal void @falx.replaced.0(i32 %i) alwaysinline {
//     call void @g(i32 %i)
//     call void @h(i32 %i)
//     ret void
//   }
//
// A single definition takes the function's place without a wrapper. Definitions with internal linkage are
// fetched by a name that says which image they are in. Since calls are redirected before bodies are read,
// a function can be replaced and be another's definition at the same time.

#include "function_replacements.hpp"
#include "kernel_attributes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <string>

using namespace llvm;

namespace falx::jit {

static std::string name_of_replaced(std::size_t index) {
  return "falx.replaced." + std::to_string(index);
}

static std::string name_of(const image_function& definition) {
  const StringRef symbol = definition.symbol;
  return definition.is_exported ? symbol.str()
                                : ("falx.definition." + Twine(definition.image) + "." + symbol).str();
}

void wish_for_definitions(Module& module, ArrayRef<function_replacement> functions) {
  // The type is settled by the definition.
  FunctionType* type = FunctionType::get(Type::getVoidTy(module.getContext()), false);
  for (const function_replacement& replacement : functions)
    for (const image_function& definition : replacement.definitions)
      module.getOrInsertFunction(name_of(definition), type);
}

void take_out_replaced_functions(Module& image, std::size_t index, ArrayRef<function_replacement> functions) {
  for (const auto& [number, replacement] : enumerate(functions)) {
    Function* replaced = image.getFunction(replacement.function);
    if (replaced == nullptr || (replacement.only_image >= 0 && std::size_t(replacement.only_image) != index))
      continue;
    Function* declaration = Function::Create(replaced->getFunctionType(), GlobalValue::ExternalLinkage,
                                             name_of_replaced(number), image);
    declaration->copyAttributesFrom(replaced);
    declaration->setVisibility(GlobalValue::DefaultVisibility);
    declaration->setComdat(nullptr);
    declaration->setPersonalityFn(nullptr);
    replaced->replaceAllUsesWith(declaration);
  }
  for (const function_replacement& replacement : functions)
    for (const image_function& definition : replacement.definitions) {
      Function* function = image.getFunction(definition.symbol);
      if (definition.is_exported || definition.image != index || function == nullptr ||
          function->isDeclaration())
        continue;
      function->setName(name_of(definition));
      function->setLinkage(GlobalValue::ExternalLinkage);
    }
}

/// A function of the type and with the parameter attributes of \p declaration that calls all of \p functions.
static void define_as_sequence(Function& declaration, ArrayRef<Function*> functions) {
  IRBuilder<> builder(BasicBlock::Create(declaration.getContext(), "", &declaration));
  SmallVector<Value*> arguments;
  for (Argument& argument : declaration.args())
    arguments.push_back(&argument);
  for (Function* function : functions) {
    CallInst* call = builder.CreateCall(function, arguments);
    call->setCallingConv(function->getCallingConv());
    for (unsigned i = 0; i < arguments.size(); ++i)
      for (Attribute attribute : declaration.getAttributes().getParamAttrs(i))
        call->addParamAttr(i, attribute);
  }
  builder.CreateRetVoid();
  declaration.setLinkage(GlobalValue::InternalLinkage);
  declaration.addFnAttr(Attribute::AlwaysInline);
}

/// The definitions of one function. Fails if one of them is missing or of another type.
static Expected<SmallVector<Function*>> definitions_in(Module& module, const Function& declaration,
                                                       const function_replacement& replacement,
                                                       StringRef kernel) {
  SmallVector<Function*> found;
  const std::string name = demangle(replacement.function);
  for (const image_function& definition : replacement.definitions) {
    Function* function = module.getFunction(name_of(definition));
    const std::string definition_name = demangle(definition.symbol);
    if (function == nullptr || function->isDeclaration())
      return failure("Kernel '" + kernel + "': dynamic function '" + name + "' is to be defined by '" +
                     definition_name +
                     "', which no device code defines; define it in the file that names it, " +
                     "or declare it SYCL_EXTERNAL.");
    if (function->getFunctionType() != declaration.getFunctionType())
      return failure("Kernel '" + kernel + "': dynamic function '" + name + "' cannot be defined by '" +
                     definition_name + "', which has another type.");
    found.push_back(function);
  }
  if (found.size() != 1 && !declaration.getReturnType()->isVoidTy())
    return failure("Kernel '" + kernel + "': dynamic function '" + name +
                   "' returns a value; a sequence of calls can only define functions that return void.");
  return found;
}

static Error check_no_undefined_function(const Module& module, StringRef kernel) {
  for (const Function& function : module)
    if (function.isDeclaration() && function.hasFnAttribute("falx-dynamic") && !function.use_empty())
      return failure("Kernel '" + kernel + "' calls '" + demangle(function.getName().str()) +
                     "', a dynamic function without a definition of its own: launch the kernel with " +
                     "sycl::jit::dynamic_function_config::apply, and define the function there.");
  return Error::success();
}

Error define_replaced_functions(Module& module, ArrayRef<function_replacement> functions, StringRef kernel) {
  for (const auto& [number, replacement] : enumerate(functions)) {
    Function* declaration = module.getFunction(name_of_replaced(number));
    if (declaration == nullptr)
      continue; // the kernel does not call it
    Expected<SmallVector<Function*>> definitions = definitions_in(module, *declaration, replacement, kernel);
    if (!definitions)
      return definitions.takeError();
    if (definitions->size() == 1) {
      declaration->replaceAllUsesWith(definitions->front());
      declaration->eraseFromParent();
    } else {
      define_as_sequence(*declaration, *definitions);
    }
  }
  // Of functions that are not called after all.
  for (Function& function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        function.getName().starts_with("falx.definition."))
      function.eraseFromParent();
  return check_no_undefined_function(module, kernel);
}

} // namespace falx::jit
