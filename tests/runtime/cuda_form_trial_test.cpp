// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_form_trial.hpp"
#include "backends/native_objects.hpp"
#include "fixture.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// \file
/// Which of two choices of registers a kernel runs with, on the fake driver, whose clock the kernels advance.

namespace {

using namespace falx;
using namespace falx::test;
using namespace std::chrono_literals;

using outcome = cuda_form_times::outcome;

outcome result_of(const std::vector<std::uint64_t>& own, const std::vector<std::uint64_t>& other) {
  cuda_form_times times;
  for (const std::uint64_t time : own)
    times.note(false, time);
  for (const std::uint64_t time : other)
    times.note(true, time);
  return times.result();
}

std::vector<std::uint64_t> times(std::size_t count, std::uint64_t first, std::uint64_t step = 0) {
  std::vector<std::uint64_t> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back(first + i * step);
  return made;
}

TEST(cuda_form_times, clear_after_few_launches) {
  EXPECT_EQ(result_of({}, {}), outcome::undecided);
  EXPECT_EQ(result_of(times(2, 100), times(2, 10)), outcome::undecided);
  EXPECT_EQ(result_of(times(3, 100), times(3, 70)), outcome::changes);
  EXPECT_EQ(result_of(times(3, 70), times(3, 100)), outcome::keeps);
  EXPECT_EQ(result_of(times(3, 100), times(3, 90)), outcome::undecided);
  EXPECT_EQ(result_of(times(8, 100), times(8, 90)), outcome::changes);
  EXPECT_EQ(result_of(times(8, 90), times(8, 100)), outcome::keeps);
}

TEST(cuda_form_times, what_varies_takes_more_of_them) {
  EXPECT_EQ(result_of(times(23, 100, 10), times(23, 50, 10)), outcome::undecided);
  EXPECT_EQ(result_of(times(24, 100, 10), times(24, 50, 10)), outcome::changes);
  EXPECT_EQ(result_of(times(24, 50, 10), times(24, 100, 10)), outcome::keeps);
  EXPECT_EQ(result_of(times(24, 100, 10), times(24, 98, 10)), outcome::keeps) << "a hundredth is no gain";
}

TEST(cuda_form_times, medians) {
  cuda_form_times times;
  EXPECT_EQ(times.median(true), 0);
  for (const std::uint64_t time : {5, 1, 1000})
    times.note(true, time);
  EXPECT_EQ(times.median(true), 5);
  EXPECT_EQ(times.median(false), 0);
}

/// Code that the test has, and what earlier processes know of it.
class given_code final : public other_code {
public:
  static constexpr unsigned COST = 3;
  /// By idle processors, and what was told.
  struct compilation {
    bool is_done = true, is_requested = false;
    form_outcome decision = form_outcome::undecided;
  };
  given_code(std::unique_ptr<loaded_kernel> form, bool is_there, std::atomic<int>& takes, form_history& known,
             compilation& compiles)
      : form_(std::move(form)), is_there_(is_there), takes_(takes), known_(known), compiles_(compiles) {}
  form_history history() noexcept override { return known_; }
  std::unique_ptr<loaded_kernel> take_faster() noexcept override {
    return is_there_ && known_.outcome == form_outcome::changes ? std::move(form_) : nullptr;
  }
  void keep(const form_history& history) noexcept override { known_ = history; }
  void request() noexcept override { compiles_.is_requested = true; }
  bool is_ready() noexcept override { return is_there_; }
  bool is_compiled() noexcept override { return compiles_.is_done; }
  unsigned cost() const noexcept override { return COST; }
  void decide(form_outcome outcome) noexcept override { compiles_.decision = outcome; }
  std::unique_ptr<loaded_kernel> take() noexcept override {
    ++takes_;
    return std::move(form_);
  }

private:
  std::unique_ptr<loaded_kernel> form_;
  const bool is_there_;
  std::atomic<int>& takes_;
  form_history& known_;
  compilation& compiles_;
};

class cuda_form_trial_of_kernels : public testing::Test {
protected:
  static constexpr int OWN = 200, OTHER = 100;
  ~cuda_form_trial_of_kernels() override {
    queue_->wait();
    EXPECT_EQ(fake_driver().take_complaints(), "");
  }

