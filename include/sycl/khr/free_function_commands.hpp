// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/accessor.hpp"
#include "sycl/event.hpp"
#include "sycl/handler.hpp"
#include "sycl/kernel.hpp"
#include "sycl/khr/requirements.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/queue.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

/// \file
/// The proposed SYCL extension sycl_khr_free_function_commands: commands that are submitted by functions,
/// with what they wait for, use and signal in one argument. The names of its first draft are in
/// first_draft_commands.hpp.

namespace sycl::khr {

/// A complete event of \p c, which signal_event and enqueue_signal_event let stand for one command after the
/// other; its copies change with it.
event make_event(const context& c);

namespace detail {

/// \p function adds to a command group what \p reqs does not.
template <typename Function, typename... Requirements>
void submit(const queue& q, const requirements<Requirements...>& reqs, const Function& function) {
  // The queue is a reference to what submission changes.
  requirement_access::submit(const_cast<queue&>(q), reqs, function);
}

template <typename T>
inline constexpr bool is_kernel_function_v = !std::is_same_v<T, kernel> && !is_requirements<T>::value;
template <typename T>
using if_kernel_function = std::enable_if_t<is_kernel_function_v<T>, int>;
/// A parameter that is deduced, so that {} stands for requirements alone.
template <typename T>
using if_kernel = std::enable_if_t<std::is_same_v<T, kernel>, int>;
template <typename... Requirements>
using if_for_kernels =
    std::enable_if_t<!requirements<Requirements...>::template has_accessor_other_than<target::device>, int>;
template <typename... Requirements>
using if_for_host_tasks =
    std::enable_if_t<!requirements<Requirements...>::has_bundle &&
                         !requirements<Requirements...>::template has_accessor_other_than<target::host_task>,
                     int>;
/// Events alone.
template <typename... Requirements>
using if_only_events = std::enable_if_t<
    !requirements<Requirements...>::has_bundle && !requirements<Requirements...>::has_accessor, int>;
template <typename... Requirements>
using if_only_waits =
    std::enable_if_t<std::is_same_v<requirements<Requirements...>, requirements<>> ||
                         std::is_same_v<requirements<Requirements...>, requirements<wait_event>> ||
                         std::is_same_v<requirements<Requirements...>, requirements<wait_events>>,
                     int>;
template <typename... Requirements>
using if_only_signals =
    std::enable_if_t<std::is_same_v<requirements<Requirements...>, requirements<>> ||
                         std::is_same_v<requirements<Requirements...>, requirements<signal_event>>,
                     int>;
template <access_mode Mode>
using if_read = std::enable_if_t<Mode == access_mode::read || Mode == access_mode::read_write, int>;
template <access_mode Mode>
using if_written = std::enable_if_t<Mode == access_mode::write || Mode == access_mode::read_write, int>;

} // namespace detail

// Kernels over a range; over ranges of groups; the same with reductions; and as a single work-item. One
// overload per dimension, so that numbers and brace lists stand for ranges.
#define FALX_LAUNCH_FUNCTIONS(D)                                                                             \
  template <typename KernelType, typename... Requirements, detail::if_kernel_function<KernelType> = 0,       \
            detail::if_for_kernels<Requirements...> = 0>                                                     \
  void launch(const queue& q, range<D> r, const requirements<Requirements...>& reqs, const KernelType& k) {  \
    detail::submit(q, reqs, [&](handler& h) { h.parallel_for(r, k); });                                      \
  }                                                                                                          \
  template <typename KernelType, detail::if_kernel_function<KernelType> = 0>                                 \
  void launch(const queue& q, range<D> r, const KernelType& k) {                                             \
    khr::launch(q, r, requirements<>(), k);                                                                  \
  }                                                                                                          \
  template <typename Kernel, typename... Args, typename... Requirements, detail::if_kernel<Kernel> = 0,      \
            detail::if_only_events<Requirements...> = 0>                                                     \
  void launch(const queue& q, range<D> r, const requirements<Requirements...>& reqs, const Kernel& k,        \
              Args&&... args) {                                                                              \
    detail::submit(q, reqs, [&](handler& h) {                                                                \
      h.set_args(args...);                                                                                   \
      h.parallel_for(r, k);                                                                                  \
    });                                                                                                      \
  }                                                                                                          \
  template <typename Kernel, typename... Args, detail::if_kernel<Kernel> = 0>                                \
  void launch(const queue& q, range<D> r, const Kernel& k, Args&&... args) {                                 \
    khr::launch(q, r, requirements<>(), k, static_cast<Args&&>(args)...);                                    \
  }                                                                                                          \
  template <typename KernelType, typename... Requirements, typename... Reductions,                           \
            detail::if_kernel_function<KernelType> = 0, detail::if_for_kernels<Requirements...> = 0,         \
            std::enable_if_t<(sizeof...(Reductions) > 0), int> = 0>                                          \
  void launch_reduce(const queue& q, range<D> r, const requirements<Requirements...>& reqs,                  \
                     const KernelType& k, Reductions&&... reductions) {                                      \
    detail::submit(q, reqs, [&](handler& h) { h.parallel_for(r, reductions..., k); });                       \
  }                                                                                                          \
  template <typename KernelType, typename... Reductions, detail::if_kernel_function<KernelType> = 0,         \
            std::enable_if_t<(sizeof...(Reductions) > 0), int> = 0>                                          \
  void launch_reduce(const queue& q, range<D> r, const KernelType& k, Reductions&&... reductions) {          \
    khr::launch_reduce(q, r, requirements<>(), k, static_cast<Reductions&&>(reductions)...);                 \
  }                                                                                                          \
  template <typename KernelType, typename... Requirements, detail::if_kernel_function<KernelType> = 0,       \
            detail::if_for_kernels<Requirements...> = 0>                                                     \
  void launch_grouped(const queue& q, range<D> r, range<D> size, const requirements<Requirements...>& reqs,  \
                      const KernelType& k) {                                                                 \
    detail::submit(q, reqs, [&](handler& h) { h.parallel_for(nd_range<D>(r, size), k); });                   \
  }                                                                                                          \
  template <typename KernelType, detail::if_kernel_function<KernelType> = 0>                                 \
  void launch_grouped(const queue& q, range<D> r, range<D> size, const KernelType& k) {                      \
    khr::launch_grouped(q, r, size, requirements<>(), k);                                                    \
  }                                                                                                          \
  template <typename Kernel, typename... Args, typename... Requirements, detail::if_kernel<Kernel> = 0,      \
            detail::if_only_events<Requirements...> = 0>                                                     \
  void launch_grouped(const queue& q, range<D> r, range<D> size, const requirements<Requirements...>& reqs,  \
                      const Kernel& k, Args&&... args) {                                                     \
    detail::submit(q, reqs, [&](handler& h) {                                                                \
      h.set_args(args...);                                                                                   \
      h.parallel_for(nd_range<D>(r, size), k);                                                               \
    });                                                                                                      \
  }                                                                                                          \
  template <typename Kernel, typename... Args, detail::if_kernel<Kernel> = 0>                                \
  void launch_grouped(const queue& q, range<D> r, range<D> size, const Kernel& k, Args&&... args) {          \
    khr::launch_grouped(q, r, size, requirements<>(), k, static_cast<Args&&>(args)...);                      \
  }                                                                                                          \
  template <typename KernelType, typename... Requirements, typename... Reductions,                           \
            detail::if_kernel_function<KernelType> = 0, detail::if_for_kernels<Requirements...> = 0,         \
            std::enable_if_t<(sizeof...(Reductions) > 0), int> = 0>                                          \
  void launch_grouped_reduce(const queue& q, range<D> r, range<D> size,                                      \
                             const requirements<Requirements...>& reqs, const KernelType& k,                 \
                             Reductions&&... reductions) {                                                   \
    detail::submit(q, reqs, [&](handler& h) { h.parallel_for(nd_range<D>(r, size), reductions..., k); });    \
  }                                                                                                          \
  template <typename KernelType, typename... Reductions, detail::if_kernel_function<KernelType> = 0,         \
            std::enable_if_t<(sizeof...(Reductions) > 0), int> = 0>                                          \
  void launch_grouped_reduce(const queue& q, range<D> r, range<D> size, const KernelType& k,                 \
                             Reductions&&... reductions) {                                                   \
    khr::launch_grouped_reduce(q, r, size, requirements<>(), k, static_cast<Reductions&&>(reductions)...);   \
  }
FALX_LAUNCH_FUNCTIONS(1)
FALX_LAUNCH_FUNCTIONS(2)
FALX_LAUNCH_FUNCTIONS(3)
#undef FALX_LAUNCH_FUNCTIONS

template <typename KernelType, typename... Requirements, detail::if_kernel_function<KernelType> = 0,
          detail::if_for_kernels<Requirements...> = 0>
void launch_task(const queue& q, const requirements<Requirements...>& reqs, const KernelType& k) {
  detail::submit(q, reqs, [&](handler& h) { h.single_task(k); });
}
template <typename KernelType, detail::if_kernel_function<KernelType> = 0>
void launch_task(const queue& q, const KernelType& k) {
  khr::launch_task(q, requirements<>(), k);
}
template <typename Kernel, typename... Args, typename... Requirements, detail::if_kernel<Kernel> = 0,
          detail::if_only_events<Requirements...> = 0>
void launch_task(const queue& q, const requirements<Requirements...>& reqs, const Kernel& k, Args&&... args) {
  detail::submit(q, reqs, [&](handler& h) {
    h.set_args(args...);
    h.single_task(k);
  });
}
template <typename Kernel, typename... Args, detail::if_kernel<Kernel> = 0>
void launch_task(const queue& q, const Kernel& k, Args&&... args) {
  khr::launch_task(q, requirements<>(), k, static_cast<Args&&>(args)...);
}

template <typename T, typename... Requirements, detail::if_for_host_tasks<Requirements...> = 0>
void launch_host(const queue& q, const requirements<Requirements...>& reqs, T&& hostTaskCallable) {
  detail::submit(q, reqs, [&](handler& h) { h.host_task(static_cast<T&&>(hostTaskCallable)); });
}
template <typename T>
void launch_host(const queue& q, T&& hostTaskCallable) {
  khr::launch_host(q, requirements<>(), static_cast<T&&>(hostTaskCallable));
}

// Operations on memory. Accessors are placeholders, which the functions require themselves.
template <typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_memcpy(const queue& q, void* dest, const void* src, std::size_t numBytes,
                    const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.memcpy(dest, src, numBytes); });
}

