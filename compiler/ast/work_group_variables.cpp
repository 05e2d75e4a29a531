// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_group_variables.hpp"

#include "diagnostics_constants.hpp"
#include "kernel_info.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"

#include "llvm/ADT/StringMap.h"

namespace falx::compiler {

namespace {

/// The class template; null if the translation unit does not have it.
const clang::ClassTemplateDecl* find_class(const clang::ASTContext& context) {
  const clang::DeclContext* scope = context.getTranslationUnitDecl();
  for (llvm::StringRef name : {"sycl", "ext", "oneapi", "experimental"}) {
    const clang::NamespaceDecl* inner = nullptr;
    for (const clang::NamedDecl* found : scope->lookup(&context.Idents.get(name)))
      if (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(found))
        inner = space;
    if (inner == nullptr)
      return nullptr;
    scope = inner;
  }
  for (const clang::NamedDecl* found : scope->lookup(&context.Idents.get("work_group_static")))
    if (const auto* wanted = llvm::dyn_cast<clang::ClassTemplateDecl>(found))
      return wanted;
  return nullptr;
}

class static_maker : public clang::DynamicRecursiveASTVisitor {
public:
  explicit static_maker(clang::ASTContext& context) : context_(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) override {
    if (!variable->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(variable) ||
        variable->getType()->isDependentType() || !is_work_group_static(variable->getType()))
      return true;
    variable->setStorageClass(clang::SC_Static);
    // Two blocks of a function may have variables of one name.
    context_.setManglingNumber(variable, ++numbers_[variable->getName()]);
    return true;
  }

private:
  clang::ASTContext& context_;
  llvm::StringMap<unsigned> numbers_;
};

} // namespace

void make_work_group_variables_static(clang::Decl& declaration) {
  clang::ASTContext& context = declaration.getASTContext();
  // Nearly all programs have none, so that a look at the class must do.
  if (const clang::ClassTemplateDecl* wanted = find_class(context);
      wanted != nullptr && !wanted->specializations().empty())
    static_maker(context).TraverseDecl(&declaration);
}

void note_work_group_variable(const clang::VarDecl& variable) {
  work_group_variables().insert(clang::ASTNameGenerator(variable.getASTContext()).getName(&variable));
}

} // namespace falx::compiler
