// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/ext/oneapi/weak_object.hpp"

#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "host_access.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "memory/buffer_owner.hpp"
#include "process/lifetime.hpp"
#include "scheduler/command.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

namespace falx {
namespace {

handle<lifetime> common_lifetime(ref_counted& object) {
  return lifetime::of(object, [](ref_counted& some) noexcept { return some.retain_reference_if_alive(); });
}

} // namespace

handle<lifetime> lifetime_of(buffer_owner& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(command& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(context_state& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(device_image_state& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(device_state& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(host_access& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(kernel_bundle_state& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(platform_state& object) {
  return common_lifetime(object);
}
handle<lifetime> lifetime_of(queue_state& object) {
  return lifetime::of(object.head(), [](ref_counted& some) noexcept {
    return static_cast<queue_state&>(some).open_if_open();
  });
}

} // namespace falx

namespace sycl::detail {

void throw_expired_object() {
  throw exception(make_error_code(errc::invalid),
                  "weak_object::lock: it refers to no object, or to one that was destroyed; call try_lock, "
                  "which says so by an empty result");
}

} // namespace sycl::detail
