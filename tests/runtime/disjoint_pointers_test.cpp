// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adaptivity/disjoint_pointers.hpp"
#include "memory/usm_registry.hpp"
#include "sycl/context.hpp"
#include "sycl/detail/internals.hpp"
#include "sycl/device.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

/// \file
/// What launches are told about the memory that pointers and accessors lead to, over blocks of the test's own
/// at addresses that nothing else has.

namespace {

using namespace falx;

constexpr std::uint64_t ACCESSOR = std::uint64_t{1} << disjoint_pointers::MOST;
/// Where nothing is.
char* const FIRST = reinterpret_cast<char*>(std::uintptr_t{1} << 60);

/// A block that the registry knows as long as it lives.
class block {
public:
  block(std::size_t offset, std::size_t bytes) : begin(FIRST + offset) {
    const auto& context_of_all = sycl::detail::internals::state(context());
    usm_registry::instance().add(
        {begin, bytes, usm_kind::shared, context_of_all, context_of_all->devices().front()});
  }
  ~block() { usm_registry::instance().remove(begin, *sycl::detail::internals::state(context())); }
  block(const block&) = delete;
  block& operator=(const block&) = delete;
  char* const begin;

private:
  static const sycl::context& context() {
    static const sycl::context& one = *new sycl::context(sycl::device());
    return one;
  }
};

struct function_object {
  const void* pointers[3];
};

image::kernel_metadata kernel_of(std::size_t pointers, std::size_t accessors = 0) {
  image::kernel_metadata kernel;
  for (std::size_t i = 0; i < pointers; ++i)
    kernel.captured_pointers.push_back(i * sizeof(void*));
  for (std::size_t i = 0; i < accessors; ++i)
    kernel.accessor_offsets.push_back(64 + i * 16);
  return kernel;
}

std::uint64_t told(const void* a, const void* b, const void* c = nullptr) {
  const image::kernel_metadata kernel = kernel_of(3);
  const function_object function{{a, b, c}};
  return disjoint_pointers(kernel).of(&function, {});
}

TEST(disjoint_pointers, lead_to_different_blocks) {
  const block one(0, 1000), two(1 << 20, 1000);
  EXPECT_EQ(told(one.begin, two.begin), 7u) << "null leads nowhere";
  EXPECT_EQ(told(one.begin + 999, two.begin + 500), 7u);
  EXPECT_EQ(told(one.begin, one.begin + 10), 0u);
  EXPECT_EQ(told(one.begin, one.begin + 10, two.begin), 0u) << "one alone is nothing";
  EXPECT_EQ(told(one.begin, two.begin, one.begin), 0u);
  EXPECT_EQ(told(one.begin, two.begin, &one), 3u) << "other memory may be any";
  EXPECT_EQ(told(&one, &two, one.begin), 0u);
}

constexpr std::size_t SHIFT = usm_registry::MOST_SHIFT;

TEST(disjoint_pointers, to_the_border_of_two_blocks_lead_to_both) {
  const block one(0, 4096), two(4096, 4096), apart(1 << 20, 4096);
  EXPECT_EQ(told(one.begin, two.begin), 0u) << "the second one may be the end of the first";
  EXPECT_EQ(told(one.begin, apart.begin), 7u);
  EXPECT_EQ(told(two.begin, apart.begin), 7u) << "whichever is meant";
  EXPECT_EQ(told(two.begin - 4, two.begin + 4, apart.begin), 0u) << "counted from 1";
  EXPECT_EQ(told(apart.begin - 4, apart.begin + 4, one.begin), 6u) << "known to be none";
}

TEST(disjoint_pointers, into_a_block_lead_to_those_that_are_near_as_well) {
  const block one(0, 4 * SHIFT), two(4 * SHIFT + 100, 4 * SHIFT), apart(16 * SHIFT, SHIFT);
  char* const middle = one.begin + 2 * SHIFT;
  EXPECT_EQ(told(one.begin, two.begin), 7u) << "the begin of a block is that";
  EXPECT_EQ(told(middle, two.begin + 2 * SHIFT), 7u);
  EXPECT_EQ(told(two.begin - 101, two.begin, apart.begin), 0u) << "before an array, across a gap";
  EXPECT_EQ(told(two.begin - SHIFT, two.begin, apart.begin), 0u);
  EXPECT_EQ(told(two.begin - SHIFT - 1, two.begin, apart.begin), 7u);
  EXPECT_EQ(told(one.begin, two.begin + 1, apart.begin), 0u) << "behind the last row";
  EXPECT_EQ(told(one.begin, one.begin + 4 * SHIFT + SHIFT - 1, apart.begin), 0u);
  EXPECT_EQ(told(one.begin, one.begin + 4 * SHIFT + SHIFT, apart.begin), 7u);
}

TEST(disjoint_pointers, into_small_blocks_lead_to_all_that_are_near) {
  const block one(0, 100), two(128, 100), three(256, 100), apart(1 << 20, 100);
  EXPECT_EQ(told(one.begin, two.begin, three.begin), 7u);
  EXPECT_EQ(told(one.begin, two.begin + 4, apart.begin), 0u);
  EXPECT_EQ(told(one.begin, three.begin, apart.begin + 4), 7u);
  EXPECT_EQ(told(one.begin, three.begin, two.begin + 4), 0u);
}

TEST(disjoint_pointers, are_found_anew_once_a_block_is_freed) {
  const image::kernel_metadata kernel = kernel_of(2);
  disjoint_pointers pointers(kernel);
  const function_object function{{FIRST, FIRST + 4096}};
  {
    const block one(0, 1000), two(4096, 1000);
    EXPECT_EQ(pointers.of(&function, {}), 3u);
    EXPECT_EQ(pointers.of(&function, {}), 3u);
  }
  EXPECT_EQ(pointers.of(&function, {}), 0u);
  const block both(0, 8192);
  EXPECT_EQ(pointers.of(&function, {}), 0u);
}

TEST(disjoint_pointers, are_known_wherever_in_their_blocks_they_lead) {
  const image::kernel_metadata kernel = kernel_of(2);
  disjoint_pointers pointers(kernel);
  const block one(0, 4 * SHIFT), two(4 * SHIFT, 4 * SHIFT), apart(16 * SHIFT, 4 * SHIFT);
  const auto of = [&](const void* a, const void* b) {
    const function_object function{{a, b}};
    return pointers.of(&function, {});
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(of(one.begin + SHIFT, two.begin + SHIFT), 3u);
    EXPECT_EQ(of(one.begin, two.begin + 4 * SHIFT - 1), 3u);
    EXPECT_EQ(of(one.begin, two.begin), 0u) << "not in the range of the answer before";
    EXPECT_EQ(of(one.begin + 4 * SHIFT - 1, two.begin), 0u) << "a little before two";
    EXPECT_EQ(of(one.begin + 3 * SHIFT - 1, two.begin + 2 * SHIFT), 3u);
    EXPECT_EQ(of(one.begin + 3 * SHIFT, two.begin + 2 * SHIFT), 0u) << "the range before ends there";
    EXPECT_EQ(of(two.begin + SHIFT, one.begin + 1), 3u) << "exchanged";
    EXPECT_EQ(of(two.begin + SHIFT - 1, one.begin + 1), 0u);
    EXPECT_EQ(of(one.begin + 1, one.begin + 2), 0u);
    EXPECT_EQ(of(apart.begin, apart.begin + 4 * SHIFT), 0u) << "behind the block";
    EXPECT_EQ(of(apart.begin + 2 * SHIFT, one.begin + 1), 3u);
    EXPECT_EQ(of(apart.begin, one.begin + 1), 3u);
  }
  const block before(15 * SHIFT, SHIFT);
  EXPECT_EQ(of(apart.begin, before.begin), 0u) << "which may be the end of a block that is new";
}

/// New blocks are no reason to ask again, as long as what is known of a pointer stays right.
TEST(disjoint_pointers, may_be_meant_for_a_block_that_is_new) {
  const image::kernel_metadata kernel = kernel_of(2);
  disjoint_pointers pointers(kernel);
  const block one(0, SHIFT), apart(16 * SHIFT, SHIFT);
  const auto of = [&](const void* a, const void* b) {
    const function_object function{{a, b}};
    return pointers.of(&function, {});
  };
  EXPECT_EQ(of(one.begin + SHIFT - 4, apart.begin), 3u);
  const block next(SHIFT + 64, SHIFT);
  EXPECT_EQ(of(one.begin + SHIFT - 4, next.begin), 0u);
}

TEST(disjoint_pointers, have_few_answers) {
  const image::kernel_metadata kernel = kernel_of(3);
  disjoint_pointers pointers(kernel);
  const block one(0, 1000), two(4096, 1000), three(8192, 1000);
  const auto of = [&](const void* a, const void* b, const void* c) {
    const function_object function{{a, b, c}};
    return pointers.of(&function, {});
  };
  EXPECT_EQ(of(one.begin, two.begin, three.begin), 7u);
  EXPECT_EQ(of(one.begin, two.begin, &one), 3u);
  EXPECT_EQ(of(one.begin, &one, three.begin), 5u);
  EXPECT_EQ(of(&one, two.begin, three.begin), 0u) << "the fourth, with none";
  EXPECT_EQ(of(one.begin, two.begin, &two), 3u);
}

TEST(disjoint_pointers, are_not_asked_for_where_there_is_one) {
  const image::kernel_metadata none = kernel_of(1), one_and_one = kernel_of(1, 1), accessor = kernel_of(0, 1);
  EXPECT_EQ(disjoint_pointers::expected(none), 0u);
  EXPECT_EQ(disjoint_pointers::expected(accessor), 0u);
  EXPECT_EQ(disjoint_pointers(accessor).accessors(), 0u);
  EXPECT_EQ(disjoint_pointers::expected(one_and_one), 1 | ACCESSOR);
  EXPECT_EQ(disjoint_pointers::expected(kernel_of(100, 100)), 0xFFFFFFFFu);
}

TEST(disjoint_pointers, of_accessors_are_told_by_their_buffers) {
  const image::kernel_metadata kernel = kernel_of(0, 2);
  std::array<std::byte, 100> home{};
  const auto of = [&](const accessed_memory& a, const accessed_memory& b) {
    const std::array<accessed_memory, 2> accessed{a, b};
    return disjoint_pointers(kernel).of(nullptr, accessed);
  };
  int one = 0, two = 0;
  EXPECT_EQ(of({&one, &one}, {&two, &two}), 3 * ACCESSOR);
  EXPECT_EQ(of({nullptr, &one}, {nullptr, &two}), 3 * ACCESSOR) << "wherever they will be";
  EXPECT_EQ(of({&one, &one}, {&two, &one}), 0u);
  EXPECT_EQ(of({&one, &one}, {}), 0u) << "not of this launch";
  EXPECT_EQ(of({home.data(), &one, home}, {home.data(), &two, std::span(home).subspan(99)}), 0u);
  EXPECT_EQ(of({nullptr, &one, home}, {nullptr, &two, home}), 0u) << "both may work there";
  EXPECT_EQ(of({nullptr, &one, {}, true}, {nullptr, &two}), 0u) << "which may be the other one's memory";
  EXPECT_EQ(of({home.data(), &one, home, true}, {nullptr, &two}), 0u);
  EXPECT_EQ(of({home.data(), &one, home, true}, {&two, &two, std::as_bytes(std::span(&two, 1))}),
            3 * ACCESSOR);
  EXPECT_EQ(of({home.data(), &one, home, true}, {home.data(), &two, home, true}), 0u);
  EXPECT_EQ(
      of({home.data(), &one, std::span(home).first(50)}, {&home[50], &two, std::span(home).subspan(50)}),
      3 * ACCESSOR);
}

TEST(disjoint_pointers, and_accessors_may_lead_to_the_same_block) {
  const image::kernel_metadata kernel = kernel_of(1, 1);
  const block one(0, 1000), two(4096, 1000);
  int buffer = 0;
  const auto of = [&](const void* pointer, const void* data) {
    const function_object function{{pointer}};
    const std::array<accessed_memory, 1> accessed{accessed_memory{data, &buffer}};
    return disjoint_pointers(kernel).of(&function, accessed);
  };
  EXPECT_EQ(of(one.begin, two.begin), 1 | ACCESSOR);
  EXPECT_EQ(of(one.begin, &buffer), 1 | ACCESSOR) << "memory of the buffer's own";
  EXPECT_EQ(of(one.begin, one.begin + 8), 0u) << "a buffer over unified shared memory";
  EXPECT_EQ(of(one.begin, nullptr), 0u) << "not known yet";
  EXPECT_EQ(of(&buffer, two.begin), 0u);
}

TEST(disjoint_pointers, may_be_asked_for_by_many_threads) {
  const image::kernel_metadata kernel = kernel_of(2);
  disjoint_pointers pointers(kernel);
  const block one(0, 1000), two(1 << 20, 1000);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&, number] {
      for (int i = 0; i < 20000; ++i) {
        const bool meets = (i + number) % 3 == 0;
        const function_object function{{one.begin + i % 7, meets ? one.begin : two.begin + i % 5}};
        wrong += pointers.of(&function, {}) != (meets ? 0u : 3u);
      }
    });
  for (std::thread& each : threads)
    each.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
