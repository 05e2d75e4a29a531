// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/ext/acpp/scoped_parallelism/s_item.hpp"
#include "sycl/group.hpp"
#include "sycl/memory_enums.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// The groups of scoped parallelism. A work-group has one physical work-item per logical one, so a group's
/// logical and physical ids and ranges are the same. Sub-groups are rows of the device's sub-group size;
/// where rows of the work-group do not consist of such, a work-group falls into scalar groups at once.

namespace sycl {

namespace detail {

/// What a group is: its dimensions, its scope, and that of the group which it was cut from.
template <int Dimensions, memory_scope Scope, memory_scope Parent>
struct scoped_group_properties {
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope scope = Scope;
  static constexpr memory_scope parent = Parent;
};

/// The ranges and ids of the calling work-item's groups, by scope.
template <int D, memory_scope Scope>
struct scoped_extent {
  static range<D> extent() noexcept {
    if constexpr (Scope == memory_scope::work_group)
      return local_range<D>();
    range<D> one = ones();
    if constexpr (Scope == memory_scope::sub_group)
      one[D - 1] = __falx_sub_group_max_size();
    return one;
  }
  static id<D> position() noexcept {
    if constexpr (Scope == memory_scope::work_group)
      return local_id<D>();
    id<D> result;
    if constexpr (Scope == memory_scope::sub_group)
      result[D - 1] = local_id<D>()[D - 1] % __falx_sub_group_max_size();
    return result;
  }

private:
  static range<D> ones() noexcept {
    if constexpr (D == 1)
      return range<1>(1);
    else if constexpr (D == 2)
      return range<2>(1, 1);
    else
      return range<3>(1, 1, 1);
  }
};

} // namespace detail

/// A group of scoped parallelism (AdaptiveCpp, SCOPED_PARALLELISM_V2): a work-group, a sub-group, or a scalar
/// group with one work-item. Kernels take it as auto.
template <class Properties>
class s_group {
  static constexpr int D = Properties::dimensions;
  using mine = detail::scoped_extent<D, Properties::scope>;
  using parent = detail::scoped_extent<D, Properties::parent>;
  static constexpr bool is_work_group = Properties::scope == memory_scope::work_group;

public:
  static constexpr int dimensions = D;
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::size_t;
  static constexpr memory_scope fence_scope = Properties::scope;

  s_group() = delete;

  /// Within the group around this one; of a work-group, among all work-groups.
  id_type get_group_id() const noexcept {
    if constexpr (is_work_group)
      return detail::group_id<D>();
    else
      return parent::position() / id_type(mine::extent());
  }
  std::size_t get_group_id(int dimension) const noexcept { return get_group_id()[dimension]; }
  linear_id_type get_group_linear_id() const noexcept {
    return detail::linearize<D>(get_group_id(), get_group_range());
  }
  range_type get_group_range() const noexcept {
    if constexpr (is_work_group)
      return detail::group_range<D>();
    else
      return parent::extent() / mine::extent();
  }
  std::size_t get_group_range(int dimension) const noexcept { return get_group_range()[dimension]; }
  std::size_t get_group_linear_range() const noexcept { return get_group_range().size(); }
  std::size_t operator[](int dimension) const noexcept { return get_group_id(dimension); }

  /// Of the item that distribute_items has called a function with in this group or in one inside of it.
  id_type get_logical_local_id(const s_item<D>&) const noexcept { return mine::position(); }
  std::size_t get_logical_local_id(const s_item<D>& idx, int dimension) const noexcept {
    return get_logical_local_id(idx)[dimension];
  }
  linear_id_type get_logical_local_linear_id(const s_item<D>&) const noexcept {
    return get_physical_local_linear_id();
  }
  id_type get_local_id(const s_item<D>& idx) const noexcept { return get_logical_local_id(idx); }
  std::size_t get_local_id(const s_item<D>& idx, int dimension) const noexcept {
    return get_logical_local_id(idx)[dimension];
  }
  linear_id_type get_local_linear_id(const s_item<D>& idx) const noexcept {
    return get_logical_local_linear_id(idx);
  }

