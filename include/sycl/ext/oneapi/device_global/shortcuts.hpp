// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/dependencies.hpp"
#include "sycl/event.hpp"
#include "sycl/ext/oneapi/device_global/device_global.hpp"
#include "sycl/handler.hpp"

#include <cstddef>

namespace sycl::ext::oneapi::experimental::detail {

/// The queue's copies from and to device globals, after the given events: command groups with the handler's
/// function of the same name, whose errors they throw.
template <class Queue>
class device_global_shortcuts {
public:
  template <typename T, typename PropertyListT, if_host_writes<PropertyListT> = 0>
  event copy(const device_global_element<T>* src, device_global<T, PropertyListT>& dest,
             std::size_t count = device_global_length<T>, std::size_t startIndex = 0,
             sycl::detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.copy(src, dest, count, startIndex); });
  }

  template <typename T, typename PropertyListT, if_host_reads<PropertyListT> = 0>
  event copy(const device_global<T, PropertyListT>& src, device_global_element<T>* dest,
             std::size_t count = device_global_length<T>, std::size_t startIndex = 0,
             sycl::detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.copy(src, dest, count, startIndex); });
  }

  template <typename T, typename PropertyListT, if_host_writes<PropertyListT> = 0>
  event memcpy(device_global<T, PropertyListT>& dest, const void* src, std::size_t numBytes = sizeof(T),
               std::size_t offset = 0, sycl::detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.memcpy(dest, src, numBytes, offset); });
  }

  template <typename T, typename PropertyListT, if_host_reads<PropertyListT> = 0>
  event memcpy(void* dest, const device_global<T, PropertyListT>& src, std::size_t numBytes = sizeof(T),
               std::size_t offset = 0, sycl::detail::dependencies depEvents = {}) {
    return submit_after(depEvents, [&](handler& group) { group.memcpy(dest, src, numBytes, offset); });
  }

private:
  friend Queue;
  device_global_shortcuts() = default;

  template <class Function>
  event submit_after(const sycl::detail::dependencies& after, const Function& add) {
    return static_cast<Queue&>(*this).submit_after(after, add);
  }
};

} // namespace sycl::ext::oneapi::experimental::detail
