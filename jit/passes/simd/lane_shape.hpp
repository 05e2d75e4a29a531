// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstdint>

namespace falx::jit::simd {

/// How a value depends on the lane, for the lanes that are active where it is computed.
struct lane_shape {
  enum class kind : std::uint8_t {
    /// Not known yet: nothing has been seen that would make it one of the others.
    undefined,
    /// base + lane * stride, modulo the type's width. Uniform if the stride is 0. Pointers count bytes.
    strided,
    varying,
  };
  kind what = kind::undefined;
  /// The strided values are an arithmetic progression of signed (unsigned) numbers: no active lane wraps.
  bool exact_signed = false;
  bool exact_unsigned = false;
  /// Of an integer: the base is a multiple of two to this power.
  std::uint8_t alignment = 0;
  std::int64_t stride = 0;

  static lane_shape uniform(unsigned alignment = 0) {
    return {kind::strided, true, true, std::uint8_t(alignment), 0};
  }
  static lane_shape varying() { return {kind::varying, false, false, 0, 0}; }
  static lane_shape strided(std::int64_t stride, bool exact_signed = false, bool exact_unsigned = false,
                            unsigned alignment = 0) {
    return stride == 0
               ? uniform(alignment)
               : lane_shape{kind::strided, exact_signed, exact_unsigned, std::uint8_t(alignment), stride};
  }
  /// The base is a multiple of a power of two, at most 2 to the power of \p most_bits, and no lane's value
  /// reaches the next one: above that many bits all lanes have the same.
  bool is_in_block(unsigned lanes, unsigned most_bits = 62) const {
    const std::int64_t last = (std::int64_t(1) << std::min({most_bits, unsigned(alignment), 62U})) - 1;
    return what == kind::strided && stride >= 0 && stride <= last / std::int64_t(std::max(lanes, 2U) - 1);
  }
  bool is_uniform() const { return what == kind::strided && stride == 0; }
  /// One scalar, the base, says it all.
  bool is_scalar() const { return what == kind::strided; }
  bool is_varying() const { return what == kind::varying; }
  bool operator==(const lane_shape&) const = default;
};

/// What holds for a value that is one or the other, the same choice for all lanes.
inline lane_shape join(const lane_shape& left, const lane_shape& right) {
  if (left.what == lane_shape::kind::undefined)
    return right;
  if (right.what == lane_shape::kind::undefined)
    return left;
  if (left.is_varying() || right.is_varying() || left.stride != right.stride)
    return lane_shape::varying();
  return {lane_shape::kind::strided, left.exact_signed && right.exact_signed,
          left.exact_unsigned && right.exact_unsigned, std::min(left.alignment, right.alignment),
          left.stride};
}

} // namespace falx::jit::simd
