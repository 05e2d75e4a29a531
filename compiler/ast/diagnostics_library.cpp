// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_library.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

namespace falx::compiler {

namespace {

/// Functions of <math.h>, without the suffix f that names their float form.
const llvm::StringSet<>& math_functions() {
  static const llvm::StringSet<> functions{
#define FALX_MATH_FUNCTION(name, ...) #name,
#include "falx/math_functions.def"
  };
  return functions;
}

/// Other functions of the C library.
const llvm::StringSet<>& c_functions() {
  static const llvm::StringSet<> functions{
      "memcpy",        "memmove",  "memset",       "memcmp", "strlen",  "abs",    "labs", "llabs", "abort",
      "__assert_fail", "__assert", "__assert_rtn", "puts",   "putchar", "printf", "div",  "ldiv",  "lldiv"};
  return functions;
}

const llvm::StringSet<>& c_allocation_functions() {
  static const llvm::StringSet<> functions{"malloc", "calloc", "realloc", "free", "aligned_alloc", "strdup"};
  return functions;
}

const llvm::StringSet<>& c_output_functions() {
  static const llvm::StringSet<> functions{
      "fprintf", "vprintf",  "vfprintf", "dprintf",  "fputs",  "putc",   "fputc",  "fputwc",
      "putwc",   "putwchar", "wprintf",  "fwprintf", "fwrite", "perror", "fflush", "fputs_unlocked"};
  return functions;
}

/// Builtins of clang that only a host has, by what follows "__builtin_".
library_function classify_builtin(llvm::StringRef name) {
  if (name == "operator_new" || name == "operator_delete" || c_allocation_functions().contains(name))
    return library_function::allocation;
  if (name.starts_with("alloca"))
    return library_function::dynamic_stack;
  name.consume_back("_unlocked");
  if (c_output_functions().contains(name))
    return library_function::output;
  const bool only_host = (name.contains("printf") && name != "printf") || name.starts_with("coro_") ||
                         name.starts_with("cpu_") || name == "setjmp" || name == "longjmp" ||
                         name.starts_with("eh_") || name.starts_with("unwind_") || name == "return_address" ||
                         name == "frame_address";
  return only_host ? library_function::unknown : library_function::provided;
}

bool is_in_std(const clang::FunctionDecl& function) {
  return function.isInStdNamespace();
}

} // namespace

library_function classify_library_function(const clang::FunctionDecl& function) {
  if (function.isReplaceableGlobalAllocationFunction())
    return library_function::allocation;
  if (function.isReservedGlobalPlacementOperator())
    return library_function::provided;
  const clang::IdentifierInfo* identifier = function.getIdentifier();
  if (identifier == nullptr)
    return library_function::unknown;
  const llvm::StringRef name = identifier->getName();
  if (const unsigned builtin = function.getBuiltinID()) {
    // Some are C library functions or operator new under another name.
    llvm::StringRef library_name = name;
    if (library_name.consume_front("__builtin_"))
      if (const library_function known = classify_builtin(library_name); known != library_function::provided)
        return known;
    // std::move and its kin, too, are builtins that never become calls.
    if (is_in_std(function) || !function.getASTContext().BuiltinInfo.isPredefinedLibFunction(builtin))
      return library_function::provided;
  }
  if (is_in_std(function)) {
    const bool ends_program = name.starts_with("__throw_") || name == "terminate" || name == "__terminate" ||
                              name == "__glibcxx_assert_fail" || name == "__libcpp_verbose_abort" ||
                              name == "abort";
    return ends_program ? library_function::provided : library_function::unknown;
  }
  if (!function.isExternC())
    return library_function::unknown;
  if (name.starts_with("__falx_") || c_functions().contains(name) || math_functions().contains(name) ||
      (name.ends_with("f") && math_functions().contains(name.drop_back())))
    return library_function::provided;
  if (name == "alloca")
    return library_function::dynamic_stack;
  if (c_output_functions().contains(name))
    return library_function::output;
  return c_allocation_functions().contains(name) ? library_function::allocation : library_function::unknown;
}

bool is_host_stream(clang::QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType())
    type = type->getPointeeType();
  const clang::RecordDecl* record = type->getAsRecordDecl();
  if (record == nullptr || record->getIdentifier() == nullptr)
    return false;
  if (record->getName() == "_IO_FILE" || record->getName() == "__sFILE")
    return true;
  const auto* stream = llvm::dyn_cast<clang::CXXRecordDecl>(record);
  if (stream == nullptr || !stream->isInStdNamespace() || stream->getDefinition() == nullptr)
    return false;
  return stream->getName() == "ios_base" || !stream->forallBases([](const clang::CXXRecordDecl* base) {
    return base->getIdentifier() == nullptr || base->getName() != "ios_base";
  });
}

const clang::NamedDecl* first_operand(const clang::CallExpr& call) {
  const clang::Expr* operand = &call;
  while (const auto* link = llvm::dyn_cast<clang::CallExpr>(operand->IgnoreParenImpCasts())) {
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(link);
    if (member == nullptr && (!llvm::isa<clang::CXXOperatorCallExpr>(link) || link->getNumArgs() == 0))
      return llvm::dyn_cast_or_null<clang::NamedDecl>(link->getCalleeDecl());
    operand = member != nullptr ? member->getImplicitObjectArgument() : link->getArg(0);
  }
  if (const auto* named = llvm::dyn_cast<clang::DeclRefExpr>(operand->IgnoreParenImpCasts()))
    return named->getDecl();
  return llvm::dyn_cast_or_null<clang::NamedDecl>(call.getCalleeDecl());
}

} // namespace falx::compiler
