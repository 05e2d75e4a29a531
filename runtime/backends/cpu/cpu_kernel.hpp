// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cpu_form_trial.hpp"
#include "cpu_kernel_stack.hpp"
#include "jit/targets/cpu/cpu_abi.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace falx {

class cpu_loaded_kernel;

/// What runs a launch.
struct cpu_kernel_forms {
  const cpu_loaded_kernel* kernel;
  /// Null unless both forms of the kernel run pieces of the launch.
  const cpu_loaded_kernel* other = nullptr;
  cpu_form_trial* trial = nullptr;
};

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

  void expect_better(std::unique_ptr<other_code> better) noexcept override { code_ = std::move(better); }
  bool has_other_form() const noexcept override { return properties_.has_other_form != 0; }
  void expect_other_form(std::unique_ptr<other_code> other) override;
  /// What runs a launch of so many units, of which as many threads take part: this kernel, or other code that
  /// it has taken, or both. Kernels that run long, or often, take it.
  cpu_kernel_forms for_launch_of(std::uint64_t units, std::size_t available_threads) const noexcept {
    return code_ == nullptr ? cpu_kernel_forms{this} : forms_for(units, available_threads);
  }

  /// What its trial came to, for processes to come.
  void keep(form_outcome outcome) const noexcept {
    if (outcome != earlier_)
      code_->keep({outcome});
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
  cpu_kernel_forms forms_for(std::uint64_t units, std::size_t available_threads) const noexcept;
  const cpu_loaded_kernel* take_code(std::uint64_t units, std::size_t available_threads) const noexcept;
  std::uint64_t spend(double unit_cost, std::uint64_t units, std::size_t available_threads) const noexcept;

  loaded_library library_;
  const cpu::kernel_properties& properties_;
  const std::size_t stack_bytes_;
  mutable std::atomic<double> unit_cost_{0};

  /// Null if there is none to be taken.
  std::unique_ptr<other_code> code_;
  bool is_other_form_ = false;
  /// What trials in earlier processes came to. If the other form was faster, and is cached, launches run it
  /// until it is worth timing both again: the data may be others.
  form_outcome earlier_ = form_outcome::undecided;
  /// Nanoseconds that this code has run, about: of processors, or where it waits for its other form, which is
  /// a risk that waiting threads take, of the clock.
  mutable std::atomic<std::uint64_t> spent_{0};
  mutable std::atomic<bool> has_requested_{false}, has_taken_{false};
  /// What was taken, once it is there: what runs in place of this code, or if it is its other form, after a
  /// trial.
  mutable std::unique_ptr<loaded_kernel> taken_;
  mutable std::atomic<const cpu_loaded_kernel*> published_{nullptr};
  mutable cpu_form_trial trial_;
};

/// Work that takes longer than this is shared, by no more threads than have about as much to do each.
constexpr double SHARING_NANOSECONDS = 10'000;

/// How many threads share a launch that takes \p nanoseconds on one, if that is known and not 0.
inline std::size_t count_threads(double nanoseconds, std::size_t available) noexcept {
  return nanoseconds == 0 ? available
                          : static_cast<std::size_t>(std::min(nanoseconds / SHARING_NANOSECONDS + 1,
                                                              static_cast<double>(available)));
}

/// What backend_device::load has under this name.
std::unique_ptr<loaded_kernel> load_cpu_kernel(const kernel_binary& binary, std::string_view kernel_name);

} // namespace falx
