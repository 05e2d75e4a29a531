// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_message.hpp"
#include "adaptivity/execution_times.hpp"
#include "scheduler/device_choice.hpp"
#include "sycl/buffer.hpp"
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/host_accessor.hpp"
#include "sycl/interop_handle.hpp"
#include "sycl/queue.hpp"
#include "sycl/usm.hpp"
#include "two_gpus_and_cpu.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

/// \file
/// Queues over several devices and queues that are retargeted (AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE and
/// ACPP_EXT_CG_PROPERTY_RETARGET), on a machine with two GPUs and a CPU.

namespace {

using falx::choose_device;
using falx::device_state;
using falx::handle;

std::vector<sycl::device> all_devices() {
  return sycl::device::get_devices();
}
const handle<device_state>& state_of(const sycl::device& device) {
  return sycl::detail::internals::state(device);
}
std::vector<handle<device_state>> states(const std::vector<sycl::device>& devices) {
  std::vector<handle<device_state>> result;
  for (const sycl::device& each : devices)
    result.push_back(state_of(each));
  return result;
}

/// Which GPU got a command while \p function ran; -1 if none did.
int gpu_that_works(const std::function<void()>& function) {
  const int before[2] = {gpus().native(0).enqueued, gpus().native(1).enqueued};
  function();
  for (int i = 0; i < 2; ++i)
    if (gpus().native(static_cast<std::size_t>(i)).enqueued > before[i])
      return i;
  return -1;
}

TEST(device_choice, follows_measured_times_and_explores_what_might_pay) {
  const std::vector<sycl::device> devices = all_devices();
  const std::vector<handle<device_state>> able = states(devices);
  falx::execution_times& times = falx::execution_times::instance();
  const int kernel = 0;
  const auto choice = [&](std::size_t items) {
    falx::choice_request request;
    request.devices = able;
    request.kernel = &kernel;
    request.work_items = items;
    return choose_device(request);
  };
  constexpr std::size_t items = 1 << 20;
  EXPECT_TRUE(choice(items).device->description().is_gpu) << "the faster by its description";
  // The first is slow, the second unknown: half of the same guess is better.
  times.record(&kernel, *able[0], items, 10'000'000);
  EXPECT_EQ(choice(items).device, able[1].get());
  times.record(&kernel, *able[1], items, 20'000'000);
  times.record(&kernel, *able[2], items, 50'000'000);
  EXPECT_EQ(choice(items).device, able[0].get());
  EXPECT_EQ(choice(items / 64).device, able[0].get()) << "in proportion";
  EXPECT_NEAR(static_cast<double>(choice(items * 4).expected), 40e6, 1e6);
  for (int i = 0; i < 10; ++i)
    times.record(&kernel, *able[2], items, 1'000'000);
  EXPECT_EQ(choice(items).device, able[2].get());
}

TEST(device_choice, samples_the_first_launches_and_one_in_many) {
  falx::execution_times times;
  const int kernel = 0;
  const device_state& device = *state_of(sycl::device());
  int samples = 0;
  for (int i = 0; i < 100; ++i)
    samples += times.wants(&kernel, device, 1000);
  EXPECT_GE(samples, 4);
  EXPECT_LE(samples, 12);
  EXPECT_EQ(times.expected(&kernel, device, 1000), std::nullopt);
}

TEST(device_choice, counts_the_backlog_until_commands_are_complete) {
  const std::vector<handle<device_state>> able = states(all_devices());
  falx::execution_times& times = falx::execution_times::instance();
  const int kernel = 0;
  times.record(&kernel, *able[0], 1000, 1'000'000);
  times.record(&kernel, *able[1], 1000, 1'500'000);
  times.record(&kernel, *able[2], 1000, 90'000'000);
  falx::choice_request request;
  request.devices = able;
  request.kernel = &kernel;
  request.work_items = 1000;
  sycl::queue queue(all_devices());
  falx::queue_state& head = *sycl::detail::internals::state(queue);
  std::vector<handle<falx::command>> commands;
  std::vector<std::size_t> chosen(3);
  for (int i = 0; i < 10; ++i) {
    const falx::device_choice choice = choose_device(request);
    chosen[static_cast<std::size_t>(
        std::find_if(able.begin(), able.end(),
                     [&](const auto& each) { return each.get() == choice.device; }) -
        able.begin())]++;
    commands.push_back(falx::command::make_for(head));
    falx::watch(commands.back(), choice);
  }
  // 6 x 1 ms and 4 x 1.5 ms end at about the same time.
  EXPECT_EQ(chosen, (std::vector<std::size_t>{6, 4, 0}));
  for (const handle<falx::command>& each : commands)
    each->abandon();
  EXPECT_EQ(choose_device(request).device, able[0].get());
}

TEST(multi_device_queue, commands_go_where_their_data_is) {
  const std::vector<sycl::device> devices = all_devices();
  sycl::queue queue(devices);
  for (const int home : {1, 0, 1}) {
    sycl::buffer<int> buffer(sycl::range<1>(1 << 20));
    sycl::queue(devices[static_cast<std::size_t>(home)])
        .submit([&](sycl::handler& group) {
          sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
          group.fill(access, home);
        })
        .wait();
    EXPECT_EQ(gpu_that_works([&] {
                queue
                    .submit([&](sycl::handler& group) {
                      sycl::accessor access(buffer, group, sycl::read_write);
                      group.fill(access, home + 5);
                    })
                    .wait();
              }),
              home);
    EXPECT_EQ(sycl::host_accessor(buffer)[1 << 19], home + 5);
  }
}

TEST(multi_device_queue, usm_decides_who_can_use_it) {
  const std::vector<sycl::device> devices = all_devices();
  sycl::queue queue(devices);
  EXPECT_TRUE(queue.get_device().is_gpu());
  const sycl::context context = queue.get_context();
  for (const int home : {0, 1}) {
    int* const memory = sycl::malloc_device<int>(100, devices[static_cast<std::size_t>(home)], context);
    std::vector<int> result(100);
    EXPECT_EQ(gpu_that_works([&] { queue.fill(memory, 7, 100).wait(); }), home);
    EXPECT_EQ(gpu_that_works([&] { queue.memcpy(result.data(), memory, 400).wait(); }), home);
    EXPECT_EQ(result[99], 7);
    sycl::free(memory, queue);
  }
}

TEST(multi_device_queue, keeps_the_order_of_dependent_commands) {
  const std::vector<sycl::device> devices = all_devices();
  for (const bool in_order : {false, true}) {
    sycl::queue queue(devices, in_order
                                   ? sycl::property_list(sycl::property::queue::in_order(),
                                                         sycl::property::queue::AdaptiveCpp_retargetable())
                                   : sycl::property_list(sycl::property::queue::AdaptiveCpp_retargetable()));
    std::vector<int> log;
    sycl::buffer<int> buffer(sycl::range<1>(1000));
    for (int i = 0; i < 60; ++i) {
      const sycl::property::command_group::AdaptiveCpp_retarget target(
          devices[static_cast<std::size_t>(i % 3)]);
      sycl::event last = queue.submit({target}, [&](sycl::handler& group) {
        sycl::accessor access(buffer, group, sycl::read_write);
        group.fill(access, i);
      });
      queue.submit([&](sycl::handler& group) {
        if (!in_order) {
          group.depends_on(queue.get_wait_list());
          sycl::accessor access(buffer, group, sycl::read_only_host_task);
          group.host_task([&log, access] { log.push_back(access[500]); });
        } else {
          sycl::accessor access(buffer, group, sycl::read_only_host_task);
          group.host_task([&log, access] { log.push_back(access[999]); });
        }
      });
    }
    EXPECT_TRUE(!in_order || queue.get_wait_list().size() <= 1);
    queue.wait();
    EXPECT_TRUE(queue.ext_oneapi_empty());
    ASSERT_EQ(log.size(), 60u);
    for (int i = 0; i < 60; ++i)
      EXPECT_EQ(log[static_cast<std::size_t>(i)], i);
  }
}

TEST(multi_device_queue, barriers_reach_over_all_devices) {
  const std::vector<sycl::device> devices = all_devices();
  sycl::queue queue(devices, sycl::property::queue::AdaptiveCpp_retargetable());
  const auto on = [&](std::size_t device, auto function) {
    return queue.submit({sycl::property::command_group::AdaptiveCpp_retarget(devices[device])},
                        [&](sycl::handler& group) { group.host_task(function); });
  };
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> before{0};
    std::atomic<bool> is_early{false};
    for (std::size_t i = 0; i < 3; ++i)
      on(i, [&] { ++before; });
    queue.ext_oneapi_submit_barrier();
    for (std::size_t i = 0; i < 3; ++i)
      on(i, [&] {
        if (before != 3)
          is_early = true;
      });
    queue.wait();
    EXPECT_FALSE(is_early);
  }
}

