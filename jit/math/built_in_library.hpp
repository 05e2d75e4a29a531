// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

namespace falx::jit {

/// Bitcode of the functions of libclc's library for NVPTX that are listed in libclc_functions.txt.
std::span<const unsigned char> built_in_math_library();

/// Bitcode of device_library.c.
std::span<const unsigned char> device_library();

/// Bitcode of complex_library.cpp, for every target.
std::span<const unsigned char> complex_library();

} // namespace falx::jit
