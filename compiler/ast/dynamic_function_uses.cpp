// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dynamic_function_uses.hpp"

#include "diagnostic_ids.hpp"
#include "diagnostics.hpp"
#include "dynamic_functions.hpp"
#include "template_arguments.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/DenseSet.h"

#include <optional>

namespace falx::compiler {

namespace {

/// Whether the callee or its class is made for objects of class \p name, as
/// std::vector<name<…>>::emplace_back and std::make_shared<name<…>> are.
bool is_made_for(const clang::FunctionDecl& callee, llvm::StringRef name) {
  if (const clang::TemplateArgumentList* arguments = callee.getTemplateSpecializationArgs();
      arguments != nullptr && mentions(arguments->asArray(), name))
    return true;
  const auto* record = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(callee.getDeclContext());
  return record != nullptr && mentions(record->getTemplateArgs().asArray(), name);
}

/// How many of the functions that \p function takes are to be replaced; the others are definitions.
std::optional<std::size_t> replaced_count(const clang::FunctionDecl& function) {
  for (const auto* annotation : function.specific_attrs<clang::AnnotateAttr>()) {
    if (annotation->getAnnotation() != "falx.names_functions" || annotation->args_size() != 1)
      continue;
    const clang::Expr* count = *annotation->args_begin();
    if (const auto value = count->getIntegerConstantExpr(function.getASTContext()))
      return static_cast<std::size_t>(value->getZExtValue());
  }
  return std::nullopt;
}

/// The function that \p argument is the address of, by its name; null if it is something else.
const clang::FunctionDecl* function_named_by(const clang::Expr* argument) {
  while (true) {
    argument = argument->IgnoreParenImpCasts();
    if (const auto* substituted = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(argument))
      argument = substituted->getReplacement();
    else if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(argument))
      argument = constant->getSubExpr();
    else if (const auto* chosen = llvm::dyn_cast<clang::ExplicitCastExpr>(argument);
             chosen != nullptr && chosen->getCastKind() == clang::CK_NoOp)
      argument = chosen->getSubExpr(); // picks one of several overloads
    else if (const auto* address = llvm::dyn_cast<clang::UnaryOperator>(argument);
             address != nullptr &&
             (address->getOpcode() == clang::UO_AddrOf || address->getOpcode() == clang::UO_Deref))
      argument = address->getSubExpr();
    else
      break;
  }
  const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(argument);
  return reference != nullptr ? llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl()) : nullptr;
}

class name_search : public clang::DynamicRecursiveASTVisitor {
public:
  name_search(clang::Sema& sema, llvm::function_ref<void(const clang::FunctionDecl&)> found)
      : sema_(sema), names_(sema.Context), found_(found) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
    ShouldVisitLambdaBody = true;
    not_named_ = error_id(sema, "'%0' needs a function that is named right here, such as &my_function: "
                                "which one it is has to be known at compile time");
    not_defined_ = error_id(
        sema,
        "'%0' cannot define another function: it has no definition in this translation unit; define it, or "
        "declare it with SYCL_EXTERNAL if another translation unit does");
    handed_on_ = error_id(
        sema,
        "'%0' hands the function on to a dynamic_function, which has to be constructed where the function is "
        "named, as in dynamic_function(&%1)");
  }

  bool VisitCallExpr(clang::CallExpr* call) override {
    if (const clang::FunctionDecl* callee = call->getDirectCallee())
      look_at(*callee, {call->getArgs(), call->getNumArgs()});
    return true;
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* call) override {
    look_at(*call->getConstructor(), {call->getArgs(), call->getNumArgs()});
    return true;
  }

