// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/memory_enums.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sycl {

/// The orders of loads and stores that belong to a default read-modify-write order (SYCL 2020 §4.15.3).
template <memory_order Order>
struct memory_order_traits;
template <>
struct memory_order_traits<memory_order::relaxed> {
  static constexpr memory_order read_order = memory_order::relaxed;
  static constexpr memory_order write_order = memory_order::relaxed;
};
template <>
struct memory_order_traits<memory_order::acq_rel> {
  static constexpr memory_order read_order = memory_order::acquire;
  static constexpr memory_order write_order = memory_order::release;
};
template <>
struct memory_order_traits<memory_order::seq_cst> {
  static constexpr memory_order read_order = memory_order::seq_cst;
  static constexpr memory_order write_order = memory_order::seq_cst;
};

namespace detail {

/// The strongest order that a failed compare_exchange may have: no release part.
constexpr memory_order failure_order(memory_order success) noexcept {
  return success == memory_order::acq_rel   ? memory_order::acquire
         : success == memory_order::release ? memory_order::relaxed
                                            : success;
}

template <class T>
struct atomic_difference {
  using type = T;
};
template <class T>
struct atomic_difference<T*> {
  using type = std::ptrdiff_t;
};

} // namespace detail

/// Atomic operations on an object that may be shared between work-items (SYCL 2020 §4.15.3). The members for
/// integers, floating-point numbers and pointers are those of the specification's partial specializations.
template <class T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space AddressSpace = access::address_space::generic_space>
class atomic_ref {
  static_assert(std::is_trivially_copyable_v<T>, "atomic_ref needs a trivially copyable type");
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8,
                "atomic_ref needs a type of 1, 2, 4 or 8 bytes");
  static_assert(AddressSpace == access::address_space::global_space ||
                    AddressSpace == access::address_space::local_space ||
                    AddressSpace == access::address_space::generic_space ||
                    AddressSpace == access::address_space::ext_intel_global_device_space ||
                    AddressSpace == access::address_space::ext_intel_global_host_space,
                "atomic_ref works on global, local and generic memory");
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "the default order of an atomic_ref is relaxed, acq_rel or seq_cst");

  template <class U>
  static constexpr bool is_integer = std::is_integral_v<U> && !std::is_same_v<U, bool>;
  /// half and bfloat16 (sycl_ext_oneapi_atomic16), whose arithmetic is their own.
  template <class U>
  static constexpr bool is_narrow = detail::is_floating<U> && sizeof(U) == 2;
  template <class U>
  static constexpr bool is_floating = std::is_floating_point_v<U> || is_narrow<U>;
  template <class U>
  static constexpr bool is_pointer = std::is_pointer_v<U>;

