// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/request/request.hpp"

#include <span>

namespace falx {

/// The libraries of this machine that kernels may be linked with, found on the first call.
std::span<const jit::shared_library> cpu_libraries();

} // namespace falx