  [[deprecated("Use get_physical_local_id()")]] id_type get_local_id() const noexcept {
    return get_physical_local_id();
  }
  [[deprecated("Use get_physical_local_id()")]] std::size_t get_local_id(int dimension) const noexcept {
    return get_physical_local_id(dimension);
  }
  [[deprecated("Use get_physical_local_linear_id()")]] linear_id_type get_local_linear_id() const noexcept {
    return get_physical_local_linear_id();
  }

  /// Of the calling physical work-item.
  id_type get_physical_local_id() const noexcept { return mine::position(); }
  std::size_t get_physical_local_id(int dimension) const noexcept {
    return get_physical_local_id()[dimension];
  }
  std::size_t get_physical_local_linear_id() const noexcept {
    return detail::linearize<D>(mine::position(), mine::extent());
  }

  [[deprecated("Use get_logical_local_range()")]] range_type get_local_range() const noexcept {
    return get_logical_local_range();
  }
  [[deprecated("Use get_logical_local_range()")]] std::size_t get_local_range(int dimension) const noexcept {
    return get_logical_local_range(dimension);
  }
  [[deprecated("Use get_logical_local_linear_range()")]] std::size_t get_local_linear_range() const noexcept {
    return get_logical_local_linear_range();
  }

  range_type get_logical_local_range() const noexcept { return mine::extent(); }
  std::size_t get_logical_local_range(int dimension) const noexcept { return mine::extent()[dimension]; }
  std::size_t get_logical_local_linear_range() const noexcept { return mine::extent().size(); }
  range_type get_physical_local_range() const noexcept { return mine::extent(); }
  std::size_t get_physical_local_range(int dimension) const noexcept { return mine::extent()[dimension]; }
  std::size_t get_physical_local_linear_range() const noexcept { return mine::extent().size(); }

  bool leader() const noexcept { return get_physical_local_linear_id() == 0; }

  /// Of work-groups only: as those of sycl::group.
  template <class Destination, class Source, class... Numbers>
  device_event async_work_group_copy(Destination dest, Source src, Numbers... numbers) const noexcept {
    static_assert(is_work_group, "async_work_group_copy is a member of work-groups");
    return detail::index_access::make<group<D>>(false).async_work_group_copy(dest, src, numbers...);
  }
  template <class... Events>
  void wait_for(Events... events) const noexcept {
    static_assert(is_work_group, "wait_for is a member of work-groups");
    detail::index_access::make<group<D>>(false).wait_for(events...);
  }

private:
  friend detail::scoped_access;
  explicit s_group(int) noexcept {}
};

namespace detail {

struct scoped_access {
  template <int D, memory_scope Scope, memory_scope Parent>
  static s_group<scoped_group_properties<D, Scope, Parent>> make_group() noexcept {
    return s_group<scoped_group_properties<D, Scope, Parent>>(0);
  }
  template <int D, memory_scope Scope>
  static s_item<D> make_item() noexcept {
    using extent = scoped_extent<D, Scope>;
    return s_item<D>(global_id<D>(), global_range<D>(), extent::position(), extent::extent());
  }
};

} // namespace detail

/// Waits until all work-items of the group arrive, and orders their memory accesses in \p fence_scope.
template <class Properties>
void group_barrier(const s_group<Properties>&, memory_scope fence_scope = Properties::scope) {
  const bool wider = fence_scope > Properties::scope;
  if (wider)
    atomic_fence(memory_order::seq_cst, fence_scope);
  if constexpr (Properties::scope == memory_scope::work_group)
    __falx_work_group_barrier();
  else if constexpr (Properties::scope == memory_scope::sub_group)
    __falx_sub_group_barrier();
  if (wider)
    atomic_fence(memory_order::seq_cst, fence_scope);
}

} // namespace sycl
