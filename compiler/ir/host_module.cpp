// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The host side of a translation unit with kernels.
//
// Before:
//   %d = call ptr @falx_kernel_descriptor_of(ptr @entry, ptr @text, ptr @name)
//   define internal void @entry(ptr %f) { …the kernel… }
//
// After:
//   @falx.image = private constant [n x i8] c"…", section ".llvm.offloading"
//   @falx.image_registration = internal global { i64 7, ptr @falx.image, ptr …end, ptr null, ptr null,
//                                                ptr @falx.kernels, i64 1, ptr null, i64 0, ptr null, i64 0 }
//   @falx.kernel.entry = internal global { ptr c"entry", ptr @falx.image_registration, ptr null, ptr @name
//   }
//   @falx.kernels = private constant [1 x ptr] [ptr @falx.kernel.entry]
//   …and %d replaced by @falx.kernel.entry, @entry gone, registration in llvm.global_ctors.
#include "host_module.hpp"

#include "dynamic_functions.hpp"
#include "falx/kernel.hpp"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/ProfileData/InstrProf.h"
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
                               llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::LLVMContext& context = host.getContext();
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
  auto* function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, host);
  function->setDoesNotThrow();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
  llvm::SmallVector<llvm::Type*, 2> types;
  for (const llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      host.getOrInsertFunction(runtime_function, llvm::FunctionType::get(builder.getVoidTy(), types, false));
  builder.CreateCall(callee, arguments);
  builder.CreateRetVoid();
  return function;
}

// A table of pointers; null if it is empty.
llvm::Constant* make_table(llvm::Module& host, llvm::ArrayRef<llvm::Constant*> pointers,
                           llvm::StringRef name) {
  auto* pointer = llvm::PointerType::getUnqual(host.getContext());
  if (pointers.empty())
    return llvm::ConstantPointerNull::get(pointer);
  auto* type = llvm::ArrayType::get(pointer, pointers.size());
  return new llvm::GlobalVariable(host, type, true, llvm::GlobalValue::PrivateLinkage,
                                  llvm::ConstantArray::get(type, pointers), name);
}

// Without its contents, which refer to kernels that refer to it.
llvm::GlobalVariable* make_registration(llvm::Module& host) {
  llvm::LLVMContext& context = host.getContext();
  auto* pointer = llvm::PointerType::getUnqual(context);
  auto* word = llvm::Type::getInt64Ty(context);
  auto* type = llvm::StructType::get(
      context, {word, pointer, pointer, pointer, pointer, pointer, word, pointer, word, pointer, word});
  return new llvm::GlobalVariable(host, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantAggregateZero::get(type), "falx.image_registration");
}

void register_image(llvm::Module& host, llvm::GlobalVariable* registration, llvm::GlobalVariable* image,
                    llvm::ArrayRef<llvm::Constant*> kernels, llvm::ArrayRef<llvm::Constant*> constants,
                    llvm::ArrayRef<llvm::Constant*> globals) {
  auto* word = llvm::Type::getInt64Ty(host.getContext());
  auto* null = llvm::ConstantPointerNull::get(llvm::PointerType::getUnqual(host.getContext()));
  auto* end = llvm::ConstantExpr::getInBoundsGetElementPtr(
      image->getValueType(), image, llvm::ArrayRef<llvm::Constant*>{llvm::ConstantInt::get(word, 1)});
  registration->setInitializer(llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(word, INTERFACE_VERSION), image, end, null, null,
       make_table(host, kernels, "falx.kernels"), llvm::ConstantInt::get(word, kernels.size()),
       make_table(host, constants, "falx.constants"), llvm::ConstantInt::get(word, constants.size()),
       make_table(host, globals, "falx.device_globals"), llvm::ConstantInt::get(word, globals.size())}));
  register_object(host, registration, "falx.register_image", "falx_register_image", "falx.unregister_image",
                  "falx_unregister_image");
}

