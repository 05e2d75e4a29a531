// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cuda/cuda_driver.hpp"
#include "backends/native_objects.hpp"
#include "fixture.hpp"
#include "process/spinning.hpp"

/// \file
/// The CUDA backend on the fake driver: times of commands, and the current context of the program's threads.

namespace {

using namespace falx;
using namespace falx::test;
using namespace std::chrono_literals;

class cuda_profiling : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(in_both_orders, cuda_profiling, testing::Bool());

TEST_P(cuda_profiling, commands_know_when_the_device_ran_them) {
  sycl::property_list properties =
      GetParam()
          ? sycl::property_list(sycl::property::queue::in_order(), sycl::property::queue::enable_profiling())
          : sycl::property_list(sycl::property::queue::enable_profiling());
  const auto queue = make_gpu_queue(0, properties);
  submit(*queue, [] {})->wait();
  const std::uint64_t before = now();
  const auto first = submit(*queue, [] { std::this_thread::sleep_for(20ms); });
  const auto second = submit(*queue, [] { std::this_thread::sleep_for(5ms); }, {first});
  second->wait();
  queue->wait();
  const std::uint64_t after = now();
  std::this_thread::sleep_for(1ms);
  for (const auto& self : {first, second}) {
    EXPECT_LE(before, self->submit_time());
    EXPECT_LE(self->submit_time(), self->start_time());
    EXPECT_LE(self->start_time(), self->end_time());
    EXPECT_LE(self->end_time(), after + 2'000'000);
  }
  EXPECT_GE(first->end_time() - first->start_time(), 20'000'000u);
  EXPECT_GE(second->end_time() - second->start_time(), 5'000'000u);
  EXPECT_LE(first->end_time(), second->start_time() + 1'000'000);
}

TEST(cuda_current_context, the_programs_current_context_stays_current) {
  backend_device& device = gpus()[0]->backend();
  const native_handle other = gpus()[1]->backend().native()->context();
  cuda::api().cuCtxSetCurrent(reinterpret_cast<cuda::context_handle>(other));
  const auto queue = make_gpu_queue(0, in_order());
  submit(*queue, [] {})->wait();
  device.free(usm_kind::device, device.allocate(usm_kind::device, 100, 0));
  cuda::context_handle current = nullptr;
  cuda::api().cuCtxGetCurrent(&current);
  EXPECT_EQ(reinterpret_cast<native_handle>(current), other);
  cuda::api().cuCtxSetCurrent(nullptr);
}

} // namespace
