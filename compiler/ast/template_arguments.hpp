// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace falx::compiler {

/// Whether a class of that name is among the arguments of a template, or among those of an argument.
bool mentions(llvm::ArrayRef<clang::TemplateArgument> arguments, llvm::StringRef name);

} // namespace falx::compiler