// The table by which the runtime finds functions that the program passes by their addresses.
void register_functions(llvm::Module& host, llvm::ArrayRef<function_address> functions) {
  if (functions.empty())
    return;
  llvm::SmallVector<llvm::Constant*> rows;
  for (const function_address& each : functions)
    rows.push_back(llvm::ConstantStruct::getAnon({each.function, each.descriptor}));
  auto* type = llvm::ArrayType::get(rows.front()->getType(), rows.size());
  auto* table = new llvm::GlobalVariable(host, type, true, llvm::GlobalValue::PrivateLinkage,
                                         llvm::ConstantArray::get(type, rows), "falx.function_addresses");
  auto* count = llvm::ConstantInt::get(llvm::Type::getInt64Ty(host.getContext()), rows.size());
  llvm::appendToGlobalCtors(
      host, make_registrar(host, "falx.register_functions", "falx_register_functions", {table, count}),
      REGISTRATION_PRIORITY);
  llvm::appendToGlobalDtors(
      host, make_registrar(host, "falx.unregister_functions", "falx_unregister_functions", {table}),
      REGISTRATION_PRIORITY);
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
  auto* value = llvm::ConstantStruct::getAnon({name, registration, null, null});
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

using descriptor_map = llvm::MapVector<const llvm::Function*, llvm::GlobalVariable*>;

descriptor_map make_descriptors(llvm::Module& host, const device_annotations& annotations,
                                llvm::GlobalVariable* registration) {
  descriptor_map descriptors;
  for (const auto& [kernel, annotation] : annotations.kernels)
    if (!kernel->isDeclaration())
      descriptors[kernel] = make_descriptor(host, *kernel, registration);
  return descriptors;
}

// The query's third argument, falx::kernel_name, becomes the descriptor's last field.
void name_kernel(llvm::GlobalVariable& descriptor, const llvm::CallBase& query) {
  auto* name = llvm::dyn_cast<llvm::Constant>(query.getArgOperand(2));
  auto* fields = llvm::cast<llvm::ConstantStruct>(descriptor.getInitializer());
  if (name != nullptr)
    descriptor.setInitializer(llvm::ConstantStruct::getAnon(
        {fields->getOperand(0), fields->getOperand(1), fields->getOperand(2), name}));
}

void replace_descriptor_queries(llvm::Module& host, const descriptor_map& descriptors) {
  llvm::Function* query = host.getFunction("falx_kernel_descriptor_of");
  if (query == nullptr)
    return;
  llvm::SmallVector<llvm::CallBase*> calls;
  for (llvm::User* user : query->users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call != nullptr && call->getCalledOperand() == query)
      calls.push_back(call);
  // What finds the descriptor of a kernel that somebody asks for was kept for the kernel's sake.
  llvm::SmallPtrSet<const llvm::Constant*, 8> callers;
  for (const llvm::CallBase* call : calls)
    callers.insert(call->getFunction());
  llvm::removeFromUsedLists(host, [&](const llvm::Constant* constant) {
    return callers.contains(llvm::cast<llvm::Constant>(constant->stripPointerCasts()));
  });
  for (llvm::CallBase* call : calls) {
    auto* kernel = llvm::dyn_cast<llvm::Function>(call->getArgOperand(0)->stripPointerCasts());
    if (llvm::GlobalVariable* descriptor = descriptors.lookup(kernel)) {
      name_kernel(*descriptor, *call);
      replace_call(*call, descriptor);
    }
  }
}

// What a removal of functions must keep for -fcoverage-mapping: the mapping speaks of all functions, and
// looks up their names. The names of functions with a body are found through their counters; those of all
// others, and from now on those of the functions removed, stand in a list that nothing refers to until the
// counters are lowered.
class coverage_names {
public:
  explicit coverage_names(llvm::Module& host)
      : host_(host), of_functions_without_body_(host.getNamedGlobal(llvm::getCoverageUnusedNamesVarName())) {
    if (host.getNamedGlobal(llvm::getCoverageMappingVarName()) == nullptr)
      return;
    for (llvm::GlobalVariable& variable : host.globals())
      if (variable.getName().starts_with(llvm::getInstrProfNameVarPrefix()) && !variable.use_empty())
        names_.push_back(&variable);
    kept_.append(names_.begin(), names_.end());
    if (of_functions_without_body_ != nullptr)
      kept_.push_back(of_functions_without_body_);
    llvm::appendToCompilerUsed(host, kept_);
  }

  void list_those_of_removed_functions() {
    if (kept_.empty())
      return;
    llvm::removeFromUsedLists(host_, [&](llvm::Constant* constant) {
      return llvm::is_contained(kept_, constant->stripPointerCasts());
    });
    llvm::SmallVector<llvm::Constant*> listed;
    if (of_functions_without_body_ != nullptr)
      for (llvm::Value* name : of_functions_without_body_->getInitializer()->operands())
        listed.push_back(llvm::cast<llvm::Constant>(name));
    for (llvm::GlobalVariable* name : names_) {
      name->removeDeadConstantUsers();
      if (name->use_empty())
        listed.push_back(name);
    }
    auto* type = llvm::ArrayType::get(llvm::PointerType::getUnqual(host_.getContext()), listed.size());
    auto* list = new llvm::GlobalVariable(host_, type, true, llvm::GlobalValue::InternalLinkage,
                                          llvm::ConstantArray::get(type, listed));
    if (of_functions_without_body_ != nullptr) {
      list->takeName(of_functions_without_body_);
      of_functions_without_body_->eraseFromParent();
    } else {
      list->setName(llvm::getCoverageUnusedNamesVarName());
    }
  }

private:
  llvm::Module& host_;
  llvm::GlobalVariable* of_functions_without_body_;
  llvm::SmallVector<llvm::GlobalVariable*> names_;
  llvm::SmallVector<llvm::GlobalValue*> kept_;
};

void remove_kernel_bodies(llvm::Module& host, const device_annotations& annotations) {
  coverage_names names(host);
  for (const auto& [kernel, annotation] : annotations.kernels) {
    if (kernel->isDeclaration())
      continue;
    kernel->removeDeadConstantUsers();
    if (kernel->use_empty()) {
      kernel->eraseFromParent();
      continue;
    }
    // The program took the address; calling a kernel on the host has no meaning.
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
  names.list_those_of_removed_functions();
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

void register_object(llvm::Module& host, llvm::GlobalVariable* object, llvm::StringRef registrar,
                     llvm::StringRef runtime_function, llvm::StringRef unregistrar,
                     llvm::StringRef ending_runtime_function) {
  llvm::appendToGlobalCtors(host, make_registrar(host, registrar, runtime_function, object),
                            REGISTRATION_PRIORITY);
  llvm::appendToGlobalDtors(host, make_registrar(host, unregistrar, ending_runtime_function, object),
                            REGISTRATION_PRIORITY);
}

void rewrite_host_module(llvm::Module& host, const device_annotations& annotations, llvm::StringRef image,
                         llvm::ArrayRef<llvm::Function*> imports, llvm::ArrayRef<llvm::Constant*> constants,
                         llvm::ArrayRef<llvm::Constant*> globals) {
  llvm::GlobalVariable* registration = make_registration(host);
  const descriptor_map descriptors = make_descriptors(host, annotations, registration);
  llvm::SmallVector<llvm::Constant*> kernels;
  for (const auto& [kernel, descriptor] : descriptors)
    kernels.push_back(descriptor);
  register_image(host, registration, embed_image(host, image), kernels, constants, globals);
  register_functions(host, describe_dynamic_functions(host, annotations, *registration));
  keep_imports_linked(host, imports);
  replace_descriptor_queries(host, descriptors);
  remove_kernel_bodies(host, annotations);
}

} // namespace falx::compiler