private:
  void look_at(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments) {
    if (callee.isDependentContext())
      return;
    const std::optional<std::size_t> replaced = replaced_count(callee);
    if (!replaced)
      return look_at_handed_on(callee, arguments);
    note_names(callee, dynamic_functions().takers);
    std::size_t index = 0;
    for (const clang::Expr* argument : arguments)
      if (argument->getType()->isFunctionPointerType())
        take(callee, *argument, index++ < *replaced);
      else
        take_listed(callee, *argument);
  }

  /// What reaches a taker through library code, such as that of emplace_back, does so as an address.
  void look_at_handed_on(const clang::FunctionDecl& callee, llvm::ArrayRef<const clang::Expr*> arguments) {
    if (is_made_for(callee, "dynamic_function_definition"))
      for (const clang::Expr* argument : arguments)
        take_listed(callee, *argument);
    if (!is_made_for(callee, "dynamic_function"))
      return;
    for (const clang::Expr* argument : arguments)
      if (const clang::FunctionDecl* function = function_named_by(argument->IgnoreImplicit()))
        if (seen_.insert({argument->getExprLoc(), &callee}).second)
          sema_.Diag(argument->getExprLoc(), handed_on_)
              << callee.getNameInfo().getAsString() << function->getQualifiedNameAsString();
  }

  /// Functions that are named in a list, or in the initializer of a variable, are definitions, which the
  /// runtime finds by their addresses.
  void take_listed(const clang::FunctionDecl& taker, const clang::Stmt& statement) {
    if (llvm::isa<clang::CallExpr, clang::LambdaExpr>(statement))
      return;
    if (const auto* construction = llvm::dyn_cast<clang::CXXConstructExpr>(&statement);
        construction != nullptr && replaced_count(*construction->getConstructor()))
      return; // which looks at its own argument
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(&statement)) {
      if (llvm::isa<clang::FunctionDecl>(reference->getDecl()))
        take(taker, *reference, false);
      else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
               variable != nullptr && variable->getInit() != nullptr && followed_.insert(variable).second)
        take_listed(taker, *variable->getInit());
      return;
    }
    for (const clang::Stmt* child : statement.children())
      if (child != nullptr)
        take_listed(taker, *child);
  }

  void take(const clang::FunctionDecl& taker, const clang::Expr& argument, bool is_replaced) {
    if (argument.isInstantiationDependent() || !seen_.insert({argument.getExprLoc(), &taker}).second)
      return;
    const clang::FunctionDecl* function = function_named_by(&argument);
    if (function == nullptr) {
      sema_.Diag(argument.getExprLoc(), not_named_) << taker.getNameInfo().getAsString();
      return;
    }
    const clang::FunctionDecl* definition = nullptr;
    const bool is_defined = function->hasBody(definition);
    if (!is_replaced && !is_defined && !is_sycl_external(*function)) {
      sema_.Diag(argument.getExprLoc(), not_defined_) << function->getQualifiedNameAsString();
      return;
    }
    note_names(*function, dynamic_functions().named);
    if (is_replaced)
      note_names(*function, dynamic_functions().replaced);
    else if (is_defined)
      found_(*definition);
  }

  void note_names(const clang::FunctionDecl& function, std::set<std::string>& names) {
    if (llvm::isa<clang::CXXConstructorDecl>(function)) {
      for (std::string& name : names_.getAllManglings(&function))
        names.insert(std::move(name));
      return;
    }
    const auto* label = function.getAttr<clang::AsmLabelAttr>();
    names.insert(label != nullptr ? label->getLabel().str() : names_.getName(&function));
  }

  clang::Sema& sema_;
  clang::ASTNameGenerator names_;
  llvm::function_ref<void(const clang::FunctionDecl&)> found_;
  llvm::DenseSet<std::pair<clang::SourceLocation, const clang::FunctionDecl*>> seen_;
  llvm::DenseSet<const clang::VarDecl*> followed_;
  unsigned handed_on_ = 0;
  unsigned not_named_ = 0;
  unsigned not_defined_ = 0;
};

} // namespace

bool names_functions(const clang::FunctionDecl& function) {
  return replaced_count(function).has_value();
}

bool is_dynamic_function(const clang::FunctionDecl& function) {
  const std::set<std::string>& replaced = dynamic_functions().replaced;
  if (replaced.empty())
    return false;
  const auto* label = function.getAttr<clang::AsmLabelAttr>();
  return replaced.contains(label != nullptr
                               ? label->getLabel().str()
                               : clang::ASTNameGenerator(function.getASTContext()).getName(&function));
}

void find_dynamic_functions(clang::Sema& sema, llvm::ArrayRef<clang::Decl*> declarations,
                            llvm::function_ref<void(const clang::FunctionDecl&)> found) {
  name_search search(sema, found);
  for (clang::Decl* declaration : declarations)
    search.TraverseDecl(declaration);
}

} // namespace falx::compiler
