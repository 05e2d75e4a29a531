// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/ext/acpp/automatic_require.hpp"

#include "memory/buffer_placeholders.hpp"
#include "scheduler/queue_state.hpp"

namespace sycl::vendor::hipsycl {

automatic_placeholder_requirement::automatic_placeholder_requirement(const queue& q,
                                                                     std::uint64_t requirement)
    : queue_(q), requirement_(requirement) {
  falx::find_placeholder(requirement); // throws if it is none
  reacquire();
}

void automatic_placeholder_requirement::reacquire() {
  if (is_required_)
    return;
  sycl::detail::internals::state(queue_)->require_automatically(requirement_);
  is_required_ = true;
}

void automatic_placeholder_requirement::release() {
  if (!is_required_)
    return;
  sycl::detail::internals::state(queue_)->stop_requiring(requirement_);
  is_required_ = false;
}

} // namespace sycl::vendor::hipsycl
