// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_globals.hpp"

#include "diagnostic_ids.hpp"
#include "diagnostics_constants.hpp"
#include "kernel_info.hpp"
#include "template_arguments.hpp"
#include "visibility.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace falx::compiler {

namespace {

/// The namespace or class of that name in \p context; null if there is none.
template <class Declaration>
const Declaration* member(const clang::DeclContext* context, llvm::StringRef name) {
  if (context == nullptr)
    return nullptr;
  const clang::IdentifierInfo& identifier = context->getParentASTContext().Idents.get(name);
  for (const clang::NamedDecl* found : context->lookup(&identifier))
    if (const auto* wanted = llvm::dyn_cast<Declaration>(found))
      return wanted;
  return nullptr;
}

bool is_used(const clang::ASTContext& context) {
  const clang::DeclContext* scope = context.getTranslationUnitDecl();
  for (llvm::StringRef name : {"sycl", "ext", "oneapi", "experimental"})
    scope = member<clang::NamespaceDecl>(scope, name);
  const auto* variable_class = member<clang::ClassTemplateDecl>(scope, "device_global");
  return variable_class != nullptr && !variable_class->specializations().empty();
}

bool has_image_scope(const clang::VarDecl& variable) {
  const auto* record = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      variable.getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl());
  return record != nullptr && record->getTemplateArgs().size() > 1 &&
         mentions(record->getTemplateArgs()[1], "device_image_scope_key");
}

class device_global_search : public clang::DynamicRecursiveASTVisitor {
public:
  explicit device_global_search(clang::Sema& sema) : sema_(sema), sources_(sema.getSourceManager()) {
    ShouldVisitTemplateInstantiations = true;
  }

  void search(clang::DeclContext& scope) {
    for (clang::Decl* declaration : scope.decls())
      if (!sources_.isInSystemHeader(declaration->getLocation()))
        TraverseDecl(declaration);
  }
  void check_names();

  bool VisitVarDecl(clang::VarDecl* variable) override;
  bool VisitFieldDecl(clang::FieldDecl* field) override {
    if (is_device_global(field->getType()))
      report(field->getLocation(),
             "a device_global must not be a non-static member; make %q0 a public static member or a variable "
             "at namespace scope",
             field);
    return true;
  }
  bool VisitCXXRecordDecl(clang::CXXRecordDecl* record) override {
    if (record->isThisDeclarationADefinition() && !record->isDependentContext())
      for (const clang::CXXBaseSpecifier& base : record->bases())
        if (is_device_global(base.getType()))
          report(base.getBeginLoc(), "class %q0 must not derive from device_global", record);
    return true;
  }
  bool VisitMaterializeTemporaryExpr(clang::MaterializeTemporaryExpr* temporary) override {
    return check_temporary(*temporary);
  }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construction) override {
    return variable_initializers_.contains(construction) || check_temporary(*construction);
  }
  bool VisitCallExpr(clang::CallExpr* call) override { return !call->isPRValue() || check_temporary(*call); }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initializer) override {
    const clang::Expr* value = initializer->getInit(); // what is wrong is the member or the base
    return (value != nullptr && is_device_global(value->getType())) ||
           clang::DynamicRecursiveASTVisitor::TraverseConstructorInitializer(initializer);
  }

private:
  void report(clang::SourceLocation location, llvm::StringRef sentence, const clang::NamedDecl* subject,
              const clang::NamedDecl* second = nullptr);
  /// Of an expression that makes an object. True, for the visitor.
  bool check_temporary(const clang::Expr& object) {
    if (is_device_global(object.getType()))
      report(object.getExprLoc(), "a device_global must not be a temporary object", nullptr);
    return true;
  }
  /// What is wrong with how the variable is declared; null if nothing is.
  const char* mistake(const clang::VarDecl& variable) const;
  /// Whether an object of a library's class holds a device_global, or may allocate some.
  bool holds_device_global(clang::QualType type);

  clang::Sema& sema_;
  clang::SourceManager& sources_;
  llvm::SetVector<const clang::VarDecl*> variables_;
  llvm::DenseMap<const clang::CXXRecordDecl*, bool> holders_;
  /// Constructions of variables, which VisitVarDecl looks at.
  llvm::DenseSet<const clang::Expr*> variable_initializers_;
  llvm::DenseSet<clang::SourceLocation> reported_;
};

