// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <type_traits>

namespace sycl::detail {

/// Where a reduction's identity comes from (SYCL 2020 §4.9.2.1).
enum class identity_source { none, known, given };

/// Whether values lie in memory of ours as they are. What T need not have for a reduction is a default
/// constructor, nor a trivial copy: device copyable (SYCL 2020 §3.13.1) are std::pair and std::tuple, too.
template <class T>
inline constexpr bool is_held_as_it_is =
    std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T>;

/// The bytes of a device copyable T, or none yet.
template <class T>
struct reduction_bytes {
  alignas(T) unsigned char bytes[sizeof(T)];

  operator const T&() const { return *reinterpret_cast<const T*>(bytes); }
  reduction_bytes& operator=(const T& value) {
    __builtin_memcpy(bytes, &value, sizeof(T));
    return *this;
  }
};

template <class T>
using reduction_value = std::conditional_t<is_held_as_it_is<T>, T, reduction_bytes<T>>;

/// A partial result. Without an identity it may be empty.
template <class T, bool HasIdentity>
struct reduction_slot {
  reduction_value<T> value;

  template <class Operation>
  void combine(const Operation& operation, const T& partial) {
    value = static_cast<T>(operation(static_cast<const T&>(value), partial));
  }
  template <class Operation>
  void merge(const Operation& operation, const reduction_slot& other) {
    combine(operation, other.value);
  }
};

template <class T>
struct reduction_slot<T, false> {
  reduction_value<T> value;
  bool is_full;

  template <class Operation>
  void combine(const Operation& operation, const T& partial) {
    value = is_full ? static_cast<T>(operation(static_cast<const T&>(value), partial)) : partial;
    is_full = true;
  }
  template <class Operation>
  void merge(const Operation& operation, const reduction_slot& other) {
    if (other.is_full)
      combine(operation, other.value);
  }
};

} // namespace sycl::detail
