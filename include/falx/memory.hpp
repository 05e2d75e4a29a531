// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>

namespace falx {

/// A box of elements inside a larger row-major array. Extents, offsets and strides of copies and fills of
/// one, two and three dimensions are all expressed with this; a contiguous copy of n bytes is element_size 1
/// and range {n, 1, 1}.
struct memory_box {
  /// First element of the array.
  void* base = nullptr;
  /// Extent of the whole array in elements, x fastest.
  extent3 array_range{1, 1, 1};
  extent3 offset{0, 0, 0};
  /// Extent of the box in elements.
  extent3 range{1, 1, 1};
  std::size_t element_size = 1;
};

/// Behind sycl::ext::oneapi::experimental::memory_pool.
class memory_pool_state;
void retain(memory_pool_state*) noexcept;
void release(memory_pool_state*) noexcept;

/// Of a memory pool, in bytes.
struct memory_pool_limits {
  std::size_t maximum = ~std::size_t{0} / 2;
  /// What the pool does not give back to the device.
  std::size_t threshold = 0;
  /// Memory is zero when it comes from the device.
  bool is_zero = false;
};

/// Kinds of unified shared memory (SYCL 2020 §4.8.2).
enum class usm_kind : unsigned { host, device, shared, unknown };

} // namespace falx
