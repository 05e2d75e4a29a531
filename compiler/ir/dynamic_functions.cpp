// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions whose definition a launch chooses, on the host.
//
// Before:
//   call void @define(ptr %config, ptr @f, ptr @g)     ; of which the AST half says that it takes functions
//   declare void @f(i32)
//
// After:
//   call void @define(ptr %config, ptr @falx.declared_function.f, ptr @falx.function.g)
//   @falx.declared_function.f = linkonce_odr hidden constant { i64 mark, ptr c"f", ptr
//   @falx.image_registration,
//                                                              i64 0 }
//
// So @f needs no definition anywhere. The same function has descriptors under two names, as one of a
// translation unit that has the definition must never stand for one that has not, or the other way round.
#include "dynamic_functions.hpp"

#include "ast/dynamic_functions.hpp"
#include "falx/dynamic_functions.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

llvm::SmallVector<llvm::Function*> find_dynamic_functions(llvm::Module& host) {
  llvm::SmallVector<llvm::Function*> functions;
  for (const std::string& name : dynamic_functions().named)
    if (llvm::Function* function = host.getFunction(name))
      functions.push_back(function);
  return functions;
}

bool is_replaced(const llvm::Function& function) {
  return dynamic_functions().replaced.contains(function.getName().str());
}

void keep_replaceable(llvm::Function& function) {
  if (!is_replaced(function))
    return;
  function.addFnAttr("falx-dynamic");
  static constexpr llvm::Attribute::AttrKind PROMISES[] = {
      llvm::Attribute::AlwaysInline, llvm::Attribute::Memory,   llvm::Attribute::WillReturn,
      llvm::Attribute::MustProgress, llvm::Attribute::NoReturn, llvm::Attribute::NoSync,
  };
  for (llvm::Attribute::AttrKind promise : PROMISES) {
    function.removeFnAttr(promise);
    for (llvm::User* user : function.users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user))
        call->removeFnAttr(promise);
  }
}

namespace {

llvm::GlobalVariable* make_descriptor(llvm::Module& host, const llvm::Function& function,
                                      llvm::GlobalVariable& registration) {
  llvm::LLVMContext& context = host.getContext();
  auto* text = llvm::ConstantDataArray::getString(context, function.getName());
  auto* name = new llvm::GlobalVariable(host, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text,
                                        "falx.function_name");
  name->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  auto* word = llvm::Type::getInt64Ty(context);
  const bool is_local = function.hasLocalLinkage();
  auto* value = llvm::ConstantStruct::getAnon({llvm::ConstantInt::get(word, FUNCTION_DESCRIPTOR_MARK), name,
                                               &registration, llvm::ConstantInt::get(word, is_local)});
  const llvm::StringRef prefix = function.isDeclaration() ? "falx.declared_function." : "falx.function.";
  auto* descriptor = new llvm::GlobalVariable(host, value->getType(), true,
                                              is_local ? llvm::GlobalValue::InternalLinkage
                                                       : llvm::GlobalValue::LinkOnceODRLinkage,
                                              value, prefix + function.getName());
  if (!is_local) {
    descriptor->setVisibility(llvm::GlobalValue::HiddenVisibility);
    descriptor->setComdat(host.getOrInsertComdat(descriptor->getName()));
  }
  return descriptor;
}

} // namespace

llvm::SmallVector<function_address> describe_dynamic_functions(llvm::Module& host,
                                                               const device_annotations& annotations,
                                                               llvm::GlobalVariable& registration) {
  const std::set<std::string>& takers = dynamic_functions().takers;
  llvm::SetVector<llvm::Function*> functions = annotations.externals;
  functions.insert_range(annotations.dynamic_functions);
  llvm::SmallVector<function_address> addresses;
  for (llvm::Function* function : functions) {
    llvm::GlobalVariable* descriptor = nullptr;
    llvm::SmallVector<llvm::Use*> uses;
    for (llvm::Use& use : function->uses()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      const llvm::Function* taker = call != nullptr ? call->getCalledFunction() : nullptr;
      if (taker != nullptr && call->isArgOperand(&use) && takers.contains(taker->getName().str()))
        uses.push_back(&use);
    }
    for (llvm::Use* use : uses) {
      if (descriptor == nullptr)
        descriptor = make_descriptor(host, *function, registration);
      use->set(descriptor);
    }
    function->removeDeadConstantUsers(); // annotations, which are gone
    const bool may_define = !function->isDeclaration() || annotations.externals.contains(function);
    if (!may_define || !function->hasAddressTaken())
      continue;
    if (descriptor == nullptr)
      descriptor = make_descriptor(host, *function, registration);
    addresses.push_back({function, descriptor});
  }
  return addresses;
}

} // namespace falx::compiler
