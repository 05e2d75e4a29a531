// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_kernel.hpp"
#include "cuda_stream.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace falx {

/// Thread blocks of a launch, which the code is specialised on: a function of the geometry and the device
/// alone, so that specialize and the launch agree.
struct cuda_blocks {
  std::uint32_t block[3];
  /// Before they are made one axis by is_linear.
  std::uint64_t grid[3];
  bool is_linear;
};
cuda_blocks blocks_for(const launch_geometry& geometry, const cuda_limits& limits,
                       std::uint32_t compute_units) noexcept;

/// The blocks of most launches of kind range, unless the user prefers others.
std::vector<std::array<std::uint32_t, 3>> usual_blocks(std::uint32_t dimensions);

/// Within cuda_stream::submit. Throws sycl::exception.
void launch_cuda_kernel(cuda_stream& stream, const cuda_limits& limits, std::uint32_t compute_units,
                        const kernel_operation& kernel);

} // namespace falx
