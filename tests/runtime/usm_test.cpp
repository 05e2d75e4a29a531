// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/queue.hpp"
#include "sycl/usm.hpp"

#include <atomic>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

class usm : public testing::Test {
protected:
  const sycl::device device;
  const sycl::context context{device};
};

bool is_aligned(const void* pointer, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

std::string message_of_free(void* pointer, const sycl::context& context) {
  try {
    sycl::free(pointer, context);
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::invalid);
    return error.what();
  }
  ADD_FAILURE() << "free did not throw";
  return {};
}

} // namespace

TEST_F(usm, knows_kind_and_device_of_inner_pointers) {
  int* const host = sycl::malloc_host<int>(10, context);
  int* const device_memory = sycl::malloc_device<int>(10, device, context);
  int* const shared = sycl::malloc_shared<int>(10, device, context);
  EXPECT_EQ(sycl::get_pointer_type(host + 9, context), sycl::usm::alloc::host);
  EXPECT_EQ(sycl::get_pointer_type(device_memory, context), sycl::usm::alloc::device);
  EXPECT_EQ(sycl::get_pointer_type(shared + 5, context), sycl::usm::alloc::shared);
  EXPECT_EQ(sycl::get_pointer_type(shared + 10, context), sycl::usm::alloc::unknown);
  EXPECT_EQ(sycl::get_pointer_device(shared + 5, context), device);
  EXPECT_EQ(sycl::get_pointer_device(host, context), device);
  for (int* each : {host, device_memory, shared}) {
    sycl::free(each, context);
    EXPECT_EQ(sycl::get_pointer_type(each, context), sycl::usm::alloc::unknown);
  }
}

TEST_F(usm, other_memory_is_unknown) {
  int local = 0;
  EXPECT_EQ(sycl::get_pointer_type(&local, context), sycl::usm::alloc::unknown);
  EXPECT_EQ(sycl::get_pointer_type(nullptr, context), sycl::usm::alloc::unknown);
  EXPECT_THROW(sycl::get_pointer_device(&local, context), sycl::exception);
  void* const block = sycl::malloc_host(8, context);
  EXPECT_EQ(sycl::get_pointer_type(block, sycl::context(device)), sycl::usm::alloc::unknown);
  sycl::free(block, context);
}

TEST_F(usm, honours_alignments) {
  for (const std::size_t alignment : {1, 64, 4096, 1 << 16}) {
    void* const block = sycl::aligned_alloc_shared(alignment, 100, device, context);
    ASSERT_NE(block, nullptr);
    EXPECT_TRUE(is_aligned(block, alignment));
    EXPECT_TRUE(is_aligned(block, 128));
    sycl::free(block, context);
  }
  EXPECT_EQ(sycl::aligned_alloc_host(48, 100, context), nullptr);
}

TEST_F(usm, big_blocks_are_usable_to_the_last_byte) {
  const std::size_t bytes = (std::size_t{5} << 20) + 3;
  char* const block = sycl::malloc_device<char>(bytes, device, context);
  ASSERT_NE(block, nullptr);
  if (device.is_cpu()) // huge pages
    EXPECT_TRUE(is_aligned(block, 2 << 20));
  sycl::queue(context, device).memset(block, 1, bytes).wait();
  EXPECT_EQ(sycl::get_pointer_type(block + bytes - 1, context), sycl::usm::alloc::device);
  sycl::free(block, context);
}

TEST_F(usm, too_much_memory_is_null) {
  EXPECT_EQ(sycl::malloc_device(std::size_t{1} << 60, device, context), nullptr);
  EXPECT_EQ(sycl::malloc_shared<double>(static_cast<std::size_t>(-1) / 4, device, context), nullptr);
}

TEST_F(usm, empty_blocks_can_be_freed) {
  for (int i = 0; i < 2; ++i)
    sycl::free(sycl::malloc_shared(0, device, context), context);
  sycl::free(nullptr, context);
}

TEST_F(usm, free_explains_what_is_wrong) {
  char* const block = sycl::malloc_shared<char>(100, device, context);
  EXPECT_NE(message_of_free(block + 10, context).find("10 bytes into"), std::string::npos);
  EXPECT_NE(message_of_free(block, sycl::context(device)).find("another context"), std::string::npos);
  sycl::free(block, context);
  EXPECT_NE(message_of_free(block, context).find("freed already"), std::string::npos);
  int local = 0;
  EXPECT_NE(message_of_free(&local, context).find("not allocated"), std::string::npos);
}

TEST_F(usm, unknown_kind_is_invalid) {
  EXPECT_THROW(sycl::malloc(8, device, context, sycl::usm::alloc::unknown), sycl::exception);
}

TEST_F(usm, allocator_serves_containers) {
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared, 64>;
  std::vector<int, allocator> numbers(allocator(context, device));
  for (int i = 0; i < 1000; ++i)
    numbers.push_back(i);
  EXPECT_EQ(numbers.back(), 999);
  EXPECT_EQ(sycl::get_pointer_type(numbers.data(), context), sycl::usm::alloc::shared);
  EXPECT_TRUE(is_aligned(numbers.data(), 64));
  const auto moved = std::move(numbers);
  EXPECT_EQ(moved.size(), 1000u);
}

TEST_F(usm, allocators_are_equal_if_they_share_a_context_and_device) {
  const sycl::usm_allocator<int, sycl::usm::alloc::host> a(context, device);
  const sycl::usm_allocator<float, sycl::usm::alloc::host> b(a);
  const sycl::usm_allocator<int, sycl::usm::alloc::shared> c(context, device);
  const sycl::usm_allocator<int, sycl::usm::alloc::host> d(sycl::context(device), device);
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a != c);
  EXPECT_TRUE(a != d);
}

TEST_F(usm, threads_may_allocate_at_once) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        char* const block = sycl::malloc_shared<char>(1 + i, device, context);
        wrong += sycl::get_pointer_type(block + i, context) != sycl::usm::alloc::shared;
        sycl::free(block, context);
      }
    });
  for (std::thread& each : threads)
    each.join();
  EXPECT_EQ(wrong, 0);
}
