// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <set>
#include <string>

/// \file
/// What the AST half of the plugin tells its IR half of functions whose definition a launch chooses. As in
/// kernel_info.hpp, both live in one shared object and one compiler process.

namespace falx::compiler {

struct dynamic_function_names {
  /// Mangled names of the functions that calls name, those to be replaced and definitions.
  std::set<std::string> named;
  /// Of those, the ones to be replaced.
  std::set<std::string> replaced;
  /// Mangled names of the functions that take them.
  std::set<std::string> takers;
};

dynamic_function_names& dynamic_functions();

} // namespace falx::compiler
