// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/accessor_geometry.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>

namespace sycl::detail {

/// Random-access iterator over the elements that a two- or three-dimensional accessor reaches, in row-major
/// order of the accessor's range (SYCL 2020 §4.7.6.7).
template <class T, int D>
class accessor_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;

  constexpr accessor_iterator() noexcept = default;
  /// \p buffer points to the first element of the buffer.
  constexpr accessor_iterator(T* buffer, const accessor_geometry<D>& geometry,
                              difference_type position) noexcept
      : buffer_(buffer), geometry_(geometry), position_(position) {}
  /// From an iterator to one that only reads.
  template <class Other, class = std::enable_if_t<std::is_same_v<const Other, T> && !std::is_const_v<Other>>>
  constexpr accessor_iterator(const accessor_iterator<Other, D>& other) noexcept
      : buffer_(other.buffer_), geometry_(other.geometry_), position_(other.position_) {}

  constexpr reference operator*() const noexcept { return *at(position_); }
  constexpr pointer operator->() const noexcept { return at(position_); }
  constexpr reference operator[](difference_type distance) const noexcept {
    return *at(position_ + distance);
  }

  constexpr accessor_iterator& operator+=(difference_type distance) noexcept {
    position_ += distance;
    return *this;
  }
  constexpr accessor_iterator& operator-=(difference_type distance) noexcept {
    position_ -= distance;
    return *this;
  }
  constexpr accessor_iterator& operator++() noexcept { return *this += 1; }
  constexpr accessor_iterator& operator--() noexcept { return *this -= 1; }
  constexpr accessor_iterator operator++(int) noexcept {
    accessor_iterator before = *this;
    ++*this;
    return before;
  }
  constexpr accessor_iterator operator--(int) noexcept {
    accessor_iterator before = *this;
    --*this;
    return before;
  }
  friend constexpr accessor_iterator operator+(accessor_iterator i, difference_type distance) noexcept {
    return i += distance;
  }
  friend constexpr accessor_iterator operator+(difference_type distance, accessor_iterator i) noexcept {
    return i += distance;
  }
  friend constexpr accessor_iterator operator-(accessor_iterator i, difference_type distance) noexcept {
    return i -= distance;
  }
  friend constexpr difference_type operator-(const accessor_iterator& a,
                                             const accessor_iterator& b) noexcept {
    return a.position_ - b.position_;
  }
  friend constexpr bool operator==(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ == b.position_;
  }
  friend constexpr bool operator!=(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ != b.position_;
  }
  friend constexpr bool operator<(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ < b.position_;
  }
  friend constexpr bool operator>(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ > b.position_;
  }
  friend constexpr bool operator<=(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ <= b.position_;
  }
  friend constexpr bool operator>=(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.position_ >= b.position_;
  }

private:
  template <class, int>
  friend class accessor_iterator;

  constexpr pointer at(difference_type position) const noexcept {
    return buffer_ + geometry_.linear(delinearize(static_cast<std::size_t>(position), geometry_.extent()));
  }

  pointer buffer_ = nullptr;
  accessor_geometry<D> geometry_;
  difference_type position_ = 0;
};

/// One-dimensional ranges are contiguous, so pointers iterate over them.
template <class T, int D>
using accessor_iterator_t = std::conditional_t<(D > 1), accessor_iterator<T, D>, T*>;

} // namespace sycl::detail