void device_global_search::report(clang::SourceLocation location, llvm::StringRef sentence,
                                  const clang::NamedDecl* subject, const clang::NamedDecl* second) {
  if (!reported_.insert(location).second)
    return; // by another instantiation
  const clang::DiagnosticBuilder error = sema_.getDiagnostics().Report(location, error_id(sema_, sentence));
  if (subject != nullptr)
    error << subject;
  if (second != nullptr)
    error << second;
}

const char* device_global_search::mistake(const clang::VarDecl& variable) const {
  if (llvm::isa<clang::ParmVarDecl>(variable))
    return "a device_global must not be a parameter; let %q0 be a reference";
  if (variable.isStaticLocal() || variable.hasLocalStorage())
    return "a device_global must not be a local variable; declare %q0 at namespace scope or as a public "
           "static member";
  if (variable.getTLSKind() != clang::VarDecl::TLS_None)
    return "a device_global must not be thread-local: %q0 is one object per device and context";
  if (variable.getType()->isArrayType())
    return "a device_global must not be an element of an array; give device_global %q0 an array type, as in "
           "device_global<int[4]>";
  if (!is_public(variable))
    return "device_global %q0 must be publicly accessible from namespace scope; make the member and the "
           "classes around it public";
  return nullptr;
}

/// A container of the library's: one of its template arguments is an allocator of device_globals.
bool allocates_device_globals(const clang::CXXRecordDecl& record) {
  const auto* container = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (container == nullptr || !record.isInStdNamespace())
    return false;
  for (const clang::TemplateArgument& argument : container->getTemplateArgs().asArray()) {
    if (argument.getKind() != clang::TemplateArgument::Type)
      continue;
    const auto* allocator = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
        argument.getAsType()->getAsCXXRecordDecl());
    if (allocator != nullptr && allocator->getName() == "allocator" &&
        mentions(allocator->getTemplateArgs().asArray(), "device_global"))
      return true;
  }
  return false;
}

bool device_global_search::holds_device_global(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  record = record != nullptr ? record->getDefinition() : nullptr;
  if (record == nullptr || record->isDependentContext())
    return false;
  if (const auto [known, is_new] = holders_.try_emplace(record, false); !is_new)
    return known->second;
  bool holds = allocates_device_globals(*record);
  for (const clang::FieldDecl* field : record->fields())
    holds |= sources_.isInSystemHeader(field->getLocation()) &&
             (is_device_global(field->getType()) || holds_device_global(field->getType()));
  for (const clang::CXXBaseSpecifier& base : record->bases())
    holds |= holds_device_global(base.getType());
  return holders_[record] = holds;
}

bool device_global_search::VisitVarDecl(clang::VarDecl* variable) {
  if (variable->getType()->isDependentType() || variable->isInvalidDecl())
    return true;
  if (const clang::Expr* value = variable->getInit()) {
    value = value->IgnoreUnlessSpelledInSource();
    if (const auto* conversion = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(value))
      value = conversion->getSubExpr()->IgnoreUnlessSpelledInSource();
    variable_initializers_.insert(value);
  }
  if (!is_device_global(*variable)) {
    if (holds_device_global(variable->getType()))
      report(variable->getLocation(),
             "a device_global must be a variable of its own; %q0 is an object that holds one", variable);
    return true;
  }
  if (const char* sentence = mistake(*variable)) {
    // Once, where the declaration comes first.
    report(variable->getCanonicalDecl()->getLocation(), sentence, variable);
    return true;
  }
  if (variables_.insert(variable->getCanonicalDecl()) && !variable->isTemplated())
    note_device_global(*variable);
  return true;
}

void device_global_search::check_names() {
  for (const clang::VarDecl* variable : variables_)
    for_each_hiding(*variable, [&](const clang::NamedDecl& hidden, const clang::NamedDecl& other) {
      report(other.getLocation(),
             &hidden == variable
                 ? "%q0 in an inline namespace hides device_global %q1 of the enclosing scope; "
                   "rename one of them"
                 : "%q0 in an inline namespace hides the namespace that holds device_global "
                   "%q1; rename one of them",
             &other, variable);
    });
}

} // namespace

void note_device_global(const clang::VarDecl& variable) {
  device_global_infos()[clang::ASTNameGenerator(variable.getASTContext()).getName(&variable)] = {
      has_image_scope(variable)};
}

void collect_device_globals(clang::Sema& sema) {
  if (!is_used(sema.Context))
    return;
  device_global_search search(sema);
  search.search(*sema.Context.getTranslationUnitDecl());
  search.check_names();
}

} // namespace falx::compiler
