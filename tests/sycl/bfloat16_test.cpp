// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../shared_memory.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// sycl_ext_oneapi_bfloat16 and sycl_ext_oneapi_bfloat16_math_functions.

namespace {

namespace oneapi = sycl::ext::oneapi;
using oneapi::bfloat16;
using limits = std::numeric_limits<bfloat16>;

static_assert(SYCL_EXT_ONEAPI_BFLOAT16 == 1 && SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS == 1);
static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2);
static_assert(std::is_trivially_copyable_v<bfloat16> && sycl::is_device_copyable_v<bfloat16>);
static_assert(std::is_convertible_v<bfloat16, float> && std::is_convertible_v<bfloat16, sycl::half>);
static_assert(std::is_convertible_v<float, bfloat16> && std::is_convertible_v<sycl::half, bfloat16>);
static_assert(std::is_same_v<decltype(bfloat16() + 1), bfloat16>);
static_assert(std::is_same_v<decltype(2.0 * bfloat16()), bfloat16>);
static_assert(std::is_same_v<decltype(bfloat16() / sycl::half()), bfloat16>);
static_assert(std::is_same_v<decltype(bfloat16() < 1L), bool>);
constexpr bfloat16 one_and_a_half = 1.5f;
static_assert(one_and_a_half + one_and_a_half == 3 && -one_and_a_half < 0);
static_assert(sycl::known_identity_v<sycl::plus<>, bfloat16> == 0);
static_assert(sycl::known_identity_v<sycl::minimum<bfloat16>, bfloat16> == limits::infinity());
static_assert(limits::is_specialized && limits::digits == 8 && limits::epsilon() == 0x1p-7f);
static_assert(limits::max() == 0x1.fep127f && limits::min() == 0x1p-126f &&
              limits::denorm_min() == 0x1p-133f);

constexpr std::uint16_t bits_of(bfloat16 value) {
  return sycl::bit_cast<std::uint16_t>(value);
}
constexpr bfloat16 of_bits(std::uint32_t bits) {
  return sycl::bit_cast<bfloat16>(static_cast<std::uint16_t>(bits));
}

/// To nearest, ties to even, by what numbers mean. The neighbour of the largest number is infinity.
std::uint16_t rounded(double value) {
  const float magnitude = static_cast<float>(std::fabs(value));
  const std::uint16_t below = static_cast<std::uint16_t>(sycl::bit_cast<std::uint32_t>(magnitude) >> 16);
  const auto value_of = [](std::uint32_t bits) {
    return bits == 0x7f80 ? 0x1p128 : static_cast<double>(static_cast<float>(of_bits(bits)));
  };
  const double to_below = std::fabs(value) - value_of(below),
               to_above = value_of(below + 1u) - std::fabs(value);
  const bool up = to_above < to_below || (to_above == to_below && (below & 1) != 0);
  return static_cast<std::uint16_t>((below + up) | (std::signbit(value) ? 0x8000 : 0));
}

TEST(bfloat16, rounds_conversions_to_nearest_even) {
  EXPECT_EQ(bits_of(0x1.01p0f), 0x3f80);
  EXPECT_EQ(bits_of(0x1.03p0f), 0x3f82);
  EXPECT_EQ(bits_of(0x1.010002p0f), 0x3f81);
  EXPECT_EQ(bits_of(std::numeric_limits<float>::max()), bits_of(limits::infinity()));
  EXPECT_EQ(bits_of(0x1p-134f), 0) << "half of the least subnormal number";
  EXPECT_EQ(bits_of(0x1.8p-134f), 1);
  EXPECT_EQ(bits_of(-0.0f), 0x8000);
  EXPECT_TRUE(std::isnan(bfloat16(sycl::bit_cast<float>(0x7f800001u)))) << "the payload's last bits are lost";
}

TEST(bfloat16, rounds_in_kernels_as_on_the_host) {
  constexpr std::size_t count = 1 << 15;
  sycl::queue queue;
  const shared<float> from(queue, count);
  const shared<bfloat16> to(queue, count);
  for (std::size_t i = 0; i < count; ++i) // every exponent, and the bits that decide
    from[i] = sycl::bit_cast<float>(
        static_cast<std::uint32_t>((i >> 4) << 21 | (i & 8) << 13 | (i & 4) << 13 | (i & 3)));
  queue.parallel_for(count, [to = to.get(), from = from.get()](sycl::id<1> i) { to[i] = from[i]; }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isnan(from[i])) {
      EXPECT_TRUE(oneapi::isnan(to[i]));
    } else if (!std::isinf(from[i])) {
      EXPECT_EQ(bits_of(to[i]), rounded(from[i])) << from[i];
      EXPECT_EQ(bits_of(to[i]), bits_of(from[i]));
    }
  }
}

