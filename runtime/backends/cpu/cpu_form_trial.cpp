// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_form_trial.hpp"

#include <algorithm>
#include <ctime>

namespace falx {

double cpu_form_trial::unit_cost(bool of_other_form) const noexcept {
  const sums& form = forms_[of_other_form ? 1 : 0];
  const std::uint64_t units = form.units.load(std::memory_order_relaxed);
  return units == 0 ? 0
                    : static_cast<double>(form.nanoseconds.load(std::memory_order_relaxed)) /
                          static_cast<double>(units);
}

cpu_form_trial::outcome cpu_form_trial::decide() const noexcept {
  const auto least = [&](std::atomic<std::uint64_t> sums::* what) {
    return std::min((forms_[0].*what).load(std::memory_order_relaxed),
                    (forms_[1].*what).load(std::memory_order_relaxed));
  };
  const std::uint64_t pieces = least(&sums::pieces), nanoseconds = least(&sums::nanoseconds);
  if (pieces < FEWEST_PIECES)
    return outcome::undecided;
  const double ratio = unit_cost(true) / unit_cost(false);
  const double times = pieces < FEW_PIECES ? MANY_TIMES : CLEARLY;
  const bool is_clear =
      static_cast<double>(nanoseconds) * times >= CLEAR_NANOSECONDS && (ratio > times || ratio < 1 / times);
  if (pieces < FEW_PIECES && !is_clear)
    return outcome::undecided;
  if (!is_clear && nanoseconds < LONG_NANOSECONDS &&
      (pieces < ENOUGH_PIECES || nanoseconds < ENOUGH_NANOSECONDS))
    return outcome::undecided;
  return ratio < CHANGE_BELOW ? outcome::changes : outcome::keeps;
}

bool cpu_form_trial::note(bool is_other_form, std::uint64_t nanoseconds, std::uint64_t units) noexcept {
  sums& form = forms_[is_other_form ? 1 : 0];
  form.nanoseconds.fetch_add(std::max<std::uint64_t>(nanoseconds, 1), std::memory_order_relaxed);
  form.units.fetch_add(units, std::memory_order_relaxed);
  form.pieces.fetch_add(1, std::memory_order_relaxed);
  const outcome found = decide();
  outcome before = outcome::undecided;
  return found != outcome::undecided && result_.compare_exchange_strong(before, found);
}

std::uint64_t processor_time() noexcept {
  constexpr std::uint64_t SECOND = 1'000'000'000;
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * SECOND + static_cast<std::uint64_t>(time.tv_nsec);
}

} // namespace falx
