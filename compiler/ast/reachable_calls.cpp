// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reachable_calls.hpp"

#include "diagnostics_constants.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"

namespace falx::compiler {

namespace {

using visitor =
    llvm::function_ref<bool(const clang::FunctionDecl&, clang::SourceLocation, const clang::CallExpr*)>;

class call_walk : public clang::ConstStmtVisitor<call_walk> {
public:
  call_walk(const clang::ASTContext& context, visitor visit) : context_(context), visit_(visit) {}

  void look_into(const clang::FunctionDecl& function) {
    const clang::FunctionDecl* definition = nullptr;
    if (!function.hasBody(definition) || !seen_.insert(definition->getCanonicalDecl()).second)
      return;
    if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
      for (const clang::CXXCtorInitializer* initializer : constructor->inits())
        walk(initializer->getInit());
    walk(definition->getBody());
  }

  void VisitStmt(const clang::Stmt* statement) {
    for (const clang::Stmt* child : statement->children())
      walk(child);
  }
  void VisitIfStmt(const clang::IfStmt* statement) {
    if (statement->isConsteval())
      return walk(statement->isNegatedConsteval() ? statement->getThen() : statement->getElse());
    std::optional<bool> known = constant_condition(context_, *statement->getCond());
    if (!known)
      known = target_condition(*statement->getCond());
    walk(statement->getInit());
    walk_choice(known, statement->getCond(), statement->getThen(), statement->getElse());
  }
  void VisitCompoundStmt(const clang::CompoundStmt* statement) {
    bool is_reached = true;
    for (const clang::Stmt* child : statement->body()) {
      is_reached |= can_be_jumped_into(child);
      if (is_reached)
        walk(child);
      is_reached &= !always_returns(child);
    }
  }
  void VisitConditionalOperator(const clang::ConditionalOperator* choice) {
    walk_choice(constant_condition(context_, *choice->getCond()), choice->getCond(), choice->getTrueExpr(),
                choice->getFalseExpr());
  }
  void VisitBinaryOperator(const clang::BinaryOperator* operation) {
    walk(operation->getLHS());
    const std::optional<bool> known =
        operation->isLogicalOp() ? constant_condition(context_, *operation->getLHS()) : std::nullopt;
    if (!known || *known == (operation->getOpcode() == clang::BO_LAnd))
      walk(operation->getRHS());
  }
  void VisitSwitchStmt(const clang::SwitchStmt* statement) {
    walk(statement->getInit());
    walk(statement->getCond());
    // Which of the cases are met is not looked into.
    if (!constant_condition(context_, *statement->getCond()))
      walk(statement->getBody());
  }
  void VisitConstantExpr(const clang::ConstantExpr*) {}
  void VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr*) {}
  void VisitCXXNoexceptExpr(const clang::CXXNoexceptExpr*) {}
  void VisitRequiresExpr(const clang::RequiresExpr*) {}
  void VisitLambdaExpr(const clang::LambdaExpr* expression) {
    // The body is looked into where it is called.
    for (const clang::Expr* capture : expression->capture_inits())
      walk(capture);
  }
  void VisitCallExpr(const clang::CallExpr* call) {
    VisitStmt(call);
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      meet(*callee, call->getExprLoc(), call);
  }
  void VisitCXXConstructExpr(const clang::CXXConstructExpr* expression) {
    VisitStmt(expression);
    meet(*expression->getConstructor(), expression->getExprLoc(), nullptr);
  }

private:
  /// Is it an `if` of a constant condition whose branch ends with a return, or a return?
  bool always_returns(const clang::Stmt* statement) const {
    if (const auto* compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(statement))
      statement = compound->body_empty() ? nullptr : compound->body_back();
    if (const auto* chosen = llvm::dyn_cast_or_null<clang::IfStmt>(statement)) {
      if (chosen->isConsteval())
        return false;
      const std::optional<bool> known = constant_condition(context_, *chosen->getCond());
      return known && always_returns(*known ? chosen->getThen() : chosen->getElse());
    }
    return llvm::isa_and_nonnull<clang::ReturnStmt>(statement);
  }
  /// \p known is the value of the condition, if there is no other.
  void walk_choice(std::optional<bool> known, const clang::Stmt* condition, const clang::Stmt* if_true,
                   const clang::Stmt* if_false) {
    if (!known)
      walk(condition);
    if (known.value_or(true))
      walk(if_true);
    if (!known.value_or(false))
      walk(if_false);
  }
  void walk(const clang::Stmt* statement) {
    if (statement != nullptr)
      Visit(statement);
  }
  void meet(const clang::FunctionDecl& callee, clang::SourceLocation location, const clang::CallExpr* call) {
    const bool is_library = context_.getSourceManager().isInSystemHeader(location);
    const clang::SourceLocation outer = user_call_;
    if (!is_library || user_call_.isInvalid())
      user_call_ = location;
    if (visit_(callee, user_call_, call))
      look_into(callee);
    user_call_ = outer;
  }

  const clang::ASTContext& context_;
  visitor visit_;
  llvm::DenseSet<const clang::FunctionDecl*> seen_;
  clang::SourceLocation user_call_;
};

} // namespace

void for_each_reachable_call(const clang::FunctionDecl& root, visitor visit) {
  call_walk(root.getASTContext(), visit).look_into(root);
}

} // namespace falx::compiler
