// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/buffer.hpp"
#include "sycl/buffer.hpp"
#include "sycl/detail/accessor_declarations.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/detail/accessor_iterator.hpp"
#include "sycl/detail/accessor_request.hpp"
#include "sycl/detail/accessor_subscript.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/detail/owner_order.hpp"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

namespace sycl {

/// Access to a buffer from host code outside commands (SYCL 2020 §4.7.6.10). The constructor waits for
/// commands that conflict; until the last copy of the accessor is destroyed, later ones wait for it. Host
/// accessors do not wait for each other.
template <typename DataT, int Dimensions, access_mode AccessMode>
class host_accessor : public detail::owner_ordered<host_accessor<DataT, Dimensions, AccessMode>> {
  static_assert(!std::is_const_v<DataT> || AccessMode == access_mode::read,
                "an accessor of a const type has access_mode::read");
  static_assert(AccessMode != access_mode::atomic, "host accessors are not atomic");
  static constexpr int buffer_dimensions = detail::buffer_dimensions(Dimensions);
  using extent = range<buffer_dimensions>;
  using position = id<buffer_dimensions>;
  template <class T, int BufferDimensions>
  using if_buffer =
      std::enable_if_t<BufferDimensions == buffer_dimensions && detail::may_access_v<T, DataT, AccessMode>,
                       int>;
  template <class T, int BufferDimensions>
  using if_ranged_buffer =
      std::enable_if_t<BufferDimensions == Dimensions && detail::may_access_v<T, DataT, AccessMode>, int>;
  template <class Tag>
  using if_tag = std::enable_if_t<detail::access_tag<Tag>::mode == AccessMode, int>;

public:
  using value_type = detail::accessed<DataT, AccessMode>;
  using reference = value_type&;
  using const_reference = const DataT&;
  using iterator = detail::accessor_iterator_t<value_type, Dimensions>;
  using const_iterator = detail::accessor_iterator_t<const value_type, Dimensions>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = typename std::iterator_traits<iterator>::difference_type;
  using size_type = std::size_t;

  /// An accessor that reaches nothing.
  host_accessor() noexcept = default;

  template <typename T, int D, typename A, if_buffer<T, D> = 0>
  host_accessor(buffer<T, D, A>& b, const property_list& propList = {})
      : host_accessor(b, propList, detail::default_access_range<Dimensions>(b), {}) {}
  template <typename T, int D, typename A, typename Tag, if_buffer<T, D> = 0, if_tag<Tag> = 0>
  host_accessor(buffer<T, D, A>& b, Tag, const property_list& propList = {}) : host_accessor(b, propList) {}
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  host_accessor(buffer<T, D, A>& b, extent accessRange, const property_list& propList = {})
      : host_accessor(b, propList, accessRange, {}) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  host_accessor(buffer<T, D, A>& b, extent accessRange, Tag, const property_list& propList = {})
      : host_accessor(b, propList, accessRange, {}) {}
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  host_accessor(buffer<T, D, A>& b, extent accessRange, position accessOffset,
                const property_list& propList = {})
      : host_accessor(b, propList, accessRange, accessOffset) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  host_accessor(buffer<T, D, A>& b, extent accessRange, position accessOffset, Tag,
                const property_list& propList = {})
      : host_accessor(b, propList, accessRange, accessOffset) {}

  /// From an accessor that can do more (SYCL 2020 §4.7.6.10.3).
  template <typename T, access_mode Mode,
            std::enable_if_t<detail::accessor_converts_v<T, Mode, DataT, AccessMode> &&
                                 !std::is_same_v<host_accessor<T, Dimensions, Mode>, host_accessor>,
                             int> = 0>
  host_accessor(const host_accessor<T, Dimensions, Mode>& other) noexcept
      : state_(other.state_), data_(other.data_), geometry_(other.geometry_), no_init_(other.no_init_) {}

