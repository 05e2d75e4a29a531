// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "built_in_library.hpp"

#pragma clang diagnostic ignored "-Wc23-extensions"

namespace falx::jit {

std::span<const unsigned char> built_in_math_library() {
  alignas(16) static constexpr unsigned char BITCODE[] = {
#embed "falx_math_library.bc"
  };
  return BITCODE;
}

std::span<const unsigned char> device_library() {
  alignas(16) static constexpr unsigned char BITCODE[] = {
#embed "falx_device_library.bc"
  };
  return BITCODE;
}

std::span<const unsigned char> complex_library() {
  alignas(16) static constexpr unsigned char BITCODE[] = {
#embed "falx_complex_library.bc"
  };
  return BITCODE;
}

} // namespace falx::jit
