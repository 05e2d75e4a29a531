// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"
#include "sycl/detail/sub_group_shuffle.hpp"
#include "sycl/id.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/range.hpp"

#include <cstdint>
#include <type_traits>

namespace sycl {

template <class T, int N>
class vec;
template <class T, access::address_space Space, access::decorated DecorateAddress>
class multi_ptr;

namespace detail {
struct index_access;
} // namespace detail

/// The work-items of a work-group that run as one vector or warp (SYCL 2020 §4.9.1.9). The class has no
/// state: it reads where the calling work-item is.
class sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id<1> get_group_id() const noexcept { return __falx_sub_group_id(); }
  id<1> get_local_id() const noexcept { return __falx_sub_group_local_id(); }
  range<1> get_local_range() const noexcept { return __falx_sub_group_size(); }
  range<1> get_group_range() const noexcept { return __falx_sub_group_count(); }
  range<1> get_max_local_range() const noexcept { return __falx_sub_group_max_size(); }
  std::uint32_t get_group_linear_id() const noexcept { return __falx_sub_group_id(); }
  std::uint32_t get_local_linear_id() const noexcept { return __falx_sub_group_local_id(); }
  std::uint32_t get_group_linear_range() const noexcept { return __falx_sub_group_count(); }
  std::uint32_t get_local_linear_range() const noexcept { return __falx_sub_group_size(); }
  bool leader() const noexcept { return __falx_sub_group_local_id() == 0; }

  /// Deprecated: group_barrier(sub_group).
  void barrier(access::fence_space = access::fence_space::global_and_local) const noexcept {
    __falx_sub_group_barrier();
  }

  /// \name The members of sycl_ext_oneapi_sub_group, which the group functions and algorithms have replaced.
  /// All work-items of the sub-group call them together.
  ///@{
  range<1> get_max_group_range() const noexcept { return __falx_sub_group_count(); }
  template <class T>
  T shuffle(T x, id<1> local_id) const {
    __falx_sub_group_barrier();
    return detail::sub_group_shuffle(x, static_cast<std::uint32_t>(local_id[0]));
  }
  /// From the work-item \p delta places behind; any value where there is none.
  template <class T>
  T shuffle_down(T x, std::uint32_t delta) const {
    __falx_sub_group_barrier();
    return detail::sub_group_shuffle_down(x, delta);
  }
  template <class T>
  T shuffle_up(T x, std::uint32_t delta) const {
    __falx_sub_group_barrier();
    return detail::sub_group_shuffle_up(x, delta);
  }
  template <class T>
  T shuffle_xor(T x, id<1> mask) const {
    __falx_sub_group_barrier();
    return detail::sub_group_shuffle_xor(x, static_cast<std::uint32_t>(mask[0]));
  }
  bool any(bool predicate) const {
    __falx_sub_group_barrier();
    return __falx_sub_group_any(predicate);
  }
  bool all(bool predicate) const {
    __falx_sub_group_barrier();
    return __falx_sub_group_all(predicate);
  }
  template <class T>
  T broadcast(T x, id<1> local_id) const {
    return shuffle(x, local_id);
  }
  template <class T, class BinaryOperation>
  T reduce(T x, BinaryOperation op) const {
    return reduce_over_group(*this, x, op);
  }
  template <class T, class BinaryOperation>
  T reduce(T x, T init, BinaryOperation op) const {
    return reduce_over_group(*this, x, init, op);
  }
  template <class T, class BinaryOperation>
  T exclusive_scan(T x, BinaryOperation op) const {
    return exclusive_scan_over_group(*this, x, op);
  }
  template <class T, class BinaryOperation>
  T exclusive_scan(T x, T init, BinaryOperation op) const {
    return exclusive_scan_over_group(*this, x, init, op);
  }
  template <class T, class BinaryOperation>
  T inclusive_scan(T x, BinaryOperation op) const {
    return inclusive_scan_over_group(*this, x, op);
  }
  template <class T, class BinaryOperation>
  T inclusive_scan(T x, BinaryOperation op, T init) const {
    return inclusive_scan_over_group(*this, x, op, init);
  }
  ///@}

  /// \name The members of the first sycl_ext_oneapi_group_load_store: work-item i reads and writes element i
  /// from an address that all pass, or N elements that are get_max_local_range() apart.
  ///@{
  template <class T>
  std::remove_cv_t<T> load(T* src) const {
    return src[__falx_sub_group_local_id()];
  }
  template <class T, access::address_space Space, access::decorated DecorateAddress>
  std::remove_cv_t<T> load(multi_ptr<T, Space, DecorateAddress> src) const {
    return load(src.get_raw());
  }
  template <int N, class T, access::address_space Space, access::decorated DecorateAddress>
  vec<std::remove_cv_t<T>, N> load(multi_ptr<T, Space, DecorateAddress> src) const {
    vec<std::remove_cv_t<T>, N> result;
    for (int i = 0; i < N; ++i)
      result[i] = load(src.get_raw() + static_cast<std::uint32_t>(i) * __falx_sub_group_max_size());
    return result;
  }
  template <class T>
  void store(T* dst, const std::remove_volatile_t<T>& x) const {
    dst[__falx_sub_group_local_id()] = x;
  }
  template <class T, access::address_space Space, access::decorated DecorateAddress>
  void store(multi_ptr<T, Space, DecorateAddress> dst, const std::remove_volatile_t<T>& x) const {
    store(dst.get_raw(), x);
  }
  template <int N, class T, access::address_space Space, access::decorated DecorateAddress>
  void store(multi_ptr<T, Space, DecorateAddress> dst, const vec<T, N>& x) const {
    for (int i = 0; i < N; ++i)
      store(dst.get_raw() + static_cast<std::uint32_t>(i) * __falx_sub_group_max_size(), T(x[i]));
  }
  ///@}

  friend bool operator==(const sub_group&, const sub_group&) noexcept { return true; }
  friend bool operator!=(const sub_group&, const sub_group&) noexcept { return false; }

private:
  friend detail::index_access;
  template <int>
  friend class nd_item;
  constexpr explicit sub_group(int) noexcept {}
};

} // namespace sycl
