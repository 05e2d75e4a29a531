// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_constants.hpp"

#include "clang/AST/APValue.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace falx::compiler {

namespace {

/// More elements of an array than this are data, not a table of functions.
constexpr unsigned MAXIMUM_ELEMENTS = 1024;

const clang::FunctionDecl* function_in(const clang::APValue& value) {
  if (value.isLValue()) {
    const auto* declaration = value.getLValueBase().dyn_cast<const clang::ValueDecl*>();
    return llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
  }
  if (value.isMemberPointer())
    return llvm::dyn_cast_or_null<clang::FunctionDecl>(value.getMemberPointerDecl());
  return nullptr;
}

void add_functions_in(const clang::APValue& value,
                      llvm::SmallVectorImpl<const clang::FunctionDecl*>& result) {
  if (const clang::FunctionDecl* function = function_in(value))
    result.push_back(function);
  if (value.isStruct()) {
    for (unsigned i = 0; i < value.getStructNumBases(); ++i)
      add_functions_in(value.getStructBase(i), result);
    for (unsigned i = 0; i < value.getStructNumFields(); ++i)
      add_functions_in(value.getStructField(i), result);
  } else if (value.isUnion()) {
    add_functions_in(value.getUnionValue(), result);
  } else if (value.isArray() && value.getArrayInitializedElts() <= MAXIMUM_ELEMENTS) {
    for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
      add_functions_in(value.getArrayInitializedElt(i), result);
  }
}

} // namespace

bool is_device_constant(const clang::ASTContext& context, const clang::VarDecl& variable) {
  if (variable.getTLSKind() != clang::VarDecl::TLS_None)
    return false;
  const clang::VarDecl* with_initializer = nullptr;
  const clang::Expr* initializer = variable.getAnyInitializer(with_initializer);
  if (initializer == nullptr || initializer->isValueDependent())
    return false;
  if (with_initializer->isConstexpr())
    return true;
  const clang::QualType type = with_initializer->getType();
  if (!type->isReferenceType() && !context.getBaseElementType(type).isConstQualified())
    return false;
  if (type->isReferenceType() && !type.getNonReferenceType().isConstQualified())
    return false;
  return with_initializer->hasConstantInitialization() ||
         initializer->isConstantInitializer(const_cast<clang::ASTContext&>(context), type->isReferenceType());
}

/// Is it a class, or an array of objects of one, with the annotation?
static bool has_class_annotation(clang::QualType type, llvm::StringRef wanted) {
  if (type.isNull()) // of what a template passes to a base that depends on its parameters
    return false;
  const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr)
    return false;
  if (const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record))
    record = specialization->getSpecializedTemplate()->getTemplatedDecl();
  for (const auto* annotation : record->specific_attrs<clang::AnnotateAttr>())
    if (annotation->getAnnotation() == wanted)
      return true;
  return false;
}

bool is_device_global(clang::QualType type) {
  return has_class_annotation(type, "falx.device_global");
}

bool is_work_group_static(clang::QualType type) {
  return has_class_annotation(type, "falx.work_group_static");
}

bool is_device_global(const clang::VarDecl& variable) {
  return is_device_global(variable.getType());
}

bool is_initialized_by_compiler(const clang::VarDecl& variable) {
  if (variable.getInit() == nullptr || variable.isConstexpr())
    return true;
  return variable.getType().isConstQualified() && variable.getType()->isIntegralOrEnumerationType() &&
         variable.hasConstantInitialization();
}

llvm::SmallVector<const clang::FunctionDecl*, 4> functions_in_constant(const clang::VarDecl& variable) {
  llvm::SmallVector<const clang::FunctionDecl*, 4> result;
  const clang::QualType type = variable.getType();
  if (type->isArithmeticType() || type->isEnumeralType())
    return result;
  const clang::VarDecl* with_initializer = nullptr;
  const clang::Expr* initializer = variable.getAnyInitializer(with_initializer);
  if (initializer == nullptr || initializer->isValueDependent())
    return result;
  if (const clang::APValue* value = with_initializer->evaluateValue())
    add_functions_in(*value, result);
  return result;
}