  std::unique_ptr<loaded_kernel> form(int registers, int threads = 512) {
    const std::string code =
        "FAKE .target sm_90\n//uses " + std::to_string(threads) + ' ' + std::to_string(registers) + " 0\n";
    return queue_->device().backend().load({.path = {}, .bytes = {code.begin(), code.end()}},
                                           {"call", "call(pretty)"});
  }
  /// A kernel with both forms.
  std::unique_ptr<loaded_kernel> kernel(bool is_there = true, int threads = 512) {
    auto made = form(OWN);
    made->expect_other_form(
        std::make_unique<given_code>(form(OTHER, threads), is_there, takes_, known_, compiles_));
    return made;
  }
  /// Launches it and waits; gives the registers that it ran with.
  int launch(loaded_kernel& kernel, queue_state& queue, std::size_t work_items = 256,
             std::size_t group = 256) {
    int ran_with = 0;
    const launch_geometry geometry{kernel_kind::nd_range, 1, {work_items, 1, 1}, {group, 1, 1}, {0, 0, 0}};
    const auto self = make_launch(
        queue,
        [&](const fake_cuda::launch& launch) {
          ran_with = launch.registers;
          fake_driver().pass(launch.registers == OWN ? own_takes_ : other_takes_);
          return fake_cuda::result::success;
        },
        geometry);
    std::get<kernel_operation>(self->work()->what).kernel = &kernel;
    queue.submit(self, {});
    queue.wait();
    std::this_thread::sleep_for(30us); // until the next look
    return ran_with;
  }
  int launch(loaded_kernel& kernel, std::size_t work_items = 256) {
    return launch(kernel, *queue_, work_items);
  }
  /// Of \p count launches, how many ran with OTHER registers.
  int others_of(int count, loaded_kernel& kernel, std::size_t work_items = 256) {
    int others = 0;
    for (int i = 0; i < count; ++i)
      others += launch(kernel, work_items) == OTHER ? 1 : 0;
    return others;
  }

