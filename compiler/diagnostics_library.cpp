// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_library.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/StringSet.h"

namespace falx::compiler {

namespace {

/// Functions of <math.h>, without the suffix f that names their float form.
const llvm::StringSet<>& math_functions() {
  static const llvm::StringSet<> functions{
      "acos",      "acosh",        "asin",      "asinh",       "atan",     "atan2",     "atanh",
      "cbrt",      "ceil",         "copysign",  "cos",         "cosh",     "drem",      "erf",
      "erfc",      "exp",          "exp10",     "exp2",        "expm1",    "fabs",      "fdim",
      "finite",    "floor",        "fma",       "fmax",        "fmin",     "fmod",      "frexp",
      "hypot",     "ilogb",        "isinf",     "isnan",       "j0",       "j1",        "jn",
      "ldexp",     "lgamma",       "llrint",    "llround",     "log",      "log10",     "log1p",
      "log2",      "logb",         "lrint",     "lround",      "modf",     "nan",       "nearbyint",
      "nextafter", "pow",          "remainder", "remquo",      "rint",     "round",     "roundeven",
      "scalb",     "scalbln",      "scalbn",    "significand", "sin",      "sincos",    "sinh",
      "sqrt",      "tan",          "tanh",      "tgamma",      "trunc",    "y0",        "y1",
      "yn",        "__fpclassify", "__isinf",   "__isnan",     "__finite", "__signbit", "__issignaling"};
  return functions;
}

/// Other functions of the C library.
const llvm::StringSet<>& c_functions() {
  static const llvm::StringSet<> functions{"memcpy", "memmove",       "memset",   "memcmp",
                                           "strlen", "abs",           "labs",     "llabs",
                                           "abort",  "__assert_fail", "__assert", "__assert_rtn"};
  return functions;
}

const llvm::StringSet<>& c_allocation_functions() {
  static const llvm::StringSet<> functions{"malloc", "calloc", "realloc", "free", "aligned_alloc", "strdup"};
  return functions;
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
    // Builtins that are C library functions under another name follow the library's rules.
    llvm::StringRef library_name = name;
    if (library_name.consume_front("__builtin_") &&
        (library_name.contains("printf") || c_allocation_functions().contains(library_name)))
      return library_name.contains("printf") ? library_function::unknown : library_function::allocation;
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
  return c_allocation_functions().contains(name) ? library_function::allocation : library_function::unknown;
}

} // namespace falx::compiler
