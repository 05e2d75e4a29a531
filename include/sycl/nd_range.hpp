// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/range.hpp"

namespace sycl {

/// A range of work-items cut into work-groups (SYCL 2020 §4.9.1.2).
template <int Dimensions = 1>
class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  /// The offset is deprecated.
  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size,
                     id<Dimensions> offset = id<Dimensions>()) noexcept
      : global_(global_size), local_(local_size), offset_(offset) {}

  constexpr range<Dimensions> get_global_range() const noexcept { return global_; }
  constexpr range<Dimensions> get_local_range() const noexcept { return local_; }
  /// Number of groups in each dimension, 0 where the local range is 0.
  constexpr range<Dimensions> get_group_range() const noexcept {
    range<Dimensions> groups = global_;
    for (int d = 0; d < Dimensions; ++d)
      groups[d] = local_[d] == 0 ? 0 : global_[d] / local_[d];
    return groups;
  }
  constexpr id<Dimensions> get_offset() const noexcept { return offset_; }

  friend constexpr bool operator==(const nd_range& lhs, const nd_range& rhs) noexcept {
    return lhs.global_ == rhs.global_ && lhs.local_ == rhs.local_ && lhs.offset_ == rhs.offset_;
  }
  friend constexpr bool operator!=(const nd_range& lhs, const nd_range& rhs) noexcept {
    return !(lhs == rhs);
  }

private:
  range<Dimensions> global_;
  range<Dimensions> local_;
  id<Dimensions> offset_;
};

} // namespace sycl
