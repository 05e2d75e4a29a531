// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_operators.hpp"

namespace sycl {

/// Extent of a one-, two- or three-dimensional index space; the last dimension moves fastest
/// (SYCL 2020 §4.9.1.1).
template <int Dimensions = 1>
class range {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a sycl::range has 1, 2 or 3 dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr range() noexcept = default;
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  constexpr range(std::size_t dim0) noexcept : values_{dim0} {}
  template <int D = Dimensions, std::enable_if_t<D == 2, int> = 0>
  constexpr range(std::size_t dim0, std::size_t dim1) noexcept : values_{dim0, dim1} {}
  template <int D = Dimensions, std::enable_if_t<D == 3, int> = 0>
  constexpr range(std::size_t dim0, std::size_t dim1, std::size_t dim2) noexcept
      : values_{dim0, dim1, dim2} {}

  constexpr std::size_t get(int dimension) const noexcept { return values_[dimension]; }
  constexpr std::size_t& operator[](int dimension) noexcept { return values_[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return values_[dimension]; }

  /// Number of indices: the product of the extents.
  constexpr std::size_t size() const noexcept {
    std::size_t product = values_[0];
    for (int d = 1; d < Dimensions; ++d)
      product *= values_[d];
    return product;
  }

  FALX_INDEX_OPERATORS(range)

private:
  std::size_t values_[Dimensions] = {};
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

} // namespace sycl
