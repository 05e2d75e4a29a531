// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "template_arguments.hpp"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

namespace falx::compiler {

bool mentions(llvm::ArrayRef<clang::TemplateArgument> arguments, llvm::StringRef name) {
  for (const clang::TemplateArgument& argument : arguments) {
    if (argument.getKind() == clang::TemplateArgument::Pack && mentions(argument.getPackAsArray(), name))
      return true;
    if (argument.getKind() != clang::TemplateArgument::Type)
      continue;
    const clang::CXXRecordDecl* record = argument.getAsType()->getAsCXXRecordDecl();
    if (record == nullptr)
      continue;
    if (record->getIdentifier() != nullptr && record->getName() == name)
      return true;
    const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    if (specialization != nullptr && mentions(specialization->getTemplateArgs().asArray(), name))
      return true;
  }
  return false;
}

} // namespace falx::compiler