  void swap(host_accessor& other) {
    const host_accessor mine = *this;
    *this = other;
    other = mine;
  }

  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type size() const noexcept { return geometry_.size(); }
  /// Deprecated.
  size_type max_size() const noexcept { return static_cast<size_type>(PTRDIFF_MAX) / sizeof(DataT); }
  /// As accessors of SYCL 1.2.1 have them, and DPC++'s.
  std::size_t get_size() const noexcept { return byte_size(); }
  std::size_t get_count() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }

  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  range<D> get_range() const noexcept {
    return geometry_.extent();
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  id<D> get_offset() const noexcept {
    return geometry_.offset();
  }

  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  operator reference() const {
    return *data_;
  }
  template <int D = Dimensions, std::enable_if_t<D == 0 && AccessMode != access_mode::read, int> = 0>
  const host_accessor& operator=(const value_type& other) const {
    *data_ = other;
    return *this;
  }
  template <int D = Dimensions, std::enable_if_t<D == 0 && AccessMode != access_mode::read, int> = 0>
  const host_accessor& operator=(value_type&& other) const {
    *data_ = static_cast<value_type&&>(other);
    return *this;
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  reference operator[](position index) const noexcept {
    return data_[geometry_.linear(index)];
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  reference operator[](std::size_t index) const noexcept {
    return data_[geometry_.linear(id<1>(index))];
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  detail::accessor_subscript<value_type, detail::referenced_element<value_type>, D - 1>
  operator[](std::size_t index) const noexcept {
    return {data_ + geometry_.first() + index * geometry_.outer_stride(), geometry_.row_length()};
  }
  /// The start of the buffer, whatever the accessor's offset.
  std::add_pointer_t<value_type> get_pointer() const noexcept { return data_; }

  iterator begin() const noexcept { return iterator_at<iterator>(0); }
  iterator end() const noexcept { return iterator_at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return iterator_at<const_iterator>(0); }
  const_iterator cend() const noexcept { return iterator_at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  template <typename Property>
  bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && no_init_;
  }
  /// Throws errc::invalid if the accessor was constructed without the property.
  template <typename Property>
  Property get_property() const {
    return detail::accessor_property<Property>(has_property<Property>());
  }

  friend bool operator==(const host_accessor& a, const host_accessor& b) noexcept {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const host_accessor& a, const host_accessor& b) noexcept { return !(a == b); }

private:
  friend struct detail::internals;
  template <typename, int, access_mode>
  friend class host_accessor;

  template <typename T, typename A>
  host_accessor(const buffer<T, buffer_dimensions, A>& b, const property_list& properties,
                const extent& accessed, const position& offset)
      : geometry_(b.get_range(), accessed, offset), no_init_(properties.has_property<property::no_init>()) {
    state_ = falx::begin_host_access(
        detail::buffer_parts::state(b),
        detail::make_access_request<AccessMode, target::host_buffer>(b, accessed, offset, properties));
    data_ = static_cast<value_type*>(falx::data_of(*state_));
  }

  template <class Iterator>
  Iterator iterator_at(std::size_t index) const noexcept {
    if constexpr (Dimensions < 2)
      return data_ + geometry_.first() + index;
    else
      return Iterator(data_, geometry_, static_cast<difference_type>(index));
  }

  falx::handle<falx::host_access> state_;
  value_type* data_ = nullptr;
  detail::accessor_geometry<Dimensions> geometry_;
  bool no_init_ = false;
};

template <typename T, int D, typename A>
host_accessor(buffer<T, D, A>&, const property_list& = {}) -> host_accessor<T, D>;
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A>&, range<D>, const property_list& = {}) -> host_accessor<T, D>;
template <typename T, int D, typename A>
host_accessor(buffer<T, D, A>&, range<D>, id<D>, const property_list& = {}) -> host_accessor<T, D>;
template <typename T, int D, typename A, typename Tag>
host_accessor(buffer<T, D, A>&, Tag, const property_list& = {})
    -> host_accessor<T, D, detail::access_tag<Tag>::mode>;
template <typename T, int D, typename A, typename Tag>
host_accessor(buffer<T, D, A>&, range<D>, Tag, const property_list& = {})
    -> host_accessor<T, D, detail::access_tag<Tag>::mode>;
template <typename T, int D, typename A, typename Tag>
host_accessor(buffer<T, D, A>&, range<D>, id<D>, Tag, const property_list& = {})
    -> host_accessor<T, D, detail::access_tag<Tag>::mode>;

} // namespace sycl

template <typename DataT, int Dimensions, sycl::access_mode Mode>
struct std::hash<sycl::host_accessor<DataT, Dimensions, Mode>> {
  std::size_t operator()(const sycl::host_accessor<DataT, Dimensions, Mode>& object) const noexcept {
    return std::hash<const void*>()(sycl::detail::internals::state(object).get());
  }
};
