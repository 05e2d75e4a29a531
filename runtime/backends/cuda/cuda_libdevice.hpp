// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>
#include <string_view>

namespace falx {

/// NVIDIA's math functions as bitcode (libdevice.10.bc), if a CUDA toolkit is installed: from FALX_LIBDEVICE,
/// a file or a directory, or from the toolkit in CUDA_HOME, CUDA_PATH or a usual place. Mapped when first
/// asked for, until the process ends. Empty without one.
std::span<const unsigned char> libdevice() noexcept;

/// Names the file's contents without reading all of it: path, size and time of change. Empty without one.
std::string_view libdevice_digest();

} // namespace falx
