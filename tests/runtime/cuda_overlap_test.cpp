// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/native_objects.hpp"
#include "fixture.hpp"

#include <array>
#include <cstdlib>

/// \file
/// Which kernels are launched so that they overlap with the end of the one before
/// (docs/decisions/0069-kernels-start-while-the-one-before-ends.md), on the fake driver.

namespace {

using namespace falx;
using namespace falx::test;

class cuda_overlap : public testing::Test {
protected:
  ~cuda_overlap() override { EXPECT_EQ(fake_driver().take_complaints(), ""); }

  /// Queues share their streams, in which there are kernels of earlier tests.
  void SetUp() override {
    submit(*queue_, native_operation{[](native_handle) {}});
  }

  std::unique_ptr<loaded_kernel> kernel_for(const std::string& target) {
    const std::string code = "FAKE .target " + target + "\n";
    return queue_->device().backend().load({.path = {}, .bytes = {code.begin(), code.end()}},
                                           {"call", "call(pretty)"});
  }
  handle<command> launch(loaded_kernel& kernel, std::vector<handle<command>> after = {}) {
    return launch(*queue_, kernel, std::move(after));
  }
  static handle<command> launch(queue_state& queue, loaded_kernel& kernel,
                                std::vector<handle<command>> after = {}) {
    const auto self = make_launch(queue, [](const fake_cuda::launch&) { return fake_cuda::result::success; });
    std::get<kernel_operation>(self->work()->what).kernel = &kernel;
    queue.submit(self, std::move(after));
    return self;
  }
  /// Of the launches since the last time that this was called.
  int overlapping() {
    const int before = std::exchange(calls_, fake_driver().calls("cuLaunchKernelEx"));
    return calls_ - before;
  }

  const handle<queue_state> queue_ = make_gpu_queue(0, in_order());
  int calls_ = fake_driver().calls("cuLaunchKernelEx");
};

TEST_F(cuda_overlap, all_but_the_first_of_kernels_in_order) {
  const auto kernel = kernel_for("sm_90");
  for (int i = 0; i < 10; ++i)
    launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 9);
}

TEST_F(cuda_overlap, kernels_for_older_processors_do_not) {
  const auto kernel = kernel_for("sm_80");
  for (int i = 0; i < 10; ++i)
    launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 0);
}

TEST_F(cuda_overlap, a_kernel_behind_one_for_older_processors) {
  const auto older = kernel_for("sm_80"), newer = kernel_for("sm_90");
  launch(*older);
  launch(*newer);
  launch(*older);
  queue_->wait();
  EXPECT_EQ(overlapping(), 1) << "the older one ends after all that was before it";
}

TEST_F(cuda_overlap, chains_out_of_order) {
  const auto queue = make_gpu_queue();
  const auto kernel = kernel_for("sm_90");
  handle<command> last = launch(*queue, *kernel);
  overlapping();
  for (int i = 0; i < 10; ++i)
    last = launch(*queue, *kernel, {last});
  queue->wait();
  EXPECT_EQ(overlapping(), 10);
}

TEST_F(cuda_overlap, kernels_behind_what_the_driver_does) {
  const auto kernel = kernel_for("sm_90");
  constexpr std::size_t BYTES = 4096;
  backend_device& device = queue_->device().backend();
  auto* const memory = static_cast<unsigned char*>(device.allocate(usm_kind::device, 2 * BYTES, 0));
  const auto box = [](unsigned char* first) {
    return memory_box{first, {BYTES, 1, 1}, {0, 0, 0}, {BYTES, 1, 1}, 1};
  };
  const std::array<operation, 4> others = {operation(fill_operation{box(memory), {0}}),
                                           operation(copy_operation{box(memory), box(memory + BYTES)}),
                                           operation(prefetch_operation{memory, BYTES}),
                                           operation(empty_operation{})};
  launch(*kernel);
  for (const operation& other : others) {
    overlapping();
    submit(*queue_, other);
    launch(*kernel);
    queue_->wait();
    EXPECT_EQ(overlapping(), 1) << other.index();
  }
  device.free(usm_kind::device, memory);
}

TEST_F(cuda_overlap, not_behind_work_of_the_program) {
  const auto kernel = kernel_for("sm_90");
  for (const bool is_last : {true, false}) {
    launch(*kernel);
    overlapping();
    submit(*queue_, native_operation{[](native_handle) {}});
    if (!is_last)
      submit(*queue_, empty_operation{});
    launch(*kernel);
    queue_->wait();
    EXPECT_EQ(overlapping(), 0);
    launch(*kernel);
    queue_->wait();
    EXPECT_EQ(overlapping(), 1) << "that one waited for all";
  }
}

