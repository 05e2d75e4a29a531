// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/atomic_ref.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/multi_ptr.hpp"

#include <type_traits>

/// AdaptiveCpp's extension ACPP_EXT_FP_ATOMICS, which the program asks for by defining this macro (or
/// ACPP_EXT_ENABLE_ALL) before it includes SYCL: sycl::atomic does arithmetic on float, and takes double.
#if (defined(ACPP_EXT_ENABLE_ALL) || defined(HIPSYCL_EXT_FP_ATOMICS)) && !defined(ACPP_EXT_FP_ATOMICS)
#define ACPP_EXT_FP_ATOMICS 1
#endif
#ifdef ACPP_EXT_FP_ATOMICS
#define SYCL_EXT_ACPP_FP_ATOMICS 1
#define FALX_FLOATING_POINT_ATOMICS true
#else
#define FALX_FLOATING_POINT_ATOMICS false
#endif

namespace sycl {

/// Deprecated: atomic_ref. Atomic operations on the integer or float behind a multi_ptr, relaxed and for the
/// whole device (SYCL 2020 §4.15.4). Floats can be stored, loaded and exchanged only, unless the program asks
/// for more by ACPP_EXT_FP_ATOMICS.
template <typename T, access::address_space AddressSpace = access::address_space::global_space>
class atomic {
  static_assert((std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8)) || std::is_same_v<T, float> ||
                    (FALX_FLOATING_POINT_ATOMICS && std::is_same_v<T, double>),
                "sycl::atomic is for integers of 32 and 64 bits and float, and for double where "
                "ACPP_EXT_FP_ATOMICS is defined; use sycl::atomic_ref for others");
  static_assert(AddressSpace == access::address_space::global_space ||
                    AddressSpace == access::address_space::local_space,
                "sycl::atomic works on global and local memory");

  using reference = atomic_ref<T, memory_order::relaxed, memory_scope::device, AddressSpace>;
  template <class Result>
  using if_integer = std::enable_if_t<std::is_integral_v<Result>, Result>;
  /// What floating-point types have as well, where the program wants it.
  template <class Result>
  using if_number = std::enable_if_t<std::is_integral_v<Result> ||
                                         (FALX_FLOATING_POINT_ATOMICS && std::is_floating_point_v<Result>),
                                     Result>;

public:
  template <typename PointerT, access::decorated IsDecorated>
  atomic(multi_ptr<PointerT, AddressSpace, IsDecorated> ptr) noexcept
      : pointer_(reinterpret_cast<T*>(ptr.get_raw())) {
    static_assert(sizeof(PointerT) == sizeof(T), "sycl::atomic needs a pointer to a type of the size of T");
  }

  void store(T operand, memory_order order = memory_order::relaxed) noexcept { to().store(operand, order); }
  T load(memory_order order = memory_order::relaxed) const noexcept { return to().load(order); }
  T exchange(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().exchange(operand, order);
  }
  template <class U = T, class = if_number<U>>
  bool compare_exchange_strong(T& expected, T desired, memory_order success = memory_order::relaxed,
                               memory_order failure = memory_order::relaxed) noexcept {
    return to().compare_exchange_strong(expected, desired, success, failure);
  }
  template <class U = T>
  if_number<U> fetch_add(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_add(operand, order);
  }
  template <class U = T>
  if_number<U> fetch_sub(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_sub(operand, order);
  }
  template <class U = T>
  if_integer<U> fetch_and(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_and(operand, order);
  }
  template <class U = T>
  if_integer<U> fetch_or(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_or(operand, order);
  }
  template <class U = T>
  if_integer<U> fetch_xor(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_xor(operand, order);
  }
  template <class U = T>
  if_number<U> fetch_min(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_min(operand, order);
  }
  template <class U = T>
  if_number<U> fetch_max(T operand, memory_order order = memory_order::relaxed) noexcept {
    return to().fetch_max(operand, order);
  }

private:
  reference to() const noexcept { return reference(*pointer_); }

  T* pointer_;
};

// The operations once more, as functions. The parameters besides the atomic do not deduce T, so that
// `atomic_fetch_add(long_atomic, 1)` works.

template <typename T, access::address_space AddressSpace>
void atomic_store(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                  memory_order order = memory_order::relaxed) noexcept {
  object.store(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_load(atomic<T, AddressSpace> object, memory_order order = memory_order::relaxed) noexcept {
  return object.load(order);
}
template <typename T, access::address_space AddressSpace>
T atomic_exchange(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                  memory_order order = memory_order::relaxed) noexcept {
  return object.exchange(operand, order);
}
template <typename T, access::address_space AddressSpace>
bool atomic_compare_exchange_strong(atomic<T, AddressSpace> object, std::common_type_t<T>& expected,
                                    std::common_type_t<T> desired,
                                    memory_order success = memory_order::relaxed,
                                    memory_order failure = memory_order::relaxed) noexcept {
  return object.compare_exchange_strong(expected, desired, success, failure);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_add(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_add(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_sub(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_sub(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_and(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_and(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_or(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                  memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_or(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_xor(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_xor(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_min(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_min(operand, order);
}
template <typename T, access::address_space AddressSpace>
T atomic_fetch_max(atomic<T, AddressSpace> object, std::common_type_t<T> operand,
                   memory_order order = memory_order::relaxed) noexcept {
  return object.fetch_max(operand, order);
}

} // namespace sycl

#undef FALX_FLOATING_POINT_ATOMICS
