// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_names.hpp"

#include "diagnostic_ids.hpp"
#include "kernel_collector.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

namespace falx::compiler {

/// kernel_bundle::has_kernel is none of them: it does not fail without one.
static bool names_kernel(const clang::FunctionDecl& function) {
  const clang::IdentifierInfo* name = function.getIdentifier();
  if (name == nullptr || !llvm::StringSwitch<bool>(name->getName())
                              .Cases({"get_kernel_id", "get_kernel_bundle", "has_kernel_bundle"}, true)
                              .Cases({"is_compatible", "get_kernel"}, true)
                              .Default(false))
    return false;
  const clang::DeclContext* scope = function.getDeclContext()->getRedeclContext();
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(scope))
    scope = record->getDeclContext()->getRedeclContext();
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
  return space != nullptr && space->getName() == "sycl" &&
         space->getParent()->getRedeclContext()->isTranslationUnit();
}

/// sycl::detail::descriptor_of_kernel<Name, …>.
static bool finds_descriptor(const clang::FunctionDecl& function) {
  const clang::IdentifierInfo* name = function.getIdentifier();
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(function.getDeclContext()->getRedeclContext());
  return name != nullptr && name->getName() == "descriptor_of_kernel" && space != nullptr &&
         space->getName() == "detail";
}

void kernel_name_uses::note(clang::FunctionDecl& function) {
  const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs();
  const clang::FunctionTemplateDecl* pattern = function.getPrimaryTemplate();
  if (arguments == nullptr || pattern == nullptr)
    return;
  if (finds_descriptor(function)) {
    if (arguments->get(0).getKind() == clang::TemplateArgument::Type)
      descriptors_.insert({&function, arguments->get(0).getAsType().getCanonicalType()});
    return;
  }
  if (!names_kernel(function))
    return;
  for (const auto& [argument, parameter] :
       llvm::zip(arguments->asArray(), *pattern->getTemplateParameters())) {
    // Others are selectors of device images.
    if (argument.getKind() != clang::TemplateArgument::Type || parameter->getName() != "KernelName")
      continue;
    const clang::QualType name = argument.getAsType().getCanonicalType();
    if (!name->isRecordType() && !name->isEnumeralType())
      continue;
    // The function that the user calls is asked before the one that it calls.
    const clang::SourceManager& sources = function.getASTContext().getSourceManager();
    const clang::SourceLocation place = function.getPointOfInstantiation();
    const auto [known, is_new] = uses_.try_emplace(name, place);
    if (!is_new && sources.isInSystemHeader(known->second) && !sources.isInSystemHeader(place))
      known->second = place;
    return;
  }
}

void kernel_name_uses::note_kernel(const clang::FunctionDecl& entry) {
  if (const clang::QualType name = kernel_name_of(entry); !name.isNull())
    kernels_.insert(name.getCanonicalType());
}

llvm::SmallVector<clang::FunctionDecl*> kernel_name_uses::requested_descriptors() const {
  llvm::SmallVector<clang::FunctionDecl*> result;
  for (const auto& [function, name] : descriptors_)
    if (clang::FunctionDecl* definition = function->getDefinition();
        definition != nullptr && uses_.contains(name))
      result.push_back(definition);
  return result;
}

void kernel_name_uses::report(clang::Sema& sema) const {
  for (const auto& [name, place] : uses_) {
    if (clang::isExternallyVisible(name->getLinkage()) || kernels_.contains(name))
      continue;
    const unsigned id = error_id(
        sema,
        "no kernel is named %0: this file launches none of that name, and other files cannot name the type; "
        "launch the kernel with this very type as its name, as in parallel_for<%0>");
    sema.getDiagnostics().Report(place, id) << name;
  }
}

} // namespace falx::compiler
