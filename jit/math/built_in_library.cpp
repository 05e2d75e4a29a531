// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "built_in_library.hpp"

#include <span>

#pragma clang diagnostic ignored "-Wc23-extensions"

namespace falx::jit {

alignas(16) static constexpr unsigned char MATH[] = {
#embed "falx_math_library.bc"
};
alignas(16) static constexpr unsigned char DEVICE[] = {
#embed "falx_device_library.bc"
};
alignas(16) static constexpr unsigned char COMPLEX[] = {
#embed "falx_complex_library.bc"
};
alignas(16) static constexpr unsigned char CPU_MATH[] = {
#embed "falx_cpu_math_library.bc"
};
alignas(16) static constexpr unsigned char CPU_BUILTINS[] = {
#embed "falx_cpu_builtins.bc"
};
alignas(16) static constexpr unsigned char PTX_BUILTINS[] = {
#embed "falx_ptx_builtins.bc"
};

std::string_view bitcode_of(library which) {
  static constexpr std::span<const unsigned char> ALL[] = {MATH,     DEVICE,       COMPLEX,
                                                           CPU_MATH, CPU_BUILTINS, PTX_BUILTINS};
  const std::span<const unsigned char> bitcode = ALL[static_cast<unsigned>(which)];
  return {reinterpret_cast<const char*>(bitcode.data()), bitcode.size()};
}

} // namespace falx::jit
