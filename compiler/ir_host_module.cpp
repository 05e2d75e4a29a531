// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The host side of a translation unit with kernels.
//
// Before:
//   %d = call ptr @falx_kernel_descriptor_of(ptr @entry, ptr @name)
//   define internal void @entry(ptr %f) { …the kernel… }
//
// After:
//   @falx.image = private constant [n x i8] c"…", section ".llvm.offloading"
//   @falx.image_registration = internal global { i64 1, ptr @falx.image, ptr …end, ptr null, ptr null }
//   @falx.kernel.entry = internal global { ptr c"entry", ptr @falx.image_registration, ptr null }
//   …and %d replaced by @falx.kernel.entry, @entry gone, registration in llvm.global_ctors.
#include "ir_host_module.hpp"

#include "falx/kernel.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace falx::compiler {

namespace {

// The first priority that is not reserved for the C++ implementation: before every constructor of the user.
constexpr int REGISTRATION_PRIORITY = 101;

llvm::GlobalVariable* embed_image(llvm::Module& host, llvm::StringRef image) {
  llvm::LLVMContext& context = host.getContext();
  auto* bytes = llvm::ConstantDataArray::getString(context, image, /*AddNull=*/false);
  auto* variable = new llvm::GlobalVariable(host, bytes->getType(), /*isConstant=*/true,
                                            llvm::GlobalValue::PrivateLinkage, bytes, "falx.image");
  variable->setSection(".llvm.offloading");
  variable->setAlignment(llvm::Align(8));
  return variable;
}

llvm::Function* make_registrar(llvm::Module& host, llvm::StringRef name, llvm::StringRef runtime_function,
                               llvm::GlobalVariable* registration) {
  llvm::LLVMContext& context = host.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, host);
  function->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  llvm::FunctionCallee callee =
      host.getOrInsertFunction(runtime_function, builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(callee, registration);
  builder.CreateRetVoid();
  return function;
}

llvm::GlobalVariable* register_image(llvm::Module& host, llvm::GlobalVariable* image) {
  llvm::LLVMContext& context = host.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* word = llvm::Type::getInt64Ty(context);
  auto* null = llvm::ConstantPointerNull::get(pointer);
  auto* end = llvm::ConstantExpr::getInBoundsGetElementPtr(
      image->getValueType(), image, llvm::ArrayRef<llvm::Constant*>{llvm::ConstantInt::get(word, 1)});
  auto* value = llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(word, IMAGE_ABI_VERSION), image, end, null, null});
  auto* registration =
      new llvm::GlobalVariable(host, value->getType(), /*isConstant=*/false,
                               llvm::GlobalValue::InternalLinkage, value, "falx.image_registration");
  llvm::appendToGlobalCtors(host,
                            make_registrar(host, "falx.register_image", "falx_register_image", registration),
                            REGISTRATION_PRIORITY);
  llvm::appendToGlobalDtors(
      host, make_registrar(host, "falx.unregister_image", "falx_unregister_image", registration),
      REGISTRATION_PRIORITY);
  return registration;
}

// A kernel that several translation units instantiate has one descriptor per program or shared library:
// hidden, so that a library that is unloaded never holds the descriptor of another.
llvm::GlobalVariable* make_descriptor(llvm::Module& host, const llvm::Function& kernel,
                                      llvm::GlobalVariable* registration) {
  llvm::LLVMContext& context = host.getContext();
  auto* text = llvm::ConstantDataArray::getString(context, kernel.getName());
  auto* name = new llvm::GlobalVariable(host, text->getType(), true, llvm::GlobalValue::PrivateLinkage, text,
                                        "falx.kernel_name");
  name->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  auto* null = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(context));
  auto* value = llvm::ConstantStruct::getAnon({name, registration, null});
  const bool shared = !kernel.hasLocalLinkage();
  auto* descriptor = new llvm::GlobalVariable(host, value->getType(), false,
                                              shared ? llvm::GlobalValue::LinkOnceODRLinkage
                                                     : llvm::GlobalValue::InternalLinkage,
                                              value, "falx.kernel." + kernel.getName());
  if (shared) {
    descriptor->setVisibility(llvm::GlobalValue::HiddenVisibility);
    descriptor->setComdat(host.getOrInsertComdat(descriptor->getName()));
  }
  return descriptor;
}

void replace_call(llvm::CallBase& call, llvm::Constant* value) {
  call.replaceAllUsesWith(value);
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
    invoke->getUnwindDest()->removePredecessor(invoke->getParent());
    llvm::BranchInst::Create(invoke->getNormalDest(), invoke->getIterator());
  }
  call.eraseFromParent();
}

void replace_descriptor_queries(llvm::Module& host, const device_annotations& annotations,
                                llvm::GlobalVariable* registration) {
  llvm::Function* query = host.getFunction("falx_kernel_descriptor_of");
  if (query == nullptr)
    return;
  llvm::DenseMap<const llvm::Function*, llvm::GlobalVariable*> descriptors;
  llvm::SmallVector<llvm::CallBase*> calls;
  for (llvm::User* user : query->users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call != nullptr && call->getCalledOperand() == query)
      calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    auto* kernel = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
    if (kernel == nullptr || !annotations.kernels.contains(kernel) || kernel->isDeclaration())
      continue;
    llvm::GlobalVariable*& descriptor = descriptors[kernel];
    if (descriptor == nullptr)
      descriptor = make_descriptor(host, *kernel, registration);
    replace_call(*call, descriptor);
  }
}

void remove_kernel_bodies(llvm::Module& host, const device_annotations& annotations) {
  for (const auto& [kernel, annotation] : annotations.kernels) {
    if (kernel->isDeclaration())
      continue;
    kernel->removeDeadConstantUsers();
    if (kernel->use_empty()) {
      kernel->eraseFromParent();
      continue;
    }
    // Somebody took the address; calling a kernel on the host has no meaning.
    auto linkage = kernel->getLinkage();
    kernel->deleteBody();
    kernel->setLinkage(linkage);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(host.getContext(), "", kernel));
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::trap, {});
    builder.CreateUnreachable();
  }
  // What only kernels called goes with them, at -O0 too: its builtins have no meaning on the host.
  llvm::ModuleAnalysisManager analyses;
  llvm::PassBuilder().registerModuleAnalyses(analyses);
  llvm::GlobalDCEPass().run(host, analyses);
}

// A member of a static library that only device code refers to must still be linked.
void keep_imports_linked(llvm::Module& host, llvm::ArrayRef<llvm::Function*> imports) {
  if (imports.empty())
    return;
  llvm::SmallVector<llvm::Constant*> pointers(imports);
  auto* type = llvm::ArrayType::get(llvm::PointerType::getUnqual(host.getContext()), pointers.size());
  auto* table = new llvm::GlobalVariable(host, type, true, llvm::GlobalValue::PrivateLinkage,
                                         llvm::ConstantArray::get(type, pointers), "falx.imports");
  llvm::appendToCompilerUsed(host, {table});
}

} // namespace

void rewrite_host_module(llvm::Module& host, const device_annotations& annotations, llvm::StringRef image,
                         llvm::ArrayRef<llvm::Function*> imports) {
  llvm::GlobalVariable* registration = register_image(host, embed_image(host, image));
  keep_imports_linked(host, imports);
  replace_descriptor_queries(host, annotations, registration);
  remove_kernel_bodies(host, annotations);
}

} // namespace falx::compiler
