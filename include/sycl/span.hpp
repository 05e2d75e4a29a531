// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#if __cplusplus >= 202002L
#include <span>
#else
#include <array>
#endif

/// \file
/// sycl::span is std::span where there is one (SYCL 2020 §4.7.9 refers to C++20).

namespace sycl {

#if __cplusplus >= 202002L

using std::as_bytes;
using std::as_writable_bytes;
using std::dynamic_extent;
using std::span;

#else

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

/// A pointer and a length, with the members of C++20's class that C++17 can express.
template <class T, std::size_t Extent = dynamic_extent>
class span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  static constexpr std::size_t extent = Extent;

  template <std::size_t E = Extent, std::enable_if_t<E == 0 || E == dynamic_extent, int> = 0>
  constexpr span() noexcept {}
  constexpr span(T* first, std::size_t count) noexcept : data_(first), size_(count) {}
  constexpr span(T* first, T* last) noexcept : data_(first), size_(static_cast<std::size_t>(last - first)) {}
  template <std::size_t N, std::enable_if_t<Extent == dynamic_extent || Extent == N, int> = 0>
  constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  template <
      class U, std::size_t N,
      std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && (Extent == dynamic_extent || Extent == N),
                       int> = 0>
  constexpr span(std::array<U, N>& array) noexcept : data_(array.data()), size_(N) {}
  template <class U, std::size_t N,
            std::enable_if_t<std::is_convertible_v<const U (*)[], T (*)[]> &&
                                 (Extent == dynamic_extent || Extent == N),
                             int> = 0>
  constexpr span(const std::array<U, N>& array) noexcept : data_(array.data()), size_(N) {}
  /// Containers, for spans of any length.
  template <
      class Container, class Element = std::remove_pointer_t<decltype(std::declval<Container&>().data())>,
      std::enable_if_t<Extent == dynamic_extent && std::is_convertible_v<Element (*)[], T (*)[]>, int> = 0>
  constexpr span(Container& container) : data_(container.data()), size_(container.size()) {}
  template <
      class U, std::size_t N,
      std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]> && (Extent == dynamic_extent || Extent == N),
                       int> = 0>
  constexpr span(const span<U, N>& other) noexcept : data_(other.data()), size_(other.size()) {}

  constexpr T* data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t size_bytes() const noexcept { return size_ * sizeof(T); }
  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr T& operator[](std::size_t index) const { return data_[index]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr T* begin() const noexcept { return data_; }
  constexpr T* end() const noexcept { return data_ + size_; }
  constexpr reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  constexpr span<T> first(std::size_t count) const { return {data_, count}; }
  constexpr span<T> last(std::size_t count) const { return {data_ + size_ - count, count}; }
  constexpr span<T> subspan(std::size_t offset, std::size_t count = dynamic_extent) const {
    return {data_ + offset, count == dynamic_extent ? size_ - offset : count};
  }
  template <std::size_t Count>
  constexpr span<T, Count> first() const {
    static_assert(Count <= Extent, "the span has fewer elements"); // dynamic_extent is the largest number
    return {data_, Count};
  }
  template <std::size_t Count>
  constexpr span<T, Count> last() const {
    static_assert(Count <= Extent, "the span has fewer elements");
    return {data_ + size_ - Count, Count};
  }
  template <std::size_t Offset, std::size_t Count = dynamic_extent>
  constexpr auto subspan() const {
    static_assert(Offset <= Extent && (Count == dynamic_extent || Count <= Extent - Offset),
                  "the span has fewer elements");
    constexpr std::size_t rest = Extent == dynamic_extent ? dynamic_extent : Extent - Offset;
    return span<T, Count != dynamic_extent ? Count : rest>(data_ + Offset,
                                                           Count != dynamic_extent ? Count : size_ - Offset);
  }

private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T, std::size_t N>
span(T (&)[N]) -> span<T, N>;
template <class T, std::size_t N>
span(std::array<T, N>&) -> span<T, N>;
template <class T, std::size_t N>
span(const std::array<T, N>&) -> span<const T, N>;
template <class T>
span(T*, std::size_t) -> span<T>;
template <class T>
span(T*, T*) -> span<T>;
template <class Container>
span(Container&) -> span<std::remove_pointer_t<decltype(std::declval<Container&>().data())>>;

namespace detail {

template <std::size_t Extent, class T>
inline constexpr std::size_t extent_in_bytes = Extent == dynamic_extent ? dynamic_extent : Extent * sizeof(T);

} // namespace detail

/// The elements' bytes.
template <class T, std::size_t Extent>
span<const std::byte, detail::extent_in_bytes<Extent, T>> as_bytes(span<T, Extent> elements) noexcept {
  return {reinterpret_cast<const std::byte*>(elements.data()), elements.size_bytes()};
}
template <class T, std::size_t Extent, std::enable_if_t<!std::is_const_v<T>, int> = 0>
span<std::byte, detail::extent_in_bytes<Extent, T>> as_writable_bytes(span<T, Extent> elements) noexcept {
  return {reinterpret_cast<std::byte*>(elements.data()), elements.size_bytes()};
}

#endif

} // namespace sycl
