// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_byte_box.hpp"
#include "cuda_stream.hpp"

#include <array>
#include <cstdint>
#include <mutex>
#include <span>

namespace falx {

/// Kernels of ours that fill memory with patterns which the driver's own fills do not know: those of 8 bytes
/// and of sizes that are no power of two. One device's; loaded when first needed. Thread-safe.
class cuda_fill_kernels {
public:
  /// Longer patterns do not go into a kernel's parameters.
  static constexpr std::size_t LONGEST_PATTERN = 128;

  explicit cuda_fill_kernels(std::uint32_t compute_units) noexcept : compute_units_(compute_units) {}

  /// Within cuda_stream::submit. False if the driver does not take the kernel; then nothing has happened.
  bool fill(cuda_stream& stream, const cuda_byte_box& box, std::span<const unsigned char> pattern);

private:
  struct version {
    std::once_flag loaded;
    cuda::module_handle module = nullptr; // stays loaded, as the device lives until the process ends
    cuda::function_handle function = nullptr;
  };
  cuda::function_handle function_for(unsigned unit_index);

  const std::uint32_t compute_units_;
  /// For units of 1, 2, 4 and 8 bytes.
  std::array<version, 4> versions_;
};

} // namespace falx
