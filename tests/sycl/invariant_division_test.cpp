// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions by what a kernel captures, and what depends on nothing else: compilers take these apart.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

/// Numbers near powers of two and ends, and random ones of all lengths.
template <class T>
std::vector<T> numbers(unsigned random_ones) {
  using bits = std::make_unsigned_t<T>;
  std::vector<T> all = {
      0, 1, 2, 3, 5, 7, 10, 100, std::numeric_limits<T>::max(), std::numeric_limits<T>::min()};
  for (unsigned power = 2; power < 8 * sizeof(T); ++power)
    for (int near = -1; near <= 1; ++near)
      all.push_back(static_cast<T>((bits{1} << power) + static_cast<bits>(near)));
  std::mt19937_64 random(17);
  for (unsigned i = 0; i < random_ones; ++i)
    all.push_back(static_cast<T>(static_cast<bits>(random()) >> (random() % (8 * sizeof(T)))));
  if constexpr (std::is_signed_v<T>)
    for (std::size_t i = 0, end = all.size(); i < end; ++i)
      all.push_back(static_cast<T>(-static_cast<bits>(all[i])));
  return all;
}

template <class T>
bool has_quotient(T dividend, T divisor) {
  return divisor != 0 &&
         !(std::is_signed_v<T> && dividend == std::numeric_limits<T>::min() && divisor == static_cast<T>(-1));
}

template <class T>
class invariant_division : public testing::Test {};
using integers =
    testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(invariant_division, integers, );

TYPED_TEST(invariant_division, of_what_is_loaded) {
  using T = TypeParam;
  sycl::queue queue(sycl::property::queue::in_order{});
  const std::vector<T> dividends = numbers<T>(1000);
  const std::size_t count = dividends.size();
  T* const from = sycl::malloc_shared<T>(count, queue);
  T* const quotients = sycl::malloc_shared<T>(count, queue);
  T* const remainders = sycl::malloc_shared<T>(count, queue);
  std::copy(dividends.begin(), dividends.end(), from);
  for (const T divisor : numbers<T>(40)) {
    if (divisor == 0)
      continue;
    const bool is_minus_one = std::is_signed_v<T> && divisor == static_cast<T>(-1);
    queue.parallel_for(count, [=](sycl::id<1> i) {
      const T x = from[i];
      const bool is_least = is_minus_one && x == std::numeric_limits<T>::min();
      quotients[i] = is_least ? T(0) : static_cast<T>(x / divisor);
      remainders[i] = is_least ? T(0) : static_cast<T>(x % divisor);
    });
    queue.wait();
    for (std::size_t i = 0; i < count; ++i)
      if (has_quotient(dividends[i], divisor)) {
        ASSERT_EQ(quotients[i], static_cast<T>(dividends[i] / divisor)) << +dividends[i] << " / " << +divisor;
        ASSERT_EQ(remainders[i], static_cast<T>(dividends[i] % divisor))
            << +dividends[i] << " % " << +divisor;
      }
  }
  for (T* memory : {from, quotients, remainders})
    sycl::free(memory, queue);
}

TYPED_TEST(invariant_division, only_quotients_and_only_remainders) {
  using T = TypeParam;
  sycl::queue queue(sycl::property::queue::in_order{});
  const std::vector<T> dividends = numbers<T>(100);
  const std::size_t count = dividends.size();
  T* const from = sycl::malloc_shared<T>(count, queue);
  T* const to = sycl::malloc_shared<T>(count, queue);
  std::copy(dividends.begin(), dividends.end(), from);
  for (const T divisor :
       {T(1), T(3), T(64), T(-7), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()}) {
    if (divisor == 0)
      continue;
    queue.parallel_for(count, [=](sycl::id<1> i) { to[i] = static_cast<T>(from[i] / divisor); }).wait();
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(to[i], static_cast<T>(dividends[i] / divisor)) << +dividends[i] << " / " << +divisor;
    queue.parallel_for(count, [=](sycl::id<1> i) { to[i] = static_cast<T>(from[i] % divisor); }).wait();
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(to[i], static_cast<T>(dividends[i] % divisor)) << +dividends[i] << " % " << +divisor;
  }
  sycl::free(from, queue);
  sycl::free(to, queue);
}