TEST(bfloat16, operators_round_once) {
  bfloat16 x = 1;
  x += 2;
  x *= bfloat16(3);
  x -= bfloat16(1);
  x /= bfloat16(2);
  EXPECT_EQ(x, 4);
  EXPECT_EQ(x++, 4);
  EXPECT_EQ(--x, 4);
  EXPECT_EQ(-x, -4.0);
  EXPECT_EQ(x + sycl::half(1), 5);
  EXPECT_EQ(256 + bfloat16(1), 256) << "a tie";
  EXPECT_TRUE(bool(x) && !bfloat16(-0.0f));
  EXPECT_FALSE(limits::quiet_NaN() == limits::quiet_NaN());
  EXPECT_EQ(static_cast<double>(x), 4.0);
  EXPECT_EQ(sycl::half(x), sycl::half(4));
  float f = 1;
  f += x;
  EXPECT_EQ(f, 5.0f);
  EXPECT_EQ(std::hash<bfloat16>{}(0.0f), std::hash<bfloat16>{}(-0.0f));
}

TEST(bfloat16, is_an_element_of_vectors) {
  using vector = sycl::vec<bfloat16, 4>;
  static_assert(sizeof(vector) == 8);
  const vector a(1, 2, 3, 4);
  const vector b = a * a + bfloat16(1);
  EXPECT_EQ(b.w(), 17);
  EXPECT_EQ((b > a)[0], -1);
  EXPECT_EQ(b.convert<float>()[1], 5.0f);
  EXPECT_EQ(b.convert<int>()[2], 10);
  const sycl::float2 ties(0x1.01p0f, 0x1.03p0f);
  EXPECT_EQ(bits_of((ties.convert<bfloat16, sycl::rounding_mode::rtz>())[1]), 0x3f81);
  EXPECT_EQ(bits_of((ties.convert<bfloat16, sycl::rounding_mode::rtp>())[0]), 0x3f81);
  EXPECT_EQ(bits_of((ties.convert<bfloat16>())[1]), 0x3f82);
  const sycl::marray<bfloat16, 3> m = sycl::marray<bfloat16, 3>(1, 2, 3) / bfloat16(2);
  EXPECT_EQ(m[2], 1.5f);
  EXPECT_TRUE((m == m)[0]);
}

/// What correctly rounded fma gives: long double holds the exact sum where the exponents are close, else the
/// smaller one tips the scales.
bfloat16 exact_fma(bfloat16 a, bfloat16 b, bfloat16 c) {
  const double product = double(float(a)) * double(float(b)), addend = double(float(c));
  const long double sum = static_cast<long double>(product) + static_cast<long double>(addend);
  return of_bits(rounded(static_cast<double>(sum)));
}

TEST(bfloat16, fma_rounds_once) {
  // Products that end in a tie of the result, and addends that are far below it or cancel most of it.
  struct operands {
    bfloat16 a, b, c;
    std::uint16_t expected;
  };
  const std::vector<operands> cases = {
      {0x1.02p0f, 0x1.80p0f, 0x1p-40f, 0x3fc2},          // 1.83p0 and a bit: above the tie
      {0x1.02p0f, 0x1.80p0f, -0x1p-40f, 0x3fc1},         // a bit below it
      {0x1.02p0f, 0x1.80p0f, 0.0f, 0x3fc2},              // the tie itself
      {0x1p100f, 0x1p28f, -0x1p127f, bits_of(0x1p127f)}, // the product alone is too large
      {0x1p-100f, 0x1p-34f, 0x1p-133f, 2},               // a tie of subnormal numbers
      {0x1p-100f, 0x1p-36f, 0x1p-133f, 1},
      {0x1.fep127f, 1.0f, 0x1p119f, bits_of(limits::infinity())},
      {2.0f, 3.0f, -6.0f, 0},
  };
  sycl::queue queue;
  const shared<operands> in(queue, cases.size());
  const shared<bfloat16> out(queue, cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    in[i] = cases[i];
  queue
      .parallel_for(cases.size(), [out = out.get(), in = in.get()](
                                      sycl::id<1> i) { out[i] = oneapi::fma(in[i].a, in[i].b, in[i].c); })
      .wait();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(bits_of(out[i]), cases[i].expected) << "case " << i;
    EXPECT_EQ(bits_of(oneapi::fma(cases[i].a, cases[i].b, cases[i].c)), cases[i].expected) << "case " << i;
  }
  for (std::uint32_t i = 0; i < 4096; ++i) {
    const bfloat16 a = of_bits(0x3f80 | (i * 37 & 0x7f)), b = of_bits(0x4000 | (i * 101 & 0x7f)),
                   c = of_bits(0xb900 + (i * 53 & 0x7ff));
    EXPECT_EQ(bits_of(oneapi::fma(a, b, c)), bits_of(exact_fma(a, b, c)));
  }
}

