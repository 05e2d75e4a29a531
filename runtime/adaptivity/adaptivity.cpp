// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adaptivity.hpp"

#include "diagnostics/environment.hpp"

namespace falx {

adaptivity adaptivity_level() {
  return the_environment().adaptivity;
}

} // namespace falx