std::optional<bool> target_condition(const clang::Expr& condition) {
  const clang::Expr* expression = condition.IgnoreParenImpCasts();
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(expression)) {
    const clang::FunctionDecl* callee = call->getDirectCallee();
    const clang::IdentifierInfo* name = callee != nullptr ? callee->getIdentifier() : nullptr;
    return name != nullptr && name->getName() == "__falx_is_device" ? std::optional(true) : std::nullopt;
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression);
      unary != nullptr && unary->getOpcode() == clang::UO_LNot) {
    const std::optional<bool> operand = target_condition(*unary->getSubExpr());
    return operand ? std::optional(!*operand) : std::nullopt;
  }
  const auto* logical = llvm::dyn_cast<clang::BinaryOperator>(expression);
  if (logical == nullptr || !logical->isLogicalOp())
    return std::nullopt;
  const bool deciding = logical->getOpcode() == clang::BO_LOr;
  const std::optional<bool> left = target_condition(*logical->getLHS());
  const std::optional<bool> right = target_condition(*logical->getRHS());
  if (left == deciding || right == deciding)
    return deciding;
  return left && right ? std::optional(!deciding) : std::nullopt;
}

std::optional<bool> constant_condition(const clang::ASTContext& context, const clang::Expr& condition) {
  clang::Expr::EvalResult result;
  if (condition.isValueDependent() || !condition.EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt().getBoolValue();
}

bool returns_on_devices(const clang::Stmt* statement) {
  const auto returns = [](const clang::Stmt* branch) {
    const auto* compound = llvm::dyn_cast_or_null<clang::CompoundStmt>(branch);
    const clang::Stmt* last = compound != nullptr && !compound->body_empty() ? compound->body_back() : branch;
    return llvm::isa_and_nonnull<clang::ReturnStmt>(last);
  };
  while (const auto* labelled = llvm::dyn_cast_or_null<clang::SwitchCase>(statement))
    statement = labelled->getSubStmt();
  const auto* chosen = llvm::dyn_cast_or_null<clang::IfStmt>(statement);
  if (chosen == nullptr || chosen->isConsteval() || chosen->getCond() == nullptr)
    return false;
  const std::optional<bool> known = target_condition(*chosen->getCond());
  return known && returns(*known ? chosen->getThen() : chosen->getElse());
}

static bool holds_label(const clang::Stmt* statement) {
  return statement != nullptr &&
         (llvm::isa<clang::LabelStmt>(statement) || llvm::any_of(statement->children(), holds_label));
}

bool can_be_jumped_into(const clang::Stmt* statement) {
  if (statement == nullptr)
    return false;
  if (llvm::isa<clang::SwitchStmt>(statement)) // whose cases are its own
    return holds_label(statement);
  if (llvm::isa<clang::LabelStmt, clang::SwitchCase>(statement))
    return true;
  return llvm::any_of(statement->children(), can_be_jumped_into);
}

const clang::FunctionDecl* constant_function(const clang::ASTContext& context, const clang::Expr& callee) {
  const clang::Expr* expression = callee.IgnoreParens();
  if (const auto* bound = llvm::dyn_cast<clang::BinaryOperator>(expression); bound && bound->isPtrMemOp())
    expression = bound->getRHS();
  clang::Expr::EvalResult result;
  if (expression->isValueDependent() || expression->getType()->isPlaceholderType() ||
      !expression->EvaluateAsRValue(result, context) || result.HasSideEffects)
    return nullptr;
  const clang::FunctionDecl* function = function_in(result.Val);
  const auto* method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  return method != nullptr && method->isVirtual() ? nullptr : function;
}

} // namespace falx::compiler
