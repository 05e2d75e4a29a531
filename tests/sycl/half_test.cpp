// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

// SYCL 2020 §4.14.1: sycl::half.

namespace {

using sycl::half;

static_assert(sizeof(half) == 2 && alignof(half) == 2);
static_assert(std::is_trivially_copyable_v<half>);
static_assert(!std::is_floating_point_v<half>);
static_assert(std::is_same_v<decltype(half(1) + half(1)), half>);
static_assert(std::is_same_v<decltype(half(1) * 2), half>);
static_assert(std::is_same_v<decltype(half(1) - 1.0f), float>);
static_assert(std::is_same_v<decltype(1.0 / half(1)), double>);
constexpr half one_and_a_half = 1.5f;
static_assert(one_and_a_half + one_and_a_half == half(3));
static_assert(-one_and_a_half < 0 && one_and_a_half > 1.25f);

TEST(half, rounds_conversions_to_nearest_even) {
  EXPECT_EQ(float(half(2049.0f)), 2048.0f);
  EXPECT_EQ(float(half(2051.0f)), 2052.0f);
  EXPECT_EQ(float(half(65519.0f)), 65504.0f);
  EXPECT_EQ(half(65520.0f), std::numeric_limits<half>::infinity());
  EXPECT_EQ(float(half(0x1p-25f)), 0.0f);
  EXPECT_EQ(half(0x1.8p-25f), std::numeric_limits<half>::denorm_min());
}

TEST(half, compound_assignment_and_steps_change_the_object) {
  half h = 1;
  h += 2;
  h *= 3.0f;
  h -= half(1);
  h /= 2;
  EXPECT_EQ(h, half(4));
  EXPECT_EQ(h++, half(4));
  EXPECT_EQ(--h, half(4));
  float f = 1;
  f += h;
  EXPECT_EQ(f, 5.0f);
}

TEST(half, limits_are_those_of_binary16) {
  using limits = std::numeric_limits<half>;
  static_assert(limits::is_specialized && limits::is_iec559 && limits::digits == 11);
  EXPECT_EQ(float(limits::max()), 65504.0f);
  EXPECT_EQ(float(limits::lowest()), -65504.0f);
  EXPECT_EQ(float(limits::min()), 0x1p-14f);
  EXPECT_EQ(float(limits::epsilon()), 0x1p-10f);
  EXPECT_EQ(float(limits::denorm_min()), 0x1p-24f);
  EXPECT_TRUE(std::isnan(float(limits::quiet_NaN())));
  EXPECT_FALSE(limits::quiet_NaN() == limits::quiet_NaN());
}

TEST(half, equal_values_hash_alike) {
  EXPECT_EQ(std::hash<half>{}(half(0.0f)), std::hash<half>{}(half(-0.0f)));
  EXPECT_NE(std::hash<half>{}(half(1)), std::hash<half>{}(half(2)));
}

/// A function of SYCL's name, which an unqualified call with a half means.
template <class To, class From>
To bit_cast(const From&) {
  return To(7);
}
template <class T>
int fabs(T) {
  return 8;
}

TEST(half, leaves_unqualified_calls_to_the_program) {
  EXPECT_EQ(bit_cast<std::uint16_t>(half(1)), 7);
  EXPECT_EQ(fabs(half(-1)), 8);
  EXPECT_EQ(sycl::bit_cast<std::uint16_t>(half(1)), 0x3c00);
  EXPECT_EQ(sycl::fabs(half(-1)), half(1));
}

TEST(half, computes_in_a_kernel) {
  sycl::queue queue;
  half* data = sycl::malloc_shared<half>(3, queue);
  data[0] = 1.5f;
  data[1] = 2;
  queue.single_task([=] { data[2] = data[0] * data[1] + 1; });
  queue.wait();
  EXPECT_EQ(data[2], half(4));
  sycl::free(data, queue);
}

} // namespace
