// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>

namespace falx::jit {

enum class library {
  /// The functions of libclc's library for NVPTX that falx/math_functions.def names.
  math,
  /// device_library.c, for NVPTX.
  device,
  /// complex_library.cpp, for every target.
  complex,
  /// cpu_math_library.c, for CPUs with fused multiply-add.
  cpu_math,
  /// targets/cpu/cpu_builtins.c with cpu_builtins.ll, and targets/ptx/ptx_builtins.c.
  cpu_builtins,
  ptx_builtins,
};

/// The bitcode that was built in.
std::string_view bitcode_of(library which);

} // namespace falx::jit
