// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/detail/index_access.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/group.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/sub_group.hpp"

namespace sycl::ext::oneapi::experimental {
template <int Dimensions>
class root_group;
} // namespace sycl::ext::oneapi::experimental

namespace sycl {

/// One work-item of an nd_range (SYCL 2020 §4.9.1.5). Its state is all it tells, since copies may
/// be kept and compared outside the kernel.
template <int Dimensions = 1>
class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  nd_item() = delete;

  id<Dimensions> get_global_id() const noexcept { return global_id_; }
  std::size_t get_global_id(int dimension) const noexcept { return get_global_id()[dimension]; }
  /// Row-major position in the whole range; an offset does not count.
  std::size_t get_global_linear_id() const noexcept {
    const id<Dimensions> group_first = group_.get_group_id() * id<Dimensions>(get_local_range());
    return detail::linearize<Dimensions>(group_first + local_id_, get_global_range());
  }
  id<Dimensions> get_local_id() const noexcept { return local_id_; }
  std::size_t get_local_id(int dimension) const noexcept { return get_local_id()[dimension]; }
  std::size_t get_local_linear_id() const noexcept {
    return detail::linearize<Dimensions>(get_local_id(), get_local_range());
  }
  group<Dimensions> get_group() const noexcept { return group_; }
  sub_group get_sub_group() const noexcept { return sub_group(0); }
  std::size_t get_group(int dimension) const noexcept { return group_.get_group_id(dimension); }
  std::size_t get_group_linear_id() const noexcept { return group_.get_group_linear_id(); }
  range<Dimensions> get_group_range() const noexcept { return group_.get_group_range(); }
  std::size_t get_group_range(int dimension) const noexcept { return get_group_range()[dimension]; }
  range<Dimensions> get_global_range() const noexcept { return group_.get_global_range(); }
  std::size_t get_global_range(int dimension) const noexcept { return get_global_range()[dimension]; }
  /// See sycl/ext/oneapi/experimental/root_group.hpp, which defines it.
  ext::oneapi::experimental::root_group<Dimensions> ext_oneapi_get_root_group() const;
  range<Dimensions> get_local_range() const noexcept { return group_.get_local_range(); }
  std::size_t get_local_range(int dimension) const noexcept { return get_local_range()[dimension]; }
  id<Dimensions> get_offset() const noexcept { return offset_; }
  nd_range<Dimensions> get_nd_range() const noexcept {
    return nd_range<Dimensions>(get_global_range(), get_local_range(), get_offset());
  }

  /// Deprecated: group_barrier(get_group()).
  void barrier(access::fence_space = access::fence_space::global_and_local) const noexcept {
    __falx_work_group_barrier();
  }
  /// Deprecated: atomic_fence.
  template <access_mode = access_mode::read_write>
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const noexcept {
    atomic_fence(memory_order::acq_rel, memory_scope::work_group);
  }

  /// See group::async_work_group_copy.
  template <class Destination, access::address_space DestinationSpace, access::decorated DestinationDecorated,
            class Source, access::address_space SourceSpace, access::decorated SourceDecorated,
            detail::enable_if_async_copy<Destination, DestinationSpace, Source, SourceSpace> = 0>
  device_event
  async_work_group_copy(multi_ptr<Destination, DestinationSpace, DestinationDecorated> destination,
                        multi_ptr<Source, SourceSpace, SourceDecorated> source,
                        std::size_t count) const noexcept {
    return get_group().async_work_group_copy(destination, source, count);
  }
  template <class Destination, access::address_space DestinationSpace, access::decorated DestinationDecorated,
            class Source, access::address_space SourceSpace, access::decorated SourceDecorated,
            detail::enable_if_async_copy<Destination, DestinationSpace, Source, SourceSpace> = 0>
  device_event
  async_work_group_copy(multi_ptr<Destination, DestinationSpace, DestinationDecorated> destination,
                        multi_ptr<Source, SourceSpace, SourceDecorated> source, std::size_t count,
                        std::size_t stride) const noexcept {
    return get_group().async_work_group_copy(destination, source, count, stride);
  }
  template <class... Events>
  void wait_for(Events... events) const noexcept {
    get_group().wait_for(events...);
  }

  friend bool operator==(const nd_item& lhs, const nd_item& rhs) noexcept {
    return lhs.global_id_ == rhs.global_id_ && lhs.local_id_ == rhs.local_id_ && lhs.offset_ == rhs.offset_ &&
           lhs.group_ == rhs.group_;
  }
  friend bool operator!=(const nd_item& lhs, const nd_item& rhs) noexcept { return !(lhs == rhs); }

private:
  friend detail::index_access;
  explicit nd_item(int) noexcept
      : global_id_(detail::global_id<Dimensions>()), local_id_(detail::local_id<Dimensions>()),
        offset_(detail::global_offset<Dimensions>()),
        group_(detail::index_access::make<sycl::group<Dimensions>>(false)) {}

  id<Dimensions> global_id_;
  id<Dimensions> local_id_;
  id<Dimensions> offset_;
  sycl::group<Dimensions> group_;
};

} // namespace sycl
