// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_kernel.hpp"
#include "scheduler/command.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/queue.hpp"
#include "text_of_error.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

/// \file
/// Launches on the CPU with kernels written by hand instead of by the JIT.

namespace falx {
namespace {

/// Counts how often each item (or group) of a launch runs.
struct visits {
  std::atomic<int>* counts;
  unsigned nanoseconds_per_box;
};

void visit(const cpu::launch_arguments* launch, const std::uint64_t begin[3], const std::uint64_t end[3],
           cpu::worker_memory* memory) {
  const auto& mine = *static_cast<const visits*>(launch->function);
  std::memset(memory->local_memory, 1, 64);
  std::memset(memory->group_scratch, 2, 8 * launch->local_range[0]);
  for (std::uint64_t z = begin[2]; z < end[2]; ++z)
    for (std::uint64_t y = begin[1]; y < end[1]; ++y)
      for (std::uint64_t x = begin[0]; x < end[0]; ++x)
        mine.counts[(z * launch->group_range[1] + y) * launch->group_range[0] + x].fetch_add(1);
  void* const first = memory->allocate(memory, 100);
  void* const second = memory->allocate(memory, 100'000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 64, 0u);
  std::memset(second, 3, 100'000);
  memory->release(memory);
  const auto until = std::chrono::steady_clock::now() + std::chrono::nanoseconds(mine.nanoseconds_per_box);
  while (std::chrono::steady_clock::now() < until)
    ;
}

constexpr cpu::kernel_properties properties{cpu::CPU_ABI_VERSION, 1, 8, 16, &visit};

handle<queue_state> make_queue(bool in_order, const sycl::async_handler& handler = {}) {
  sycl::queue queue(sycl::cpu_selector_v, handler,
                    in_order ? sycl::property_list(sycl::property::queue::in_order())
                             : sycl::property_list());
  return sycl::detail::internals::state(queue);
}

handle<command> launch(queue_state& queue, const cpu_loaded_kernel& kernel, const visits& function,
                       kernel_kind kind, extent3 global, extent3 local) {
  handle<command> self = command::make_for(queue);
  kernel_operation operation;
  operation.kernel = const_cast<cpu_loaded_kernel*>(&kernel);
  operation.kernel_name = "visit";
  operation.function = self->work()->store_function(&function, sizeof(function), alignof(visits));
  operation.function_size = sizeof(function);
  operation.geometry = {kind, 3, global, local, {0, 0, 0}};
  operation.local_memory_bytes = 64;
  self->work()->what = operation;
  queue.submit(self, {});
  return self;
}

class launches : public testing::TestWithParam<bool> {};

TEST_P(launches, run_every_item_once) {
  const handle<queue_state> queue = make_queue(GetParam());
  const extent3 shapes[] = {{1, 1, 1},       {63, 1, 1},   {64, 1, 1}, {65, 1, 1}, {4099, 1, 1},
                            {100'000, 1, 1}, {3, 1000, 1}, {1, 1, 77}, {5, 7, 11}, {257, 3, 129}};
  for (const unsigned nanoseconds : {0u, 20'000u}) {
    const cpu_loaded_kernel kernel(nullptr, properties);
    for (const extent3& shape : shapes)
      for (int repetition = 0; repetition < 3; ++repetition) {
        std::vector<std::atomic<int>> counts(shape.x * shape.y * shape.z);
        launch(*queue, kernel, {counts.data(), nanoseconds}, kernel_kind::range, shape, {1, 1, 1})->wait();
        for (std::size_t i = 0; i < counts.size(); ++i)
          ASSERT_EQ(counts[i], 1) << i << " of " << shape.x << ' ' << shape.y << ' ' << shape.z;
      }
  }
}

TEST_P(launches, run_every_group_once) {
  const handle<queue_state> queue = make_queue(GetParam());
  const cpu_loaded_kernel kernel(nullptr, properties);
  for (int repetition = 0; repetition < 5; ++repetition) {
    std::vector<std::atomic<int>> counts(6 * 5 * 4);
    launch(*queue, kernel, {counts.data(), 5000}, kernel_kind::nd_range, {6 * 8, 5 * 4, 4 * 2}, {8, 4, 2})
        ->wait();
    for (const std::atomic<int>& count : counts)
      ASSERT_EQ(count, 1);
  }
}

TEST_P(launches, of_many_threads_all_complete) {
  const handle<queue_state> shared = make_queue(GetParam());
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&, t] {
      const handle<queue_state> own = make_queue(!GetParam());
      const cpu_loaded_kernel kernel(nullptr, properties);
      std::vector<std::atomic<int>> counts(2048);
      std::vector<handle<command>> all;
      for (int i = 0; i < 60; ++i) {
        const unsigned nanoseconds = (i + t) % 7 == 0 ? 30'000 : 0;
        all.push_back(launch(i % 2 == 0 ? *shared : *own, kernel, {counts.data(), nanoseconds},
                             kernel_kind::range, {2048, 1, 1}, {1, 1, 1}));
        if (i % 10 == 0)
          all[all.size() / 2]->wait();
      }
      for (const handle<command>& some : all)
        some->wait();
      for (const std::atomic<int>& count : counts)
        ASSERT_EQ(count, 60);
    });
  for (std::thread& thread : threads)
    thread.join();
}

/// The thread with the first item waits for all that are not in its box.
void hold_first_box(const cpu::launch_arguments* launch, const std::uint64_t begin[3],
                    const std::uint64_t end[3], cpu::worker_memory*) {
  const auto& mine = *static_cast<const visits*>(launch->function);
  const auto boxes_time = std::chrono::nanoseconds(mine.nanoseconds_per_box);
  const auto start = std::chrono::steady_clock::now();
  if (mine.nanoseconds_per_box != 0) { // only shows that the kernel is worth sharing
    while (std::chrono::steady_clock::now() - start < boxes_time)
      ;
    return;
  }
  std::atomic<int>& others = mine.counts[0];
  if (begin[0] != 0) {
    others.fetch_add(static_cast<int>(end[0] - begin[0]));
    return;
  }
  const int all_others = static_cast<int>(launch->global_range[0] - end[0]);
  while (others.load() != all_others && std::chrono::steady_clock::now() - start < std::chrono::seconds(60))
    std::this_thread::yield();
  EXPECT_EQ(others.load(), all_others);
}

TEST_P(launches, do_not_wait_for_a_thread_that_has_long_work) {
  const handle<queue_state> queue = make_queue(GetParam());
  if (queue->device().description().compute_units == 1)
    GTEST_SKIP() << "needs a second thread";
  constexpr cpu::kernel_properties holding{cpu::CPU_ABI_VERSION, 0, 0, 16, &hold_first_box};
  const cpu_loaded_kernel kernel(nullptr, holding);
  for (const unsigned nanoseconds : {1'000'000u, 0u}) {
    std::atomic<int> others = 0;
    launch(*queue, kernel, {&others, nanoseconds}, kernel_kind::range, {100'000, 1, 1}, {1, 1, 1})->wait();
  }
}

TEST_P(launches, fail_if_there_is_no_memory_for_private_variables) {
  const handle<queue_state> queue = make_queue(GetParam(), [](const sycl::exception_list&) {});
  cpu::kernel_properties needy = properties;
  needy.stack_bytes = std::uint64_t{1} << 46;
  const cpu_loaded_kernel kernel(nullptr, needy);
  std::vector<std::atomic<int>> counts(1000);
  const handle<command> self =
      launch(*queue, kernel, {counts.data(), 0}, kernel_kind::range, {1000, 1, 1}, {1, 1, 1});
  self->wait();
  const std::string text = test::text_of_error(*self);
  EXPECT_NE(text.find("kernel 'visit'"), std::string::npos) << text;
  EXPECT_NE(text.find("7036874"), std::string::npos) << text;
  EXPECT_EQ(counts[0], 0);
}

/// Boxes that each form of a kernel has run.
std::atomic<int> boxes_of_own_form, boxes_of_faster_form;

/// As the form that a kernel has.
void visit_in_own_form(const cpu::launch_arguments* launch, const std::uint64_t begin[3],
                       const std::uint64_t end[3], cpu::worker_memory* memory) {
  ++boxes_of_own_form;
  visit(launch, begin, end, memory);
}

/// As the other form, in an eighth of the time that boxes are told to take.
void visit_faster(const cpu::launch_arguments* launch, const std::uint64_t begin[3],
                  const std::uint64_t end[3], cpu::worker_memory* memory) {
  ++boxes_of_faster_form;
  visits mine = *static_cast<const visits*>(launch->function);
  mine.nanoseconds_per_box /= 8;
  cpu::launch_arguments own = *launch;
  own.function = &mine;
  visit(&own, begin, end, memory);
}

/// A form that needs more memory than the kernel's own.
struct faster_form final : other_code {
  explicit faster_form(form_outcome earlier = form_outcome::undecided, form_outcome* kept = nullptr)
      : earlier_(earlier), kept_(kept) {}
  form_history history() noexcept override { return {earlier_}; }
  std::unique_ptr<loaded_kernel> take_faster() noexcept override {
    return earlier_ == form_outcome::changes ? take() : nullptr;
  }
  void keep(const form_history& history) noexcept override { *kept_ = history.outcome; }
  void request() noexcept override {}
  bool is_ready() noexcept override { return true; }
  std::unique_ptr<loaded_kernel> take() noexcept override {
    static constexpr cpu::kernel_properties FASTER{cpu::CPU_ABI_VERSION, 8, 64, 256, &visit_faster};
    return std::make_unique<cpu_loaded_kernel>(nullptr, FASTER);
  }

private:
  const form_outcome earlier_;
  form_outcome* const kept_;
};

TEST_P(launches, of_two_forms_run_every_item_once) {
  const handle<queue_state> queue = make_queue(GetParam());
  const extent3 shapes[] = {{64, 1, 1}, {100'000, 1, 1}, {3, 1000, 1}, {257, 3, 129}};
  for (const unsigned nanoseconds : {0u, 50'000u}) {
    cpu::kernel_properties slower = properties;
    slower.has_other_form = 1;
    cpu_loaded_kernel kernel(nullptr, slower);
    ASSERT_TRUE(kernel.has_other_form());
    form_outcome kept = form_outcome::undecided;
    kernel.expect_other_form(std::make_unique<faster_form>(form_outcome::undecided, &kept));
    bool is_tried = false;
    for (const extent3& shape : shapes) {
      const std::uint64_t units = shape.x * shape.y * shape.z;
      kernel.learn_unit_cost(400'000'000,
                             units); // so that it is worth taking another form after two launches
      for (int repetition = 0; repetition < 5; ++repetition) {
        std::vector<std::atomic<int>> counts(units);
        launch(*queue, kernel, {counts.data(), nanoseconds}, kernel_kind::range, shape, {1, 1, 1})->wait();
        for (std::size_t i = 0; i < counts.size(); ++i)
          ASSERT_EQ(counts[i], 1) << i << " of " << shape.x << ' ' << shape.y << ' ' << shape.z;
        is_tried = is_tried || kernel.for_launch_of(units, 1).kernel != &kernel ||
                   kernel.for_launch_of(units, 1).other != nullptr;
      }
    }
    EXPECT_TRUE(is_tried);
    if (nanoseconds != 0) // else the clock decides
      EXPECT_EQ(kernel.for_launch_of(1, 1).kernel->properties().sub_group_size, 8u);
    if (nanoseconds != 0)
      EXPECT_EQ(kept, form_outcome::changes);
  }
}

/// Launches a kernel whose other form is faster, until that is known, in a process that begins with what an
/// earlier one kept.
void run_trial(queue_state& queue, form_outcome earlier, form_outcome& kept) {
  cpu::kernel_properties slower = properties;
  slower.function = &visit_in_own_form;
  slower.has_other_form = 1;
  cpu_loaded_kernel kernel(nullptr, slower);
  kernel.expect_other_form(std::make_unique<faster_form>(earlier, &kept));
  boxes_of_own_form = boxes_of_faster_form = 0;
  const cpu_kernel_forms first = kernel.for_launch_of(1, 1);
  EXPECT_EQ(first.kernel == &kernel, earlier != form_outcome::changes);
  EXPECT_EQ(first.other, nullptr) << "nothing is timed before it has run long";
  std::vector<std::atomic<int>> counts(1000);
  bool is_over = false; // the trial, which may begin and end in the same launch
  int launches = 0;
  for (; launches < 10'000 && !is_over; ++launches) {
    launch(queue, kernel, {counts.data(), 400'000}, kernel_kind::range, {counts.size(), 1, 1}, {1, 1, 1})
        ->wait();
    const bool have_both_run = boxes_of_own_form != 0 && boxes_of_faster_form != 0;
    is_over = have_both_run && kernel.for_launch_of(1, 1).other == nullptr;
  }
  EXPECT_TRUE(is_over);
  EXPECT_EQ(kernel.for_launch_of(1, 1).kernel->properties().sub_group_size, 8u);
  EXPECT_EQ(counts[500], launches);
}

TEST(scheduler, trials_begin_with_what_an_earlier_process_kept) {
  const handle<queue_state> queue = make_queue(true);
  form_outcome kept = form_outcome::undecided;
  run_trial(*queue, form_outcome::keeps, kept);
  EXPECT_EQ(kept, form_outcome::changes);
  kept = form_outcome::undecided;
  run_trial(*queue, form_outcome::changes, kept);
  EXPECT_EQ(kept, form_outcome::undecided) << "nothing is kept that is known";
}

INSTANTIATE_TEST_SUITE_P(in_both_orders, launches, testing::Bool());

TEST(scheduler, idle_means_that_everything_is_complete) {
  std::vector<handle<command>> all;
  const cpu_loaded_kernel kernel(nullptr, properties);
  std::vector<std::atomic<int>> counts(1000);
  for (int i = 0; i < 20; ++i) // the queues are dropped at once
    all.push_back(launch(*make_queue(i % 2 == 0), kernel, {counts.data(), 10'000}, kernel_kind::range,
                         {1000, 1, 1}, {1, 1, 1}));
  wait_until_idle();
  for (const handle<command>& some : all)
    EXPECT_TRUE(some->is_complete());
}

} // namespace
} // namespace falx
