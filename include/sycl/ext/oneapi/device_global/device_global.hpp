// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_global.hpp"
#include "sycl/access.hpp"
#include "sycl/device_copyable.hpp"
#include "sycl/ext/oneapi/device_global/properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/multi_ptr.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

/// \file
/// SYCL extension sycl_ext_oneapi_device_global.

namespace sycl::ext::oneapi::experimental {

namespace detail {

template <typename T, typename = void>
inline constexpr bool has_arrow = std::is_pointer_v<T>;
template <typename T>
inline constexpr bool has_arrow<T, std::void_t<decltype(std::declval<T&>().operator->())>> = true;

template <typename PropertyListT, typename SyclObjectT>
inline constexpr bool all_properties_apply = false;
template <typename... Values, typename SyclObjectT>
inline constexpr bool all_properties_apply<properties<property_values<Values...>>, SyclObjectT> =
    (is_property_value_of_v<Values, SyclObjectT> && ...);

/// The assertion of property host_access; read_write without that property.
template <typename PropertyListT>
constexpr host_access_enum host_access_of() {
  if constexpr (PropertyListT::template has_property<host_access_key>())
    return decltype(PropertyListT::template get_property<host_access_key>())::value;
  else
    return host_access_enum::read_write;
}

} // namespace detail

/// A variable that lives on devices: one object of type T per device and context, shared by all kernels that
/// run there, whatever their kernel bundles and specialization constants (sycl_ext_oneapi_device_global).
/// Variables are of namespace scope or public static members; falx++ reports other declarations.
///
/// Kernels use it as they would use a T. The host copies with the queue's or the handler's copy and memcpy,
/// and must not touch the object itself, which only holds the initial value of those on the devices.
template <typename T, typename PropertyListT = empty_properties_t>
class FALX_DEVICE_GLOBAL device_global {
  static_assert(std::is_trivially_destructible_v<T>, "Type T must be trivially destructible.");
  static_assert(is_property_list_v<PropertyListT>,
                "the second template argument of device_global is decltype(properties(...))");
  static_assert(!is_property_list_v<PropertyListT> ||
                    detail::all_properties_apply<PropertyListT, device_global>,
                "a property of this list does not apply to device_global");

public:
  using element_type = std::remove_extent_t<T>;

#if defined(__cpp_consteval)
  /// The initial value, by list initialization.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++11-narrowing"
#pragma clang diagnostic ignored "-Wmissing-braces"
#endif
  template <typename... Args>
    requires(sizeof...(Args) != 1 || !(std::is_same_v<std::remove_cvref_t<Args>, device_global> && ...))
  consteval explicit device_global(Args&&... args) : value_{static_cast<Args&&>(args)...} {}
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#else
  static_assert(
      std::is_trivially_default_constructible_v<T>,
      "Type T must be trivially default constructable (until C++20 consteval is supported and enabled)");
  /// All bytes are zero.
  device_global() = default;
#endif

  device_global(const device_global&) = delete;
  device_global(const device_global&&) = delete;
  device_global& operator=(const device_global&) = delete;
  device_global& operator=(const device_global&&) = delete;
  static void* operator new(std::size_t) = delete;
  static void* operator new[](std::size_t) = delete;

  template <access::decorated IsDecorated>
  multi_ptr<T, access::address_space::global_space, IsDecorated> get_multi_ptr() noexcept {
    return multi_ptr<T, access::address_space::global_space, IsDecorated>(__builtin_addressof(value_));
  }
  template <access::decorated IsDecorated>
  multi_ptr<const T, access::address_space::global_space, IsDecorated> get_multi_ptr() const noexcept {
    return multi_ptr<const T, access::address_space::global_space, IsDecorated>(__builtin_addressof(value_));
  }

  operator T&() noexcept { return value_; }
  operator const T&() const noexcept { return value_; }
  T& get() noexcept { return value_; }
  const T& get() const noexcept { return value_; }

  device_global& operator=(const T& value) noexcept {
    value_ = value;
    return *this;
  }

  /// If T has it. \p index is not negative.
  template <class U = T>
  std::remove_reference_t<decltype(std::declval<U>()[std::ptrdiff_t{}])>&
  operator[](std::ptrdiff_t index) noexcept {
    return value_[index];
  }
  template <class U = T>
  const std::remove_reference_t<decltype(std::declval<U>()[std::ptrdiff_t{}])>&
  operator[](std::ptrdiff_t index) const noexcept {
    return value_[index];
  }

  /// If T is a pointer or has it.
  template <class U = T, std::enable_if_t<detail::has_arrow<U>, int> = 0>
  T& operator->() noexcept {
    return value_;
  }
  template <class U = T, std::enable_if_t<detail::has_arrow<U>, int> = 0>
  const T& operator->() const noexcept {
    return value_;
  }

  template <typename PropertyT, std::enable_if_t<is_property_key_of_v<PropertyT, device_global>, int> = 0>
  static constexpr bool has_property() {
    return PropertyListT::template has_property<PropertyT>();
  }
  template <typename PropertyT, std::enable_if_t<is_property_key_of_v<PropertyT, device_global>, int> = 0>
  static constexpr auto get_property() {
    return PropertyListT::template get_property<PropertyT>();
  }

private:
  // The only member: in device code the object's address is that of the allocation.
  T value_{};
};

namespace detail {

/// For the copies of handler and queue: \p count units of so many bytes, from \p offset on.
template <typename T, typename PropertyListT>
falx::device_global_part part_of(const device_global<T, PropertyListT>& variable, std::size_t unit,
                                 std::size_t offset, std::size_t count) noexcept {
  static_assert(is_device_copyable_v<T>, "a device_global that is copied must hold a device copyable type");
  static_assert(sizeof(variable) == sizeof(T), "a device_global holds its value and nothing else");
  return {__builtin_addressof(variable),
          sizeof(T),
          alignof(T),
          unit,
          offset,
          count,
          PropertyListT::template has_property<device_image_scope_key>()};
}

template <typename T>
using device_global_element = std::remove_all_extents_t<T>;
template <typename T>
inline constexpr std::size_t device_global_length = sizeof(T) / sizeof(device_global_element<T>);

/// Whether the host may copy from or to a device global with these properties.
template <typename PropertyListT>
inline constexpr bool host_reads = host_access_of<PropertyListT>() == host_access_enum::read ||
                                   host_access_of<PropertyListT>() == host_access_enum::read_write;
template <typename PropertyListT>
inline constexpr bool host_writes = host_access_of<PropertyListT>() == host_access_enum::write ||
                                    host_access_of<PropertyListT>() == host_access_enum::read_write;
template <typename PropertyListT>
using if_host_reads = std::enable_if_t<host_reads<PropertyListT>, int>;
template <typename PropertyListT>
using if_host_writes = std::enable_if_t<host_writes<PropertyListT>, int>;

} // namespace detail

} // namespace sycl::ext::oneapi::experimental