template <typename T, typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, const T* src, T* dest, std::size_t count,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.copy(src, dest, count); });
}
template <typename SrcT, typename DestT, int DestDims, access_mode DestMode,
          access::placeholder IsPlaceholder, typename... Requirements, detail::if_written<DestMode> = 0,
          detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, const SrcT* src,
                  accessor<DestT, DestDims, DestMode, target::device, IsPlaceholder> dest,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(dest);
    h.copy(src, dest);
  });
}
template <typename SrcT, typename DestT, int DestDims, access_mode DestMode,
          access::placeholder IsPlaceholder, typename... Requirements, detail::if_written<DestMode> = 0,
          detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, std::shared_ptr<SrcT> src,
                  accessor<DestT, DestDims, DestMode, target::device, IsPlaceholder> dest,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(dest);
    h.copy(std::move(src), dest);
  });
}
template <typename SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsPlaceholder, typename DestT,
          typename... Requirements, detail::if_read<SrcMode> = 0, detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, accessor<SrcT, SrcDims, SrcMode, target::device, IsPlaceholder> src,
                  DestT* dest, const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(src);
    h.copy(src, dest);
  });
}
template <typename SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsPlaceholder, typename DestT,
          typename... Requirements, detail::if_read<SrcMode> = 0, detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, accessor<SrcT, SrcDims, SrcMode, target::device, IsPlaceholder> src,
                  std::shared_ptr<DestT> dest, const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(src);
    h.copy(src, std::move(dest));
  });
}
/// Throws errc::invalid if \p dest is smaller than \p src.
template <typename SrcT, int SrcDims, access_mode SrcMode, access::placeholder IsSrcPlaceholder,
          typename DestT, int DestDims, access_mode DestMode, access::placeholder IsDestPlaceholder,
          typename... Requirements, detail::if_read<SrcMode> = 0, detail::if_written<DestMode> = 0,
          detail::if_only_events<Requirements...> = 0>