/// Quotients that are just an integer, or just not, up to the largest ones.
template <class T>
std::vector<T> next_to_multiples(T divisor, unsigned count) {
  using bits = std::make_unsigned_t<T>;
  std::mt19937_64 random(5);
  std::vector<T> all;
  while (all.size() < count) {
    const bits factor = static_cast<bits>(static_cast<bits>(random()) >> (random() % (8 * sizeof(T))));
    bits multiple = static_cast<bits>(static_cast<bits>(divisor) * factor);
    if (all.size() % 2 == 0) // of as many bits as there are, and around those that doubles have
      multiple = static_cast<bits>(static_cast<bits>(random()) >> (random() % 18));
    multiple = static_cast<bits>(multiple - static_cast<bits>(static_cast<T>(multiple) % divisor));
    for (const int near : {-1, 0, 1})
      all.push_back(static_cast<T>(multiple + static_cast<bits>(near)));
  }
  return all;
}

TYPED_TEST(invariant_division, next_to_multiples) {
  using T = TypeParam;
  constexpr unsigned COUNT = 1200;
  sycl::queue queue(sycl::property::queue::in_order{});
  T* const from = sycl::malloc_shared<T>(COUNT, queue);
  T* const quotients = sycl::malloc_shared<T>(COUNT, queue);
  T* const remainders = sycl::malloc_shared<T>(COUNT, queue);
  for (const T divisor : numbers<T>(100)) {
    if (divisor == 0 || divisor == static_cast<T>(-1))
      continue;
    const std::vector<T> dividends = next_to_multiples(divisor, COUNT);
    std::copy_n(dividends.begin(), COUNT, from);
    queue
        .parallel_for(COUNT,
                      [=](sycl::id<1> i) {
                        quotients[i] = static_cast<T>(from[i] / divisor);
                        remainders[i] = static_cast<T>(from[i] % divisor);
                      })
        .wait();
    for (unsigned i = 0; i < COUNT; ++i) {
      ASSERT_EQ(quotients[i], static_cast<T>(from[i] / divisor)) << +from[i] << " / " << +divisor;
      ASSERT_EQ(remainders[i], static_cast<T>(from[i] % divisor)) << +from[i] << " % " << +divisor;
    }
  }
  for (T* memory : {from, quotients, remainders})
    sycl::free(memory, queue);
}

/// By numbers that are in the code.
template <auto Divisor, class T = decltype(Divisor)>
void expect_quotients_by_constant(sycl::queue& queue) {
  std::vector<T> dividends = numbers<T>(500);
  for (const T each : next_to_multiples(Divisor, 1500))
    dividends.push_back(each);
  const std::size_t count = dividends.size();
  T* const from = sycl::malloc_shared<T>(count, queue);
  T* const quotients = sycl::malloc_shared<T>(count, queue);
  T* const remainders = sycl::malloc_shared<T>(count, queue);
  std::copy(dividends.begin(), dividends.end(), from);
  queue
      .parallel_for(count,
                    [=](sycl::id<1> i) {
                      quotients[i] = from[i] / Divisor;
                      remainders[i] = from[i] % Divisor;
                    })
      .wait();
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(quotients[i], from[i] / Divisor) << from[i] << " / " << Divisor;
    ASSERT_EQ(remainders[i], from[i] % Divisor) << from[i] << " % " << Divisor;
  }
  for (T* memory : {from, quotients, remainders})
    sycl::free(memory, queue);
}

TEST(invariant_divisions, by_long_constants) {
  sycl::queue queue(sycl::property::queue::in_order{});
  expect_quotients_by_constant<std::int64_t{3}>(queue);
  expect_quotients_by_constant<std::int64_t{-7}>(queue);
  expect_quotients_by_constant<std::int64_t{1000}>(queue);
  expect_quotients_by_constant<std::int64_t{1} << 40>(queue);
  expect_quotients_by_constant<(std::int64_t{1} << 50) - 1>(queue);
  expect_quotients_by_constant<(std::int64_t{1} << 62) + 12345>(queue);
  expect_quotients_by_constant<std::numeric_limits<std::int64_t>::max()>(queue);
  expect_quotients_by_constant<std::numeric_limits<std::int64_t>::min()>(queue);
  expect_quotients_by_constant<std::uint64_t{1}>(queue);
  expect_quotients_by_constant<std::uint64_t{10}>(queue);
  expect_quotients_by_constant<std::uint64_t{641}>(queue);
  expect_quotients_by_constant<(std::uint64_t{1} << 51) + 1>(queue);
  expect_quotients_by_constant<std::numeric_limits<std::uint64_t>::max()>(queue);
}

