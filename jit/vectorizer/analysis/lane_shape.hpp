// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstdint>
#include <vector>

namespace falx::jit::simd {

/// How far each lane's value is from lane 0's, modulo 2^64.
struct lane_offsets {
  explicit lane_offsets(std::vector<std::int64_t> lanes) : of_lane(std::move(lanes)) {
    assert(!of_lane.empty() && "a vector has lanes");
    const auto ends = std::minmax_element(of_lane.begin(), of_lane.end());
    least = *ends.first;
    greatest = *ends.second;
  }
  std::vector<std::int64_t> of_lane;
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  auto operator<=>(const lane_offsets&) const = default;
};

/// How a value depends on the lane, for the lanes that are active where it is computed.
struct lane_shape {
  enum class kind : std::uint8_t {
    /// Not known yet: nothing has been seen that would make it one of the others.
    undefined,
    /// base + lane * stride, modulo the type's width. Uniform if the stride is 0. Pointers count bytes.
    strided,
    /// base + a constant of the lane, modulo the type's width, in no progression.
    tabulated,
    varying,
  };
  kind what = kind::undefined;
  /// Base and what is added to it are signed (unsigned) numbers whose sum no active lane wraps.
  bool exact_signed = false;
  bool exact_unsigned = false;
  /// Of an integer: the base is a multiple of two to this power.
  std::uint8_t alignment = 0;
  std::int64_t stride = 0;
  /// Of what is tabulated; equal ones are one object.
  const lane_offsets* offsets = nullptr;

  static lane_shape uniform(unsigned alignment = 0) {
    return {kind::strided, true, true, std::uint8_t(alignment), 0, nullptr};
  }
  static lane_shape varying() { return {kind::varying, false, false, 0, 0, nullptr}; }
  static lane_shape strided(std::int64_t stride, bool exact_signed = false, bool exact_unsigned = false,
                            unsigned alignment = 0) {
    return stride == 0 ? uniform(alignment)
                       : lane_shape{kind::strided,           exact_signed, exact_unsigned,
                                    std::uint8_t(alignment), stride,       nullptr};
  }
  /// The distance of a lane's value from the base, modulo 2^64.
  std::int64_t offset_of(unsigned lane) const {
    assert(is_scalar() && "what varies has no offsets from lane 0");
    assert((offsets == nullptr || lane < offsets->of_lane.size()) && "there is no such lane");
    return offsets != nullptr ? offsets->of_lane[lane] : std::int64_t(std::uint64_t(stride) * lane);
  }
  bool has_offsets_of(const lane_shape& other) const {
    return what == other.what && stride == other.stride && offsets == other.offsets;
  }
  /// The base is a multiple of a power of two, at most 2 to the power of \p most_bits, and no lane's value
  /// reaches the next one: above that many bits all lanes have the same.
  bool is_in_block(unsigned lanes, unsigned most_bits = 62) const {
    const std::int64_t last = (std::int64_t(1) << std::min({most_bits, unsigned(alignment), 62U})) - 1;
    if (what == kind::tabulated)
      return offsets->least >= 0 && offsets->greatest <= last;
    return what == kind::strided && stride >= 0 && stride <= last / std::int64_t(std::max(lanes, 2U) - 1);
  }
  bool is_uniform() const { return what == kind::strided && stride == 0; }
  bool is_progression() const { return what == kind::strided; }
  /// One scalar, the base, says it all: it is the value of lane 0.
  bool is_scalar() const { return what == kind::strided || what == kind::tabulated; }
  bool is_varying() const { return what == kind::varying; }
  bool operator==(const lane_shape&) const = default;
};

/// What holds for a value that is one or the other, the same choice for all lanes.
inline lane_shape join(const lane_shape& left, const lane_shape& right) {
  if (left.what == lane_shape::kind::undefined)
    return right;
  if (right.what == lane_shape::kind::undefined)
    return left;
  if (left.is_varying() || !left.has_offsets_of(right))
    return lane_shape::varying();
  lane_shape result = left;
  result.exact_signed &= right.exact_signed;
  result.exact_unsigned &= right.exact_unsigned;
  result.alignment = std::min(left.alignment, right.alignment);
  return result;
}

} // namespace falx::jit::simd
