// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstdint>

namespace falx {

/// Every index, range and product of ranges of the launch is below 2^31: jit::configuration::narrow_indices.
inline bool has_narrow_indices(const launch_geometry& geometry) noexcept {
  constexpr std::uint64_t END = std::uint64_t{1} << 31;
  const extent3& range = geometry.global_range;
  const extent3& offset = geometry.global_offset;
  // In this order no product overflows.
  return range.x < END && range.y < END && range.z < END && range.x * range.y < END &&
         range.x * range.y * range.z < END && offset.x < END - range.x && offset.y < END - range.y &&
         offset.z < END - range.z;
}

/// jit::configuration::no_offset.
inline bool has_no_offset(const launch_geometry& geometry) noexcept {
  const extent3& offset = geometry.global_offset;
  return (offset.x | offset.y | offset.z) == 0;
}

} // namespace falx