void enqueue_copy(const queue& q, accessor<SrcT, SrcDims, SrcMode, target::device, IsSrcPlaceholder> src,
                  accessor<DestT, DestDims, DestMode, target::device, IsDestPlaceholder> dest,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(src);
    h.require(dest);
    h.copy(src, dest);
  });
}

template <typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_memset(const queue& q, void* ptr, int value, std::size_t numBytes,
                    const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.memset(ptr, value, numBytes); });
}

template <typename T, typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_fill(const queue& q, T* ptr, const T& pattern, std::size_t count,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.fill(ptr, pattern, count); });
}
template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder, typename... Requirements,
          detail::if_only_events<Requirements...> = 0>
void enqueue_fill(const queue& q, accessor<T, Dims, Mode, target::device, IsPlaceholder> dest, const T& src,
                  const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(dest);
    h.fill(dest, src);
  });
}

template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder, typename... Requirements,
          detail::if_only_events<Requirements...> = 0>
void enqueue_update_host(const queue& q, accessor<T, Dims, Mode, target::device, IsPlaceholder> acc,
                         const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    h.require(acc);
    h.update_host(acc);
  });
}

template <typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_prefetch(const queue& q, void* ptr, std::size_t numBytes,
                      const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.prefetch(ptr, numBytes); });
}

