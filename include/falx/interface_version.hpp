// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

namespace falx {

/// The version of what programs and libfalx.so agree on: the functions and layouts of include/falx, the
/// layouts of the classes of include/sycl, and the records that the compiler emits into programs. Raise it
/// with every change of one of these that a program compiled before would not survive; additions keep it. It
/// is the number in the library's name (the 8 of libfalx.so.8) and in its symbols' version
/// (runtime/exports.map.in), and each translation unit with kernels registers it. docs/versions.md tells it
/// from the other versions; tests/check_exports.py finds symbols that left without it. CMake reads this line.
constexpr std::uint64_t INTERFACE_VERSION = 8;

} // namespace falx
