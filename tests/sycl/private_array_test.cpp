// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private memory (SYCL 2020 §3.8.2) of any size: it works, or there is an error that tells the size.
#include <sycl/sycl.hpp>

#include <cstddef>
#include <exception>
#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>
#include <string>
#include <vector>

namespace {

constexpr int COUNT = 64;
constexpr std::size_t KIB = 1024;

int element_of(int work_item, int i) {
  return i ^ work_item;
}

/// Errors that are found when a kernel is about to run come out of wait_and_throw as well.
sycl::queue make_queue() {
  return sycl::queue([](const sycl::exception_list& errors) {
    for (const std::exception_ptr& error : errors)
      std::rethrow_exception(error);
  });
}

void expect_refusal(const sycl::exception& error) {
  EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported) << error.what();
  EXPECT_NE(std::string(error.what()).find(" bytes of private variables per work-item"), std::string::npos)
      << error.what();
}

/// Each work-item writes an array of \p Bytes and reads an element of it that differs between work-items.
template <std::size_t Bytes>
void fill_private_array(sycl::queue& queue, int* out) {
  constexpr int SIZE = int(Bytes / sizeof(int));
  queue
      .parallel_for(COUNT,
                    [=](sycl::id<1> id) {
                      const int mine = int(id[0]);
                      int array[SIZE];
                      for (int i = 0; i < SIZE; ++i)
                        array[i] = i ^ mine;
                      out[mine] = array[unsigned(out[mine]) * 7919u % unsigned(SIZE)];
                    })
      .wait_and_throw();
}

template <std::size_t Bytes>
void expect_private_array(sycl::queue& queue) {
  int* const out = sycl::malloc_shared<int>(COUNT, queue);
  for (int i = 0; i < COUNT; ++i)
    out[i] = i;
  try {
    fill_private_array<Bytes>(queue, out);
    for (int i = 0; i < COUNT; ++i)
      ASSERT_EQ(out[i], element_of(i, int(unsigned(i) * 7919u % unsigned(Bytes / sizeof(int)))))
          << Bytes << " bytes, work-item " << i;
  } catch (const sycl::exception& error) {
    EXPECT_FALSE(queue.get_device().is_cpu()) << error.what();
    expect_refusal(error);
  }
  sycl::free(out, queue);
}

TEST(private_array, of_any_size_works_or_is_refused_with_its_size) {
  sycl::queue queue = make_queue();
  expect_private_array<16 * KIB>(queue);
  expect_private_array<64 * KIB>(queue);
  expect_private_array<400 * KIB>(queue);
  expect_private_array<1024 * KIB>(queue);
  expect_private_array<4096 * KIB>(queue);
}

TEST(private_array, lives_across_barriers) {
  sycl::queue queue = make_queue();
  constexpr int SIZE = 16 << 10, GROUP = 32;
  int* const out = sycl::malloc_shared<int>(COUNT, queue);
  queue
      .parallel_for(sycl::nd_range<1>(COUNT, GROUP),
                    [=](sycl::nd_item<1> item) {
                      const int mine = int(item.get_global_linear_id());
                      int array[SIZE];
                      for (int i = 0; i < SIZE; ++i)
                        array[i] = i ^ mine;
                      out[mine] = mine * 511;
                      sycl::group_barrier(item.get_group());
                      const int other = mine / GROUP * GROUP + (mine + 1) % GROUP;
                      const int at = out[other] % SIZE;
                      sycl::group_barrier(item.get_group());
                      out[mine] = array[at];
                    })
      .wait_and_throw();
  for (int i = 0; i < COUNT; ++i) {
    const int other = i / GROUP * GROUP + (i + 1) % GROUP;
    EXPECT_EQ(out[i], element_of(i, other * 511 % SIZE)) << i;
  }
  sycl::free(out, queue);
}

TEST(private_array, too_large_for_any_stack_is_refused_with_its_size) {
  sycl::queue queue = make_queue();
  constexpr std::size_t BYTES = std::size_t{1} << 30;
  int* const out = sycl::malloc_shared<int>(COUNT, queue);
  try {
    fill_private_array<BYTES>(queue, out);
    FAIL();
  } catch (const sycl::exception& error) {
    expect_refusal(error);
    EXPECT_NE(std::string(error.what()).find(std::to_string(BYTES)), std::string::npos) << error.what();
  }
  sycl::free(out, queue);
}

/// In a thread that has only so much stack.
void run_on_stack_of(std::size_t bytes, std::function<void()> function) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, bytes), 0);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &function), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

// The thread submits kernels that are not compiled yet, and helps to run them while it waits.
TEST(private_array, takes_no_stack_of_the_thread_that_waits) {
  sycl::queue queue = make_queue();
  run_on_stack_of(64 * KIB, [&] {
    expect_private_array<12 * KIB>(queue);
    expect_private_array<96 * KIB>(queue);
    expect_private_array<512 * KIB>(queue);
  });
}

// What a thread keeps for kernels goes back when it is large; the next kernel gets it again.
TEST(private_array, sizes_may_change_from_kernel_to_kernel) {
  sycl::queue queue = make_queue();
  for (int round = 0; round < 2; ++round) {
    expect_private_array<5120 * KIB>(queue);
    expect_private_array<4 * KIB>(queue);
    expect_private_array<128 * KIB>(queue);
  }
}

} // namespace
