// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dead_branches.hpp"

#include "diagnostics_constants.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

#include <optional>

namespace falx::compiler {

namespace {

/// The branch of an `if` or `?:` that its constant condition never takes, and nothing else comes to; null if
/// there is none.
const clang::Stmt* branch_never_taken(const clang::Stmt& code, const clang::ASTContext& context) {
  const auto excluded = [&](const clang::Expr* condition, const clang::Stmt* taken,
                            const clang::Stmt* otherwise) -> const clang::Stmt* {
    const std::optional<bool> known =
        condition != nullptr ? constant_condition(context, *condition) : std::nullopt;
    const clang::Stmt* branch = known.value_or(true) ? otherwise : taken;
    return known && !can_be_jumped_into(branch) ? branch : nullptr;
  };
  if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(&code))
    return excluded(choice->getCond(), choice->getThen(), choice->getElse());
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(&code))
    return excluded(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
  return nullptr;
}

/// Whether \p code, which \p is_dead itself or not, has the expression that makes the \p lambda in a dead
/// branch.
bool has_dead(const clang::Stmt* code, const clang::CXXRecordDecl& lambda, bool is_dead) {
  if (code == nullptr)
    return false;
  const auto* expression = llvm::dyn_cast<clang::LambdaExpr>(code);
  if (expression != nullptr && expression->getLambdaClass() == &lambda)
    return is_dead;
  const clang::Stmt* dead = branch_never_taken(*code, lambda.getASTContext());
  return llvm::any_of(code->children(), [&](const clang::Stmt* part) {
    return has_dead(part, lambda, is_dead || (part != nullptr && part == dead));
  });
}

} // namespace

bool is_in_dead_branch(const clang::CXXRecordDecl& lambda) {
  const clang::CXXRecordDecl* inner = &lambda;
  while (inner != nullptr && inner->isLambda()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(inner->getDeclContext());
    if (function == nullptr)
      return false;
    if (has_dead(function->getBody(), *inner, false))
      return true;
    inner = llvm::dyn_cast<clang::CXXRecordDecl>(function->getDeclContext());
  }
  return false;
}

} // namespace falx::compiler
