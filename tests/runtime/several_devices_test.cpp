// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/buffer.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/host_accessor.hpp"
#include "sycl/interop_handle.hpp"
#include "sycl/platform.hpp"
#include "sycl/queue.hpp"
#include "sycl/usm.hpp"
#include "two_gpus_and_cpu.hpp"

#include <cstdio>
#include <cstdlib>
#include <gmock/gmock.h>
#include <numeric>

/// \file
/// A machine with two GPUs and a CPU as programs see it.

namespace {

/// The devices that a program sees with \p selector in the environment, and the default one, as a death test
/// has it: a process of its own.
void print_devices(const char* selector) {
  ::setenv("FALX_DEVICE_SELECTOR", selector, 1);
  std::string text;
  for (const sycl::device& each : sycl::device::get_devices())
    text += (each.is_cpu() ? "cpu" : each.get_info<sycl::info::device::name>()) + ", ";
  try {
    const sycl::device chosen;
    text += "default " + (chosen.is_cpu() ? "cpu" : chosen.get_info<sycl::info::device::name>());
  } catch (const sycl::exception&) {
    text += "no default";
  }
  std::fprintf(stderr, "<%s>\n", text.c_str()); // what the test compares
  std::_Exit(0);
}

TEST(several_devices, environment_chooses_among_backends_and_devices) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // starts the program anew
  const std::pair<const char*, const char*> cases[] = {
      {"*", "<fake 0, fake 1, cpu, default fake 0>"},  {"cuda:1", "<fake 1, default fake 1>"},
      {"cuda:*", "<fake 0, fake 1, default fake 0>"},  {"!cpu", "<fake 0, fake 1, default fake 0>"},
      {"gpu", "<fake 0, fake 1, default fake 0>"},     {"cpu", "<cpu, default cpu>"},
      {"cuda:1;cpu", "<fake 1, cpu, default fake 1>"}, {"opencl:*", "<no default>"},
  };
  for (const auto& [selector, expected] : cases)
    EXPECT_EXIT(print_devices(selector), testing::ExitedWithCode(0), testing::HasSubstr(expected))
        << selector;
}

std::vector<sycl::device> both_gpus() {
  return sycl::device::get_devices(sycl::info::device_type::gpu);
}

TEST(several_devices, default_is_a_gpu_and_each_platform_has_its_own) {
  EXPECT_TRUE(sycl::device().is_gpu());
  EXPECT_TRUE(sycl::device(sycl::default_selector_v).is_gpu());
  EXPECT_TRUE(sycl::device(sycl::cpu_selector_v).is_cpu());
  EXPECT_EQ(sycl::platform::get_platforms().size(), 2u);
  EXPECT_EQ(both_gpus().size(), 2u);
  EXPECT_EQ(sycl::queue(both_gpus()[1]).get_context().get_devices().size(), 2u);
}

TEST(several_devices, aspects_follow_the_description) {
  const sycl::device gpu;
  EXPECT_TRUE(gpu.has(sycl::aspect::gpu));
  EXPECT_TRUE(gpu.has(sycl::aspect::usm_device_allocations));
  EXPECT_FALSE(gpu.has(sycl::aspect::usm_system_allocations));
  EXPECT_FALSE(gpu.has(sycl::aspect::usm_atomic_host_allocations));
  EXPECT_FALSE(gpu.has(sycl::aspect::host_debuggable));
  EXPECT_TRUE(sycl::device(sycl::cpu_selector_v).has(sycl::aspect::usm_system_allocations));
  EXPECT_EQ(gpu.get_info<sycl::info::device::sub_group_sizes>(), std::vector<std::size_t>{32});
}

