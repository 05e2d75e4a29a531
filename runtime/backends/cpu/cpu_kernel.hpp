// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cpu_kernel_stack.hpp"
#include "jit/targets/cpu/cpu_abi.hpp"

#include <atomic>
#include <cmath>
#include <memory>

namespace falx {

struct library_closer {
  void operator()(void* library) const noexcept;
};
/// A library opened with dlopen.
using loaded_library = std::unique_ptr<void, library_closer>;

/// A kernel for the CPU: a small shared object, loaded into the process.
class cpu_loaded_kernel final : public loaded_kernel {
public:
  /// \p properties lie in \p library.
  cpu_loaded_kernel(loaded_library library, const cpu::kernel_properties& properties) noexcept
      : library_(std::move(library)), properties_(properties), stack_bytes_(kernel_stack_bytes(properties)) {}

  const cpu::kernel_properties& properties() const noexcept { return properties_; }

  void expect(std::unique_ptr<better_code> better) noexcept override { better_ = std::move(better); }
  /// What runs a launch of so many units: this kernel, or the better code that it has taken. Kernels that run
  /// long, or often, take it.
  const cpu_loaded_kernel& for_launch_of(std::uint64_t units) const noexcept {
    return better_ == nullptr ? *this : best_for(units);
  }

  /// Of the stack that it has to be given; 0 if it runs on the thread's.
  std::size_t stack_bytes() const noexcept { return stack_bytes_; }

  /// Nanoseconds for one work-item or, if there are groups, one work-group on one thread, as far as known
  /// from earlier launches; 0 if not.
  double unit_cost() const noexcept { return unit_cost_.load(std::memory_order_relaxed); }
  /// \p nanoseconds is what \p units took. Thread-safe, though what other threads learn at the same time may
  /// be lost.
  void learn_unit_cost(std::uint64_t nanoseconds, std::uint64_t units) const noexcept {
    const double known = unit_cost();
    const double latest =
        static_cast<double>(nanoseconds > 0 ? nanoseconds : 1) / static_cast<double>(units > 0 ? units : 1);
    // The mean with what was known, as one launch that was disturbed should change little; nothing if it is
    // about the same, as threads that launch the same kernel read this.
    if (known == 0)
      unit_cost_.store(latest, std::memory_order_relaxed);
    else if (std::fabs(latest - known) > known / 4)
      unit_cost_.store((known + latest) / 2, std::memory_order_relaxed);
  }

private:
  const cpu_loaded_kernel& best_for(std::uint64_t units) const noexcept;

  loaded_library library_;
  const cpu::kernel_properties& properties_;
  const std::size_t stack_bytes_;
  mutable std::atomic<double> unit_cost_{0};

  /// Null for the best code that there is.
  std::unique_ptr<better_code> better_;
  /// Nanoseconds that this code has run, about.
  mutable std::atomic<std::uint64_t> spent_{0};
  mutable std::atomic<bool> has_requested_{false}, has_taken_{false};
  /// What runs in place of this code, once it is there.
  mutable std::unique_ptr<loaded_kernel> replacement_;
  mutable std::atomic<const cpu_loaded_kernel*> published_{nullptr};
};

/// What backend_device::load has under this name.
std::unique_ptr<loaded_kernel> load_cpu_kernel(const kernel_binary& binary, std::string_view kernel_name);

} // namespace falx
