// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All devices of the machine in one program: buffers that travel, events across queues of different devices,
// copies between the memories of devices. Says something on one device, more on CPU and GPU, most on several
// GPUs.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <numeric>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t SIZE = 10'000;

std::vector<sycl::queue> queues_of_all_devices() {
  std::vector<sycl::queue> queues;
  for (const sycl::device& device : sycl::device::get_devices()) {
    queues.emplace_back(device);
    queues.emplace_back(device, sycl::property::queue::in_order());
  }
  return queues;
}

/// Devices by platform: what can share a context.
std::vector<std::vector<sycl::device>> devices_by_platform() {
  std::vector<std::vector<sycl::device>> all;
  for (const sycl::platform& platform : sycl::platform::get_platforms())
    if (std::vector<sycl::device> devices = platform.get_devices(); !devices.empty())
      all.push_back(std::move(devices));
  return all;
}

TEST(several_devices, a_buffer_goes_where_it_is_used) {
  std::vector<int> data(SIZE);
  std::iota(data.begin(), data.end(), 0);
  std::vector<sycl::queue> queues = queues_of_all_devices();
  int steps = 0;
  {
    sycl::buffer<int> buffer(data);
    for (int round = 0; round < 3; ++round)
      for (sycl::queue& queue : queues) {
        queue.submit([&](sycl::handler& group) {
          sycl::accessor value(buffer, group);
          group.parallel_for(SIZE, [=](sycl::id<1> i) { value[i] = value[i] % 100'000 * 3 + 1; });
        });
        ++steps;
      }
  }
  for (std::size_t i = 0; i < SIZE; ++i) {
    int expected = static_cast<int>(i);
    for (int step = 0; step < steps; ++step)
      expected = expected % 100'000 * 3 + 1;
    ASSERT_EQ(data[i], expected) << i;
  }
}

TEST(several_devices, readers_everywhere_see_what_one_wrote) {
  std::vector<sycl::queue> queues = queues_of_all_devices();
  sycl::buffer<int> source(SIZE);
  std::vector<sycl::buffer<int>> copies;
  for (sycl::queue& writer : queues) {
    const int mark = static_cast<int>(copies.size()) + 5;
    writer.submit([&](sycl::handler& group) {
      sycl::accessor value(source, group, sycl::write_only, sycl::no_init);
      group.parallel_for(SIZE, [=](sycl::id<1> i) { value[i] = static_cast<int>(i[0]) * mark; });
    });
    for (sycl::queue& reader : queues) {
      copies.emplace_back(SIZE);
      reader.submit([&](sycl::handler& group) {
        sycl::accessor from(source, group, sycl::read_only);
        sycl::accessor to(copies.back(), group, sycl::write_only, sycl::no_init);
        group.parallel_for(SIZE, [=](sycl::id<1> i) { to[i] = from[i]; });
      });
    }
    for (std::size_t k = copies.size() - queues.size(); k < copies.size(); ++k) {
      const sycl::host_accessor result(copies[k], sycl::read_only);
      for (std::size_t i = 0; i < SIZE; i += 999)
        ASSERT_EQ(result[i], static_cast<int>(i) * mark) << "copy " << k;
    }
  }
}

TEST(several_devices, parts_of_one_buffer_are_computed_on_all) {
  std::vector<sycl::queue> queues = queues_of_all_devices();
  constexpr std::size_t part = 4096; // ints: a multiple of every device's alignment
  std::vector<int> data(part * queues.size(), 1);
  {
    sycl::buffer<int> whole(data);
    for (int round = 0; round < 4; ++round)
      for (std::size_t k = 0; k < queues.size(); ++k) {
        sycl::buffer<int> mine(whole, sycl::id<1>(k * part), sycl::range<1>(part));
        // Each round a part is another device's.
        queues[(k + static_cast<std::size_t>(round)) % queues.size()].submit([&](sycl::handler& group) {
          sycl::accessor value(mine, group);
          group.parallel_for(part, [=](sycl::id<1> i) { value[i] = value[i] * 3 + static_cast<int>(k); });
        });
      }
  }
  for (std::size_t k = 0; k < queues.size(); ++k) {
    int expected = 1;
    for (int round = 0; round < 4; ++round)
      expected = expected * 3 + static_cast<int>(k);
    for (std::size_t i = 0; i < part; i += 37)
      ASSERT_EQ(data[k * part + i], expected) << "part " << k;
  }
}

TEST(several_devices, events_order_commands_of_other_devices) {
  std::vector<sycl::queue> queues = queues_of_all_devices();
  std::vector<int> host(SIZE, 0);
  std::vector<int*> memory;
  for (sycl::queue& queue : queues)
    memory.push_back(sycl::malloc_device<int>(SIZE, queue));
  sycl::event last;
  constexpr int ROUNDS = 5;
  for (int round = 0; round < ROUNDS; ++round)
    for (std::size_t k = 0; k < queues.size(); ++k) {
      int* const mine = memory[k];
      const sycl::event there = queues[k].memcpy(mine, host.data(), SIZE * sizeof(int), last);
      const sycl::event done =
          queues[k].parallel_for(sycl::range<1>(SIZE), there, [=](sycl::id<1> i) { mine[i] += 1; });
      last = queues[k].memcpy(host.data(), mine, SIZE * sizeof(int), done);
    }
  last.wait();
  for (const int value : host)
    ASSERT_EQ(value, ROUNDS * static_cast<int>(queues.size()));
  for (std::size_t k = 0; k < queues.size(); ++k)
    sycl::free(memory[k], queues[k]);
}

TEST(several_devices, host_tasks_stand_between_devices) {
  std::vector<sycl::queue> queues = queues_of_all_devices();
  sycl::buffer<int> buffer(1);
  sycl::host_accessor(buffer, sycl::write_only)[0] = 0;
  for (sycl::queue& queue : queues) {
    queue.submit([&](sycl::handler& group) {
      sycl::accessor value(buffer, group);
      group.single_task([=] { value[0] += 1; });
    });
    queue.submit([&](sycl::handler& group) {
      sycl::accessor value(buffer, group, sycl::read_write_host_task);
      group.host_task([=] { value[0] *= 2; });
    });
  }
  int expected = 0;
  for (std::size_t k = 0; k < queues.size(); ++k)
    expected = (expected + 1) * 2;
  EXPECT_EQ(sycl::host_accessor(buffer, sycl::read_only)[0], expected);
}

TEST(several_devices, of_a_platform_copy_to_each_other) {
  for (const std::vector<sycl::device>& devices : devices_by_platform()) {
    const sycl::context context(devices);
    std::vector<sycl::queue> queues;
    std::vector<int*> memory;
    for (const sycl::device& device : devices) {
      queues.emplace_back(context, device);
      memory.push_back(sycl::malloc_device<int>(SIZE, device, context));
    }
    for (std::size_t from = 0; from < devices.size(); ++from)
      for (std::size_t to = 0; to < devices.size(); ++to) {
        const int mark = static_cast<int>(10 * from + to) + 1;
        if (from == to)
          continue;
        const sycl::event filled = queues[from].fill(memory[from], mark, SIZE);
        const sycl::event copied = queues[to].memcpy(memory[to], memory[from], SIZE * sizeof(int), filled);
        std::vector<int> result(SIZE);
        queues[to].memcpy(result.data(), memory[to], SIZE * sizeof(int), copied).wait();
        EXPECT_EQ(result, std::vector<int>(SIZE, mark)) << from << " to " << to;
      }
    // Host memory of the context is every device's.
    int* const shared = sycl::malloc_host<int>(devices.size(), context);
    for (std::size_t k = 0; k < devices.size(); ++k)
      queues[k].single_task([=] { shared[k] = static_cast<int>(k) + 7; }).wait();
    for (std::size_t k = 0; k < devices.size(); ++k)
      EXPECT_EQ(shared[k], static_cast<int>(k) + 7);
    sycl::free(shared, context);
    for (int* each : memory)
      sycl::free(each, context);
  }
}

TEST(several_devices, reach_each_other_s_memory_with_peer_access) {
  for (const std::vector<sycl::device>& devices : devices_by_platform()) {
    const sycl::context context(devices);
    for (sycl::device reader : devices)
      for (const sycl::device& owner : devices) {
        if (reader == owner || !reader.ext_oneapi_can_access_peer(owner))
          continue;
        reader.ext_oneapi_enable_peer_access(owner);
        int* const data = sycl::malloc_device<int>(SIZE, owner, context);
        int* const sum = sycl::malloc_host<int>(1, context);
        *sum = 0;
        sycl::queue(context, owner).fill(data, 3, SIZE).wait();
        sycl::queue(context, reader)
            .parallel_for(sycl::range<1>(SIZE), sycl::reduction(sum, sycl::plus<>()),
                          [=](sycl::id<1> i, auto& total) { total += data[i]; })
            .wait();
        EXPECT_EQ(*sum, 3 * static_cast<int>(SIZE));
        sycl::free(data, context);
        sycl::free(sum, context);
        reader.ext_oneapi_disable_peer_access(owner);
      }
  }
}

TEST(several_devices, threads_use_one_each) {
  std::vector<sycl::device> devices = sycl::device::get_devices();
  std::vector<long> sums(devices.size(), 0);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < devices.size(); ++k)
    threads.emplace_back([&, k] {
      sycl::queue queue(devices[k]);
      for (int round = 0; round < 20; ++round) {
        sycl::buffer<long> sum(&sums[k], 1);
        queue.submit([&](sycl::handler& group) {
          group.parallel_for(sycl::range<1>(1000), sycl::reduction(sum, group, sycl::plus<>()),
                             [=](sycl::id<1> i, auto& total) { total += static_cast<long>(i[0]); });
        });
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const long sum : sums)
    EXPECT_EQ(sum, 20 * 999 * 1000 / 2);
}

} // namespace