template <typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_mem_advise(const queue& q, void* ptr, std::size_t numBytes, int advice,
                        const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) { h.mem_advise(ptr, numBytes, advice); });
}

/// Complete when all commands before and all events of \p reqs are; later commands wait for it.
template <typename... Requirements, detail::if_only_events<Requirements...> = 0>
void enqueue_barrier(const queue& q, const requirements<Requirements...>& reqs = {}) {
  // Events alone would be all that a barrier waits for; the second one comes after the first.
  if constexpr (requirements<Requirements...>::has_waits)
    detail::submit(q, requirements<>(), [](handler& h) { h.ext_oneapi_barrier(); });
  detail::submit(q, reqs, [](handler& h) { h.ext_oneapi_barrier(); });
}

/// As enqueue_barrier, and signals \p e. Throws errc::invalid if e is no event of make_event or of another
/// context than the queue.
template <typename... Requirements, detail::if_only_waits<Requirements...> = 0>
void enqueue_signal_event(const queue& q, const event& e, const requirements<Requirements...>& reqs = {}) {
  khr::enqueue_barrier(q, reqs.with(signal_event(e)));
}

/// Later commands wait for the events, which earlier ones need not.
template <typename... Requirements, detail::if_only_signals<Requirements...> = 0>
void enqueue_wait_events(const queue& q, const std::vector<event>& evts,
                         const requirements<Requirements...>& reqs = {}) {
  detail::submit(q, reqs, [&](handler& h) {
    // A barrier without events would wait for earlier commands.
    h.ext_oneapi_barrier(evts.empty() ? std::vector<event>{event()} : evts);
  });
}
template <typename... Requirements, detail::if_only_signals<Requirements...> = 0>
void enqueue_wait_event(const queue& q, const event& e, const requirements<Requirements...>& reqs = {}) {
  khr::enqueue_wait_events(q, std::vector<event>{e}, reqs);
}
#if __cplusplus >= 202002L
template <typename... Requirements, detail::if_only_signals<Requirements...> = 0>
void enqueue_wait_events(const queue& q, const std::span<event>& evts,
                         const requirements<Requirements...>& reqs = {}) {
  // The span's members are only looked into, which takes compilers long, where this is called.
  const auto list = [](const auto& events) { return std::vector<event>(events.begin(), events.end()); };
  khr::enqueue_wait_events(q, list(evts), reqs);
}
#endif

} // namespace sycl::khr
