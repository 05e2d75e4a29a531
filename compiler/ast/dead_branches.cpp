// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dead_branches.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"

namespace falx::compiler {

namespace {

/// Looks for the expression that makes a lambda.
class lambda_search {
public:
  lambda_search(const clang::CXXRecordDecl& lambda, const clang::ASTContext& context)
      : lambda_(lambda), context_(context) {}

  /// Whether \p code has the lambda in a branch that is never taken.
  bool is_dead_in(const clang::Stmt* code) const {
    if (code == nullptr)
      return false;
    if (const auto* choice = llvm::dyn_cast<clang::IfStmt>(code))
      return is_dead_in(choice->getCond()) ||
             is_dead_in(choice->getCond(), choice->getThen(), choice->getElse());
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(code))
      return is_dead_in(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr());
    return llvm::any_of(code->children(), [&](const clang::Stmt* part) { return is_dead_in(part); });
  }

private:
  bool is_dead_in(const clang::Expr* condition, const clang::Stmt* taken,
                  const clang::Stmt* otherwise) const {
    bool value = false;
    const bool is_constant = condition != nullptr && !condition->isValueDependent() &&
                             condition->EvaluateAsBooleanCondition(value, context_);
    if (is_constant && contains(value ? otherwise : taken))
      return true;
    return is_dead_in(taken) || is_dead_in(otherwise);
  }

  bool contains(const clang::Stmt* code) const {
    if (code == nullptr)
      return false;
    const auto* expression = llvm::dyn_cast<clang::LambdaExpr>(code);
    if (expression != nullptr && expression->getLambdaClass() == &lambda_)
      return true;
    return llvm::any_of(code->children(), [&](const clang::Stmt* part) { return contains(part); });
  }

  const clang::CXXRecordDecl& lambda_;
  const clang::ASTContext& context_;
};

} // namespace

bool is_in_dead_branch(const clang::CXXRecordDecl& lambda) {
  const clang::CXXRecordDecl* inner = &lambda;
  while (inner != nullptr && inner->isLambda()) {
    const auto* function = llvm::dyn_cast<clang::FunctionDecl>(inner->getDeclContext());
    if (function == nullptr)
      return false;
    if (lambda_search(*inner, inner->getASTContext()).is_dead_in(function->getBody()))
      return true;
    inner = llvm::dyn_cast<clang::CXXRecordDecl>(function->getDeclContext());
  }
  return false;
}

} // namespace falx::compiler
