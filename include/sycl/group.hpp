// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/detail/async_copy.hpp"
#include "sycl/detail/index_access.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/device_event.hpp"
#include "sycl/ext/acpp/pfwi_synchronization.hpp"
#include "sycl/h_item.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/multi_ptr.hpp"

#include <type_traits>

namespace sycl {

/// The work-group of the calling work-item (SYCL 2020 §4.9.1.7). What describes the group is state, since
/// copies may be kept and compared outside the kernel; what describes the caller is read where it is called.
template <int Dimensions = 1>
class group {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  group() = delete;

  id<Dimensions> get_group_id() const noexcept { return group_id_; }
  std::size_t get_group_id(int dimension) const noexcept { return get_group_id()[dimension]; }
  /// Deprecated spelling of get_group_id.
  id<Dimensions> get_id() const noexcept { return get_group_id(); }
  std::size_t get_id(int dimension) const noexcept { return get_group_id()[dimension]; }

  id<Dimensions> get_local_id() const noexcept { return detail::local_id<Dimensions>(); }
  std::size_t get_local_id(int dimension) const noexcept { return get_local_id()[dimension]; }
  range<Dimensions> get_local_range() const noexcept { return local_range_; }
  std::size_t get_local_range(int dimension) const noexcept { return get_local_range()[dimension]; }
  range<Dimensions> get_group_range() const noexcept { return group_range_; }
  std::size_t get_group_range(int dimension) const noexcept { return get_group_range()[dimension]; }
  range<Dimensions> get_max_local_range() const noexcept { return get_local_range(); }
  /// Deprecated (SYCL 1.2.1): the range of all work-items.
  range<Dimensions> get_global_range() const noexcept { return group_range_ * local_range_; }
  std::size_t get_global_range(int dimension) const noexcept { return get_global_range()[dimension]; }

  std::size_t operator[](int dimension) const noexcept { return get_group_id()[dimension]; }

  std::size_t get_group_linear_id() const noexcept {
    return detail::linearize<Dimensions>(get_group_id(), get_group_range());
  }
  /// Deprecated spelling of get_group_linear_id.
  std::size_t get_linear_id() const noexcept { return get_group_linear_id(); }
  std::size_t get_local_linear_id() const noexcept {
    return detail::linearize<Dimensions>(get_local_id(), get_local_range());
  }
  std::size_t get_group_linear_range() const noexcept { return get_group_range().size(); }
  std::size_t get_local_linear_range() const noexcept { return get_local_range().size(); }

  bool leader() const noexcept { return get_local_linear_id() == 0; }

  /// Calls \p function for every work-item of the group, which wait for each other before and after (SYCL
  /// 2020 §4.9.4.2.4, deprecated). Only in parallel_for_work_group.
  template <class WorkItemFunction>
  void parallel_for_work_item(const WorkItemFunction& function) const noexcept {
    parallel_for_work_item(get_local_range(), function);
  }

  /// The same with a logical range that need not be the group's: physical work-item p runs the logical
  /// work-items that are p modulo the group's range. The global item is the physical one's, as the kernel was
  /// invoked.
  template <class WorkItemFunction>
  void parallel_for_work_item(range<Dimensions> logical_range,
                              const WorkItemFunction& function) const noexcept {
    run_work_items<vendor::hipsycl::synchronization::barrier<>>(logical_range, function);
  }

  /// The same with another \p Synchronization at the end, one of sycl::vendor::hipsycl::synchronization
  /// (AdaptiveCpp, CUSTOM_PFWI_SYNCHRONIZATION).
  template <class Synchronization, class WorkItemFunction,
            std::enable_if_t<detail::region_end<Synchronization>::is_known, int> = 0>
  void parallel_for_work_item(const WorkItemFunction& function) const noexcept {
    run_work_items<Synchronization>(get_local_range(), function);
  }
  template <class Synchronization, class WorkItemFunction,
            std::enable_if_t<detail::region_end<Synchronization>::is_known, int> = 0>
  void parallel_for_work_item(range<Dimensions> logical_range,
                              const WorkItemFunction& function) const noexcept {
    run_work_items<Synchronization>(logical_range, function);
  }

  /// Copies \p count consecutive elements between global and local memory, shared out among the work-items
  /// (SYCL 2020 §4.7.8). Every work-item of the group calls it with the same arguments; wait_for waits.
  template <class Destination, access::address_space DestinationSpace, access::decorated DestinationDecorated,
            class Source, access::address_space SourceSpace, access::decorated SourceDecorated,
            detail::enable_if_async_copy<Destination, DestinationSpace, Source, SourceSpace> = 0>
  device_event
  async_work_group_copy(multi_ptr<Destination, DestinationSpace, DestinationDecorated> destination,
                        multi_ptr<Source, SourceSpace, SourceDecorated> source,
                        std::size_t count) const noexcept {
    copy<DestinationSpace == access::address_space::local_space>(destination.get_raw(), 1, source.get_raw(),
                                                                 1, count);
    return device_event();
  }

