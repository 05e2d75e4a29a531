// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/kernel_forms.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace falx {

/// Which of a kernel's two forms, vectors and one work-item after the other, is faster: pieces of launches
/// run in either form, by lot, and are timed, until that is clear. Thread-safe.
class cpu_form_trial {
public:
  using outcome = form_outcome;

  /// A decision takes so many pieces, and nanoseconds, of each form; ...
  static constexpr std::uint64_t ENOUGH_PIECES = 64, ENOUGH_NANOSECONDS = 2'000'000;
  /// ... or as many, if they have taken so long; ...
  static constexpr std::uint64_t FEW_PIECES = 8, LONG_NANOSECONDS = 100'000'000;
  /// ... or as many, if one form takes so many times as long as the other.
  static constexpr double CLEARLY = 2, CLEAR_NANOSECONDS = 100'000;
  /// ... or so few, if it takes so many times as long.
  static constexpr std::uint64_t FEWEST_PIECES = 3;
  static constexpr double MANY_TIMES = 8;
  /// The kernel keeps its form unless the other one takes less than this part of its time.
  static constexpr double CHANGE_BELOW = 0.95;

  /// The number of a launch, by which lots differ.
  std::uint64_t next_launch() noexcept { return launches_.fetch_add(1, std::memory_order_relaxed); }
  /// A piece of so many units ran in that form and took so long. True for the call that decides.
  bool note(bool is_other_form, std::uint64_t nanoseconds, std::uint64_t units) noexcept;
  outcome result() const noexcept { return result_.load(std::memory_order_acquire); }
  /// Nanoseconds of a unit in that form, 0 if it has not run.
  double unit_cost(bool of_other_form) const noexcept;

private:
  struct sums {
    std::atomic<std::uint64_t> pieces{0}, nanoseconds{0}, units{0};
  };
  outcome decide() const noexcept;

  std::atomic<std::uint64_t> launches_{0};
  /// Of this form and the other one.
  std::array<sums, 2> forms_;
  std::atomic<outcome> result_{outcome::undecided};
};

/// Nanoseconds that the calling thread has had of a processor: other threads on it do not count.
std::uint64_t processor_time() noexcept;

} // namespace falx