/// Dividends of so few bits that floats hold them.
TEST(invariant_divisions, of_few_bits) {
  constexpr unsigned BITS = 22, STEP = 37, COUNT = (1U << BITS) / STEP;
  sycl::queue queue(sycl::property::queue::in_order{});
  unsigned* const quotients = sycl::malloc_shared<unsigned>(COUNT, queue);
  int* const of_signed = sycl::malloc_shared<int>(COUNT, queue);
  for (const unsigned divisor : {1U, 2U, 3U, 7U, 127U, 1023U, 65537U, 2097151U, 4194303U, 4194304U, 16777217U,
                                 2147483647U, 2147483648U, 4294967295U}) {
    const auto dividend = [=](std::size_t i) {
      const unsigned x = static_cast<unsigned>(i) * STEP, multiple = x - x % divisor;
      return (i % 3 == 0 ? multiple + divisor - 1 : i % 3 == 1 ? multiple : x) & ((1U << BITS) - 1);
    };
    const auto halved = [=](std::size_t i) {
      return static_cast<int>(dividend(i) << (32 - BITS)) >> (32 - BITS);
    };
    const int by = static_cast<int>(divisor);
    queue
        .parallel_for(COUNT,
                      [=](sycl::id<1> i) {
                        quotients[i] = dividend(i) / divisor * 2 + dividend(i) % divisor;
                        of_signed[i] = halved(i) / by * 2 + halved(i) % by;
                      })
        .wait();
    for (std::size_t i = 0; i < COUNT; ++i) {
      ASSERT_EQ(quotients[i], dividend(i) / divisor * 2 + dividend(i) % divisor) << i << ", " << divisor;
      ASSERT_EQ(of_signed[i], halved(i) / by * 2 + halved(i) % by) << i << ", " << by;
    }
  }
  sycl::free(quotients, queue);
  sycl::free(of_signed, queue);
}

/// Rows from below zero on, of which the one around zero is twice as long as others.
TEST(invariant_divisions, of_indices_around_zero) {
  constexpr int COUNT = 3000;
  sycl::queue queue(sycl::property::queue::in_order{});
  long* const sums = sycl::malloc_shared<long>(COUNT, queue);
  const auto sum = [](auto x, auto width) { return x / width * 100000 + x % width; };
  for (const int width : {-300, 1, 15, 16, 17, 31, 40, 100, 2147483647})
    for (const long first : {-1500L, -2147483648L, 2147483647L - COUNT}) {
      queue
          .parallel_for(COUNT,
                        [=](sycl::id<1> i) {
                          const long x = static_cast<long>(i[0]) + first;
                          sums[i] = sum(x, long{width}) + long{sum(long{static_cast<int>(x) % width}, 7L)};
                        })
          .wait();
      for (int i = 0; i < COUNT; ++i) {
        const long x = i + first;
        ASSERT_EQ(sums[i], sum(x, long{width}) + sum(long{static_cast<int>(x) % width}, 7L))
            << x << ", " << width;
      }
    }
  sycl::free(sums, queue);
}

/// Of indices, which are known not to be negative, and small.
TYPED_TEST(invariant_division, of_indices) {
  using T = TypeParam;
  if constexpr (sizeof(T) >= 4) {
    constexpr std::size_t COUNT = 5000;
    sycl::queue queue(sycl::property::queue::in_order{});
    T* const quotients = sycl::malloc_shared<T>(COUNT, queue);
    T* const remainders = sycl::malloc_shared<T>(COUNT, queue);
    for (const T divisor : numbers<T>(20)) {
      if (divisor == 0)
        continue;
      queue.parallel_for(sycl::nd_range<1>(COUNT, 50), [=](sycl::nd_item<1> item) {
        const T i = static_cast<T>(item.get_global_id(0));
        quotients[i] = i / divisor;
        remainders[i] = i % divisor;
      });
      queue.wait();
      for (std::size_t i = 0; i < COUNT; ++i) {
        const T x = static_cast<T>(i);
        ASSERT_EQ(quotients[i], static_cast<T>(x / divisor)) << i << " / " << divisor;
        ASSERT_EQ(remainders[i], static_cast<T>(x % divisor)) << i << " % " << divisor;
      }
    }
    sycl::free(quotients, queue);
    sycl::free(remainders, queue);
  }
}

