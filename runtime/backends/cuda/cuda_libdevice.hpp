// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/request/request.hpp"

namespace falx {

/// NVIDIA's math functions as bitcode (libdevice.10.bc), if a CUDA toolkit is installed: from FALX_LIBDEVICE,
/// a file or a directory, or from the toolkit in CUDA_HOME, CUDA_PATH or a usual place. Mapped when first
/// requested, until the process ends, and identified by its contents. Empty without one.
jit::identified_bytes libdevice();

} // namespace falx