  /// The same where consecutive elements of the global side are \p stride elements apart.
  template <class Destination, access::address_space DestinationSpace, access::decorated DestinationDecorated,
            class Source, access::address_space SourceSpace, access::decorated SourceDecorated,
            detail::enable_if_async_copy<Destination, DestinationSpace, Source, SourceSpace> = 0>
  device_event
  async_work_group_copy(multi_ptr<Destination, DestinationSpace, DestinationDecorated> destination,
                        multi_ptr<Source, SourceSpace, SourceDecorated> source, std::size_t count,
                        std::size_t stride) const noexcept {
    if constexpr (SourceSpace == access::address_space::global_space)
      copy<true>(destination.get_raw(), 1, source.get_raw(), stride, count);
    else
      copy<false>(destination.get_raw(), stride, source.get_raw(), 1, count);
    return device_event();
  }

  template <class... Events>
  void wait_for(Events...) const noexcept {
    static_assert((std::is_same_v<Events, device_event> && ...), "wait_for takes sycl::device_event only");
    __falx_wait_for_async_copies();
    __falx_work_group_barrier();
  }

  /// Deprecated (SYCL 1.2.1): atomic_fence.
  template <access_mode = access_mode::read_write>
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const noexcept {
    atomic_fence(memory_order::acq_rel, memory_scope::work_group);
  }

  friend bool operator==(const group& lhs, const group& rhs) noexcept {
    return lhs.group_id_ == rhs.group_id_ && lhs.group_range_ == rhs.group_range_ &&
           lhs.local_range_ == rhs.local_range_;
  }
  friend bool operator!=(const group& lhs, const group& rhs) noexcept { return !(lhs == rhs); }

private:
  friend detail::index_access;
  explicit group(bool hierarchical) noexcept
      : group_id_(detail::group_id<Dimensions>()), group_range_(detail::group_range<Dimensions>()),
        local_range_(detail::local_range<Dimensions>()), hierarchical_(hierarchical) {}

  template <class Synchronization, class WorkItemFunction>
  void run_work_items(const range<Dimensions>& logical_range,
                      const WorkItemFunction& function) const noexcept {
    const range<Dimensions> physical_range = get_local_range();
    const range<Dimensions> global_range = get_group_range() * physical_range;
    const id<Dimensions> group_first = get_group_id() * id<Dimensions>(physical_range);
    __falx_work_items_begin();
    const id<Dimensions> first = detail::work_items_first<Dimensions>();
    const range<Dimensions> step = detail::work_items_step<Dimensions>();
    const auto call = [&](const id<Dimensions>& logical) {
      id<Dimensions> physical = logical;
      for (int d = 0; d < Dimensions; ++d)
        if (step[d] != 1)
          physical[d] = first[d]; // each physical work-item steps by itself
        else if (logical_range[d] > physical_range[d])
          physical[d] = logical[d] % physical_range[d];
      using access = detail::index_access;
      __falx_work_item_enter(detail::linearize<Dimensions>(physical, physical_range) + 1);
      function(
          access::make_h_item<Dimensions>(access::make_item<Dimensions>(group_first + physical, global_range),
                                          access::make_item<Dimensions>(logical, logical_range),
                                          access::make_item<Dimensions>(physical, physical_range)));
    };
    if constexpr (Dimensions == 1) {
      for (std::size_t i = first[0]; i < logical_range[0]; i += step[0])
        call(id<1>(i));
    } else if constexpr (Dimensions == 2) {
      for (std::size_t i = first[0]; i < logical_range[0]; i += step[0])
        for (std::size_t j = first[1]; j < logical_range[1]; j += step[1])
          call(id<2>(i, j));
    } else {
      for (std::size_t i = first[0]; i < logical_range[0]; i += step[0])
        for (std::size_t j = first[1]; j < logical_range[1]; j += step[1])
          for (std::size_t k = first[2]; k < logical_range[2]; k += step[2])
            call(id<3>(i, j, k));
    }
    __falx_work_item_enter(0);
    detail::region_end<Synchronization>::fence();
    if constexpr (detail::region_end<Synchronization>::waits)
      __falx_work_items_end();
    else
      __falx_work_items_end_unordered();
  }

  template <bool ToLocal, class Destination, class Source>
  void copy(Destination* destination, std::size_t destination_stride, const Source* source,
            std::size_t source_stride, std::size_t count) const noexcept {
    if (hierarchical_) {
      __falx_work_items_begin();
      const range<Dimensions> step = detail::work_items_step<Dimensions>();
      const std::size_t first = detail::linearize<Dimensions>(detail::work_items_first<Dimensions>(), step);
      detail::copy_share<ToLocal>(destination, destination_stride, source, source_stride, count, first,
                                  step.size());
      __falx_work_items_end();
    } else {
      detail::copy_share<ToLocal>(destination, destination_stride, source, source_stride, count,
                                  get_local_linear_id(), get_local_linear_range());
    }
  }

  id<Dimensions> group_id_;
  range<Dimensions> group_range_;
  range<Dimensions> local_range_;
  /// True for the argument of parallel_for_work_group: one thread of control stands for the whole group.
  bool hierarchical_;
};

} // namespace sycl
