// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "visibility.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

namespace falx::compiler {

using hiding = llvm::function_ref<void(const clang::NamedDecl&, const clang::NamedDecl&)>;

bool is_public(const clang::Decl& declaration) {
  const clang::Decl* current = &declaration;
  while (llvm::isa<clang::RecordDecl>(current->getDeclContext())) {
    if (current->getAccess() == clang::AS_private || current->getAccess() == clang::AS_protected)
      return false;
    current = llvm::cast<clang::Decl>(current->getDeclContext());
  }
  return true;
}

/// Is \p hidden, a member of \p scope, also the name of something in an inline namespace of that scope?
static void find_in_inline_namespaces(const clang::NamedDecl& hidden, const clang::DeclContext& scope,
                                      hiding found) {
  // Which shows what inline namespaces in it declare, too.
  for (const clang::NamedDecl* other : scope.lookup(hidden.getDeclName())) {
    const clang::DeclContext* home = other->getDeclContext()->getRedeclContext();
    if (home->isInlineNamespace() && !home->Equals(&scope) &&
        other->getUnderlyingDecl()->getCanonicalDecl() != hidden.getCanonicalDecl())
      found(hidden, *other);
  }
}

void for_each_hiding(const clang::VarDecl& variable, hiding found) {
  const clang::NamedDecl* named = &variable;
  const clang::DeclContext* scope = variable.getDeclContext()->getRedeclContext();
  if (!scope->isFileContext() && !scope->isRecord())
    return;
  while (scope->isRecord()) {
    named = llvm::cast<clang::NamedDecl>(scope);
    scope = scope->getParent()->getRedeclContext();
  }
  for (bool is_checked = named == &variable;; is_checked = true) {
    if (is_checked && named->getDeclName())
      find_in_inline_namespaces(*named, *scope, found);
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space == nullptr)
      break;
    named = space;
    scope = space->getParent()->getRedeclContext();
  }
}

} // namespace falx::compiler