TEST(several_devices, of_one_platform_share_a_context) {
  const std::vector<sycl::device> devices = both_gpus();
  const sycl::context context(devices);
  int* const host = sycl::malloc_host<int>(100, context);
  int* const first = sycl::malloc_device<int>(100, devices[0], context);
  int* const second = sycl::malloc_device<int>(100, devices[1], context);
  EXPECT_EQ(sycl::get_pointer_type(host + 5, context), sycl::usm::alloc::host);
  EXPECT_EQ(sycl::get_pointer_device(second + 99, context), devices[1]);
  sycl::queue on_first(context, devices[0]), on_second(context, devices[1]);
  std::iota(host, host + 100, 0);
  std::vector<int> pageable(100);
  sycl::event last = on_first.memcpy(first, host, 100 * sizeof(int));
  last = on_second.memcpy(second, first, 100 * sizeof(int), last);
  last = on_second.fill(second + 50, 7, 50, last);
  on_first.memcpy(pageable.data(), second, 100 * sizeof(int), last).wait();
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(pageable[static_cast<std::size_t>(i)], i < 50 ? i : 7);
  for (int* each : {host, first, second})
    sycl::free(each, context);
  EXPECT_THROW(sycl::context({devices[0], sycl::device(sycl::cpu_selector_v)}), sycl::exception);
  EXPECT_TRUE(gpus().has_freed_everything());
}

TEST(several_devices, freed_memory_lives_until_outstanding_work_is_done) {
  falx::test::fake_device& device = gpus().native(0);
  sycl::queue queue(both_gpus()[0]);
  int* const memory = sycl::malloc_device<int>(100, queue);
  device.hold(true);
  const sycl::event filled = queue.fill(memory, 3, 100);
  sycl::free(memory, queue);
  EXPECT_EQ(device.allocations, 1);
  EXPECT_EQ(filled.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::submitted);
  EXPECT_EQ(sycl::get_pointer_type(memory, queue.get_context()), sycl::usm::alloc::unknown);
  device.hold(false);
  for (int i = 0; i < 2000 && device.allocations > 0; ++i) // though nothing waits
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(device.allocations, 0);
  EXPECT_EQ(filled.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
}

TEST(several_devices, memory_that_finished_work_keeps_is_found_when_it_runs_out) {
  falx::test::fake_device& device = gpus().native(0);
  sycl::queue queue(both_gpus()[0]);
  device.memory_limit = 1000;
  for (int i = 0; i < 20; ++i) {
    char* const memory = sycl::malloc_device<char>(600, queue);
    ASSERT_NE(memory, nullptr);
    queue.fill(memory, 'x', 600);
    sycl::free(memory, queue);
  }
  EXPECT_EQ(sycl::malloc_device<char>(2000, queue), nullptr);
  queue.wait();
  device.memory_limit = ~std::size_t{0};
}

TEST(several_devices, host_tasks_buffers_and_copies_work_across_them) {
  const std::vector<sycl::device> devices = both_gpus();
  std::vector<int> data(64);
  std::iota(data.begin(), data.end(), 0);
  {
    sycl::buffer<int> a(data.data(), sycl::range<1>(64)), b(sycl::range<1>(64));
    sycl::queue first(devices[0]), second(devices[1], sycl::property::queue::in_order());
    sycl::queue cpu(sycl::cpu_selector_v);
    first.submit([&](sycl::handler& group) {
      group.copy(sycl::accessor(a, group, sycl::read_only), sycl::accessor(b, group, sycl::write_only));
    });
    second.submit([&](sycl::handler& group) {
      group.fill(sycl::accessor(b, group, sycl::range<1>(10), sycl::id<1>(5), sycl::write_only), -1);
    });
    second.submit([&](sycl::handler& group) {
      sycl::accessor on_host(b, group, sycl::read_write_host_task);
      group.host_task([=] { on_host[63] = on_host[5] - 1; });
    });
    cpu.submit([&](sycl::handler& group) {
      group.copy(sycl::accessor(b, group, sycl::read_only), sycl::accessor(a, group, sycl::write_only));
    });
  }
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(data[static_cast<std::size_t>(i)], i == 63 ? -2 : i >= 5 && i < 15 ? -1 : i);
  falx::wait_until_idle();
  EXPECT_TRUE(gpus().has_freed_everything());
}

} // namespace
