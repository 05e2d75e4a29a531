// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// std::complex in kernels: how exact its functions are, over all magnitudes and near the unit circle, and the
// special cases of Annex G of the C standard.
#include "../shared_memory.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

/// Units in the last place of a part. The functions of real numbers that parts are made of may be 5 off, and
/// are 2 at most on CPUs.
constexpr double LIMIT = 20;

// The products of signs that the inverse functions of std::complex<long double> come by on the host lose
// nothing.
// clang-format off
#define COMPLEX_FUNCTIONS(FUNCTION)                                                                          \
  FUNCTION(exp) FUNCTION(log) FUNCTION(sqrt) FUNCTION(sin) FUNCTION(cos) FUNCTION(tan) FUNCTION(sinh)        \
  FUNCTION(cosh) FUNCTION(tanh) FUNCTION(asin) FUNCTION(acos) FUNCTION(atan) FUNCTION(asinh) FUNCTION(acosh) \
  FUNCTION(atanh) FUNCTION(proj)
// clang-format on

#define FUNCTION(name)                                                                                       \
  struct name##_function {                                                                                   \
    static constexpr const char* NAME = #name;                                                               \
    template <class T>                                                                                       \
    static std::complex<T> of(const std::complex<T>& z) {                                                    \
      return std::name(z);                                                                                   \
    }                                                                                                        \
  };
COMPLEX_FUNCTIONS(FUNCTION)
#undef FUNCTION

template <class T>
double distance_in_ulps(T got, long double exact) {
  const T expected = static_cast<T>(exact);
  if (std::isnan(expected) || std::isnan(got))
    return std::isnan(expected) == std::isnan(got) ? 0 : HUGE_VAL;
  if (got == expected)
    return 0;
  if (std::isinf(expected) || std::isinf(got))
    return HUGE_VAL;
  const int exponent = std::max(std::ilogb(exact == 0 ? std::numeric_limits<T>::min() : exact),
                                std::numeric_limits<T>::min_exponent - 1);
  return static_cast<double>(std::fabs(static_cast<long double>(got) - exact) /
                             std::ldexp(1.0L, exponent + 1 - std::numeric_limits<T>::digits));
}

/// Evenly from -1 to 1.
double next_random(std::uint64_t& state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(static_cast<std::int64_t>(state) >> 11) * 0x1p-52;
}

/// Near the origin, near and on the unit circle, and of magnitudes whose squares are not in range.
template <class T>
std::vector<std::complex<T>> samples() {
  std::vector<std::complex<T>> values;
  std::uint64_t state = 12;
  const double widest = std::is_same_v<T, float> ? 120 : 1000;
  const auto spread = [&](double most) {
    const double exponent = most * next_random(state);
    return static_cast<T>(std::copysign(std::exp2(exponent), next_random(state)));
  };
  for (int i = 0; i < 500; ++i) {
    values.emplace_back(static_cast<T>(4 * next_random(state)), static_cast<T>(4 * next_random(state)));
    values.emplace_back(spread(12), spread(12));
    values.emplace_back(spread(widest), spread(widest));
    values.emplace_back(spread(widest), static_cast<T>(4 * next_random(state)));
    const double angle = 3.2 * next_random(state), radius = 1 + 1e-6 * next_random(state);
    values.emplace_back(static_cast<T>(radius * std::cos(angle)), static_cast<T>(radius * std::sin(angle)));
    values.emplace_back(static_cast<T>(90 * next_random(state)), static_cast<T>(4 * next_random(state)));
  }
  return values;
}

template <class T>
std::vector<std::complex<T>> special_values() {
  constexpr T infinite = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T parts[] = {0, -T(0), 1, -1, T(2.5), T(-0.25), infinite, -infinite, nan};
  std::vector<std::complex<T>> values;
  for (const T real : parts)
    for (const T imaginary : parts)
      values.emplace_back(real, imaginary);
  return values;
}

template <class T>
class complex_numbers : public testing::Test {
protected:
  void SetUp() override {
    if (!queue.get_device().has(sycl::aspect::fp64))
      GTEST_SKIP() << "the device does not compute with double";
  }

  template <class Function>
  std::vector<std::complex<T>> on_device(const std::vector<std::complex<T>>& values) {
    const shared<std::complex<T>> in(queue, values.size()), out(queue, values.size());
    std::copy(values.begin(), values.end(), in.get());
    queue
        .parallel_for(values.size(),
                      [from = in.get(), to = out.get()](sycl::id<1> i) { to[i] = Function::of(from[i]); })
        .wait();
    return {out.get(), out.get() + values.size()};
  }

