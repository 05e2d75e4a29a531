// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All of <cmath> and <complex> in kernels, as far as programs may use it there: each function gives what it
// gives on the host.
#include "../jit/Inputs/standard_functions.hpp"
#include "../shared_memory.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <cmath>
#include <complex>

namespace {

constexpr std::size_t ITEMS = 37;
constexpr double FLOAT_TOLERANCE = 4e-5, DOUBLE_TOLERANCE = 1e-12;

template <class T>
double folded(const std::complex<T>& z) {
  return static_cast<double>(z.real() + z.imag() / 2);
}

#define FUNCTION(name, expression)                                                                           \
  struct name##_call {                                                                                       \
    template <class T>                                                                                       \
    static double of([[maybe_unused]] T x) {                                                                 \
      [[maybe_unused]] int number = 0;                                                                       \
      [[maybe_unused]] T part = 0;                                                                           \
      [[maybe_unused]] const std::complex<T> z(x - 3, 2 - x / 2), w(T(0.7), x / 8);                          \
      return static_cast<double>(expression);                                                                \
    }                                                                                                        \
  };
STANDARD_FUNCTIONS(FUNCTION)
#undef FUNCTION

void expect_equal(double got, double expected, double tolerance, const char* name, double x) {
  if (std::isnan(expected) || std::isinf(expected))
    EXPECT_TRUE(std::isnan(expected) ? std::isnan(got) : got == expected)
        << name << '(' << x << ") is " << got << ", should be " << expected;
  else
    EXPECT_LE(std::fabs(got - expected), tolerance * std::fmax(std::fabs(expected), 1.0))
        << name << '(' << x << ") is " << got << ", should be " << expected;
}

template <class Call>
void check(sycl::queue& queue, double* out, const char* name) {
  const auto argument = [](std::size_t i) { return 0.3 + 0.26 * static_cast<double>(i); };
  queue
      .parallel_for(ITEMS,
                    [=](sycl::id<1> i) {
                      const double x = argument(i);
                      out[2 * i] = Call::of(static_cast<float>(x));
                      out[2 * i + 1] = Call::of(x);
                    })
      .wait();
  for (std::size_t i = 0; i < ITEMS; ++i) {
    const double x = argument(i);
    expect_equal(out[2 * i], Call::of(static_cast<float>(x)), FLOAT_TOLERANCE, name, x);
    expect_equal(out[2 * i + 1], Call::of(x), DOUBLE_TOLERANCE, name, x);
  }
}

#define CHECK(name, expression) check<name##_call>(queue, out.get(), #name);

class standard_functions : public testing::Test {
protected:
  void SetUp() override {
    if (!queue.get_device().has(sycl::aspect::fp64))
      GTEST_SKIP() << "the device does not compute with double";
  }
  sycl::queue queue;
};

TEST_F(standard_functions, of_real_numbers_give_what_they_give_on_the_host) {
  const shared<double> out(queue, 2 * ITEMS);
  REAL_FUNCTIONS(CHECK)
}

TEST_F(standard_functions, special_ones_give_what_they_give_on_the_host) {
  const shared<double> out(queue, 2 * ITEMS);
  SPECIAL_FUNCTIONS(CHECK)
}

TEST_F(standard_functions, of_complex_numbers_give_what_they_give_on_the_host) {
  const shared<double> out(queue, 2 * ITEMS);
  COMPLEX_FUNCTIONS(CHECK)
}

} // namespace
