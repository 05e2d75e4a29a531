// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/sizes.hpp"
#include "sycl/detail/reduction_kernel.hpp"
#include "sycl/ext/acpp/scoped_parallelism/s_group.hpp"
#include "sycl/handler.hpp"
#include "sycl/nd_item.hpp"
#include "sycl/reduction.hpp"

#include <tuple>
#include <utility>

namespace sycl::detail {

/// Calls a kernel of scoped parallelism with its group, and with its reducers.
template <int Dimensions, class Kernel>
struct scoped_kernel {
  using user_kernel = Kernel;
  Kernel kernel;
  template <class... Reducers>
  void operator()(nd_item<Dimensions>, Reducers&... reducers) const {
    kernel(scoped_access::make_group<Dimensions, memory_scope::work_group, memory_scope::device>(),
           reducers...);
  }
};

template <class Name, int Dimensions, class... Rest, std::size_t... I>
void launch_parallel_split(handler& group, const nd_range<Dimensions>& items,
                           const std::tuple<const Rest&...>& rest, std::index_sequence<I...>) {
  using kernel_type = std::decay_t<std::tuple_element_t<sizeof...(I), std::tuple<Rest...>>>;
  const scoped_kernel<Dimensions, kernel_type> kernel{std::get<sizeof...(I)>(rest)};
  if constexpr (sizeof...(I) == 0)
    launch_nd_range<Name>(group, items, kernel);
  else
    launch_reduction<Name>(group, items, std::get<I>(rest)..., kernel);
}
template <class Name, int Dimensions, class... Rest>
void launch_parallel(handler& group, const range<Dimensions>& groups, const range<Dimensions>& group_size,
                     const Rest&... rest) {
  falx::checked_product("parallel", extent_of(groups, 1), extent_of(group_size, 1));
  launch_parallel_split<Name>(group, nd_range<Dimensions>(groups * group_size, group_size),
                              std::tuple<const Rest&...>(rest...),
                              std::make_index_sequence<sizeof...(Rest) - 1>());
}

} // namespace sycl::detail