/// More than there is room for, several of computed divisors, and by what the launch is.
TEST(invariant_divisions, of_many_divisors) {
  constexpr std::size_t COUNT = 1000;
  sycl::queue queue;
  long* const sums = sycl::malloc_shared<long>(COUNT, queue);
  for (const int a : {1, 6, -25}) {
    const int b = a + 1000, c = 3 - 2 * a;
    const long d = 123456789012345 * a, e = 77;
    const auto sum = [=](long i, long range) {
      const int x = static_cast<int>(i * 37 - 5000);
      return x / a + x % b + x / c + x % (b + c) + x / (b / a) + i / d + i % e + (i * d) / e +
             (i * d) % (e * e) + i % (a * b) + i / range + (i + range) % (range / 3) + d / a + d % b;
    };
    queue
        .parallel_for(COUNT,
                      [=](sycl::item<1> item) {
                        sums[item.get_id(0)] =
                            sum(static_cast<long>(item.get_id(0)), static_cast<long>(item.get_range(0)));
                      })
        .wait();
    for (std::size_t i = 0; i < COUNT; ++i)
      ASSERT_EQ(sums[i], sum(static_cast<long>(i), COUNT)) << i << ", " << a;
  }
  sycl::free(sums, queue);
}

/// A quotient that no work-item asks for has no divisor.
TEST(invariant_divisions, by_zero_if_nobody_divides) {
  sycl::queue queue;
  int* const to = sycl::malloc_shared<int>(100, queue);
  for (const int divisor : {0, 3}) {
    queue
        .parallel_for(100,
                      [=](sycl::id<1> i) {
                        const int x = static_cast<int>(i);
                        to[i] = divisor != 0 ? x / divisor + 100 / divisor : -x;
                      })
        .wait();
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(to[i], divisor != 0 ? i / divisor + 33 : -i);
  }
  sycl::free(to, queue);
}

template <class T>
class invariant_number : public testing::Test {};
using floats = testing::Types<float, double>;
TYPED_TEST_SUITE(invariant_number, floats, );

TYPED_TEST(invariant_number, is_what_each_work_item_computes) {
  using T = TypeParam;
  constexpr T LEAST = std::numeric_limits<T>::denorm_min(), NORMAL = std::numeric_limits<T>::min();
  sycl::queue queue;
  if (std::is_same_v<T, double> && !queue.get_device().has(sycl::aspect::fp64))
    GTEST_SKIP() << "needs fp64";
  T* const to = sycl::malloc_shared<T>(5, queue);
  for (const T a : {T(1), T(-3), T(1) / T(3), NORMAL, LEAST, std::numeric_limits<T>::infinity()})
    for (const T b : {T(7), T(-0.1), T(3) * NORMAL, std::numeric_limits<T>::max()})
      for (const int n : {1, -12345677}) {
        queue
            .single_task([=] {
              to[0] = a / b;
              to[1] = T(n) / b;
              to[2] = -a / T(n);
              to[3] = sycl::sqrt(b * b);
              to[4] = sycl::sqrt(a / b) / T(static_cast<unsigned>(n));
            })
            .wait();
        const T expected[] = {a / b, T(n) / b, -a / T(n), std::sqrt(b * b),
                              std::sqrt(a / b) / T(static_cast<unsigned>(n))};
        for (int i = 0; i < 5; ++i) {
          if (std::isnan(expected[i]))
            ASSERT_TRUE(std::isnan(to[i])) << i << ": " << a << ", " << b << ", " << n;
          else
            ASSERT_EQ(to[i], expected[i]) << i << ": " << a << ", " << b << ", " << n;
        }
      }
  sycl::free(to, queue);
}

} // namespace
