// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../quotients.hpp"
#include "elementary_functions.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

// SYCL 2020 §4.17.4 to §4.17.10: math functions, against long double references.

namespace {

using sycl::half;
using sycl::marray;
using sycl::vec;

const float infinity = std::numeric_limits<float>::infinity();
const float not_a_number = std::numeric_limits<float>::quiet_NaN();

/// Compares a function of one argument with its reference over a range, for float, double and half.
template <class F, class Reference>
void compare(const char* name, F function, Reference reference, long double from, long double to,
             double limit) {
  const auto check = [&](auto type) {
    using T = decltype(type);
    long double worst = 0;
    T where{};
    for (T x : samples<T>(from, to)) {
      const long double error = ulps<T>(function(x), reference(static_cast<long double>(x)));
      if (error > worst) {
        worst = error;
        where = x;
      }
    }
    const double allowed = std::is_same_v<T, half> ? 1.0 : limit;
    EXPECT_LE(worst, allowed) << name << " of " << static_cast<double>(where);
  };
  check(float());
  check(double());
  check(half());
}
#define COMPARE(function, reference, from, to, limit)                                                        \
  compare(                                                                                                   \
      #function, [](auto x) { return sycl::function(x); },                                                   \
      [](long double x) -> long double { return reference; }, from, to, limit);

TEST(math, elementary_functions_are_as_exact_as_opencl_asks){ELEMENTARY_FUNCTIONS(COMPARE)}

TEST(math, functions_of_half_turns_are_exact_where_they_vanish) {
  const auto turn = [](long double x) { return std::remainder(x, 2.0L) * pi; };
  compare(
      "sinpi", [](auto x) { return sycl::sinpi(x); },
      [&](long double x) { return std::remainder(x, 1.0L) == 0 ? 0 : std::sin(turn(x)); }, -9.9L, 9.8L, 4);
  compare(
      "cospi", [](auto x) { return sycl::cospi(x); },
      [&](long double x) { return std::fabs(std::remainder(x, 1.0L)) == 0.5L ? 0 : std::cos(turn(x)); },
      -9.9L, 9.8L, 4);
  compare(
      "tanpi", [](auto x) { return sycl::tanpi(x); },
      [&](long double x) {
        const long double part = std::remainder(x, 1.0L);
        return part == 0                 ? 0
               : std::fabs(part) == 0.5L ? INFINITY * (std::remainder(x, 2.0L) * (1))
                                         : std::tan(part * pi);
      },
      -1.3L, 1.4L, 6);
  EXPECT_EQ(sycl::sinpi(1e30f), 0.0f);
  EXPECT_TRUE(std::signbit(sycl::sinpi(-3.0f)));
  EXPECT_FALSE(std::signbit(sycl::cospi(2.5f)));
  EXPECT_EQ(sycl::tanpi(1.5f), -infinity);
  EXPECT_TRUE(std::isnan(sycl::sinpi(infinity)) && std::isnan(sycl::cospi(infinity)));
  EXPECT_EQ(sycl::acospi(-1.0f), 1.0f);
  EXPECT_EQ(sycl::atan2pi(0.0, -1.0), 1.0);
}

TEST(math, powers_and_roots_keep_their_special_values) {
  for (float x : {1e-38f, 1e-20f, 0.3f, 7.0f, 1e20f, 3e38f})
    for (int n : {-7, -2, -1, 1, 2, 3, 5, 1000}) {
      EXPECT_LE(ulps(sycl::rootn(x, n), std::pow(static_cast<long double>(x), 1.0L / n)), 4) << x << " " << n;
      if (n < 10) {
        EXPECT_LE(ulps(sycl::pown(x, n), std::pow(static_cast<long double>(x), n)), 16) << x << " " << n;
      }
    }
  EXPECT_LE(ulps(sycl::pown(1.000001f, 20000003), std::pow(static_cast<long double>(1.000001f), 20000003)),
            16);
  EXPECT_EQ(sycl::pown(-1.0f, 16777217), -1.0f);
  EXPECT_EQ(sycl::rootn(-8.0, 3), -2.0);
  EXPECT_TRUE(std::isnan(sycl::rootn(-8.0, 2)) && std::isnan(sycl::rootn(1.0f, 0)));
  EXPECT_EQ(sycl::rootn(-0.0f, -3), -infinity);
  EXPECT_TRUE(std::isnan(sycl::powr(-1.0f, 2.0f)) && std::isnan(sycl::powr(0.0f, 0.0f)));
  EXPECT_EQ(sycl::powr(0.0f, -1.0f), infinity);
  EXPECT_EQ(sycl::pow(2.0f, 10.0f), 1024.0f);
  EXPECT_EQ(sycl::pow(half(2), half(3)), half(8));
}

TEST(math, numbers_are_taken_apart) {
  int exponent = 0;
  for (float x : {1.0f, -0.3f, 1e-45f, 3e38f, 0.0f, 1e-40f}) {
    int expected = 0;
    EXPECT_EQ(std::frexp(x, &expected), sycl::frexp(x, &exponent));
    EXPECT_EQ(expected, exponent);
  }
  double whole = 0;
  EXPECT_EQ(sycl::modf(-2.75, &whole), -0.75);
  EXPECT_EQ(whole, -2.0);
  float low = 0;
  EXPECT_EQ(sycl::fract(-1e-10f, &low), std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(low, -1.0f);
  EXPECT_EQ(sycl::ilogb(0x1p-140f), -140);
  EXPECT_EQ(sycl::ilogb(half(10)), 3);
  EXPECT_EQ(sycl::ldexp(half(3), -2), half(0.75f));
  for (double x : {7.5, -7.5, 1e10, 1000.25, 0.0})
    for (double y : {2.0, -3.0, 0.7}) {
      int quotient = 0;
      EXPECT_EQ(sycl::remquo(x, y, &quotient), std::remainder(x, y));
      const long double nearest = std::nearbyint(static_cast<long double>(x) / static_cast<long double>(y));
      EXPECT_EQ(quotient, static_cast<int>(std::fmod(nearest, 128.0L))) << x << " " << y;
    }
  int sign = 0;
  EXPECT_NEAR(sycl::lgamma_r(-0.5, &sign), std::lgamma(-0.5), 1e-12);
  EXPECT_EQ(sign, -1);
  float cosine = 0;
  EXPECT_EQ(sycl::sincos(0.5f, &cosine), sycl::sin(0.5f));
  EXPECT_EQ(cosine, sycl::cos(0.5f));
  EXPECT_TRUE(std::isnan(sycl::nan(std::uint32_t(5))) && std::isnan(sycl::nan(std::uint64_t(5))) &&
              std::isnan(sycl::nan(std::uint16_t(5))));
  EXPECT_EQ(sycl::nextafter(half(0), half(-1)), half(-0x1p-24f));
  EXPECT_EQ(sycl::nextafter(1.0f, 2.0f), std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(sycl::nextafter(-1.0, 2.0), std::nextafter(-1.0, 2.0));
}

TEST(math, fma_of_half_rounds_once) {
  // The product is halfway between two halves but for an addend far below: in float that would be lost.
  const half a(0x1.004p0f), b(0x1.ffcp4f), c(0x1p-24f);
  const double exact = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c);
  EXPECT_EQ(sycl::fma(a, b, c), half(exact));
  std::uint32_t state = 1;
  for (int i = 0; i < 20000; ++i) {
    half values[3];
    for (half& value : values) {
      state = state * 1664525u + 1013904223u;
      value = static_cast<float>(static_cast<int>(state >> 16) - 32768) * 0x1p-12f;
    }
    const double sum =
        static_cast<double>(values[0]) * static_cast<double>(values[1]) + static_cast<double>(values[2]);
    ASSERT_EQ(sycl::fma(values[0], values[1], values[2]), half(sum));
  }
}

/// fmod and remainder of numbers of all sizes, with quotients next to integers and halves, on the device.
template <class T>
void expect_exact_remainders() {
  sycl::queue queue;
  if (std::is_same_v<T, double> && !queue.get_device().has(sycl::aspect::fp64))
    return;
  using limits = std::numeric_limits<T>;
  std::vector<T> special(std::begin(SPECIAL_NUMBERS<T>), std::end(SPECIAL_NUMBERS<T>));
  special.insert(special.end(), {std::nextafter(T(1), T(0)), T(3) * limits::denorm_min()});
  std::vector<T> x, y;
  for (const T a : special)
    for (const T b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 200'000; ++i) {
    const T a = sycl::bit_cast<T>(static_cast<bits_of<T>>(random())),
            b = sycl::bit_cast<T>(static_cast<bits_of<T>>(random()));
    x.push_back(a);
    y.push_back(b);
    // Up to 2^26 and 2^55 of b, and as near to a multiple as numbers are.
    const int more = static_cast<int>(random() % (limits::digits + 3));
    const T near = b * std::floor(std::ldexp(T(1) + T(random() % 1000) / 1000, more));
    for (const T of :
         {near, std::nextafter(near, T(0)), std::nextafter(near, limits::infinity()), b * T(i)}) {
      x.push_back(of);
      y.push_back(i % 2 != 0 ? b : -b);
    }
  }
  std::vector<sycl::vec<T, 2>> results(x.size());
  {
    sycl::buffer<T> of(x.data(), x.size()), by(y.data(), y.size());
    sycl::buffer<sycl::vec<T, 2>> to(results.data(), results.size());
    queue.submit([&](sycl::handler& group) {
      const sycl::accessor a(of, group, sycl::read_only);
      const sycl::accessor b(by, group, sycl::read_only);
      const sycl::accessor c(to, group, sycl::write_only, sycl::no_init);
      group.parallel_for(sycl::range<1>(x.size()), [=](sycl::id<1> i) {
        c[i] = {sycl::fmod(a[i], b[i]), sycl::remainder(a[i], b[i])};
      });
    });
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_PRED2(are_same<T>, results[i][0], std::fmod(x[i], y[i])) << x[i] << ", " << y[i];
    ASSERT_PRED2(are_same<T>, results[i][1], std::remainder(x[i], y[i])) << x[i] << ", " << y[i];
  }
}

TEST(math, remainders_are_exact) {
  expect_exact_remainders<float>();
  expect_exact_remainders<double>();
}

TEST(math, binary_functions_handle_order_and_nan) {
  EXPECT_EQ(sycl::fmax(1.0f, not_a_number), 1.0f);
  EXPECT_EQ(sycl::fmin(half(3), half(2)), half(2));
  EXPECT_EQ(sycl::fdim(infinity, infinity), 0.0f);
  EXPECT_EQ(sycl::fdim(5.0, 3.0), 2.0);
  EXPECT_TRUE(std::isnan(sycl::fdim(not_a_number, 1.0f)));
  EXPECT_EQ(sycl::maxmag(-3.0f, 2.0f), -3.0f);
  EXPECT_EQ(sycl::minmag(-2.0f, 2.0f), -2.0f);
  EXPECT_EQ(sycl::fmod(7.5, -2.0), 1.5);
  EXPECT_EQ(sycl::hypot(3.0f, 4.0f), 5.0f);
  EXPECT_EQ(sycl::copysign(1.0, -0.0), -1.0);
  EXPECT_EQ(sycl::mad(2.0f, 3.0f, 4.0f), 10.0f);
  EXPECT_EQ(sycl::native::recip(4.0f), 0.25f);
  EXPECT_EQ(sycl::half_precision::divide(1.0f, 4.0f), 0.25f);
}

TEST(math, lifts_over_vectors_swizzles_and_arrays) {
  const vec<float, 4> v(1, 4, 9, 16);
  const vec<float, 4> roots = sycl::sqrt(v);
  EXPECT_TRUE(sycl::all(roots == vec<float, 4>(1, 2, 3, 4)));
  const vec<float, 2> two = sycl::sqrt(v.swizzle<3, 2>());
  EXPECT_TRUE(sycl::all(two == vec<float, 2>(4, 3)));
  static_assert(std::is_same_v<decltype(sycl::fmax(v.lo(), v.hi())), vec<float, 2>>);
  EXPECT_TRUE(sycl::all(sycl::fmax(v, 5) == vec<float, 4>(5, 5, 9, 16)));
  EXPECT_TRUE(sycl::all(sycl::ldexp(v, 1) == v * 2));
  EXPECT_TRUE(sycl::all(sycl::pown(v, vec<int, 4>(2)) == v * v));
  const marray<double, 3> m(1, 8, 27);
  EXPECT_TRUE(sycl::all(sycl::fabs(sycl::cbrt(m) - marray<double, 3>(1, 2, 3)) < 1e-12));
  EXPECT_TRUE(sycl::all(sycl::pow(m, marray<double, 3>(2)) == m * m));
  vec<float, 4> floors;
  const vec<float, 4> parts = sycl::fract(v / 2, &floors);
  EXPECT_TRUE(sycl::all(parts + floors == v / 2));
  vec<int, 4> exponents;
  EXPECT_TRUE(sycl::all(sycl::ldexp(sycl::frexp(v, &exponents), exponents) == v));
  static_assert(std::is_same_v<decltype(sycl::ilogb(marray<half, 2>())), marray<int, 2>>);
  static_assert(std::is_same_v<decltype(sycl::nan(vec<std::uint16_t, 2>())), vec<half, 2>>);
  static_assert(std::is_same_v<decltype(sycl::native::sin(v.lo())), vec<float, 2>>);
}

TEST(math, integer_functions_saturate_and_widen) {
  constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
  EXPECT_EQ(sycl::abs(-5), 5);
  EXPECT_EQ(sycl::abs_diff(std::int8_t(-100), std::int8_t(20)), 120);
  EXPECT_EQ(sycl::abs_diff(3u, 5u), 2u);
  EXPECT_EQ(sycl::add_sat(highest, 1), highest);
  EXPECT_EQ(sycl::add_sat(lowest, -1), lowest);
  EXPECT_EQ(sycl::add_sat(std::uint8_t(250), std::uint8_t(10)), 255);
  EXPECT_EQ(sycl::sub_sat(3u, 5u), 0u);
  EXPECT_EQ(sycl::sub_sat(highest, -1), highest);
  EXPECT_EQ(sycl::sub_sat(lowest, 1), lowest);
  EXPECT_EQ(sycl::hadd(highest, highest - 2), highest - 1);
  EXPECT_EQ(sycl::hadd(-3, 0), -2);
  EXPECT_EQ(sycl::rhadd(-3, 0), -1);
  EXPECT_EQ(sycl::clz(std::uint8_t(1)), 7);
  EXPECT_EQ(sycl::clz(0), 32);
  EXPECT_EQ(sycl::ctz(std::int64_t(0)), 64);
  EXPECT_EQ(sycl::ctz(short(8)), 3);
  EXPECT_EQ(sycl::popcount(std::int8_t(-1)), 8);
  EXPECT_EQ(sycl::mul_hi(~std::uint64_t(0), ~std::uint64_t(0)), ~std::uint64_t(1));
  EXPECT_EQ(sycl::mul_hi(std::int64_t(-1), std::int64_t(1)), -1);
  EXPECT_EQ(sycl::mul_hi(std::int8_t(100), std::int8_t(100)), 39);
  EXPECT_EQ(sycl::mad_hi(1u << 31, 4u, 3u), 5u);
  EXPECT_EQ(sycl::mad_sat(highest, 2, 0), highest);
  EXPECT_EQ(sycl::mad_sat(lowest, 2, 0), lowest);
  EXPECT_EQ(sycl::mad_sat(std::int64_t(3), std::int64_t(4), std::int64_t(5)), 17);
  EXPECT_EQ(sycl::rotate(std::uint8_t(0x81), std::uint8_t(9)), 3);
  EXPECT_EQ(sycl::rotate(1, -1), lowest);
  EXPECT_EQ(sycl::mul24(-3, 5), -15);
  EXPECT_EQ(sycl::mad24(3u, 5u, 1u), 16u);
  EXPECT_EQ(sycl::upsample(std::int8_t(-1), std::uint8_t(2)), -254);
  EXPECT_EQ(sycl::upsample(std::uint32_t(1), std::uint32_t(2)), (std::uint64_t(1) << 32) + 2);
  static_assert(std::is_same_v<decltype(sycl::upsample(vec<std::int16_t, 2>(), vec<std::uint16_t, 2>())),
                               vec<std::int32_t, 2>>);
  EXPECT_TRUE(sycl::all(sycl::popcount(vec<int, 2>(3, 7)) == vec<int, 2>(2, 3)));
}

TEST(math, min_max_and_clamp_take_equal_types_or_one_scalar) {
  EXPECT_EQ(sycl::min(3, -4), -4);
  EXPECT_EQ(sycl::max(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(sycl::max(half(1), half(2)), half(2));
  EXPECT_EQ(sycl::clamp(5, 0, 3), 3);
  EXPECT_EQ(sycl::clamp(-1.5, -1.0, 1.0), -1.0);
  const vec<int, 4> v(1, 5, 9, -3);
  EXPECT_TRUE(sycl::all(sycl::min(v, 4) == vec<int, 4>(1, 4, 4, -3)));
  EXPECT_TRUE(sycl::all(sycl::max(v.hi(), v.lo()) == vec<int, 2>(9, 5)));
  EXPECT_TRUE(sycl::all(sycl::clamp(v, 0, 6) == vec<int, 4>(1, 5, 6, 0)));
  EXPECT_TRUE(sycl::all(sycl::max(marray<float, 2>(1, 2), 1.5f) == marray<float, 2>(1.5f, 2)));
}

TEST(math, interpolation) {
  EXPECT_FLOAT_EQ(sycl::degrees(static_cast<float>(pi)), 180.0f);
  EXPECT_DOUBLE_EQ(sycl::radians(180.0), static_cast<double>(pi));
  EXPECT_EQ(sycl::mix(1.0f, 3.0f, 0.5f), 2.0f);
  EXPECT_EQ(sycl::step(1.0, 0.5), 0.0);
  EXPECT_EQ(sycl::smoothstep(0.0f, 2.0f, 1.0f), 0.5f);
  EXPECT_EQ(sycl::sign(half(-2)), half(-1));
  EXPECT_TRUE(std::signbit(sycl::sign(-0.0f)));
  EXPECT_EQ(sycl::sign(not_a_number), 0.0f);
  const vec<float, 2> a(0, 2), b(2, 4);
  EXPECT_TRUE(sycl::all(sycl::mix(a, b, 0.5f) == vec<float, 2>(1, 3)));
  EXPECT_TRUE(sycl::all(sycl::step(1, a) == vec<float, 2>(0, 1)));
  EXPECT_TRUE(sycl::all(sycl::smoothstep(-1, 1, a) == vec<float, 2>(0.5f, 1)));
}

// §4.17.8 gives both as expressions of the element's type, so each operation on halves is rounded.
TEST(math, interpolation_of_halves_is_in_halves) {
  const half low(0.3991507449f), high(0.7130365772f), x(0.4567896435f);
  const half part = sycl::smoothstep(low, high, x);
  EXPECT_EQ(sycl::bit_cast<std::uint16_t>(part), 0x2db0); // 0x2daf were it rounded once, at the end
  EXPECT_TRUE(sycl::all(sycl::smoothstep(low, high, vec<half, 2>(x)) == vec<half, 2>(part)));
  for (int step = 0; step < 1000; ++step) {
    const half a = half(0.001f * step);
    const half t = sycl::clamp((a - low) / (high - low), half(0), half(1));
    EXPECT_EQ(sycl::smoothstep(low, high, a), t * t * (3 - 2 * t)) << step;
    EXPECT_EQ(sycl::mix(low, high, a), low + (high - low) * a) << step;
  }
}

TEST(math, geometry) {
  const vec<float, 3> x(1, 0, 0), y(0, 1, 0), v(2, 3, 6);
  EXPECT_TRUE(sycl::all(sycl::cross(x, y) == vec<float, 3>(0, 0, 1)));
  const vec<double, 4> four = sycl::cross(vec<double, 4>(0, 1, 0, 5), vec<double, 4>(0, 0, 1, 5));
  EXPECT_TRUE(sycl::all(four == vec<double, 4>(1, 0, 0, 0)));
  EXPECT_EQ(sycl::dot(v, x + y), 5.0f);
  EXPECT_EQ(sycl::dot(2.0, 3.0), 6.0);
  EXPECT_EQ(sycl::length(v), 7.0f);
  EXPECT_EQ(sycl::length(-2.0f), 2.0f);
  EXPECT_EQ(sycl::distance(marray<double, 2>(1, 1), marray<double, 2>(4, 5)), 5.0);
  EXPECT_EQ(sycl::dot(vec<half, 2>(3, 4), vec<half, 2>(3, 4)), half(25));
  EXPECT_TRUE(sycl::all(sycl::normalize(x * 5) == x));
  EXPECT_TRUE(sycl::all(sycl::normalize(x * 0) == x * 0));
  EXPECT_FLOAT_EQ(sycl::fast_length(v), 7.0f);
  EXPECT_FLOAT_EQ(sycl::fast_normalize(v)[2], 6.0f / 7.0f);
  EXPECT_FLOAT_EQ(sycl::fast_distance(v.swizzle<0, 1>(), v.swizzle<0, 2>()), 3.0f);
}

TEST(math, relations) {
  EXPECT_TRUE(sycl::isequal(1.0f, 1.0f) && sycl::isless(half(1), half(2)));
  EXPECT_TRUE(sycl::isnotequal(not_a_number, not_a_number) && !sycl::islessgreater(not_a_number, 1.0f));
  EXPECT_TRUE(sycl::isunordered(1.0f, not_a_number) && sycl::isordered(1.0, 2.0));
  EXPECT_TRUE(sycl::isinf(half(1e6f)) && sycl::isfinite(1.0) && sycl::isnan(not_a_number));
  EXPECT_TRUE(sycl::isnormal(0x1p-15f) && !sycl::isnormal(half(0x1p-15f)) && sycl::signbit(-0.0));
  const vec<double, 2> v(1, -2);
  static_assert(std::is_same_v<decltype(sycl::isgreater(v, v)), vec<std::int64_t, 2>>);
  static_assert(std::is_same_v<decltype(sycl::isnan(marray<half, 3>())), marray<bool, 3>>);
  EXPECT_EQ(sycl::signbit(v)[1], -1);
  static_assert(std::is_same_v<decltype(sycl::any(v < 0)), int>);
  EXPECT_EQ(sycl::any(v < 0), 1);
  EXPECT_EQ(sycl::all(v < 0), 0);
  EXPECT_TRUE(sycl::any(-1) && !sycl::all(1));
  EXPECT_EQ(sycl::bitselect(std::uint8_t(0xf0), std::uint8_t(0x0f), std::uint8_t(0x3c)), 0xcc);
  EXPECT_EQ(sycl::bitselect(1.5f, -2.0f, -0.0f), -1.5f);
  EXPECT_EQ(sycl::select(1, 2, true), 2);
  EXPECT_TRUE(sycl::all(sycl::select(v, v * 10, v < 0) == vec<double, 2>(1, -20)));
  EXPECT_TRUE(sycl::all(sycl::select(marray<int, 2>(1, 2), marray<int, 2>(3, 4),
                                     marray<bool, 2>(true, false)) == marray<int, 2>(3, 2)));
}

TEST(math, computes_in_a_kernel) {
  sycl::queue queue;
  auto* data = sycl::malloc_shared<vec<float, 4>>(2, queue);
  data[0] = vec<float, 4>(0.5f, 1, 2, 4);
  queue.single_task([=] {
    vec<float, 4> cosines;
    const vec<float, 4> sines = sycl::sincos(data[0], &cosines);
    data[1] = sycl::fma(sines, sines, cosines * cosines) + sycl::rsqrt(data[0] * data[0]);
  });
  queue.wait();
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(data[1][i], 1 + 1 / data[0][i], 1e-6);
  sycl::free(data, queue);
}

/// What programs that show SYCL's functions beside the C library's call without a qualifier: those are
/// called that both have, and others are SYCL's.
namespace beside_the_c_library {

using namespace sycl;

template <class T>
T of_each_function(T x, T y, int* exponent, T* part) {
  T sum = acos(x) + acosh(y) + asin(x) + asinh(x) + atan(x) + atanh(x) + cbrt(x) + ceil(x) + cos(x) +
          cosh(x) + erf(x) + erfc(x) + exp(x) + exp2(x) + expm1(x) + fabs(x) + floor(x) + lgamma(x) + log(x) +
          log2(x) + log10(x) + log1p(x) + logb(x) + rint(x) + round(x) + sin(x) + sinh(x) + sqrt(x) + tan(x) +
          tanh(x) + tgamma(x) + trunc(x) + ilogb(x);
  sum += atan2(x, y) + copysign(x, y) + fdim(x, y) + fmax(x, y) + fmin(x, y) + fmod(x, y) + hypot(x, y) +
         nextafter(x, y) + pow(x, y) + remainder(x, y) + fma(x, y, x) + ldexp(x, 2) + frexp(x, exponent) +
         modf(x, part) + remquo(x, y, exponent);
  return sum + isnan(x) + isinf(x) + isfinite(x) + isnormal(x) + signbit(x) + isgreater(x, y) + isless(x, y) +
         isunordered(x, y) + islessgreater(x, y) + islessequal(x, y) + isgreaterequal(x, y);
}

/// Has no function of its own.
struct quarter {
  operator float() const { return 0.25f; }
};

TEST(math, stands_beside_the_c_library) {
  int exponent = 0;
  double rest = 0;
  float small_rest = 0;
  half half_rest = 0;
  const double expected = of_each_function(0.75, 2.0, &exponent, &rest);
  EXPECT_NEAR(of_each_function(0.75f, 2.0f, &exponent, &small_rest), expected, 1e-4);
  EXPECT_NEAR(static_cast<float>(of_each_function(half(0.75f), half(2.0f), &exponent, &half_rest)), expected,
              0.5);
  // Arguments are converted as by any function, and the functions of scalars have addresses.
  static_assert(std::is_same_v<decltype(sycl::pow(1.0f, 2)), float>);
  EXPECT_EQ(sycl::sqrt(quarter()), 0.5f);
  double (*const root)(double) = sycl::sqrt;
  EXPECT_EQ(root(4), 2);
  EXPECT_EQ(sqrt(vec<float, 2>(4, 9))[1], 3);
}

} // namespace beside_the_c_library

} // namespace
