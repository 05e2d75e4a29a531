// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/accessor.hpp"
#include "sycl/feature_test.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// AdaptiveCpp's ACPP_EXT_ACCESSOR_VARIANTS: the variant that is a pointer, and short names of all. Without
/// its tag and ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION, which the program defines, there is none by default.

#ifdef ACPP_EXT_ACCESSOR_VARIANT_DEDUCTION
#define SYCL_EXT_ACPP_ACCESSOR_VARIANT_DEDUCTION 1
#endif

namespace sycl {

/// A pointer to the first element of the buffer, whatever the accessed range. No placeholder; it does not
/// know how large the buffer is, and subscripts take one index at most.
template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget>
class accessor<DataT, Dimensions, AccessMode, AccessTarget, accessor_variant::raw> {
  static_assert(!std::is_const_v<DataT> || AccessMode == access_mode::read,
                "an accessor of a const type has access_mode::read");
  static_assert(AccessTarget == target::device || AccessTarget == target::host_task ||
                    AccessTarget == target::constant_buffer,
                "raw accessors are for kernels and host tasks");
  static constexpr bool is_atomic = AccessMode == access_mode::atomic;
  static constexpr int buffer_dimensions = detail::buffer_dimensions(Dimensions);
  static constexpr access::address_space space = AccessTarget == target::constant_buffer
                                                     ? access::address_space::constant_space
                                                     : access::address_space::global_space;
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
  using if_tag = std::enable_if_t<
      detail::access_tag<Tag>::mode == AccessMode && detail::access_tag<Tag>::target == AccessTarget, int>;
  using element = detail::accessor_element<detail::accessed<DataT, AccessMode>, AccessMode, space>;

public:
  using value_type = detail::accessed<DataT, AccessMode>;
  using reference = value_type&;
  using const_reference = const DataT&;
  template <access::decorated IsDecorated>
  using accessor_ptr = multi_ptr<value_type, space, IsDecorated>;
  using size_type = std::size_t;

  /// An accessor that reaches nothing. Host and device.
  accessor() noexcept = default;

  template <typename T, int D, typename A, if_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, const property_list& propList = {})
      : accessor(b, group, detail::default_access_range<Dimensions>(b), position(), propList, bound()) {}
  template <typename T, int D, typename A, typename Tag, if_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, Tag, const property_list& propList = {})
      : accessor(b, group, propList) {}
  /// The range is what the command uses; subscripts count from the start of the buffer.
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, const property_list& propList = {})
      : accessor(b, group, accessRange, position(), propList, bound()) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, Tag, const property_list& propList = {})
      : accessor(b, group, accessRange, position(), propList, bound()) {}
  template <typename T, int D, typename A, if_ranged_buffer<T, D> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, position accessOffset,
           const property_list& propList = {})
      : accessor(b, group, accessRange, accessOffset, propList, bound()) {}
  template <typename T, int D, typename A, typename Tag, if_ranged_buffer<T, D> = 0, if_tag<Tag> = 0>
  accessor(buffer<T, D, A>& b, handler& group, extent accessRange, position accessOffset, Tag,
           const property_list& propList = {})
      : accessor(b, group, accessRange, accessOffset, propList, bound()) {}

  /// From every other variant.
  template <
      typename T, access_mode Mode, accessor_variant V,
      std::enable_if_t<detail::variant_converts_v<T, Mode, V, DataT, AccessMode, accessor_variant::raw> &&
                           !std::is_same_v<accessor<T, Dimensions, Mode, AccessTarget, V>, accessor>,
                       int> = 0>
  accessor(const accessor<T, Dimensions, Mode, AccessTarget, V>& other) noexcept
      : state_(detail::converted_core<falx::compact_accessor_core, AccessTarget>(
            detail::internals::state(other))) {}

  void swap(accessor& other) noexcept {
    const accessor mine = *this;
    *this = other;
    other = mine;
  }
  bool is_placeholder() const { return false; }

  // One element is what an accessor without dimensions reaches, as long as it reaches anything.
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  size_type byte_size() const noexcept {
    return sizeof(DataT);
  }
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  size_type size() const noexcept {
    return 1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  std::size_t get_size() const noexcept {
    return sizeof(DataT);
  }
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  std::size_t get_count() const noexcept {
    return 1;
  }
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  bool empty() const noexcept {
    return false;
  }
  /// Always 0, which subscripts go by.
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  id<D> get_offset() const noexcept {
    return {};
  }

  // What follows gives references, or, with access_mode::atomic (deprecated), a sycl::atomic.
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  operator typename element::type() const {
    return element::at(data());
  }
  template <int D = Dimensions,
            std::enable_if_t<D == 0 && !is_atomic && AccessMode != access_mode::read, int> = 0>
  const accessor& operator=(const value_type& other) const {
    *data() = other;
    return *this;
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  typename element::type operator[](id<1> index) const noexcept {
    return element::at(data() + index[0]);
  }
  template <bool WithOffset, int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  typename element::type operator[](const item<1, WithOffset>& index) const noexcept {
    return element::at(data() + index.get_id(0));
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  typename element::type operator[](std::size_t index) const noexcept {
    return element::at(data() + index);
  }

  /// In kernels and host tasks.
  auto get_pointer() const noexcept {
    if constexpr (AccessTarget == target::host_task)
      return data();
    else
      return accessor_ptr<access::decorated::legacy>(data());
  }
  template <access::decorated IsDecorated, target Target = AccessTarget,
            std::enable_if_t<Target != target::host_task, int> = 0>
  accessor_ptr<IsDecorated> get_multi_ptr() const noexcept {
    return accessor_ptr<IsDecorated>(data());
  }

  template <typename Property>
  bool has_property() const noexcept {
    return false; // a pointer knows of none
  }

  friend bool operator==(const accessor& a, const accessor& b) noexcept {
    return detail::same_core(a.state_, b.state_);
  }
  friend bool operator!=(const accessor& a, const accessor& b) noexcept { return !(a == b); }

private:
  friend struct detail::internals;
  struct bound {};
  template <typename T, typename A>
  accessor(const buffer<T, buffer_dimensions, A>& b, handler& group, const extent& accessed,
           const position& offset, const property_list& properties, bound)
      : state_(detail::converted_core<falx::compact_accessor_core, AccessTarget>(
            detail::bind_accessor<AccessMode, AccessTarget>(b, &group, accessed, offset, properties))) {}

  value_type* data() const noexcept { return static_cast<value_type*>(detail::data_of(state_)); }
  /// The compiler and the runtime find it.
  falx::compact_accessor_core state_{0};
};

template <class T, int Dim = 1, access_mode M = detail::default_mode<T>, target Tgt = target::device>
using raw_accessor = accessor<T, Dim, M, Tgt, accessor_variant::raw>;
template <class T, int Dim = 1, access_mode M = detail::default_mode<T>, target Tgt = target::device>
using ranged_accessor = accessor<T, Dim, M, Tgt, accessor_variant::ranged>;
template <class T, int Dim = 1, access_mode M = detail::default_mode<T>, target Tgt = target::device>
using unranged_accessor = accessor<T, Dim, M, Tgt, accessor_variant::unranged>;
template <class T, int Dim = 1, access_mode M = detail::default_mode<T>, target Tgt = target::device>
using ranged_placeholder_accessor = accessor<T, Dim, M, Tgt, accessor_variant::ranged_placeholder>;
template <class T, int Dim = 1, access_mode M = detail::default_mode<T>, target Tgt = target::device>
using unranged_placeholder_accessor = accessor<T, Dim, M, Tgt, accessor_variant::unranged_placeholder>;

} // namespace sycl
