// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device_copyable.hpp"

#include <type_traits>

namespace sycl {

namespace detail {
struct specialization_access;
} // namespace detail

/// Declares a specialization constant with its default value (SYCL 2020 §4.9.5.1). Objects are constexpr
/// variables of namespace or class scope; their address is their identity.
template <typename T>
class specialization_id {
public:
  static_assert(is_device_copyable_v<T>, "the value of a specialization constant must be device copyable");
  using value_type = T;

  template <class... Args, class = std::enable_if_t<std::is_constructible_v<T, Args...>>>
  explicit constexpr specialization_id(Args&&... args) : default_value_(static_cast<Args&&>(args)...) {}

  specialization_id(const specialization_id& rhs) = delete;
  specialization_id(specialization_id&& rhs) = delete;
  specialization_id& operator=(const specialization_id& rhs) = delete;
  specialization_id& operator=(specialization_id&& rhs) = delete;

private:
  friend struct detail::specialization_access;

  // The only member: the JIT replaces the bytes of the object by those of the value.
  T default_value_;
};

namespace detail {

template <auto& SpecName>
using specialization_value_t = typename std::remove_reference_t<decltype(SpecName)>::value_type;

struct specialization_access {
  template <class T>
  static const T& default_value(const specialization_id<T>& id) noexcept {
    return id.default_value_;
  }

  /// The default value if \p bytes is null, else the value that they are.
  template <auto& SpecName>
  static specialization_value_t<SpecName> value(const void* bytes) {
    using type = specialization_value_t<SpecName>;
    static_assert(sizeof(SpecName) == sizeof(type),
                  "a specialization_id holds its default value and nothing else");
    if (bytes == nullptr)
      return default_value(SpecName);
    // Device copyable: the bytes are the value. They may be less aligned than the type.
    alignas(type) unsigned char object[sizeof(type)];
    __builtin_memcpy(object, bytes, sizeof(type));
    return *__builtin_launder(reinterpret_cast<type*>(object));
  }
};

} // namespace detail

} // namespace sycl
