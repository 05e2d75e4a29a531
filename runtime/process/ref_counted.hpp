// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "diagnostics/race_detection.hpp"

#include <atomic>
#include <cassert>
#include <cstdint>

namespace falx {

class ref_counted;
/// Tells those who hold a weak reference to \p object that it is gone (lifetime.hpp).
void end_lifetime(ref_counted& object) noexcept;

/// Base of runtime objects that sycl classes hold through falx::handle. An object starts with one reference,
/// which its creator passes on with handle::adopt.
class ref_counted {
public:
  ref_counted() = default;
  ref_counted(const ref_counted&) = delete;
  ref_counted& operator=(const ref_counted&) = delete;

  void retain_reference() noexcept {
    [[maybe_unused]] const std::uint32_t before = references_.fetch_add(1, std::memory_order_relaxed);
    assert(before != 0 && "an object whose last reference is gone would come back");
  }
  /// The same for a caller who has a reference that may well be the only one, which costs less.
  void retain_as_holder() noexcept {
    if (references_.load(std::memory_order_relaxed) == 1)
      references_.store(2, std::memory_order_relaxed);
    else
      retain_reference();
  }
  /// False, and no reference, if the last one is gone and the destructor is on its way.
  bool retain_reference_if_alive() noexcept {
    std::uint32_t count = references_.load(std::memory_order_relaxed);
    while (count != 0)
      if (references_.compare_exchange_weak(count, count + 1, std::memory_order_relaxed))
        return true;
    return false;
  }
  void release_reference() noexcept {
    publish(this);
    const std::uint32_t before = references_.fetch_sub(1, std::memory_order_acq_rel);
    assert(before != 0 && "a reference is released twice");
    if (before != 1)
      return;
    observe(this);
    if (is_watched()) [[unlikely]]
      end_lifetime(*this);
    delete this;
  }

  /// Somebody holds a weak reference, or did. Called by those who have a reference.
  void set_watched() noexcept { is_watched_.store(true, std::memory_order_relaxed); }
  bool is_watched() const noexcept { return is_watched_.load(std::memory_order_relaxed); }

protected:
  virtual ~ref_counted() = default;

private:
  std::atomic<std::uint32_t> references_{1};
  std::atomic<bool> is_watched_{false};
};

} // namespace falx
