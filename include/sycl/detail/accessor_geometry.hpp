// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/memory.hpp"
#include "sycl/id.hpp"
#include "sycl/range.hpp"

#include <cstddef>

namespace sycl::detail {

template <int D>
constexpr falx::extent3 extent_of(const range<D>& r) noexcept {
  if constexpr (D == 1)
    return {r[0], 1, 1};
  else if constexpr (D == 2)
    return {r[1], r[0], 1};
  else
    return {r[2], r[1], r[0]};
}
template <int D>
constexpr falx::extent3 offset_of(const id<D>& i) noexcept {
  if constexpr (D == 1)
    return {i[0], 0, 0};
  else if constexpr (D == 2)
    return {i[1], i[0], 0};
  else
    return {i[2], i[1], i[0]};
}

/// Which elements of a buffer an accessor reaches, and where they are: indices are relative to the accessor's
/// offset (SYCL 2020 §4.7.6.8). Travels with the accessor into kernels, so it is as small as its purpose
/// allows: of the buffer's range, only the extents that strides are made of.
template <int D>
class accessor_geometry {
public:
  constexpr accessor_geometry() noexcept = default;
  constexpr accessor_geometry(const range<D>& buffer_range, const range<D>& accessed,
                              const id<D>& offset) noexcept
      : range_(accessed), offset_(offset) {
    for (int d = 1; d < D; ++d)
      extents_[d - 1] = buffer_range[d];
  }
  constexpr const range<D>& extent() const noexcept { return range_; }
  constexpr const id<D>& offset() const noexcept { return offset_; }
  constexpr std::size_t size() const noexcept { return range_.size(); }
  /// Distance of the first accessed element from the buffer's first.
  constexpr std::size_t first() const noexcept { return linear(id<D>()); }
  constexpr std::size_t linear(const id<D>& index) const noexcept {
    std::size_t result = offset_[0] + index[0];
    for (int d = 1; d < D; ++d)
      result = result * extents_[d - 1] + (offset_[d] + index[d]);
    return result;
  }
  /// Distance of elements whose indices differ by one in dimension 0.
  constexpr std::size_t outer_stride() const noexcept {
    if constexpr (D == 2)
      return extents_[0];
    else
      return extents_[0] * extents_[1];
  }
  constexpr std::size_t row_length() const noexcept { return extents_[D - 2]; }
  constexpr const accessor_geometry& ranged() const noexcept { return *this; }

  falx::memory_box box(void* base, std::size_t element_size) const noexcept {
    falx::memory_box result;
    result.base = base;
    result.offset = offset_of(offset_);
    result.range = extent_of(range_);
    if constexpr (D == 2)
      result.array_range = {extents_[0], offset_[0] + range_[0], 1};
    else
      result.array_range = {extents_[1], extents_[0], offset_[0] + range_[0]};
    result.element_size = element_size;
    return result;
  }

private:
  range<D> range_;
  id<D> offset_;
  std::size_t extents_[D - 1] = {};
};

template <>
class accessor_geometry<1> {
public:
  constexpr accessor_geometry() noexcept = default;
  constexpr accessor_geometry(const range<1>&, const range<1>& accessed, const id<1>& offset) noexcept
      : range_(accessed), offset_(offset) {}
  constexpr const range<1>& extent() const noexcept { return range_; }
  constexpr const id<1>& offset() const noexcept { return offset_; }
  constexpr std::size_t size() const noexcept { return range_[0]; }
  constexpr std::size_t first() const noexcept { return offset_[0]; }
  constexpr std::size_t linear(const id<1>& index) const noexcept { return offset_[0] + index[0]; }
  constexpr const accessor_geometry& ranged() const noexcept { return *this; }

  falx::memory_box box(void* base, std::size_t element_size) const noexcept {
    falx::memory_box result;
    result.base = base;
    result.offset = offset_of(offset_);
    result.range = extent_of(range_);
    result.array_range = {offset_[0] + range_[0], 1, 1};
    result.element_size = element_size;
    return result;
  }

private:
  range<1> range_;
  id<1> offset_;
};

/// The first element of a one-dimensional buffer.
template <>
class accessor_geometry<0> {
public:
  constexpr accessor_geometry() noexcept = default;
  constexpr accessor_geometry(const range<1>&, const range<1>& accessed, const id<1>&) noexcept
      : size_(accessed[0]) {}
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr std::size_t first() const noexcept { return 0; }
  constexpr const accessor_geometry& ranged() const noexcept { return *this; }

  falx::memory_box box(void* base, std::size_t element_size) const noexcept {
    falx::memory_box result;
    result.base = base;
    result.range = {size_, 1, 1};
    result.element_size = element_size;
    return result;
  }

private:
  /// 1 unless the buffer is empty.
  std::size_t size_ = 0;
};

/// The same for accessors that reach the whole buffer by their type: its range is all they need.
template <int D>
class unranged_geometry {
public:
  constexpr unranged_geometry() noexcept = default;
  constexpr unranged_geometry(const range<D>& buffer_range, const range<D>&, const id<D>&) noexcept
      : range_(buffer_range) {}
  constexpr const range<D>& extent() const noexcept { return range_; }
  constexpr id<D> offset() const noexcept { return {}; }
  constexpr std::size_t size() const noexcept { return range_.size(); }
  constexpr std::size_t first() const noexcept { return 0; }
  constexpr std::size_t linear(const id<D>& index) const noexcept { return linearize(index, range_); }
  constexpr std::size_t outer_stride() const noexcept {
    if constexpr (D == 2)
      return range_[1];
    else
      return range_[1] * range_[2];
  }
  constexpr std::size_t row_length() const noexcept { return range_[D - 1]; }
  constexpr accessor_geometry<D> ranged() const noexcept { return {range_, range_, id<D>()}; }
  falx::memory_box box(void* base, std::size_t element_size) const noexcept {
    return ranged().box(base, element_size);
  }

private:
  range<D> range_;
};
template <>
class unranged_geometry<0> : public accessor_geometry<0> {
public:
  using accessor_geometry<0>::accessor_geometry;
};

} // namespace sycl::detail