public:
  using value_type = T;
  using difference_type = typename detail::atomic_difference<T>::type;

  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = memory_order_traits<DefaultOrder>::read_order;
  static constexpr memory_order default_write_order = memory_order_traits<DefaultOrder>::write_order;
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  bool is_lock_free() const noexcept { return true; }

  explicit atomic_ref(T& object) noexcept : pointer_(&object) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  void store(T operand, memory_order order = default_write_order,
             memory_scope scope = default_scope) const noexcept {
    __atomic_store(scoped(scope), &operand, detail::native_order(order));
  }
  T operator=(T desired) const noexcept {
    store(desired);
    return desired;
  }
  T load(memory_order order = default_read_order, memory_scope scope = default_scope) const noexcept {
    T result;
    __atomic_load(scoped(scope), &result, detail::native_order(order));
    return result;
  }
  operator T() const noexcept { return load(); }

  T exchange(T operand, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope) const noexcept {
    T result;
    __atomic_exchange(scoped(scope), &operand, &result, detail::native_order(order));
    return result;
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                             memory_scope scope = default_scope) const noexcept {
    return __atomic_compare_exchange(scoped(scope), &expected, &desired, true, detail::native_order(success),
                                     detail::native_order(failure));
  }
  bool compare_exchange_weak(T& expected, T desired, memory_order order = default_read_modify_write_order,
                             memory_scope scope = default_scope) const noexcept {
    return compare_exchange_weak(expected, desired, order, detail::failure_order(order), scope);
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order success, memory_order failure,
                               memory_scope scope = default_scope) const noexcept {
    return __atomic_compare_exchange(scoped(scope), &expected, &desired, false, detail::native_order(success),
                                     detail::native_order(failure));
  }
  bool compare_exchange_strong(T& expected, T desired, memory_order order = default_read_modify_write_order,
                               memory_scope scope = default_scope) const noexcept {
    return compare_exchange_strong(expected, desired, order, detail::failure_order(order), scope);
  }

  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U> || is_pointer<U>, int> = 0>
  U fetch_add(difference_type operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    if constexpr (is_narrow<U>)
      return replace([operand](U old) { return old + operand; }, order, scope);
    else
      return __atomic_fetch_add(scoped(scope), scaled(operand), detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U> || is_pointer<U>, int> = 0>
  U fetch_sub(difference_type operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    if constexpr (is_narrow<U>)
      return replace([operand](U old) { return old - operand; }, order, scope);
    else
      return __atomic_fetch_sub(scoped(scope), scaled(operand), detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U fetch_and(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return __atomic_fetch_and(scoped(scope), operand, detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U fetch_or(T operand, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope) const noexcept {
    return __atomic_fetch_or(scoped(scope), operand, detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U fetch_xor(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    return __atomic_fetch_xor(scoped(scope), operand, detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U>, int> = 0>
  U fetch_min(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    if constexpr (is_narrow<U>)
      return replace([operand](U old) { return operand < old ? operand : old; }, order, scope);
    else
      return __atomic_fetch_min(scoped(scope), operand, detail::native_order(order));
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U>, int> = 0>
  U fetch_max(T operand, memory_order order = default_read_modify_write_order,
              memory_scope scope = default_scope) const noexcept {
    if constexpr (is_narrow<U>)
      return replace([operand](U old) { return old < operand ? operand : old; }, order, scope);
    else
      return __atomic_fetch_max(scoped(scope), operand, detail::native_order(order));
  }

  template <class U = T, std::enable_if_t<is_integer<U> || is_pointer<U>, int> = 0>
  U operator++(int) const noexcept {
    return fetch_add(1);
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_pointer<U>, int> = 0>
  U operator--(int) const noexcept {
    return fetch_sub(1);
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_pointer<U>, int> = 0>
  U operator++() const noexcept {
    return static_cast<U>(fetch_add(1) + 1);
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_pointer<U>, int> = 0>
  U operator--() const noexcept {
    return static_cast<U>(fetch_sub(1) - 1);
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U> || is_pointer<U>, int> = 0>
  U operator+=(difference_type operand) const noexcept {
    return static_cast<U>(fetch_add(operand) + operand);
  }
  template <class U = T, std::enable_if_t<is_integer<U> || is_floating<U> || is_pointer<U>, int> = 0>
  U operator-=(difference_type operand) const noexcept {
    return static_cast<U>(fetch_sub(operand) - operand);
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U operator&=(T operand) const noexcept {
    return static_cast<U>(fetch_and(operand) & operand);
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U operator|=(T operand) const noexcept {
    return static_cast<U>(fetch_or(operand) | operand);
  }
  template <class U = T, std::enable_if_t<is_integer<U>, int> = 0>
  U operator^=(T operand) const noexcept {
    return static_cast<U>(fetch_xor(operand) ^ operand);
  }

private:
  /// Puts what \p operation makes of the old value in its place.
  template <class Operation>
  T replace(const Operation& operation, memory_order order, memory_scope scope) const noexcept {
    T old = load(memory_order::relaxed, scope);
    while (!compare_exchange_weak(old, operation(old), order, scope))
      ;
    return old;
  }
  /// As required_alignment says; a class of two ints is by itself aligned as one.
  using aligned_type [[gnu::aligned(sizeof(T))]] = T;

  /// The object as what an atomic operation of that scope acts on.
  aligned_type* scoped(memory_scope scope) const noexcept {
    return static_cast<aligned_type*>(__falx_atomic_scope(pointer_, static_cast<std::uint32_t>(scope)));
  }
  /// The __atomic builtins count bytes where the object is a pointer.
  static constexpr difference_type scaled(difference_type operand) noexcept {
    if constexpr (is_pointer<T>)
      return operand * static_cast<difference_type>(sizeof(std::remove_pointer_t<T>));
    else
      return operand;
  }

  T* pointer_;
};

} // namespace sycl
