// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Before:
//   call void @llvm.var.annotation(ptr %out, ptr @restrict, ptr @file, i32 1, ptr null)
//   store ptr %p, ptr %out
//   %in = load ptr, ptr %other
//   %v = load float, ptr %in
//   %to = load ptr, ptr %out
//   store float %v, ptr %to
// After:
//   call void @llvm.experimental.noalias.scope.decl(metadata !{!out})
//   store ptr %p, ptr %out
//   %in = load ptr, ptr %other
//   %v = load float, ptr %in, !noalias !{!out}
//   %to = load ptr, ptr %out
//   store float %v, ptr %to, !alias.scope !{!out}
//
// That is what LLVM makes of a restricted parameter when it inlines the function. Variables that are assigned
// to, or whose pointer goes anywhere but into addresses, are as they were without restrict.
#include "restrictions.hpp"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

namespace {

using scopes = llvm::SmallMapVector<const llvm::AllocaInst*, llvm::MDNode*, 4>;

bool is_ours(const llvm::IntrinsicInst& annotation) {
  const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(annotation.getArgOperand(1)->stripPointerCasts());
  const auto* data = text != nullptr && text->hasInitializer()
                         ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer())
                         : nullptr;
  return data != nullptr && data->isCString() && data->getAsCString() == "falx.restrict";
}

/// Is \p pointer, and what is computed from it, only where memory is accessed?
bool is_only_accessed(const llvm::Value& pointer) {
  return llvm::all_of(pointer.uses(), [](const llvm::Use& use) {
    const llvm::User* user = use.getUser();
    if (llvm::isa<llvm::LoadInst>(user))
      return true;
    if (llvm::isa<llvm::StoreInst>(user))
      return use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex();
    return llvm::isa<llvm::GetElementPtrInst>(user) && is_only_accessed(*user);
  });
}

bool is_followed(const llvm::AllocaInst& variable) {
  unsigned stores = 0;
  for (const llvm::Use& use : variable.uses()) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(use.getUser())) {
      if (!load->getType()->isPointerTy() || !is_only_accessed(*load))
        return false;
    } else if (llvm::isa<llvm::StoreInst>(use.getUser())) {
      stores += use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex() ? 1 : 2;
    } else if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(use.getUser());
               intrinsic == nullptr || !intrinsic->isAssumeLikeIntrinsic()) {
      return false;
    }
  }
  return stores == 1;
}

void annotate(llvm::Instruction& access, const scopes& variables) {
  const llvm::Value* address = llvm::getLoadStorePointerOperand(&access);
  const llvm::Value* base = address != nullptr ? llvm::getUnderlyingObject(address, 0) : nullptr;
  if (base == nullptr || llvm::isa<llvm::AllocaInst>(base))
    return;
  const auto* through = llvm::dyn_cast<llvm::LoadInst>(base);
  const auto* own = through != nullptr
                        ? variables.find(llvm::dyn_cast<llvm::AllocaInst>(through->getPointerOperand()))
                        : variables.end();
  llvm::SmallVector<llvm::Metadata*, 4> others;
  for (const auto& variable : variables)
    if (&variable != own)
      others.push_back(variable.second);
  llvm::LLVMContext& context = access.getContext();
  if (own != variables.end())
    access.setMetadata(llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context, {own->second}));
  if (!others.empty())
    access.setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context, others));
}

bool keep_restrictions(llvm::Function& function) {
  llvm::SmallVector<llvm::IntrinsicInst*, 4> annotations;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::var_annotation && is_ours(*call))
      annotations.push_back(call);
  if (annotations.empty())
    return false;
  scopes variables;
  llvm::MDBuilder builder(function.getContext());
  llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain(function.getName());
  for (llvm::IntrinsicInst* annotation : annotations) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(annotation->getArgOperand(0));
    if (variable != nullptr && is_followed(*variable)) {
      llvm::MDNode* scope = builder.createAnonymousAliasScope(domain);
      variables[variable] = scope;
      llvm::IRBuilder<>(annotation)
          .CreateNoAliasScopeDeclaration(llvm::MDNode::get(function.getContext(), {scope}));
    }
    annotation->eraseFromParent();
  }
  if (!variables.empty())
    for (llvm::Instruction& instruction : llvm::instructions(function))
      annotate(instruction, variables);
  return true;
}

} // namespace

bool keep_restrictions(llvm::Module& module) {
  bool changed = false;
  if (llvm::Intrinsic::getDeclarationIfExists(&module, llvm::Intrinsic::var_annotation,
                                              {llvm::PointerType::getUnqual(module.getContext()),
                                               llvm::PointerType::getUnqual(module.getContext())}))
    for (llvm::Function& function : module)
      changed |= keep_restrictions(function);
  return changed;
}

} // namespace falx::compiler
