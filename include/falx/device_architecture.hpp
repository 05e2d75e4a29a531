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
constexpr std::uint32_t INTEL_GPU_ARCHITECTURES = 0x20000;
constexpr std::uint32_t NVIDIA_GPU_ARCHITECTURES = 0x30000;
/// Behind it the number behind gfx, which is hexadecimal.
constexpr std::uint32_t AMD_GPU_ARCHITECTURES = 0x40000;

/// By the version of its intermediate language's architecture, which rises from one to the next.
constexpr std::uint32_t intel_gpu_architecture(unsigned major, unsigned minor) noexcept {
  return INTEL_GPU_ARCHITECTURES + major * 256 + minor;
}
/// By ten times the compute capability; others than 0 are for variants of it, such as 90a.
constexpr std::uint32_t nvidia_gpu_architecture(unsigned sm, unsigned variant = 0) noexcept {
  return NVIDIA_GPU_ARCHITECTURES + sm * 16 + variant;
}
/// The numbers of one family, all but X86_64_ARCHITECTURE given by their names above.
constexpr std::uint32_t family_of_architecture(std::uint32_t architecture) noexcept {
  return architecture & ~std::uint32_t{0xffff};
}

} // namespace falx
