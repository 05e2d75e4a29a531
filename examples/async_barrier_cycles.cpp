// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cycles of asynchronous barriers, as the first and the third example of sycl_ext_oneapi_cuda_async_barrier
// have them: a ring of work-items that hand a value on, and a triangular system of equations, in which each
// cycle settles one unknown, and the work-item that did it drops out. (The second example, copies that
// announce themselves, is async_barrier.cpp.)
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

using sycl::ext::oneapi::experimental::cuda::barrier;

/// Every value goes once around the ring of \p size work-items and gains 1 in each step.
static bool ring(sycl::queue& queue, std::size_t size) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), 0);
  {
    sycl::buffer<int> buffer(values);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor data(buffer, group, sycl::read_write);
      sycl::local_accessor<int> here(size, group);
      sycl::local_accessor<barrier> barriers(2, group);
      group.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_linear_id();
        here[self] = data[self];
        if (self < 2)
          barriers[self].initialize(static_cast<std::uint32_t>(size));
        sycl::group_barrier(item.get_group());
        for (std::size_t step = 0; step < size; ++step) {
          int value = here[self];
          const barrier::arrival_token taken = barriers[0].arrive();
          value += 1; // while the others take theirs
          const std::size_t next = (self + 1) % size;
          barriers[0].wait(taken);
          here[next] = value;
          barriers[1].wait(barriers[1].arrive());
        }
        data[self] = here[self];
      });
    });
  }
  bool right = true;
  for (std::size_t i = 0; i < size; ++i)
    right = right && values[i] == static_cast<int>(i + size);
  return right;
}

/// Solves the system whose row i is x[0] + … + x[i-1] + 2 x[i] = right[i].
static bool triangle(sycl::queue& queue, std::size_t size) {
  std::vector<float> expected(size), rest(size);
  float sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    expected[i] = static_cast<float>(i % 7) - 2;
    rest[i] = sum + 2 * expected[i];
    sum += expected[i];
  }
  {
    sycl::buffer<float> buffer(rest);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor right_side(buffer, group, sycl::read_write);
      sycl::local_accessor<float> unknowns(size, group);
      sycl::local_accessor<barrier> settled(1, group);
      group.parallel_for(sycl::nd_range<1>(size, size), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_linear_id();
        if (self == 0)
          settled->initialize(static_cast<std::uint32_t>(size));
        sycl::group_barrier(item.get_group());
        float remainder = right_side[self];
        for (std::size_t i = 0; i < size; ++i) {
          if (self > i) {
            const barrier::arrival_token cycle = settled->arrive();
            settled->wait(cycle);
            remainder -= unknowns[i];
          } else {
            unknowns[i] = remainder / 2;
            settled->arrive_and_drop(); // later cycles expect one arrival less
            break;
          }
        }
        right_side[self] = unknowns[self];
      });
    });
  }
  bool right = true;
  for (std::size_t i = 0; i < size; ++i)
    right = right && std::abs(rest[i] - expected[i]) < 1e-3f;
  return right;
}

int main() {
  sycl::queue queue;
  const std::string device = queue.get_device().get_info<sycl::info::device::name>();
  if (!queue.get_device().has(sycl::aspect::ext_oneapi_cuda_async_barrier)) {
    std::printf("async barrier: %s has none\n", device.c_str());
    return 0;
  }
  const bool handed_on = ring(queue, 128), solved = triangle(queue, 100);
  std::printf("async barrier: ring of 128 %s, triangle of 100 %s, on %s\n", handed_on ? "verified" : "WRONG",
              solved ? "verified" : "WRONG", device.c_str());
  return handed_on && solved ? 0 : 1;
}
