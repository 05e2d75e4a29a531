// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dynamic_functions.hpp"

namespace falx::compiler {

dynamic_function_names& dynamic_functions() {
  static dynamic_function_names names;
  return names;
}

} // namespace falx::compiler
