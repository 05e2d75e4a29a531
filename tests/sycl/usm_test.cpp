// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unified shared memory (SYCL 2020 §4.8), from allocation through a kernel to free.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t COUNT = 1000;

TEST(usm, memory_freed_while_kernels_use_it_lives_until_they_are_done) {
  sycl::queue queue{sycl::property::queue::in_order()};
  constexpr std::size_t size = std::size_t(1) << 22;
  for (int round = 0; round < 8; ++round) {
    int* values = sycl::malloc_device<int>(size, queue);
    for (int pass = 0; pass < 4; ++pass)
      queue.parallel_for(sycl::range<1>(size),
                         [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]) + pass; });
    sycl::free(values, queue);
    EXPECT_EQ(sycl::get_pointer_type(values, queue.get_context()), sycl::usm::alloc::unknown);
  }
  queue.wait();
}

} // namespace

TEST(usm, device_memory_is_filled_by_copies_and_kernels) {
  sycl::queue queue;
  std::vector<int> numbers(COUNT);
  std::iota(numbers.begin(), numbers.end(), 0);
  int* const data = sycl::malloc_device<int>(COUNT, queue);
  queue.memcpy(data, numbers.data(), COUNT * sizeof(int)).wait();
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { data[i] *= 2; }).wait();
  queue.memcpy(numbers.data(), data, COUNT * sizeof(int)).wait();
  for (std::size_t i = 0; i < COUNT; ++i)
    ASSERT_EQ(numbers[i], static_cast<int>(2 * i));
  sycl::free(data, queue);
}

TEST(usm, kernels_read_host_and_write_shared_memory) {
  sycl::queue queue;
  float* const source = sycl::malloc_host<float>(COUNT, queue);
  float* const target = sycl::malloc_shared<float>(COUNT, queue);
  for (std::size_t i = 0; i < COUNT; ++i)
    source[i] = static_cast<float>(i);
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { target[i] = source[i] + 1; }).wait();
  for (std::size_t i = 0; i < COUNT; ++i)
    ASSERT_EQ(target[i], static_cast<float>(i + 1));
  EXPECT_EQ(sycl::get_pointer_type(target + COUNT / 2, queue.get_context()), sycl::usm::alloc::shared);
  EXPECT_EQ(sycl::get_pointer_device(target, queue.get_context()), queue.get_device());
  sycl::free(source, queue);
  sycl::free(target, queue);
}

TEST(usm, a_vector_with_usm_allocator_is_kernel_memory) {
  sycl::queue queue;
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  std::vector<int, allocator> numbers(COUNT, 1, allocator(queue));
  int* const data = numbers.data();
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { data[i] += static_cast<int>(i[0]); }).wait();
  EXPECT_EQ(numbers.front(), 1);
  EXPECT_EQ(numbers.back(), static_cast<int>(COUNT));
}

TEST(usm, system_memory_works_where_the_aspect_says_so) {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::usm_system_allocations))
    GTEST_SKIP();
  std::vector<int> numbers(COUNT, 3);
  int* const data = numbers.data();
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { data[i] += 1; }).wait();
  EXPECT_EQ(numbers, std::vector<int>(COUNT, 4));
}

// What is written may be read back through the same pointer, also after a barrier.
TEST(usm, kernels_may_promise_that_pointers_do_not_alias) {
  sycl::queue queue;
  int* const source = sycl::malloc_shared<int>(COUNT, queue);
  int* const target = sycl::malloc_shared<int>(COUNT + 24, queue);
  std::iota(source, source + COUNT, 0);
  queue
      .parallel_for(sycl::range<1>(COUNT),
                    [=](sycl::id<1> i) [[intel::kernel_args_restrict]] {
                      target[i] = source[i];
                      for (int round = 0; round < 3; ++round)
                        target[i] += source[(i + 1) % COUNT] + target[i];
                    })
      .wait();
  for (std::size_t i = 0; i < COUNT; ++i)
    ASSERT_EQ(target[i], static_cast<int>(8 * i + 7 * ((i + 1) % COUNT)));
  queue
      .parallel_for(sycl::nd_range<1>(1024, 64),
                    [=](sycl::nd_item<1> item) [[intel::kernel_args_restrict]] {
                      const std::size_t at = item.get_global_id(0);
                      target[at] = source[at % COUNT];
                      sycl::group_barrier(item.get_group());
                      const int other = target[at ^ 63];
                      sycl::group_barrier(item.get_group());
                      target[at] += other;
                    })
      .wait();
  for (std::size_t at = 0; at < 1024; ++at)
    ASSERT_EQ(target[at], static_cast<int>(at % COUNT + (at ^ 63) % COUNT));
  sycl::free(source, queue);
  sycl::free(target, queue);
}
