// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/memory_enums.hpp"

#include <type_traits>

/// \file
/// AdaptiveCpp's extension CUSTOM_PFWI_SYNCHRONIZATION.

/// What stands at the end of group::parallel_for_work_item: its first template argument.
namespace sycl::vendor::hipsycl::synchronization {

/// Nothing: work-items neither wait for each other nor see each other's writes.
struct none {};
/// All work-items wait for each other, as without any of these.
template <access::fence_space Space = access::fence_space::global_and_local>
struct barrier {};
using local_barrier = barrier<access::fence_space::local_space>;
/// Each work-item's accesses of \p Mode are ordered before later ones for the others of its group; none
/// waits.
template <access::fence_space Space = access::fence_space::global_and_local,
          access_mode Mode = access_mode::read_write>
struct mem_fence {};
using local_mem_fence = mem_fence<access::fence_space::local_space>;
using global_mem_fence = mem_fence<access::fence_space::global_space>;
using global_and_local_mem_fence = mem_fence<access::fence_space::global_and_local>;

} // namespace sycl::vendor::hipsycl::synchronization

namespace sycl::detail {

/// How a region of work-items ends.
template <class T>
struct region_end {
  static constexpr bool is_known = false;
};
template <>
struct region_end<vendor::hipsycl::synchronization::none> {
  static constexpr bool is_known = true, waits = false;
  static void fence() noexcept {}
};
template <access::fence_space Space>
struct region_end<vendor::hipsycl::synchronization::barrier<Space>> {
  static constexpr bool is_known = true, waits = true;
  static void fence() noexcept {}
};
template <access::fence_space Space, access_mode Mode>
struct region_end<vendor::hipsycl::synchronization::mem_fence<Space, Mode>> {
  static constexpr bool is_known = true, waits = false;
  static void fence() noexcept {
    atomic_fence(Mode == access_mode::read    ? memory_order::acquire
                 : Mode == access_mode::write ? memory_order::release
                                              : memory_order::acq_rel,
                 memory_scope::work_group);
  }
};

} // namespace sycl::detail
