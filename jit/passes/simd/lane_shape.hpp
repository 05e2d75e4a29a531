// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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
  std::int64_t stride = 0;

  static lane_shape uniform() { return {kind::strided, true, true, 0}; }
  static lane_shape varying() { return {kind::varying, false, false, 0}; }
  static lane_shape strided(std::int64_t stride, bool exact_signed = false, bool exact_unsigned = false) {
    return stride == 0 ? uniform() : lane_shape{kind::strided, exact_signed, exact_unsigned, stride};
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
          left.exact_unsigned && right.exact_unsigned, left.stride};
}

} // namespace falx::jit::simd
