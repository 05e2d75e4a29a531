// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/ext/oneapi/experimental/current_device.hpp"

#include "devices/device_state.hpp"

#include <utility>

namespace sycl::ext::oneapi::experimental::this_thread {

namespace {

/// Null until the thread sets it. Device states live as long as the process.
thread_local falx::device_state* current = nullptr;

} // namespace

device get_current_device() {
  falx::device_state& state = current != nullptr ? *current : falx::default_device();
  return sycl::detail::internals::make<device>(falx::handle<falx::device_state>::share(&state));
}

void set_current_device(device dev) {
  current = sycl::detail::internals::state(dev).get();
}

} // namespace sycl::ext::oneapi::experimental::this_thread
