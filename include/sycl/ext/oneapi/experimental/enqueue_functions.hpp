// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/event.hpp"
#include "sycl/ext/oneapi/experimental/launch_config.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/handler.hpp"
#include "sycl/kernel.hpp"
#include "sycl/queue.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// SYCL extension sycl_ext_oneapi_enqueue_functions: commands by functions that give no event, for a queue or
/// for a command group. The kernel function stands before the reductions.

namespace sycl::ext::oneapi::experimental {

template <typename CommandGroupFunc>
void submit(queue q, CommandGroupFunc&& cgf) {
  static_cast<void>(q.submit(static_cast<CommandGroupFunc&&>(cgf)));
}
template <typename CommandGroupFunc>
event submit_with_event(queue q, CommandGroupFunc&& cgf) {
  return q.submit(static_cast<CommandGroupFunc&&>(cgf));
}

template <auto* Func>
struct kernel_function_s;

namespace detail {
/// Not the tags of free function kernels, which have overloads of their own.
template <typename T>
inline constexpr bool is_function_object_v = !std::is_same_v<T, kernel>;
template <auto* Func>
inline constexpr bool is_function_object_v<kernel_function_s<Func>> = false;
template <typename T>
using if_function = std::enable_if_t<is_function_object_v<T>, int>;
/// Deduced, so that the overloads with kernel objects are not the better match for what converts to one.
template <typename T>
using if_kernel_object = std::enable_if_t<std::is_same_v<T, kernel>, int>;
} // namespace detail

template <typename KernelName = sycl::detail::unnamed_kernel, typename KernelType,
          detail::if_function<KernelType> = 0>
void single_task(handler& h, const KernelType& k) {
  h.single_task<KernelName>(k);
}
template <typename KernelName = sycl::detail::unnamed_kernel, typename KernelType,
          detail::if_function<KernelType> = 0>
void single_task(queue q, const KernelType& k) {
  q.submit([&](handler& h) { h.single_task<KernelName>(k); });
}
/// Kernel objects are free function kernels, with arguments for all their parameters.
template <typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>
void single_task(handler& h, const Kernel& k, Args&&... args) {
  h.set_args(static_cast<Args&&>(args)...);
  h.single_task(k);
}
template <typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>
void single_task(queue q, const Kernel& k, Args&&... args) {
  q.submit([&](handler& h) { experimental::single_task(h, k, static_cast<Args&&>(args)...); });
}

// Basic kernels. One overload per dimension, so that numbers and brace lists stand for ranges.
#define FALX_ENQUEUE_RANGE(D)                                                                                \
  template <typename KernelName = sycl::detail::unnamed_kernel, typename KernelType, typename... Reductions, \
            detail::if_function<KernelType> = 0>                                                             \
  void parallel_for(handler& h, range<D> r, const KernelType& k, Reductions&&... reductions) {               \
    h.parallel_for<KernelName>(r, static_cast<Reductions&&>(reductions)..., k);                              \
  }                                                                                                          \
  template <typename KernelName = sycl::detail::unnamed_kernel, typename KernelType, typename... Reductions, \
            detail::if_function<KernelType> = 0>                                                             \
  void parallel_for(queue q, range<D> r, const KernelType& k, Reductions&&... reductions) {                  \
    q.submit(                                                                                                \
        [&](handler& h) { h.parallel_for<KernelName>(r, static_cast<Reductions&&>(reductions)..., k); });    \
  }                                                                                                          \
  template <typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>                         \
  void parallel_for(handler& h, range<D> r, const Kernel& k, Args&&... args) {                               \
    h.set_args(static_cast<Args&&>(args)...);                                                                \
    h.parallel_for(r, k);                                                                                    \
  }                                                                                                          \
  template <typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>                         \
  void parallel_for(queue q, range<D> r, const Kernel& k, Args&&... args) {                                  \
    q.submit([&](handler& h) { experimental::parallel_for(h, r, k, static_cast<Args&&>(args)...); });        \
  }
FALX_ENQUEUE_RANGE(1)
FALX_ENQUEUE_RANGE(2)
FALX_ENQUEUE_RANGE(3)
#undef FALX_ENQUEUE_RANGE

template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,
          typename KernelType, typename... Reductions, detail::if_function<KernelType> = 0>
void parallel_for(handler& h, launch_config<range<Dimensions>, Properties> c, const KernelType& k,
                  Reductions&&... reductions) {
  using access = detail::launch_config_access;
  h.parallel_for<KernelName>(access::range_of(c), access::properties_of(c),
                             static_cast<Reductions&&>(reductions)..., k);
}
template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,
          typename KernelType, typename... Reductions, detail::if_function<KernelType> = 0>
void parallel_for(queue q, launch_config<range<Dimensions>, Properties> c, const KernelType& k,
                  Reductions&&... reductions) {
  q.submit([&](handler& h) {
    experimental::parallel_for<KernelName>(h, c, k, static_cast<Reductions&&>(reductions)...);
  });
}
template <int Dimensions, typename Properties, typename Kernel, typename... Args,
          detail::if_kernel_object<Kernel> = 0>
void parallel_for(handler& h, launch_config<range<Dimensions>, Properties> c, const Kernel& k,
                  Args&&... args) {
  experimental::parallel_for(h, detail::launch_config_access::range_of(c), k, static_cast<Args&&>(args)...);
}
template <int Dimensions, typename Properties, typename Kernel, typename... Args,
          detail::if_kernel_object<Kernel> = 0>
void parallel_for(queue q, launch_config<range<Dimensions>, Properties> c, const Kernel& k, Args&&... args) {
  experimental::parallel_for(q, detail::launch_config_access::range_of(c), k, static_cast<Args&&>(args)...);
}

// Kernels over work-groups.
template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename KernelType,
          typename... Reductions, detail::if_function<KernelType> = 0>
void nd_launch(handler& h, nd_range<Dimensions> r, const KernelType& k, Reductions&&... reductions) {
  h.parallel_for<KernelName>(r, static_cast<Reductions&&>(reductions)..., k);
}
template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename KernelType,
          typename... Reductions, detail::if_function<KernelType> = 0>
void nd_launch(queue q, nd_range<Dimensions> r, const KernelType& k, Reductions&&... reductions) {
  q.submit([&](handler& h) { h.parallel_for<KernelName>(r, static_cast<Reductions&&>(reductions)..., k); });
}
template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,
          typename KernelType, typename... Reductions, detail::if_function<KernelType> = 0>
void nd_launch(handler& h, launch_config<nd_range<Dimensions>, Properties> c, const KernelType& k,
               Reductions&&... reductions) {
  using access = detail::launch_config_access;
  h.parallel_for<KernelName>(access::range_of(c), access::properties_of(c),
                             static_cast<Reductions&&>(reductions)..., k);
}
template <typename KernelName = sycl::detail::unnamed_kernel, int Dimensions, typename Properties,
          typename KernelType, typename... Reductions, detail::if_function<KernelType> = 0>
void nd_launch(queue q, launch_config<nd_range<Dimensions>, Properties> c, const KernelType& k,
               Reductions&&... reductions) {
  q.submit([&](handler& h) {
    experimental::nd_launch<KernelName>(h, c, k, static_cast<Reductions&&>(reductions)...);
  });
}
template <int Dimensions, typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>
void nd_launch(handler& h, nd_range<Dimensions> r, const Kernel& k, Args&&... args) {
  h.set_args(static_cast<Args&&>(args)...);
  h.parallel_for(r, k);
}
template <int Dimensions, typename Kernel, typename... Args, detail::if_kernel_object<Kernel> = 0>
void nd_launch(queue q, nd_range<Dimensions> r, const Kernel& k, Args&&... args) {
  q.submit([&](handler& h) { experimental::nd_launch(h, r, k, static_cast<Args&&>(args)...); });
}
template <int Dimensions, typename Properties, typename Kernel, typename... Args,
          detail::if_kernel_object<Kernel> = 0>
void nd_launch(handler& h, launch_config<nd_range<Dimensions>, Properties> c, const Kernel& k,
               Args&&... args) {
  experimental::nd_launch(h, detail::launch_config_access::range_of(c), k, static_cast<Args&&>(args)...);
}
template <int Dimensions, typename Properties, typename Kernel, typename... Args,
          detail::if_kernel_object<Kernel> = 0>
void nd_launch(queue q, launch_config<nd_range<Dimensions>, Properties> c, const Kernel& k, Args&&... args) {
  experimental::nd_launch(q, detail::launch_config_access::range_of(c), k, static_cast<Args&&>(args)...);
}

// Operations on memory.
inline void memcpy(handler& h, void* dest, const void* src, std::size_t numBytes) {
  h.memcpy(dest, src, numBytes);
}
inline void memcpy(queue q, void* dest, const void* src, std::size_t numBytes) {
  q.memcpy(dest, src, numBytes);
}
template <typename T>
void copy(handler& h, const T* src, T* dest, std::size_t count) {
  h.copy(src, dest, count);
}
template <typename T>
void copy(queue q, const T* src, T* dest, std::size_t count) {
  q.copy(src, dest, count);
}
inline void memset(handler& h, void* ptr, int value, std::size_t numBytes) {
  h.memset(ptr, value, numBytes);
}
inline void memset(queue q, void* ptr, int value, std::size_t numBytes) {
  q.memset(ptr, value, numBytes);
}
template <typename T>
void fill(handler& h, T* ptr, const T& pattern, std::size_t count) {
  h.fill(ptr, pattern, count);
}
template <typename T>
void fill(queue q, T* ptr, const T& pattern, std::size_t count) {
  q.fill(ptr, pattern, count);
}
/// Where prefetch moves memory: to the queue's device or to the host.
enum class prefetch_type { device, host };
inline void prefetch(handler& h, void* ptr, std::size_t numBytes,
                     prefetch_type type = prefetch_type::device) {
  if (type == prefetch_type::host)
    h.prefetch_host(ptr, numBytes);
  else
    h.prefetch(ptr, numBytes);
}
inline void prefetch(queue q, void* ptr, std::size_t numBytes, prefetch_type type = prefetch_type::device) {
  if (type == prefetch_type::host)
    q.prefetch_host(ptr, numBytes);
  else
    q.prefetch(ptr, numBytes);
}
inline void mem_advise(handler& h, void* ptr, std::size_t numBytes, int advice) {
  h.mem_advise(ptr, numBytes, advice);
}
inline void mem_advise(queue q, void* ptr, std::size_t numBytes, int advice) {
  q.mem_advise(ptr, numBytes, advice);
}

/// As handler::host_task.
template <typename HostTaskT>
void host_task(handler& h, HostTaskT&& task) {
  h.host_task(static_cast<HostTaskT&&>(task));
}
template <typename HostTaskT>
void host_task(queue q, const HostTaskT& task) {
  q.submit([&](handler& h) { h.host_task(task); });
}

/// Later commands come after all that was submitted before, and after what the command group depends on.
inline void barrier(handler& h) {
  h.ext_oneapi_barrier();
}
inline void barrier(queue q) {
  q.ext_oneapi_submit_barrier();
}
/// Later commands come after the events, and after what the command group depends on.
inline void partial_barrier(handler& h, const std::vector<event>& events) {
  h.ext_oneapi_barrier(events);
}
inline void partial_barrier(queue q, const std::vector<event>& events) {
  q.ext_oneapi_submit_barrier(events);
}

} // namespace sycl::ext::oneapi::experimental
