// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/request/request.hpp"

#include <cstdint>

namespace falx {

/// What tells versions of a kernel apart in this process, besides device and specialization constants: what
/// the JIT gets of the configuration, and names for what it gets in full.
struct kernel_configuration : jit::configuration {
  /// Digest of launch_constants; 0 if nothing is known.
  std::uint64_t captured[2] = {0, 0};
  /// Tells function_replacements apart; 0 if there are none. Of addresses: other processes have others.
  std::uint64_t functions[2] = {0, 0};
  /// Which captured pointers lead to different memory (disjoint_pointers::of).
  std::uint64_t disjoint = 0;
  bool operator==(const kernel_configuration&) const = default;
};

} // namespace falx
