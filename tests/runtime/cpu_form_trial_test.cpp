// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_form_trial.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace falx {
namespace {

using outcome = cpu_form_trial::outcome;

/// Notes pieces of 10 units by lot, of which one takes \p one nanoseconds in the kernel's form and \p other
/// in the other one, until there is a decision; gives how many pieces it took.
std::uint64_t try_out(cpu_form_trial& trial, std::uint64_t one, std::uint64_t other) {
  std::uint64_t pieces = 0;
  for (bool is_over = false; !is_over && pieces < 1'000'000; ++pieces) {
    const bool is_other = is_for_other_form(trial.next_launch(), 0);
    is_over = trial.note(is_other, is_other ? other : one, 10);
  }
  return pieces;
}

TEST(form_trial, takes_the_faster_form) {
  cpu_form_trial better, worse, slightly;
  try_out(better, 10'000, 8'000);
  EXPECT_EQ(better.result(), outcome::changes);
  EXPECT_EQ(better.unit_cost(false), 1000);
  EXPECT_EQ(better.unit_cost(true), 800);
  try_out(worse, 10'000, 12'000);
  EXPECT_EQ(worse.result(), outcome::keeps);
  try_out(slightly, 10'000, 9'900);
  EXPECT_EQ(slightly.result(), outcome::keeps);
}

TEST(form_trial, does_not_decide_on_little) {
  cpu_form_trial trial;
  EXPECT_EQ(trial.unit_cost(true), 0);
  for (std::uint64_t i = 0; i < cpu_form_trial::FEW_PIECES - 1; ++i) {
    EXPECT_FALSE(trial.note(true, 1'000'000'000, 1));
    EXPECT_FALSE(trial.note(false, 1, 1));
  }
  EXPECT_FALSE(trial.note(true, 1'000'000'000, 1)) << "the other has not run often enough";
  EXPECT_EQ(trial.result(), outcome::undecided);
}

TEST(form_trial, that_is_clear_ends_early) {
  cpu_form_trial slow, fast, close;
  const std::uint64_t until_slow = try_out(slow, 100'000, 1'000'000);
  EXPECT_EQ(slow.result(), outcome::keeps);
  EXPECT_LT(until_slow, 5 * cpu_form_trial::FEW_PIECES);
  EXPECT_LT(try_out(fast, 1'000'000, 100'000), 5 * cpu_form_trial::FEW_PIECES);
  EXPECT_EQ(fast.result(), outcome::changes);
  EXPECT_GT(try_out(close, 100'000, 80'000), 2 * cpu_form_trial::ENOUGH_PIECES);
}

TEST(form_trial, of_long_pieces_ends_early) {
  cpu_form_trial trial;
  EXPECT_LT(try_out(trial, 100'000'000, 80'000'000), 5 * cpu_form_trial::FEW_PIECES);
  EXPECT_EQ(trial.result(), outcome::changes);
}

TEST(form_trial, gives_half_of_the_pieces_to_either_form) {
  // Whichever pieces are heavier: of every launch, and of all launches the same one.
  for (const std::uint64_t step : {1, 2, 3, 64}) {
    int of_launch = 0, of_piece = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      of_launch += is_for_other_form(7, i * step) ? 1 : 0;
      of_piece += is_for_other_form(i * step, 7) ? 1 : 0;
    }
    EXPECT_NEAR(of_launch, 500, 80) << step;
    EXPECT_NEAR(of_piece, 500, 80) << step;
  }
}

TEST(form_trial, is_decided_once_by_all_threads) {
  for (int round = 0; round < 50; ++round) {
    cpu_form_trial trial;
    std::atomic<int> decisions{0};
    {
      std::vector<std::jthread> threads;
      for (std::uint64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
          for (std::uint64_t i = 0; i < 1000; ++i) {
            const bool is_other = is_for_other_form(t, i);
            decisions += trial.note(is_other, is_other ? 30'000 : 50'000, 1) ? 1 : 0;
          }
        });
    }
    EXPECT_EQ(decisions, 1);
    EXPECT_EQ(trial.result(), outcome::changes);
  }
}

TEST(form_trial, counts_the_threads_own_time) {
  const std::uint64_t before = processor_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::uint64_t after_sleep = processor_time();
  EXPECT_LT(after_sleep - before, 40'000'000u);
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 3'000'000; ++i)
    sum = sum + i;
  EXPECT_GT(processor_time() - after_sleep, 100'000u);
}

} // namespace
} // namespace falx
