// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_operators.hpp"
#include "sycl/range.hpp"

namespace sycl {

template <int Dimensions, bool WithOffset>
class item;

namespace detail {

/// Base that lets one-dimensional indices convert to their number. A conversion function template would not
/// do: it deduces its target, so the step from size_t to bool or int would be lost.
template <class Index, int Dimensions>
struct index_number {};
template <class Index>
struct index_number<Index, 1> {
  constexpr operator std::size_t() const noexcept { return static_cast<const Index&>(*this)[0]; }
};

} // namespace detail

/// A point of an index space; the last dimension moves fastest (SYCL 2020 §4.9.1.3).
template <int Dimensions = 1>
class id : public detail::index_number<id<Dimensions>, Dimensions> {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a sycl::id has 1, 2 or 3 dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr id() noexcept = default;
  /// From any integer. Floating-point values convert explicitly only, so that `id<1> * 2.0f` means the
  /// product of numbers.
  template <class T, std::enable_if_t<Dimensions == 1 &&
                                          (std::is_integral_v<T> ||
                                           (std::is_enum_v<T> && std::is_convertible_v<T, std::size_t>)),
                                      int> = 0>
  constexpr id(T dim0) noexcept : values_{static_cast<std::size_t>(dim0)} {}
  template <class T, std::enable_if_t<Dimensions == 1 && std::is_floating_point_v<T>, int> = 0, class = void>
  constexpr explicit id(T dim0) noexcept : values_{static_cast<std::size_t>(dim0)} {}
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  constexpr id(std::size_t dim0, std::size_t dim1) noexcept : values_{dim0, dim1} {}
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  constexpr id(std::size_t dim0, std::size_t dim1, std::size_t dim2) noexcept : values_{dim0, dim1, dim2} {}

  constexpr id(const range<Dimensions>& range) noexcept {
    for (int d = 0; d < Dimensions; ++d)
      values_[d] = range[d];
  }
  template <bool WithOffset>
  constexpr id(const item<Dimensions, WithOffset>& item) noexcept : id(item.get_id()) {}

  constexpr std::size_t get(int dimension) const noexcept { return values_[dimension]; }
  constexpr std::size_t& operator[](int dimension) noexcept { return values_[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return values_[dimension]; }

  FALX_INDEX_OPERATORS(id)

  /// Equality with a number, which the conversion to size_t would otherwise make ambiguous.
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator==(const id& lhs, const T& rhs) noexcept {
    return lhs[0] == static_cast<std::size_t>(rhs);
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator!=(const id& lhs, const T& rhs) noexcept {
    return lhs[0] != static_cast<std::size_t>(rhs);
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator==(const T& lhs, const id& rhs) noexcept {
    return static_cast<std::size_t>(lhs) == rhs[0];
  }
  template <class T, int D = Dimensions, std::enable_if_t<D == 1 && std::is_integral_v<T>, int> = 0>
  friend constexpr bool operator!=(const T& lhs, const id& rhs) noexcept {
    return static_cast<std::size_t>(lhs) != rhs[0];
  }

private:
  std::size_t values_[Dimensions] = {};
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

namespace detail {

/// Position of \p index in row-major order of \p extent (SYCL 2020 §3.11.1).
template <int D>
constexpr std::size_t linearize(const id<D>& index, const range<D>& extent) noexcept {
  std::size_t linear = index[0];
  for (int d = 1; d < D; ++d)
    linear = linear * extent[d] + index[d];
  return linear;
}

/// The inverse of linearize.
template <int D>
constexpr id<D> delinearize(std::size_t linear, const range<D>& extent) noexcept {
  id<D> index;
  for (int d = D - 1; d > 0; --d) {
    index[d] = linear % extent[d];
    linear /= extent[d];
  }
  index[0] = linear;
  return index;
}

} // namespace detail
} // namespace sycl