TEST(bfloat16, math_functions_are_those_of_float_rounded) {
  sycl::queue queue;
  const shared<bfloat16> out(queue, 20);
  queue
      .single_task([out = out.get()] {
        const bfloat16 x = 2.25f;
        out[0] = oneapi::fabs(-x);
        out[1] = oneapi::ceil(x);
        out[2] = oneapi::floor(x);
        out[3] = oneapi::rint(bfloat16(2.5f));
        out[4] = oneapi::trunc(-x);
        out[5] = oneapi::sqrt(x);
        out[6] = oneapi::rsqrt(bfloat16(4));
        out[7] = oneapi::exp2(bfloat16(3));
        out[8] = oneapi::log2(bfloat16(8));
        out[9] = oneapi::log10(bfloat16(100));
        out[10] = oneapi::exp10(bfloat16(2));
        out[11] = oneapi::experimental::exp(x);
        out[12] = oneapi::experimental::log(x);
        out[13] = oneapi::experimental::sin(x);
        out[14] = oneapi::experimental::cos(x);
        out[15] = oneapi::fmax(x, limits::quiet_NaN());
        out[16] = oneapi::fmin(x, bfloat16(1));
        const auto roots = oneapi::sqrt(sycl::marray<bfloat16, 2>(4, 9));
        out[17] = roots[0] + roots[1];
        out[18] = oneapi::isnan(sycl::marray<bfloat16, 2>(x, limits::quiet_NaN()))[1] ? 1 : 0;
        out[19] = oneapi::fma(roots, roots, roots)[1];
      })
      .wait();
  const float exact[] = {2.25f, 3, 2, 2, -2, 1.5f, 0.5f, 8, 3, 2, 100};
  for (std::size_t i = 0; i < std::size(exact); ++i)
    EXPECT_EQ(out[i], exact[i]) << "function " << i;
  const float near[] = {std::exp(2.25f), std::log(2.25f), std::sin(2.25f), std::cos(2.25f)};
  for (std::size_t i = 0; i < std::size(near); ++i)
    EXPECT_NEAR(out[11 + i], near[i], std::fabs(near[i]) * 0x1p-8f) << "function " << i;
  EXPECT_EQ(out[15], 2.25f);
  EXPECT_EQ(out[16], 1);
  EXPECT_EQ(out[17], 5);
  EXPECT_EQ(out[18], 1);
  EXPECT_EQ(out[19], 12);
}

TEST(bfloat16, is_reduced_and_shuffled) {
  sycl::queue queue;
  const shared<bfloat16> sum(queue, 1), extremes(queue, 3);
  queue
      .parallel_for(64, sycl::reduction(sum.get(), sycl::plus<bfloat16>()),
                    [](sycl::id<1>, auto& reducer) { reducer += bfloat16(2); })
      .wait();
  EXPECT_EQ(sum[0], 128);
  queue
      .parallel_for(sycl::nd_range<1>(64, 64),
                    [out = extremes.get()](sycl::nd_item<1> item) {
                      const bfloat16 mine = static_cast<float>(item.get_local_linear_id());
                      const bfloat16 most =
                          sycl::reduce_over_group(item.get_group(), mine, sycl::maximum<>());
                      const bfloat16 least =
                          sycl::reduce_over_group(item.get_sub_group(), mine, sycl::minimum<>());
                      const bfloat16 other = sycl::group_broadcast(item.get_group(), mine, 5);
                      if (item.get_local_linear_id() == 0) {
                        out[0] = most;
                        out[1] = least;
                        out[2] = other;
                      }
                    })
      .wait();
  EXPECT_EQ(extremes[0], 63);
  EXPECT_EQ(extremes[1], 0);
  EXPECT_EQ(extremes[2], 5);
}

TEST(bfloat16_math, has_the_names_of_sycl) {
  const bfloat16 four = 4.0f, one = 1.0f;
  EXPECT_EQ(sycl::sqrt(four), bfloat16(2.0f));
  EXPECT_EQ(sycl::fma(four, four, one), bfloat16(17.0f));
  EXPECT_EQ(sycl::exp(bfloat16(0.0f)), one);
  EXPECT_FALSE(sycl::isnan(four));
  EXPECT_EQ(sycl::fmax(four, one), four);
}

} // namespace
