// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/access.hpp"
#include "sycl/id.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/range.hpp"

#include <cstdint>

namespace sycl {

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

  friend bool operator==(const sub_group&, const sub_group&) noexcept { return true; }
  friend bool operator!=(const sub_group&, const sub_group&) noexcept { return false; }

private:
  friend detail::index_access;
  template <int>
  friend class nd_item;
  constexpr explicit sub_group(int) noexcept {}
};

} // namespace sycl
