// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>

/// \file
/// Sizes that come from the user are multiplied here and nowhere else, so that none wraps round.

namespace falx {

/// No object is larger: distances within one fit into a std::ptrdiff_t.
constexpr std::size_t LARGEST_BYTES = static_cast<std::size_t>(-1) / 2;

/// Throw sycl::exception with errc::invalid and a sentence that begins with \p what, which names the class or
/// function of SYCL, and has all sizes.
[[noreturn]] void throw_too_many_bytes(const char* what, const extent3& range, std::size_t element_size);
[[noreturn]] void throw_too_many_indices(const char* what, const extent3& range, const extent3& factor);

/// Bytes of an array. Throws errc::invalid if there are more than LARGEST_BYTES.
constexpr std::size_t checked_bytes(const char* what, const extent3& range, std::size_t element_size) {
  if (range.x == 0 || range.y == 0 || range.z == 0)
    return 0; // whatever the other extents are
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(element_size, range.x, &bytes) ||
      __builtin_mul_overflow(bytes, range.y, &bytes) || __builtin_mul_overflow(bytes, range.z, &bytes) ||
      bytes > LARGEST_BYTES)
    throw_too_many_bytes(what, range, element_size);
  return bytes;
}
constexpr std::size_t checked_bytes(const char* what, std::size_t count, std::size_t element_size) {
  return checked_bytes(what, extent3{count, 1, 1}, element_size);
}

/// The product of each axis. Throws errc::invalid if one does not fit.
constexpr extent3 checked_product(const char* what, const extent3& range, const extent3& factor) {
  extent3 product{0, 0, 0};
  if (__builtin_mul_overflow(range.x, factor.x, &product.x) ||
      __builtin_mul_overflow(range.y, factor.y, &product.y) ||
      __builtin_mul_overflow(range.z, factor.z, &product.z))
    throw_too_many_indices(what, range, factor);
  return product;
}
/// Number of indices in a range. Throws errc::invalid if it does not fit.
constexpr std::size_t checked_count(const char* what, const extent3& range) {
  if (range.x == 0 || range.y == 0 || range.z == 0)
    return 0;
  std::size_t count = 0;
  if (__builtin_mul_overflow(range.x, range.y, &count) || __builtin_mul_overflow(count, range.z, &count))
    throw_too_many_indices(what, range, {1, 1, 1});
  return count;
}

} // namespace falx