TEST_F(cuda_overlap, a_launch_that_failed_has_waited_for_nothing) {
  const auto kernel = kernel_for("sm_90");
  fake_driver().fail("cuLaunchKernel", fake_cuda::result::invalid_value);
  const auto failed = launch(*kernel);
  failed->wait();
  EXPECT_NE(text_of_error(*failed), "");
  launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 0);
  launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 1);
}

TEST_F(cuda_overlap, kernels_without_work_items_have_not_either) {
  const auto kernel = kernel_for("sm_90");
  const auto nothing =
      make_launch(*queue_, [](const fake_cuda::launch&) { return fake_cuda::result::success; },
                  {kernel_kind::range, 1, {0, 1, 1}, {0, 0, 0}, {0, 0, 0}});
  std::get<kernel_operation>(nothing->work()->what).kernel = kernel.get();
  queue_->submit(nothing, {});
  launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 0);
}

TEST_F(cuda_overlap, not_behind_another_stream) {
  const auto kernel = kernel_for("sm_90");
  const auto other = make_gpu_queue(0, in_order());
  fake_driver().hold(true);
  launch(*kernel);
  const auto first = launch(*other, *kernel);
  overlapping();
  launch(*kernel, {first});
  EXPECT_EQ(overlapping(), 0) << "its stream waits for the other one";
  launch(*kernel);
  EXPECT_EQ(overlapping(), 1);
  fake_driver().hold(false);
  queue_->wait();
  other->wait();
}

TEST_F(cuda_overlap, not_when_groups_meet) {
  const auto kernel = kernel_for("sm_90");
  launch(*kernel);
  overlapping();
  const auto meeting =
      make_launch(*queue_, [](const fake_cuda::launch&) { return fake_cuda::result::success; });
  auto& operation = std::get<kernel_operation>(meeting->work()->what);
  operation.kernel = kernel.get();
  operation.meets_all_groups = true;
  const int before = fake_driver().calls("cuLaunchCooperativeKernel");
  queue_->submit(meeting, {});
  queue_->wait();
  EXPECT_EQ(overlapping(), 0);
  EXPECT_EQ(fake_driver().calls("cuLaunchCooperativeKernel"), before + 1);
  launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 1) << "that one waited for all";
}

TEST_F(cuda_overlap, a_timed_kernel_does_not_behind_one_that_is_not) {
  const auto kernel = kernel_for("sm_90");
  {
    const auto queue = make_gpu_queue(0, in_order());
    launch(*queue, *kernel);
    launch(*queue, *kernel);
    queue->wait();
    EXPECT_GE(overlapping(), 1);
  } // its stream is the next one's
  const auto queue = make_gpu_queue(
      0, sycl::property_list(sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()));
  launch(*queue, *kernel);
  queue->wait();
  EXPECT_EQ(overlapping(), 0);
}

TEST_F(cuda_overlap, not_when_it_is_timed) {
  const auto queue = make_gpu_queue(
      0, sycl::property_list(sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()));
  const auto kernel = kernel_for("sm_90");
  for (int i = 0; i < 4; ++i)
    launch(*queue, *kernel);
  queue->wait();
  EXPECT_EQ(overlapping(), 0) << "times of kernels would overlap, too";
}

TEST_F(cuda_overlap, not_in_a_stream_that_the_program_has) {
  const auto kernel = kernel_for("sm_90");
  launch(*kernel);
  launch(*kernel);
  EXPECT_EQ(overlapping(), 1);
  queue_->device().backend().native()->queue(*queue_);
  for (int i = 0; i < 4; ++i)
    launch(*kernel);
  queue_->wait();
  EXPECT_EQ(overlapping(), 0) << "its own kernels may end before those in front of them";
}

TEST_F(cuda_overlap, later_queues_have_streams_that_no_program_has) {
  const auto kernel = kernel_for("sm_90");
  const auto kept = make_gpu_queue(0, in_order()); // so that there is another free stream
  launch(*kept, *kernel);
  {
    const auto shown = make_gpu_queue(0, in_order());
    const auto other = make_gpu_queue(0, in_order());
    launch(*other, *kernel);
    shown->device().backend().native()->queue(*shown);
    launch(*shown, *kernel);
    shown->wait();
    other->wait();
  }
  const auto later = make_gpu_queue(0, in_order());
  launch(*later, *kernel);
  overlapping();
  launch(*later, *kernel);
  later->wait();
  kept->wait();
  EXPECT_EQ(overlapping(), 1);
}

} // namespace