  const handle<queue_state> queue_ = make_gpu_queue(0, in_order());
  std::chrono::nanoseconds own_takes_ = 100ms, other_takes_ = 50ms;
  /// Launches it \p count times and then waits; gives how many ran with OTHER registers.
  int others_of_burst(int count, loaded_kernel& kernel) {
    std::atomic<int> others = 0;
    fake_driver().hold(true);
    for (int i = 0; i < count; ++i) {
      const launch_geometry geometry{kernel_kind::nd_range, 1, {256, 1, 1}, {256, 1, 1}, {0, 0, 0}};
      const auto self = make_launch(
          *queue_,
          [&](const fake_cuda::launch& launch) {
            others += launch.registers == OTHER ? 1 : 0;
            fake_driver().pass(launch.registers == OWN ? own_takes_ : other_takes_);
            return fake_cuda::result::success;
          },
          geometry);
      std::get<kernel_operation>(self->work()->what).kernel = &kernel;
      queue_->submit(self, {});
    }
    fake_driver().hold(false);
    queue_->wait();
    return others;
  }
  std::atomic<int> takes_ = 0;
  form_history known_;
  given_code::compilation compiles_;
};

TEST_F(cuda_form_trial_of_kernels, the_faster_form_runs_in_the_end) {
  const auto faster = kernel();
  const int others = others_of(30, *faster);
  EXPECT_GT(others, 10);
  EXPECT_EQ(others_of(20, *faster), 20);
  known_ = {};
  own_takes_ = 50ms;
  other_takes_ = 100ms;
  const auto slower = kernel();
  EXPECT_GT(others_of(30, *slower), 2) << "both are tried";
  EXPECT_EQ(others_of(20, *slower), 0);
  EXPECT_EQ(takes_, 2);
}

TEST_F(cuda_form_trial_of_kernels, what_has_not_run_long_takes_no_other_form) {
  own_takes_ = 100us;
  const auto little = kernel();
  EXPECT_EQ(others_of(100, *little), 0);
  EXPECT_EQ(takes_, 0);
}

TEST_F(cuda_form_trial_of_kernels, a_form_that_is_not_there_is_made_after_a_while) {
  own_takes_ = 30ms;
  other_takes_ = 10ms;
  const auto made = kernel(/*is_there=*/false);
  others_of(3, *made);
  EXPECT_EQ(takes_, 0) << "30 milliseconds";
  others_of(20, *made);
  EXPECT_EQ(takes_, 1);
  others_of(40, *made);
  EXPECT_EQ(launch(*made), OTHER);
}

TEST_F(cuda_form_trial_of_kernels, what_idle_processors_compile_is_waited_for) {
  own_takes_ = 30ms;
  other_takes_ = 10ms;
  compiles_.is_done = false;
  const auto made = kernel(/*is_there=*/false);
  others_of(5, *made);
  EXPECT_TRUE(compiles_.is_requested);
  EXPECT_EQ(takes_, 0) << "150 milliseconds";
  compiles_.is_done = true;
  others_of(2, *made);
  EXPECT_EQ(takes_, 1);
  // Where none is idle, a launch does it when that is little of the time.
  compiles_.is_done = false;
  known_ = {};
  takes_ = 0;
  const auto another = kernel(/*is_there=*/false);
  others_of(8, *another);
  EXPECT_EQ(takes_, 0) << "240 milliseconds";
  others_of(8, *another);
  EXPECT_EQ(takes_, 1);
}

TEST_F(cuda_form_trial_of_kernels, the_decision_is_told) {
  own_takes_ = 30ms;
  other_takes_ = 10ms;
  others_of(60, *kernel());
  EXPECT_EQ(compiles_.decision, outcome::changes);
  other_takes_ = 60ms;
  known_ = {};
  others_of(60, *kernel());
  EXPECT_EQ(compiles_.decision, outcome::keeps);
}

TEST_F(cuda_form_trial_of_kernels, what_takes_long_is_worth_learning_from) {
  own_takes_ = other_takes_ = 100us;
  const auto made = kernel();
  others_of(20, *made);
  EXPECT_FALSE(made->runs_long()) << "2 milliseconds";
  others_of(300, *made);
  EXPECT_TRUE(made->runs_long());
  own_takes_ = other_takes_ = 1us;
  const auto light = kernel();
  others_of(300, *light);
  EXPECT_FALSE(light->runs_long());
}

TEST_F(cuda_form_trial_of_kernels, without_code_or_with_too_few_threads_it_stays_as_it_is) {
  auto none = form(OWN);
  none->expect_other_form(std::make_unique<given_code>(nullptr, true, takes_, known_, compiles_));
  EXPECT_EQ(others_of(30, *none), 0);
  const auto small = kernel(true, /*threads=*/128);
  EXPECT_EQ(others_of(30, *small), 0);
  EXPECT_EQ(takes_, 2) << "each was asked once";
}

TEST_F(cuda_form_trial_of_kernels, launches_of_other_sizes_are_not_compared) {
  const auto kernel_of_sizes = kernel();
  others_of(4, *kernel_of_sizes);
  int others = 0;
  for (std::size_t groups = 2; groups < 60; ++groups)
    others += launch(*kernel_of_sizes, groups * 256 * 4) == OTHER ? 1 : 0;
  EXPECT_EQ(others, 0);
  // The size that it is launched with from then on is compared in the end.
  others_of(100, *kernel_of_sizes, 1024);
  EXPECT_EQ(others_of(20, *kernel_of_sizes, 1024), 20);
}

TEST_F(cuda_form_trial_of_kernels, the_same_code_is_not_timed) {
  auto same = form(OWN);
  same->expect_other_form(std::make_unique<given_code>(form(OWN), true, takes_, known_, compiles_));
  others_of(10, *same);
  EXPECT_EQ(takes_, 1);
  own_takes_ = 50ms;
  const int before = fake_driver().calls("cuEventRecord");
  others_of(10, *same);
  EXPECT_EQ(fake_driver().calls("cuEventRecord") - before, 0);
}

TEST_F(cuda_form_trial_of_kernels, a_form_that_cannot_be_launched_is_left) {
  const auto refused = kernel();
  others_of(30, *refused);
  ASSERT_EQ(launch(*refused), OTHER);
  fake_driver().fail("cuLaunchKernelEx", fake_cuda::result::out_of_memory, 1);
  fake_driver().fail("cuLaunchKernel", fake_cuda::result::out_of_memory, 1);
  launch(*refused);
  EXPECT_EQ(others_of(5, *refused), 0);
  // What fails with its own form as well is an error.
  fake_driver().fail("cuLaunchKernelEx", fake_cuda::result::success, 0);
  fake_driver().fail("cuLaunchKernel", fake_cuda::result::success, 0);
}

TEST_F(cuda_form_trial_of_kernels, bursts_are_learned_from_when_they_are_waited_for) {
  const auto in_bursts = kernel();
  EXPECT_EQ(others_of_burst(100, *in_bursts), 0) << "nothing is done before all are launched";
  EXPECT_EQ(known_.outcome, outcome::undecided);
  EXPECT_NEAR(static_cast<double>(known_.spent), 10e9, 0.1e9) << "one hundred of 100 ms";
  const int others = others_of_burst(100, *in_bursts);
  EXPECT_GT(others, 10);
  EXPECT_LT(others, 54) << "those that are not timed stay in the kernel's own form";
  EXPECT_EQ(known_.outcome, outcome::changes);
  EXPECT_EQ(others_of_burst(100, *in_bursts), 100);
}

TEST_F(cuda_form_trial_of_kernels, processes_go_on_where_earlier_ones_ended) {
  own_takes_ = 3ms;
  other_takes_ = 2ms;
  others_of_burst(5, *kernel(/*is_there=*/false));
  EXPECT_NEAR(static_cast<double>(known_.spent), 15e6, 2e6);
  others_of_burst(5, *kernel(/*is_there=*/false));
  others_of_burst(5, *kernel(/*is_there=*/false));
  EXPECT_NEAR(static_cast<double>(known_.spent), 45e6, 2e6);
  EXPECT_EQ(takes_, 0);
  for (int process = 0; process < 4; ++process)
    others_of_burst(5, *kernel(/*is_there=*/false));
  EXPECT_NEAR(static_cast<double>(known_.spent), 105e6, 2e6) << "worth making the other form";
  EXPECT_EQ(takes_, 0);
  const auto compares = kernel(/*is_there=*/false);
  EXPECT_GT(others_of_burst(60, *compares), 10);
  EXPECT_EQ(takes_, 1);
  EXPECT_EQ(known_.outcome, outcome::changes);
  EXPECT_EQ(others_of_burst(60, *kernel()), 60);
}

TEST_F(cuda_form_trial_of_kernels, little_time_is_not_kept) {
  own_takes_ = 10us;
  others_of_burst(100, *kernel());
  EXPECT_EQ(known_.spent, 0);
}

TEST_F(cuda_form_trial_of_kernels, the_form_that_was_faster_runs_first_and_is_tried_again) {
  known_.outcome = outcome::changes;
  own_takes_ = other_takes_ = 1ms;
  const auto faster = kernel();
  EXPECT_EQ(others_of(10, *faster), 10);
  own_takes_ = 500us;
  EXPECT_LT(others_of(60, *faster), 60);
  EXPECT_EQ(others_of(20, *faster), 0) << "with these data it is not";
  EXPECT_EQ(known_.outcome, outcome::keeps);
  // Nor does what was faster run if it is not cached, or cannot run such groups.
  known_.outcome = outcome::changes;
  EXPECT_EQ(others_of(5, *kernel(/*is_there=*/false)), 0);
  EXPECT_EQ(others_of(5, *kernel(true, /*threads=*/128)), 0);
}

TEST_F(cuda_form_trial_of_kernels, larger_groups_get_the_form_that_can_run_them) {
  const auto of_groups = kernel(true, /*threads=*/256);
  others_of(30, *of_groups);
  ASSERT_EQ(launch(*of_groups), OTHER);
  EXPECT_EQ(launch(*of_groups, *queue_, 512, 512), OWN);
}

TEST_F(cuda_form_trial_of_kernels, that_ends_with_its_kernel) {
  auto ended = kernel();
  others_of(4, *ended);
  fake_driver().hold(true);
  const auto self = make_launch(*queue_, [](const fake_cuda::launch&) { return fake_cuda::result::success; });
  std::get<kernel_operation>(self->work()->what).kernel = ended.get();
  queue_->submit(self, {});
  fake_driver().hold(false);
  queue_->wait();
  ended.reset();
}

TEST_F(cuda_form_trial_of_kernels, of_several_threads) {
  const auto kernel_of_threads = kernel();
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      const auto queue = make_gpu_queue(0, in_order());
      for (int i = 0; i < 40; ++i)
        launch(*kernel_of_threads, *queue);
    });
  threads.clear();
  others_of(60, *kernel_of_threads);
  // The clock is one for all of them, so either may have seemed to be faster.
  const int others = others_of(20, *kernel_of_threads);
  EXPECT_TRUE(others == 0 || others == 20) << others;
}

/// The last one, as the stream stays the program's.
TEST_F(cuda_form_trial_of_kernels, streams_of_the_program_get_its_own_form) {
  const auto shared = kernel();
  const auto queue = make_gpu_queue(0, in_order());
  queue->device().backend().native()->queue(*queue);
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(launch(*shared, *queue), OWN);
  EXPECT_EQ(takes_, 0);
}

} // namespace
