// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialization_id_rules.hpp"

#include "diagnostic_ids.hpp"
#include "visibility.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

namespace falx::compiler {

namespace {

bool is_about_constant(const clang::FunctionDecl& function) {
  const clang::IdentifierInfo* name = function.getIdentifier();
  return name != nullptr && llvm::StringSwitch<bool>(name->getName())
                                .Cases({"get_specialization_constant", "set_specialization_constant"}, true)
                                .Case("has_specialization_constant", true)
                                .Default(false);
}

bool is_specialization_id(clang::QualType type) {
  const clang::CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr && record->getIdentifier() != nullptr &&
         record->getName() == "specialization_id" &&
         record->getQualifiedNameAsString() == "sycl::specialization_id";
}

/// The sentence about %0; null if nothing is wrong.
const char* mistake(const clang::VarDecl& variable) {
  if (variable.isLocalVarDecl())
    return "specialization_id %0 is local to a function, where not every SYCL compiler can name it; declare "
           "it at namespace scope or as a public static member";
  if (!variable.isConstexpr())
    return "specialization_id %0 is not constexpr, as SYCL wants it to be; declare it constexpr";
  if (!is_public(variable))
    return "specialization_id %0 is not accessible from namespace scope, where not every SYCL compiler can "
           "name it; make the member and the classes around it public";
  return nullptr;
}

} // namespace

void specialization_id_rules::note(const clang::FunctionDecl& function) {
  const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0 || !is_about_constant(function))
    return;
  const clang::TemplateArgument& argument = arguments->get(0);
  if (argument.getKind() != clang::TemplateArgument::Declaration)
    return;
  const auto* variable = llvm::dyn_cast<clang::VarDecl>(argument.getAsDecl());
  if (variable != nullptr && is_specialization_id(variable->getType()))
    variables_.insert(variable->getCanonicalDecl());
}

void specialization_id_rules::report(clang::Sema& sema) const {
  for (const clang::VarDecl* variable : variables_) {
    if (const char* sentence = mistake(*variable))
      sema.Diag(variable->getLocation(), portability_id(sema, sentence)) << variable;
    for_each_hiding(*variable, [&](const clang::NamedDecl& hidden, const clang::NamedDecl& other) {
      const char* const what = &hidden == variable ? "%q0 in an inline namespace hides specialization_id %q1 "
                                                     "of the enclosing scope; rename one of them"
                                                   : "%q0 in an inline namespace hides the namespace that "
                                                     "holds specialization_id %q1; rename one of "
                                                     "them";
      sema.Diag(other.getLocation(), portability_id(sema, what)) << &other << variable;
    });
  }
}

} // namespace falx::compiler
