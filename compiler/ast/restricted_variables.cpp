// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "restricted_variables.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace falx::compiler {

// In inner blocks the promise ends before the function does.
void note_restricted_variables(const clang::FunctionDecl& definition) {
  const auto* body = llvm::dyn_cast_if_present<clang::CompoundStmt>(definition.getBody());
  if (body == nullptr)
    return;
  for (const clang::Stmt* statement : body->body()) {
    const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (declarations == nullptr)
      continue;
    for (clang::Decl* declaration : declarations->decls())
      if (auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
          variable != nullptr && variable->hasLocalStorage() && variable->getType().isRestrictQualified() &&
          variable->getType()->isPointerType() && !variable->hasAttr<clang::AnnotateAttr>())
        variable->addAttr(
            clang::AnnotateAttr::CreateImplicit(definition.getASTContext(), "falx.restrict", nullptr, 0));
  }
}

} // namespace falx::compiler
