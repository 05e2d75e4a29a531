// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/event.hpp"
#include "sycl/handler.hpp"
#include "sycl/khr/free_function_commands.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/queue.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// sycl_khr_free_function_commands as its first draft had it, which the conformance suite tests and DPC++
/// has: a handler may stand in the queue's place, and names lack their enqueue_.

namespace sycl::khr {

template <typename CommandGroupFunc>
void submit(const queue& q, CommandGroupFunc&& cgf) {
  static_cast<void>(queue(q).submit([&](handler& h) { cgf(h); }));
}
template <typename CommandGroupFunc>
event submit_tracked(const queue& q, CommandGroupFunc&& cgf) {
  return queue(q).submit([&](handler& h) { cgf(h); });
}

#define FALX_LAUNCH_FUNCTIONS(D)                                                                             \
  template <typename KernelType>                                                                             \
  void launch(handler& h, range<D> r, const KernelType& k) {                                                 \
    h.parallel_for(r, k);                                                                                    \
  }                                                                                                          \
  template <typename... Args>                                                                                \
  void launch(handler& h, range<D> r, const kernel& k, Args&&... args) {                                     \
    h.set_args(static_cast<Args&&>(args)...);                                                                \
    h.parallel_for(r, k);                                                                                    \
  }                                                                                                          \
  template <typename KernelType, typename... Reductions>                                                     \
  void launch_reduce(handler& h, range<D> r, const KernelType& k, Reductions&&... reductions) {              \
    h.parallel_for(r, static_cast<Reductions&&>(reductions)..., k);                                          \
  }                                                                                                          \
  template <typename KernelType>                                                                             \
  void launch_grouped(handler& h, range<D> r, range<D> size, const KernelType& k) {                          \
    h.parallel_for(nd_range<D>(r, size), k);                                                                 \
  }                                                                                                          \
  template <typename... Args>                                                                                \
  void launch_grouped(handler& h, range<D> r, range<D> size, const kernel& k, Args&&... args) {              \
    h.set_args(static_cast<Args&&>(args)...);                                                                \
    h.parallel_for(nd_range<D>(r, size), k);                                                                 \
  }                                                                                                          \
  template <typename KernelType, typename... Reductions>                                                     \
  void launch_grouped_reduce(handler& h, range<D> r, range<D> size, const KernelType& k,                     \
                             Reductions&&... reductions) {                                                   \
    h.parallel_for(nd_range<D>(r, size), static_cast<Reductions&&>(reductions)..., k);                       \
  }
FALX_LAUNCH_FUNCTIONS(1)
FALX_LAUNCH_FUNCTIONS(2)
FALX_LAUNCH_FUNCTIONS(3)
#undef FALX_LAUNCH_FUNCTIONS

template <typename KernelType>
void launch_task(handler& h, const KernelType& k) {
  h.single_task(k);
}
template <typename... Args>
void launch_task(handler& h, const kernel& k, Args&&... args) {
  h.set_args(static_cast<Args&&>(args)...);
  h.single_task(k);
}

inline void memcpy(handler& h, void* dest, const void* src, std::size_t numBytes) {
  h.memcpy(dest, src, numBytes);
}
inline void memcpy(const queue& q, void* dest, const void* src, std::size_t numBytes) {
  static_cast<void>(queue(q).memcpy(dest, src, numBytes));
}

template <typename T>
void copy(handler& h, const T* src, T* dest, std::size_t count) {
  h.copy(src, dest, count);
}
template <typename T>
void copy(const queue& q, const T* src, T* dest, std::size_t count) {
  khr::enqueue_copy(q, src, dest, count);
}
/// One of the two, at least, is an accessor, the other an accessor, a pointer or a shared_ptr.
template <typename Source, typename Destination>
void copy(handler& h, Source&& src, Destination&& dest) {
  h.copy(static_cast<Source&&>(src), static_cast<Destination&&>(dest));
}
template <typename Source, typename Destination>
void copy(const queue& q, Source&& src, Destination&& dest) {
  khr::enqueue_copy(q, static_cast<Source&&>(src), static_cast<Destination&&>(dest));
}

inline void memset(handler& h, void* ptr, int value, std::size_t numBytes) {
  h.memset(ptr, value, numBytes);
}
inline void memset(const queue& q, void* ptr, int value, std::size_t numBytes) {
  static_cast<void>(queue(q).memset(ptr, value, numBytes));
}

template <typename T>
void fill(handler& h, T* ptr, const T& pattern, std::size_t count) {
  h.fill(ptr, pattern, count);
}
template <typename T>
void fill(const queue& q, T* ptr, const T& pattern, std::size_t count) {
  khr::enqueue_fill(q, ptr, pattern, count);
}
template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>
void fill(handler& h, accessor<T, Dims, Mode, target::device, IsPlaceholder> dest, const T& src) {
  h.fill(dest, src);
}
template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>
void fill(const queue& q, accessor<T, Dims, Mode, target::device, IsPlaceholder> dest, const T& src) {
  khr::enqueue_fill(q, dest, src);
}

template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>
void update_host(handler& h, accessor<T, Dims, Mode, target::device, IsPlaceholder> acc) {
  h.update_host(acc);
}
template <typename T, int Dims, access_mode Mode, access::placeholder IsPlaceholder>
void update_host(const queue& q, accessor<T, Dims, Mode, target::device, IsPlaceholder> acc) {
  khr::enqueue_update_host(q, acc);
}

inline void prefetch(handler& h, void* ptr, std::size_t numBytes) {
  h.prefetch(ptr, numBytes);
}
inline void prefetch(const queue& q, void* ptr, std::size_t numBytes) {
  static_cast<void>(queue(q).prefetch(ptr, numBytes));
}

inline void mem_advise(handler& h, void* ptr, std::size_t numBytes, int advice) {
  h.mem_advise(ptr, numBytes, advice);
}
inline void mem_advise(const queue& q, void* ptr, std::size_t numBytes, int advice) {
  static_cast<void>(queue(q).mem_advise(ptr, numBytes, advice));
}

inline void command_barrier(handler& h) {
  h.ext_oneapi_barrier();
}
inline void command_barrier(const queue& q) {
  static_cast<void>(queue(q).ext_oneapi_submit_barrier());
}
void event_barrier(handler& h, const std::vector<event>& events);
void event_barrier(const queue& q, const std::vector<event>& events);

} // namespace sycl::khr
