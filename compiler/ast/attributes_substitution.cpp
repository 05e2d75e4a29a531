// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attributes_substitution.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"

namespace falx::compiler {

namespace {

/// The arguments of the templates around \p function, the innermost first. Explicit specializations are no
/// templates to what is inside them.
clang::MultiLevelTemplateArgumentList arguments_around(const clang::FunctionDecl& function) {
  clang::MultiLevelTemplateArgumentList result;
  for (const clang::DeclContext* context = &function; context != nullptr; context = context->getParent()) {
    auto* declaration = const_cast<clang::Decl*>(clang::Decl::castFromDeclContext(context));
    if (const auto* inner = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      const clang::TemplateArgumentList* arguments = inner->getTemplateSpecializationArgs();
      if (arguments != nullptr && inner->getTemplateSpecializationKind() != clang::TSK_ExplicitSpecialization)
        result.addOuterTemplateArguments(declaration, arguments->asArray(), /*Final=*/true);
    } else if (const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(declaration)) {
      if (!record->isExplicitSpecialization())
        result.addOuterTemplateArguments(declaration, record->getTemplateInstantiationArgs().asArray(),
                                         /*Final=*/true);
    }
  }
  return result;
}

void find_local_variables(const clang::Stmt* statement,
                          llvm::SmallVectorImpl<const clang::VarDecl*>& result) {
  if (statement == nullptr)
    return;
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable != nullptr && variable->getParentFunctionOrMethod() != nullptr)
      result.push_back(variable);
  }
  for (const clang::Stmt* child : statement->children())
    find_local_variables(child, result);
}

/// The variable that instantiation made of \p written, a local of a template around \p function.
clang::VarDecl* instance_of(const clang::VarDecl& written, const clang::FunctionDecl& function) {
  for (const clang::DeclContext* context = &function; context != nullptr; context = context->getParent()) {
    if (!context->isFunctionOrMethod() || context->isDependentContext())
      continue;
    for (clang::Decl* declaration : context->decls()) {
      auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
      if (variable != nullptr && variable->getLocation() == written.getLocation() &&
          variable->getDeclName() == written.getDeclName())
        return variable;
    }
  }
  return nullptr;
}

} // namespace

clang::Expr* substitute_argument(clang::Sema& sema, const clang::FunctionDecl& function,
                                 clang::Expr* argument) {
  clang::Sema::InstantiatingTemplate instantiating(sema, argument->getExprLoc(),
                                                   const_cast<clang::FunctionDecl*>(&function));
  if (instantiating.isInvalid())
    return nullptr;
  clang::LocalInstantiationScope scope(sema);
  llvm::SmallVector<const clang::VarDecl*> variables;
  find_local_variables(argument, variables);
  llvm::DenseSet<const clang::VarDecl*> known;
  // Sema must not think that the lambda captures the variables.
  clang::DeclContext* scope_of_variables = nullptr;
  for (const clang::VarDecl* variable : variables) {
    clang::VarDecl* instance = instance_of(*variable, function);
    if (instance == nullptr)
      return nullptr;
    if (known.insert(variable).second)
      scope.InstantiatedLocal(variable, instance);
    if (scope_of_variables == nullptr || scope_of_variables->Encloses(instance->getDeclContext()))
      scope_of_variables = instance->getDeclContext();
  }
  const clang::Sema::ContextRAII context(sema, scope_of_variables != nullptr ? scope_of_variables
                                                                             : sema.CurContext);
  const clang::EnterExpressionEvaluationContext constant(
      sema, clang::Sema::ExpressionEvaluationContext::ConstantEvaluated);
  const clang::ExprResult result = sema.SubstExpr(argument, arguments_around(function));
  return result.isUsable() && !result.get()->isValueDependent() ? result.get() : nullptr;
}

} // namespace falx::compiler
