// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

/// \file
/// Numbers of kinds of devices, for sycl::ext::oneapi::experimental::architecture and for the JIT, which
/// makes constants of them: a family, and what tells its members apart.

namespace falx {

constexpr std::uint32_t UNKNOWN_ARCHITECTURE = 0;
constexpr std::uint32_t X86_64_ARCHITECTURE = 0x10000;
/// Behind it the version, as in the OpenCL C name of the device.
constexpr std::uint32_t INTEL_GPU_ARCHITECTURES = 0x20000;
/// Behind it ten times the compute capability.
constexpr std::uint32_t NVIDIA_GPU_ARCHITECTURES = 0x30000;
/// Behind it the number behind gfx, which is hexadecimal.
constexpr std::uint32_t AMD_GPU_ARCHITECTURES = 0x40000;

} // namespace falx