  template <class Function>
  void expect_exact() {
    const std::vector<std::complex<T>> values = samples<T>();
    const std::vector<std::complex<T>> results = on_device<Function>(values);
    double worst = 0;
    std::complex<T> where;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::complex<long double> exact = Function::of(std::complex<long double>(values[i]));
      const double error = std::max(distance_in_ulps(results[i].real(), exact.real()),
                                    distance_in_ulps(results[i].imag(), exact.imag()));
      if (error > worst) {
        worst = error;
        where = values[i];
      }
    }
    EXPECT_LE(worst, LIMIT) << Function::NAME << " of " << where;
  }

  template <class Function>
  void expect_special_cases() {
    const std::vector<std::complex<T>> values = special_values<T>();
    const std::vector<std::complex<T>> results = on_device<Function>(values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::complex<T> z = values[i], expected = Function::of(z);
      std::complex<T> got = results[i];
      // Beside what is no number, the standard leaves the sign of an infinity open.
      if (std::isnan(expected.real()) && std::isinf(got.imag()))
        got.imag(std::copysign(got.imag(), expected.imag()));
      if (std::isnan(expected.imag()) && std::isinf(got.real()))
        got.real(std::copysign(got.real(), expected.real()));
      EXPECT_LE(std::max(distance_in_ulps(got.real(), expected.real()),
                         distance_in_ulps(got.imag(), expected.imag())),
                LIMIT)
          << Function::NAME << " of " << z << " is " << got << ", should be " << expected;
      // Elsewhere the standard leaves the sign of some zeros open.
      if (std::isfinite(z.real()) && std::isfinite(z.imag())) {
        EXPECT_EQ(std::signbit(got.real()), std::signbit(expected.real())) << Function::NAME << " of " << z;
        EXPECT_EQ(std::signbit(got.imag()), std::signbit(expected.imag())) << Function::NAME << " of " << z;
      }
    }
  }

  sycl::queue queue;
};
struct type_names {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, float> ? "float" : "double";
  }
};
using floating_point_types = testing::Types<float, double>;
TYPED_TEST_SUITE(complex_numbers, floating_point_types, type_names);

TYPED_TEST(complex_numbers, functions_are_exact_to_a_few_units_of_each_part) {
#define CHECK(name) this->template expect_exact<name##_function>();
  COMPLEX_FUNCTIONS(CHECK)
#undef CHECK
}

TYPED_TEST(complex_numbers, functions_have_the_special_cases_of_the_c_standard) {
#define CHECK(name) this->template expect_special_cases<name##_function>();
  COMPLEX_FUNCTIONS(CHECK)
#undef CHECK
}

TYPED_TEST(complex_numbers, products_and_quotients_are_infinite_where_a_factor_is) {
  using T = TypeParam;
  using number = std::complex<T>;
  const std::vector<number> values = special_values<T>();
  const std::size_t count = values.size();
  const shared<number> in(this->queue, count), products(this->queue, count * count),
      quotients(this->queue, count * count);
  std::copy(values.begin(), values.end(), in.get());
  this->queue
      .parallel_for(
          sycl::range<2>(count, count),
          [=, from = in.get(), product = products.get(), quotient = quotients.get()](sycl::id<2> i) {
            product[i[0] * count + i[1]] = from[i[0]] * from[i[1]];
            quotient[i[0] * count + i[1]] = from[i[0]] / from[i[1]];
          })
      .wait();
  const auto is_infinite = [](const number& z) { return std::isinf(z.real()) || std::isinf(z.imag()); };
  const auto is_nan = [&](const number& z) {
    return !is_infinite(z) && (std::isnan(z.real()) || std::isnan(z.imag()));
  };
  const auto is_finite = [](const number& z) { return std::isfinite(z.real()) && std::isfinite(z.imag()); };
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) {
      const number left = values[a], right = values[b];
      const number product = products[a * count + b], quotient = quotients[a * count + b];
      const bool is_zero = left == number() || right == number();
      if (is_infinite(left) && !is_zero && !is_nan(right))
        EXPECT_TRUE(is_infinite(product)) << left << " * " << right << " is " << product;
      if (is_infinite(left) && is_finite(right))
        EXPECT_TRUE(is_infinite(quotient)) << left << " / " << right << " is " << quotient;
      if (is_finite(left) && is_infinite(right))
        EXPECT_EQ(quotient, number()) << left << " / " << right << " is " << quotient;
      if (is_finite(left) && left != number() && right == number())
        EXPECT_TRUE(is_infinite(quotient)) << left << " / " << right << " is " << quotient;
      if (is_finite(left) && is_finite(right) && right != number()) {
        const number close = left / right;
        EXPECT_LE(std::abs(quotient - close), 8 * std::numeric_limits<T>::epsilon() * std::abs(close));
        EXPECT_EQ(product, left * right);
      }
    }
}

} // namespace