TEST(multi_device_queue, errors_reach_its_handler_even_after_its_end) {
  const std::vector<sycl::device> devices = all_devices();
  std::atomic<int> errors{0};
  {
    sycl::queue queue(
        devices, [&](sycl::exception_list list) { errors += static_cast<int>(list.size()); },
        sycl::property::queue::AdaptiveCpp_retargetable());
    for (const sycl::device& device : devices)
      queue.submit({sycl::property::command_group::AdaptiveCpp_retarget(device)}, [&](sycl::handler& group) {
        group.host_task([] { throw sycl::exception(sycl::errc::runtime, "on purpose"); });
      });
  }
  falx::wait_until_idle();
  for (int i = 0; i < 2000 && errors < 3; ++i) // reported before the last step of completion
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(errors, 3);
}

TEST(multi_device_queue, is_selected) {
  EXPECT_EQ(sycl::queue(sycl::system_selector_v).get_devices().size(), 3u);
  const std::vector<sycl::device> found = sycl::queue(sycl::multi_gpu_selector_v).get_devices();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_TRUE(found[0].is_gpu() && found[1].is_gpu());
  EXPECT_EQ(sycl::queue(sycl::multi_cpu_selector_v).get_devices().size(), 1u);
  const auto second = [](const sycl::device& device) { return device == all_devices()[1] ? 1 : -1; };
  EXPECT_EQ(sycl::queue(sycl::multi_device_selector(second)).get_device(), all_devices()[1]);
  EXPECT_EQ(sycl::queue().get_devices().size(), 1u);
}

TEST(multi_device_queue, refuses_bad_lists_of_devices) {
  const std::vector<sycl::device> devices = all_devices();
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid, [] { sycl::queue(std::vector<sycl::device>()); }), "empty"));
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid, [&] { sycl::queue(std::vector{devices[0], devices[0]}); }), "twice"));
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid, [&] { sycl::queue(sycl::context(devices[0]), devices); }), "context"));
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::runtime,
                 [] { sycl::queue(sycl::multi_device_selector([](const sycl::device&) { return -1; })); }),
      "multi_device_selector"));
  sycl::queue over_all(devices);
  EXPECT_TRUE(mentions(message_of(sycl::errc::invalid,
                                  [&] {
                                    over_all.submit(
                                        {sycl::property::command_group::AdaptiveCpp_retarget(devices[0])},
                                        [](sycl::handler& group) { group.host_task([] {}); });
                                  }),
                       "AdaptiveCpp_retargetable"));
}

} // namespace
