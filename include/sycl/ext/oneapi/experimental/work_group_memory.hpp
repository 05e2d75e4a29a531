// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/local_memory.hpp"
#include "falx/sizes.hpp"
#include "falx/specialize.hpp"
#include "sycl/detail/accessor_geometry.hpp"
#include "sycl/ext/oneapi/properties/properties.hpp"
#include "sycl/local_accessor.hpp"
#include "sycl/multi_ptr.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <type_traits>

namespace sycl::ext::oneapi::experimental {

/// Makes a work_group_memory that stands for no memory.
struct indeterminate_t {};
inline constexpr indeterminate_t indeterminate;

/// Local memory of a work-group that is used like an object of type \p DataT, which may be an array, also one
/// of unknown bound (SYCL extension sycl_ext_oneapi_work_group_memory). For kernels over an nd_range; others
/// throw errc::kernel_argument.
template <typename DataT, typename PropertyListT = empty_properties_t>
class FALX_SPECIALIZE FALX_LOCAL_ACCESSOR work_group_memory {
  static_assert(std::is_same_v<PropertyListT, empty_properties_t>, "a work_group_memory has no properties");
  /// An array of unknown bound, whose number of elements is the constructor's.
  static constexpr bool is_unbounded = std::is_array_v<DataT> && std::extent_v<DataT> == 0;
  using allocated = std::conditional_t<is_unbounded, std::remove_extent_t<DataT>, DataT>;

public:
  using value_type = std::remove_all_extents_t<DataT>;

  work_group_memory(const indeterminate_t&) noexcept {}
  work_group_memory(const work_group_memory&) noexcept = default;
  template <class T = DataT, std::enable_if_t<!(std::is_array_v<T> && std::extent_v<T> == 0), int> = 0>
  work_group_memory(handler& cgh) {
    reserve(1, cgh);
  }
  template <class T = DataT, std::enable_if_t<std::is_array_v<T> && std::extent_v<T> == 0, int> = 0>
  work_group_memory(std::size_t num, handler& cgh) {
    reserve(num, cgh);
  }

  work_group_memory& operator=(const work_group_memory&) noexcept = default;

  operator DataT&() const noexcept { return *operator&(); }
  template <class T = DataT, std::enable_if_t<!std::is_array_v<T>, int> = 0>
  const work_group_memory& operator=(const T& value) const {
    *operator&() = value;
    return *this;
  }
  DataT* operator&() const noexcept {
    return reinterpret_cast<DataT*>(static_cast<char*>(__falx_local_memory()) + offset_);
  }

  template <access::decorated IsDecorated = access::decorated::no>
  multi_ptr<value_type, access::address_space::local_space, IsDecorated> get_multi_ptr() const {
    return address_space_cast<access::address_space::local_space, IsDecorated>(
        reinterpret_cast<value_type*>(operator&()));
  }

private:
  void reserve(std::size_t count, handler& cgh) {
    const std::size_t bytes =
        falx::checked_bytes("sycl::ext::oneapi::experimental::work_group_memory",
                            sycl::detail::extent_of(range<1>(count)), sizeof(allocated));
    offset_ = falx::reserve_local_memory(sycl::detail::command_group_of(cgh), bytes, alignof(allocated));
  }

  /// In bytes from the start of the launch's local memory.
  std::size_t offset_ = 0;
};

} // namespace sycl::ext::oneapi::experimental
