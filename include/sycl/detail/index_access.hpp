// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/item.hpp"
#include "sycl/range.hpp"

namespace sycl {

template <int Dimensions>
class h_item;

namespace detail {

/// Calls the private constructors of index objects on behalf of the implementation.
struct index_access {
  template <int D>
  static constexpr item<D, false> make_item(const id<D>& index, const range<D>& extent) noexcept {
    return item<D, false>(index, extent);
  }
  template <int D>
  static constexpr item<D, true> make_item(const id<D>& index, const range<D>& extent,
                                           const id<D>& offset) noexcept {
    return item<D, true>(index, extent, offset);
  }
  template <int D>
  static h_item<D> make_h_item(const item<D, false>& global, const item<D, false>& logical,
                               const item<D, false>& physical) noexcept {
    return h_item<D>(global, logical, physical);
  }
  /// Groups, nd_items and sub-groups, which take one argument that only keeps them from being default
  /// constructible (for groups: whether the group's body runs once, see sycl::group).
  template <class T, class Argument>
  static constexpr T make(Argument argument) noexcept {
    return T(argument);
  }
};

} // namespace detail
} // namespace sycl
