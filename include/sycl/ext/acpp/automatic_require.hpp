// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/accessor.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/queue.hpp"

#include <cstdint>
#include <utility>

/// \file
/// AdaptiveCpp's ACPP_EXT_AUTO_PLACEHOLDER_REQUIRE: every command group of a queue requires a placeholder.

namespace sycl::vendor::hipsycl {

/// While it is active, every command group submitted to the queue begins with handler::require of the
/// accessor. If the accessor's buffer goes first, submission throws errc::invalid until release. Used by one
/// thread at a time.
class automatic_placeholder_requirement {
public:
  /// Active from the start. Throws errc::invalid unless \p requirement is a placeholder's.
  automatic_placeholder_requirement(const queue& q, std::uint64_t requirement);
  automatic_placeholder_requirement(automatic_placeholder_requirement&& other) noexcept
      // What was moved from can require again, so it keeps the queue.
      // NOLINTNEXTLINE(performance-move-constructor-init)
      : queue_(other.queue_), requirement_(other.requirement_),
        is_required_(std::exchange(other.is_required_, false)) {}
  automatic_placeholder_requirement& operator=(automatic_placeholder_requirement&& other) noexcept {
    std::swap(queue_, other.queue_);
    std::swap(requirement_, other.requirement_);
    std::swap(is_required_, other.is_required_);
    return *this;
  }
  ~automatic_placeholder_requirement() { release(); }

  /// Command groups submitted from here on require the accessor (again).
  void reacquire();
  /// Command groups submitted from here on no longer do.
  void release();
  bool is_required() const noexcept { return is_required_; }

private:
  queue queue_;
  std::uint64_t requirement_;
  bool is_required_ = false;
};

/// \p acc is a placeholder, whatever its type says; else throws errc::invalid.
template <typename DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder>
automatic_placeholder_requirement
automatic_require(queue& q, const accessor<DataT, Dimensions, AccessMode, AccessTarget, IsPlaceholder>& acc) {
  return {q, sycl::detail::requirement_of(acc)};
}

} // namespace sycl::vendor::hipsycl
