// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_name_rules.hpp"

#include "diagnostic_ids.hpp"
#include "kernel_collector.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

namespace falx::compiler {

namespace {

/// Of the kernel with this entry; null if the user gave none.
clang::QualType given_name_of(const clang::FunctionDecl& entry) {
  const auto* entry_class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(entry.getDeclContext());
  if (entry_class == nullptr || entry_class->getTemplateArgs().size() == 0 ||
      entry_class->getTemplateArgs()[0].getKind() != clang::TemplateArgument::Type)
    return {};
  const clang::QualType name = entry_class->getTemplateArgs()[0].getAsType().getCanonicalType();
  const clang::CXXRecordDecl* record = name->getAsCXXRecordDecl();
  const bool is_placeholder = record != nullptr && record->getIdentifier() != nullptr &&
                              record->getName() == "unnamed_kernel" &&
                              record->getQualifiedNameAsString() == "sycl::detail::unnamed_kernel";
  return is_placeholder ? clang::QualType() : name;
}

/// Whether one of the namespaces around a function has something of that name, so that a class which the
/// function declares would be another one there.
bool is_taken_outside(const clang::TagDecl& local) {
  for (const clang::DeclContext* scope = local.getDeclContext(); scope != nullptr; scope = scope->getParent())
    if (scope->isFileContext() && !scope->lookup(local.getDeclName()).empty())
      return true;
  return false;
}

/// Why the class or enumeration cannot be declared at namespace scope before the kernel; null if it can.
const char* obstacle_in(const clang::TagDecl& tag) {
  if (tag.getIdentifier() == nullptr && tag.getTypedefNameForAnonDecl() == nullptr)
    return "has no name";
  for (const clang::DeclContext* scope = tag.getDeclContext(); scope != nullptr; scope = scope->getParent()) {
    if (scope->isStdNamespace())
      return "is of namespace std, to which no program adds declarations";
    if (scope->isRecord())
      return "is a member of a class";
    if (scope->isFunctionOrMethod()) {
      // `parallel_for<class name>` in a function: compilers declare it outside.
      const bool is_mentioned_only = !tag.isCompleteDefinition() && !llvm::isa<clang::EnumDecl>(tag);
      if (!is_mentioned_only)
        return "is local to a function";
      return is_taken_outside(tag) ? "has the name of something else in a namespace around it" : nullptr;
    }
  }
  if (const auto* enumeration = llvm::dyn_cast<clang::EnumDecl>(&tag);
      enumeration != nullptr && !enumeration->isFixed())
    return "is an enumeration without a fixed underlying type";
  return nullptr;
}

} // namespace

void kernel_name_rules::check(const clang::FunctionDecl& entry) {
  const clang::QualType name = given_name_of(entry);
  const clang::CXXRecordDecl* kernel = user_kernel_of(entry);
  if (name.isNull() || kernel == nullptr)
    return;
  check_is_new(name, *kernel->getCanonicalDecl());
  check_declarable(name, name, kernel->getLocation());
}

void kernel_name_rules::check_is_new(clang::QualType name, const clang::CXXRecordDecl& kernel) {
  const auto [known, is_new] = kernels_.try_emplace(name, &kernel);
  if (is_new || known->second == &kernel || !reported_.insert(kernel.getLocation()).second)
    return;
  sema_.Diag(kernel.getLocation(),
             portability_id(
                 sema_,
                 "%0 is the name of another kernel, too, so that get_kernel_id and kernel bundles could not "
                 "tell them apart; give each kernel a name of its own, which a template's parameters "
                 "are part of, or leave the name out",
                 clang::diag::Severity::Warning))
      << name;
  if (known->second->getLocation() != kernel.getLocation())
    sema_.Diag(known->second->getLocation(), note_id(sema_, "the other kernel is here"));
  else
    sema_.Diag(kernel.getLocation(), note_id(sema_, "the other kernel is this one in another instantiation"));
}

void kernel_name_rules::check_declarable(clang::QualType name, clang::QualType part,
                                         clang::SourceLocation kernel) {
  while (part->isPointerOrReferenceType())
    part = part->getPointeeType();
  const clang::TagDecl* tag = part->getAsTagDecl();
  if (tag == nullptr)
    return;
  if (const char* obstacle = obstacle_in(*tag)) {
    const std::string sentence = part == name ? "kernel name %0 " : "kernel name %1 mentions %0, which ";
    sema_.Diag(kernel, portability_id(
                           sema_,
                           sentence + obstacle +
                               "; SYCL wants names that can be declared at namespace scope before the kernel",
                           clang::diag::Severity::Ignored))
        << part << name;
    return;
  }
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag);
  if (specialization == nullptr)
    return;
  llvm::SmallVector<clang::TemplateArgument> arguments;
  for (const clang::TemplateArgument& argument : specialization->getTemplateArgs().asArray())
    if (argument.getKind() == clang::TemplateArgument::Pack)
      llvm::append_range(arguments, argument.pack_elements());
    else
      arguments.push_back(argument);
  for (const clang::TemplateArgument& argument : arguments)
    if (argument.getKind() == clang::TemplateArgument::Type)
      check_declarable(name, argument.getAsType().getCanonicalType(), kernel);
    else if (argument.getKind() == clang::TemplateArgument::Integral)
      check_declarable(name, argument.getIntegralType().getCanonicalType(), kernel);
}

} // namespace falx::compiler
