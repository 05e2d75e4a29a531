// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/launch_value.hpp"
#include "sycl/detail/index_builtins.hpp"
#include "sycl/detail/index_space.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/group.hpp"
#include "sycl/id.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/nd_item.hpp"
#include "sycl/range.hpp"
#include "sycl/sub_group.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

/// \file
/// SYCL extension sycl_ext_oneapi_root_group: all work-items of a launch as a group.

namespace sycl {

namespace ext::oneapi::experimental {

enum class execution_scope { work_item, sub_group, work_group, root_group };

template <int Dimensions>
class root_group;

} // namespace ext::oneapi::experimental

namespace detail {
struct root_group_maker;
} // namespace detail

namespace ext::oneapi::experimental {

/// The work-items of a kernel over an nd_range. What it says of itself any such kernel may ask; group_barrier
/// is for launches with property use_root_sync.
template <int Dimensions>
class root_group {
  static constexpr bool of_items(execution_scope scope) {
    return scope == execution_scope::work_item || scope == execution_scope::work_group;
  }

public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  id<Dimensions> get_group_id() const { return {}; }
  id<Dimensions> get_local_id() const { return item_.get_global_id(); }
  range<Dimensions> get_group_range() const { return filled(1); }
  range<Dimensions> get_local_range() const { return item_.get_global_range(); }
  range<Dimensions> get_max_local_range() const { return get_local_range(); }
  std::size_t get_group_linear_id() const { return 0; }
  std::size_t get_local_linear_id() const { return item_.get_global_linear_id(); }
  std::size_t get_group_linear_range() const { return 1; }
  std::size_t get_local_linear_range() const { return get_local_range().size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  /// Of the work-item, or of its work-group, in the launch.
  template <execution_scope Scope, std::enable_if_t<of_items(Scope), int> = 0>
  id<Dimensions> get_id() const {
    if constexpr (Scope == execution_scope::work_item)
      return item_.get_global_id();
    else
      return item_.get_group().get_group_id();
  }
  template <execution_scope Scope, std::enable_if_t<Scope == execution_scope::sub_group, int> = 0>
  id<1> get_id() const {
    return id<1>(get_linear_id<Scope>());
  }
  template <execution_scope Scope>
  std::size_t get_linear_id() const {
    static_assert(Scope != execution_scope::root_group, "the scope is narrower than the root group");
    if constexpr (Scope == execution_scope::work_item)
      return get_local_linear_id();
    else if constexpr (Scope == execution_scope::work_group)
      return item_.get_group_linear_id();
    else
      return item_.get_group_linear_id() * item_.get_sub_group().get_group_linear_range() +
             item_.get_sub_group().get_group_linear_id();
  }
  template <execution_scope Scope, std::enable_if_t<of_items(Scope), int> = 0>
  range<Dimensions> get_range() const {
    if constexpr (Scope == execution_scope::work_item)
      return item_.get_global_range();
    else
      return item_.get_group_range();
  }
  template <execution_scope Scope, std::enable_if_t<Scope == execution_scope::sub_group, int> = 0>
  range<1> get_range() const {
    return range<1>(get_linear_range<Scope>());
  }
  template <execution_scope Scope>
  std::size_t get_linear_range() const {
    static_assert(Scope != execution_scope::root_group, "the scope is narrower than the root group");
    if constexpr (Scope == execution_scope::sub_group)
      return item_.get_group_range().size() * item_.get_sub_group().get_group_linear_range();
    else
      return get_range<Scope>().size();
  }

private:
  friend struct sycl::detail::root_group_maker;
  explicit root_group(const nd_item<Dimensions>& item) : item_(item) {}
  static range<Dimensions> filled(std::size_t extent) {
    range<Dimensions> result = sycl::detail::make_nd_item<Dimensions>().get_global_range();
    for (int axis = 0; axis < Dimensions; ++axis)
      result[axis] = extent;
    return result;
  }

  nd_item<Dimensions> item_;
};

} // namespace ext::oneapi::experimental

namespace detail {

struct root_group_maker {
  template <int Dimensions>
  static ext::oneapi::experimental::root_group<Dimensions> make(const nd_item<Dimensions>& item) {
    return ext::oneapi::experimental::root_group<Dimensions>(item);
  }
};

} // namespace detail

namespace ext::oneapi::experimental {

/// The work-item's group of the next narrower kind.
template <int Dimensions>
group<Dimensions> get_child_group(const root_group<Dimensions>&) {
  return sycl::detail::make_nd_item<Dimensions>().get_group();
}
template <int Dimensions>
sub_group get_child_group(const group<Dimensions>&) {
  return sycl::detail::make_nd_item<Dimensions>().get_sub_group();
}

} // namespace ext::oneapi::experimental

template <int Dimensions>
ext::oneapi::experimental::root_group<Dimensions> nd_item<Dimensions>::ext_oneapi_get_root_group() const {
  return detail::root_group_maker::make(*this);
}

/// Waits for all work-items of the launch, and orders memory among them. All call it, with property
/// use_root_sync.
template <int Dimensions>
void group_barrier(ext::oneapi::experimental::root_group<Dimensions> g, memory_scope = memory_scope::device) {
  using ext::oneapi::experimental::execution_scope;
  __falx_work_group_barrier();
  if (__falx_local_id_x() + __falx_local_id_y() + __falx_local_id_z() == 0)
    __falx_root_barrier(reinterpret_cast<void*>(__falx_launch_value(falx::ROOT_BARRIER)),
                        g.template get_linear_range<execution_scope::work_group>());
  __falx_work_group_barrier();
}

namespace ext::oneapi::experimental {

namespace this_work_item {
template <int Dimensions>
root_group<Dimensions> get_root_group() {
  return sycl::detail::root_group_maker::make(sycl::detail::make_nd_item<Dimensions>());
}
} // namespace this_work_item

/// Deprecated place of the same.
namespace this_kernel {
template <int Dimensions>
root_group<Dimensions> get_root_group() {
  return this_work_item::get_root_group<Dimensions>();
}
} // namespace this_kernel

} // namespace ext::oneapi::experimental
} // namespace sycl
