// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/pooled_memory.hpp"

#include "../thrown_code.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace falx {
namespace {

// Pools live as long as the process, and so does their memory.
pooled_memory& new_pool(usm_kind kind) {
  static auto& made = *std::make_unique<std::vector<std::unique_ptr<pooled_memory>>>().release();
  return *made.emplace_back(std::make_unique<pooled_memory>(default_device(), kind));
}

TEST(pooled_memory, new_device_memory_is_zero_and_aligned) {
  pooled_memory& pool = new_pool(usm_kind::device);
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{8192}, std::size_t{8193}, std::size_t{3} << 20}) {
    const pooled_memory::block block = pool.take(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.memory) % 64, 0u);
    if (default_device().description().is_cpu) {
      const auto* const begin = static_cast<const unsigned char*>(block.memory);
      for (std::size_t i = 0; i < bytes; ++i)
        ASSERT_EQ(begin[i], 0) << "byte " << i << " of " << bytes;
    }
    pooled_memory::give_back(block);
  }
}

TEST(pooled_memory, blocks_come_back_last_first) {
  pooled_memory& pool = new_pool(usm_kind::device);
  const pooled_memory::block first = pool.take(100), second = pool.take(100);
  EXPECT_NE(first.memory, second.memory);
  pooled_memory::give_back(first);
  pooled_memory::give_back(second);
  EXPECT_EQ(pool.take(200).memory, second.memory);
  EXPECT_EQ(pool.take(200).memory, first.memory);
}

TEST(pooled_memory, blocks_of_different_sizes_do_not_mix) {
  pooled_memory& pool = new_pool(usm_kind::host);
  const pooled_memory::block small = pool.take(64);
  pooled_memory::give_back(small);
  const pooled_memory::block large = pool.take(100000);
  std::memset(large.memory, 1, 100000);
  EXPECT_NE(large.memory, small.memory);
}

TEST(pooled_memory, sizes_that_no_memory_has_are_refused) {
  pooled_memory& pool = new_pool(usm_kind::host);
  for (const std::size_t bytes :
       {SIZE_MAX, std::size_t{PTRDIFF_MAX} + 2, std::size_t{PTRDIFF_MAX}, std::size_t{1} << 62})
    EXPECT_EQ(thrown_code([&] { pool.take(bytes); }), sycl::errc::memory_allocation) << bytes;
}

TEST(pooled_memory, there_is_one_pool_per_device_and_kind) {
  pooled_memory& pool = pooled_memory::of(default_device(), usm_kind::host);
  EXPECT_EQ(&pool, &pooled_memory::of(default_device(), usm_kind::host));
  EXPECT_NE(&pool, &pooled_memory::of(default_device(), usm_kind::device));
}

TEST(pooled_memory, threads_never_share_a_block) {
  pooled_memory& pool = new_pool(usm_kind::host);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; ++i) {
        const pooled_memory::block block = pool.take(64);
        volatile int& owner = *static_cast<int*>(block.memory);
        owner = t;
        EXPECT_EQ(owner, t);
        pooled_memory::give_back(block);
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

} // namespace
} // namespace falx
