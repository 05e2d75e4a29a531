// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/local_memory.hpp"
#include "falx/sizes.hpp"
#include "falx/specialize.hpp"
#include "sycl/access.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/accessor_subscript.hpp"
#include "sycl/detail/owner_order.hpp"
#include "sycl/id.hpp"
#include "sycl/multi_ptr.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>

namespace sycl {

class handler;

namespace detail {

/// Defined with sycl::handler.
falx::command_group& command_group_of(handler& group) noexcept;

} // namespace detail

/// Memory that the work-items of a work-group share while the group runs (SYCL 2020 §4.7.6.11). An accessor
/// is an offset into the local memory of the kernel's launch, set aside when it is constructed.
template <class DataT, int Dimensions = 1>
class FALX_SPECIALIZE FALX_LOCAL_ACCESSOR local_accessor
    : public detail::owner_ordered<local_accessor<DataT, Dimensions>> {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "a sycl::local_accessor has 0 to 3 dimensions");
  /// A zero-dimensional accessor is stored as one element.
  static constexpr int stored_dimensions = Dimensions == 0 ? 1 : Dimensions;

public:
  using value_type = DataT;
  using reference = value_type&;
  using const_reference = const DataT&;
  template <access::decorated IsDecorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::local_space, IsDecorated>;
  using iterator = value_type*;
  using const_iterator = const value_type*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;

  /// An empty accessor, not to be accessed.
  local_accessor() noexcept = default;

  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  local_accessor(handler& group, const property_list& = {}) {
    allocation_[0] = 1;
    reserve(group);
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  local_accessor(range<stored_dimensions> allocation, handler& group, const property_list& = {})
      : allocation_(allocation) {
    reserve(group);
  }

  /// From an accessor of elements that are not const.
  template <class Other,
            std::enable_if_t<std::is_same_v<const Other, DataT> && !std::is_const_v<Other>, int> = 0>
  local_accessor(const local_accessor<Other, Dimensions>& other) noexcept
      : allocation_(other.allocation_), offset_(other.offset_) {}

  void swap(local_accessor& other) noexcept {
    const local_accessor mine = *this;
    *this = local_accessor(other);
    other = local_accessor(mine);
  }

  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type size() const noexcept { return allocation_.size(); }
  size_type max_size() const noexcept { return static_cast<size_type>(-1) / 2 / sizeof(DataT); }
  bool empty() const noexcept { return size() == 0; }
  /// Deprecated spellings of byte_size and size.
  size_type get_size() const noexcept { return byte_size(); }
  size_type get_count() const noexcept { return size(); }

  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  range<D> get_range() const noexcept {
    return allocation_;
  }

  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  operator reference() const {
    return *data();
  }
  template <class T = DataT, std::enable_if_t<!std::is_const_v<T> && Dimensions == 0, int> = 0>
  const local_accessor& operator=(const std::common_type_t<T>& other) const {
    *data() = other;
    return *this;
  }
  template <class T = DataT, std::enable_if_t<!std::is_const_v<T> && Dimensions == 0, int> = 0>
  const local_accessor& operator=(std::common_type_t<T>&& other) const {
    *data() = static_cast<T&&>(other);
    return *this;
  }

  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  reference operator[](id<stored_dimensions> index) const noexcept {
    return data()[detail::linearize<stored_dimensions>(index, allocation_)];
  }
  /// An item converts both to an id and, in one dimension, to a number; here is the choice.
  template <bool WithOffset, int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  reference operator[](const item<stored_dimensions, WithOffset>& index) const noexcept {
    return (*this)[index.get_id()];
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  reference operator[](std::size_t index) const noexcept {
    return data()[index];
  }
  /// The first element: how the examples of sycl_ext_oneapi_cuda_async_barrier call a barrier's members.
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  DataT* operator->() const noexcept {
    return data();
  }
  /// The rest of the subscripts follow.
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  detail::accessor_subscript<DataT, detail::referenced_element<DataT>, D - 1>
  operator[](std::size_t index) const noexcept {
    return row_at<detail::referenced_element<DataT>>(index);
  }

  /// Deprecated: get_multi_ptr.
  local_ptr<value_type> get_pointer() const noexcept { return local_ptr<value_type>(data()); }
  template <access::decorated IsDecorated>
  accessor_ptr<IsDecorated> get_multi_ptr() const noexcept {
    return accessor_ptr<IsDecorated>(data());
  }

  iterator begin() const noexcept { return data(); }
  iterator end() const noexcept { return data() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(begin()); }

  /// No property is for local accessors.
  template <typename Property>
  bool has_property() const noexcept {
    return false;
  }
  /// Throws errc::invalid.
  template <typename Property>
  Property get_property() const {
    return property_list().template get_property<Property>();
  }

  friend bool operator==(const local_accessor& lhs, const local_accessor& rhs) noexcept {
    return lhs.offset_ == rhs.offset_ && lhs.allocation_ == rhs.allocation_;
  }
  friend bool operator!=(const local_accessor& lhs, const local_accessor& rhs) noexcept {
    return !(lhs == rhs);
  }

protected:
  /// What follows the first of two or three subscripts.
  template <class Element, int D = Dimensions>
  detail::accessor_subscript<DataT, Element, D - 1> row_at(std::size_t index) const noexcept {
    const std::size_t row = allocation_[D - 1];
    const std::size_t stride = D == 2 ? row : row * allocation_[1];
    return {data() + index * stride, row};
  }

private:
  template <class, int>
  friend class local_accessor;
  friend std::hash<local_accessor>;

  void reserve(handler& group) {
    offset_ = falx::reserve_local_memory(
        detail::command_group_of(group),
        falx::checked_bytes("sycl::local_accessor", detail::extent_of(allocation_), sizeof(DataT)),
        alignof(DataT));
  }
  DataT* data() const noexcept {
    return reinterpret_cast<DataT*>(static_cast<char*>(__falx_local_memory()) + offset_);
  }

  range<stored_dimensions> allocation_;
  /// In bytes from the start of the launch's local memory.
  std::size_t offset_ = 0;
};

} // namespace sycl

template <class DataT, int Dimensions>
struct std::hash<sycl::local_accessor<DataT, Dimensions>> {
  std::size_t operator()(const sycl::local_accessor<DataT, Dimensions>& object) const noexcept {
    return std::hash<std::size_t>()(object.offset_ * 31 + object.size());
  }
};
