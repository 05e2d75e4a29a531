// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/range.hpp"

namespace sycl {

namespace detail {
/// Builds the index objects whose constructors SYCL does not expose.
struct index_access;
} // namespace detail

/// One work-item of a range (SYCL 2020 §4.9.1.4). WithOffset is deprecated, as are offsets.
template <int Dimensions = 1, bool WithOffset = true>
class item : public detail::index_number<item<Dimensions, WithOffset>, Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  item() = delete;

  constexpr id<Dimensions> get_id() const noexcept { return index_; }
  constexpr std::size_t get_id(int dimension) const noexcept { return index_[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return index_[dimension]; }

  constexpr range<Dimensions> get_range() const noexcept { return extent_; }
  constexpr std::size_t get_range(int dimension) const noexcept { return extent_[dimension]; }

  template <bool B = WithOffset, std::enable_if_t<B, int> = 0>
  constexpr id<Dimensions> get_offset() const noexcept {
    return offset_;
  }

  /// The deprecated conversion of an item without offset to one with offset 0.
  template <bool Other, std::enable_if_t<WithOffset && !Other, int> = 0>
  constexpr item(const item<Dimensions, Other>& other) noexcept
      : index_(other.index_), extent_(other.extent_), offset_{} {}

  /// get_id() in the equation of SYCL 2020 §3.11.1, with the range as the extent. That includes an offset,
  /// which only nd_item::get_global_linear_id subtracts, as only its description says.
  constexpr std::size_t get_linear_id() const noexcept {
    return detail::linearize<Dimensions>(index_, extent_);
  }

  friend constexpr bool operator==(const item& lhs, const item& rhs) noexcept {
    return lhs.index_ == rhs.index_ && lhs.extent_ == rhs.extent_ && same_offset(lhs, rhs);
  }
  friend constexpr bool operator!=(const item& lhs, const item& rhs) noexcept { return !(lhs == rhs); }

private:
  struct no_offset {};
  friend detail::index_access;
  template <int, bool>
  friend class item;

  constexpr item(id<Dimensions> index, range<Dimensions> extent, id<Dimensions> offset) noexcept
      : index_(index), extent_(extent), offset_(offset) {}
  constexpr item(id<Dimensions> index, range<Dimensions> extent) noexcept
      : index_(index), extent_(extent), offset_{} {}
  static constexpr bool same_offset(const item& lhs, const item& rhs) noexcept {
    if constexpr (WithOffset)
      return lhs.offset_ == rhs.offset_;
    else
      return true;
  }

  id<Dimensions> index_;
  range<Dimensions> extent_;
  std::conditional_t<WithOffset, id<Dimensions>, no_offset> offset_;
};

} // namespace sycl
