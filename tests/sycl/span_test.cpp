// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.7.9: sycl::span, which has C++20's members in C++17, too.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

template <class A, class B>
inline constexpr bool same = std::is_same_v<A, B>;
using fixed = sycl::span<int, 6>;
using dynamic = sycl::span<int>;

static_assert(same<decltype(fixed(nullptr, 6).first<2>()), sycl::span<int, 2>>);
static_assert(same<decltype(dynamic().last<2>()), sycl::span<int, 2>>);
static_assert(same<decltype(fixed(nullptr, 6).subspan<2>()), sycl::span<int, 4>>);
static_assert(same<decltype(fixed(nullptr, 6).subspan<2, 3>()), sycl::span<int, 3>>);
static_assert(same<decltype(dynamic().subspan<2>()), dynamic>);
static_assert(same<decltype(dynamic().subspan<2, 3>()), sycl::span<int, 3>>);
static_assert(same<decltype(sycl::as_bytes(fixed(nullptr, 6))), sycl::span<const std::byte, 24>>);
static_assert(same<decltype(sycl::as_writable_bytes(dynamic())), sycl::span<std::byte>>);

TEST(span, gives_parts_by_numbers_in_types) {
  int numbers[6] = {0, 1, 2, 3, 4, 5};
  const fixed all(numbers);
  EXPECT_EQ(all.first<2>()[1], 1);
  EXPECT_EQ(all.last<2>()[0], 4);
  EXPECT_EQ((all.subspan<2, 3>()[0]), 2);
  EXPECT_EQ(all.subspan<4>().size(), 2u);
  EXPECT_EQ(dynamic(numbers).subspan<4>().size(), 2u);
  EXPECT_EQ(std::vector<int>(all.rbegin(), all.rend()), (std::vector<int>{5, 4, 3, 2, 1, 0}));
}

TEST(span, shows_bytes) {
  std::array<std::uint32_t, 2> numbers{1, 2};
  const sycl::span all(numbers);
  EXPECT_EQ(sycl::as_bytes(all).size(), 8u);
  for (std::byte& each : sycl::as_writable_bytes(all))
    each = std::byte{1};
  EXPECT_EQ(numbers[1], 0x01010101u);
}

TEST(span, works_in_kernels) {
  sycl::queue queue;
  int* const numbers = sycl::malloc_shared<int>(6, queue);
  const dynamic all(numbers, 6);
  queue
      .single_task([=] {
        for (int i = 0; i < 6; ++i)
          all[static_cast<std::size_t>(i)] = i;
        all.first<1>()[0] = *all.rbegin() * 10 + static_cast<int>(sycl::as_bytes(all).size());
      })
      .wait();
  EXPECT_EQ(numbers[0], 74);
  sycl::free(numbers, queue);
}

} // namespace
