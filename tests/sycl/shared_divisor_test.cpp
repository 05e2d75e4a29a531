// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quotients by the same number, and by constants, which GPUs get from its reciprocal: they are correctly
// rounded, whatever the numbers.
#include "../quotients.hpp"
#include "../shared_memory.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <random>
#include <type_traits>
#include <vector>

namespace {

/// Zeros, ends, what is no number, numbers of all sizes, and those with the largest fractions.
template <class T>
std::vector<T> numbers(unsigned random_ones) {
  using limits = std::numeric_limits<T>;
  std::vector<T> all(std::begin(SPECIAL_NUMBERS<T>), std::end(SPECIAL_NUMBERS<T>));
  all.insert(all.end(), {T(3), std::nextafter(T(2), T(0)), std::nextafter(T(1), T(0))});
  for (int exponent = limits::min_exponent - limits::digits; exponent < limits::max_exponent; exponent += 7)
    all.push_back(std::ldexp(T(1.2345678), exponent));
  std::mt19937_64 random(17);
  for (unsigned i = 0; i < random_ones; ++i)
    all.push_back(sycl::bit_cast<T>(static_cast<bits_of<T>>(random())));
  for (std::size_t i = 0, end = all.size(); i < end; ++i)
    all.push_back(-all[i]);
  return all;
}

template <class T>
class shared_divisor : public testing::Test {
protected:
  void SetUp() override {
    if (std::is_same_v<T, double> && !queue.get_device().has(sycl::aspect::fp64))
      GTEST_SKIP() << "the device does not compute with this type";
    values = numbers<T>(100);
    from = std::make_unique<shared<T>>(queue, values.size());
    to = std::make_unique<shared<T>>(queue, values.size() * values.size());
    std::copy(values.begin(), values.end(), from->get());
  }

  /// Runs \p kernel for each item of \p range, with the numbers, how many these are, and where results go.
  template <int DIMENSIONS, class F>
  void run(sycl::range<DIMENSIONS> range, F kernel) {
    const std::size_t count = values.size();
    const T* const in = from->get();
    T* const out = to->get();
    queue.parallel_for(range, [=](sycl::item<DIMENSIONS> item) { kernel(item, in, count, out); }).wait();
  }

  /// to[i * count + j] is the quotient of the numbers i and j.
  void expect_quotients() {
    for (std::size_t i = 0; i < values.size(); ++i)
      for (std::size_t j = 0; j < values.size(); ++j)
        ASSERT_PRED2(are_same<T>, (*to)[i * values.size() + j], values[i] / values[j])
            << values[i] << " / " << values[j];
  }

  sycl::queue queue;
  std::vector<T> values;
  std::unique_ptr<shared<T>> from, to;
};
using floating_point_types = testing::Types<float, double>;
TYPED_TEST_SUITE(shared_divisor, floating_point_types, );

TYPED_TEST(shared_divisor, in_a_loop) {
  using T = TypeParam;
  const std::size_t count = this->values.size();
  this->run(sycl::range(count), [](sycl::item<1> j, const T* in, std::size_t count, T* out) {
    const T divisor = in[j];
    for (std::size_t i = 0; i < count; ++i)
      out[i * count + j] = in[i] / divisor;
  });
  this->expect_quotients();
}

TYPED_TEST(shared_divisor, of_neighbours) {
  using T = TypeParam;
  constexpr std::size_t MEMBERS = 4;
  const std::size_t count = this->values.size(), vectors = count / MEMBERS;
  this->run(sycl::range(vectors, count), [=](sycl::item<2> item, const T* in, std::size_t, T* out) {
    const std::size_t i = item[0] * MEMBERS, j = item[1];
    const sycl::vec<T, MEMBERS> dividends(in[i], in[i + 1], in[i + 2], in[i + 3]);
    const sycl::vec<T, MEMBERS> quotients = dividends / in[j];
    for (std::size_t member = 0; member < MEMBERS; ++member)
      out[(i + member) * count + j] = quotients[static_cast<int>(member)];
  });
  for (std::size_t i = vectors * MEMBERS * count; i < count * count; ++i)
    (*this->to)[i] = this->values[i / count] / this->values[i % count];
  this->expect_quotients();
}

TYPED_TEST(shared_divisor, where_quotients_are_divided_again) {
  using T = TypeParam;
  const std::size_t count = this->values.size();
  this->run(sycl::range(count, count), [](sycl::item<2> item, const T* in, std::size_t count, T* out) {
    const T a = in[item[0]], b = in[item[1]], c = in[(item[0] + item[1]) % count];
    const T first = a / b + c / b;
    out[item.get_linear_id()] = (first / b + c) / b + T(1) / b;
  });
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      const T a = this->values[i], b = this->values[j], c = this->values[(i + j) % count];
      const T first = a / b + c / b;
      ASSERT_PRED2(are_same<T>, (*this->to)[i * count + j], (first / b + c) / b + T(1) / b) << a << ", " << b;
    }
}

template <class T>
constexpr T CONSTANTS[] = {T(3), T(-5), T(0.1), T(-0.7), T(1e9), T(1.5e-15)};

/// Alone, and several by one in a loop.
TYPED_TEST(shared_divisor, that_is_a_constant) {
  using T = TypeParam;
  const std::size_t count = this->values.size();
  this->run(sycl::range(count), [](sycl::item<1> i, const T* in, std::size_t count, T* out) {
    const T x = in[i];
    out[i * 8] = x / CONSTANTS<T>[0];
    out[i * 8 + 1] = (x / CONSTANTS<T>[1] + x) / CONSTANTS<T>[2];
    out[i * 8 + 2] = x / CONSTANTS<T>[3];
    out[i * 8 + 3] = x / CONSTANTS<T>[4] + x / CONSTANTS<T>[5];
    for (std::size_t j = 4; j < 8; ++j)
      out[i * 8 + j] = in[(i + j) % count] / CONSTANTS<T>[1];
  });
  for (std::size_t i = 0; i < count; ++i) {
    const T x = this->values[i];
    const T expected[] = {x / CONSTANTS<T>[0], (x / CONSTANTS<T>[1] + x) / CONSTANTS<T>[2],
                          x / CONSTANTS<T>[3], x / CONSTANTS<T>[4] + x / CONSTANTS<T>[5]};
    for (std::size_t j = 0; j < 8; ++j)
      ASSERT_PRED2(are_same<T>, (*this->to)[i * 8 + j],
                   j < 4 ? expected[j] : this->values[(i + j) % count] / CONSTANTS<T>[1])
          << x << ", " << j;
  }
}

/// Every fraction of a float as divisor, of dividends whose quotients are next to a middle between two
/// floats, beside quotients that have the divisor alone.
TEST(shared_divisors, of_all_fractions) {
  constexpr std::uint32_t FRACTIONS = 1U << 23;
  constexpr unsigned DIVIDENDS = 8;
  sycl::queue queue;
  const shared<float> together(queue, std::size_t(FRACTIONS) * DIVIDENDS);
  const shared<std::uint64_t> different(queue, 1);
  float* const quotients = together.get();
  queue
      .parallel_for(sycl::range<1>(FRACTIONS),
                    [=](sycl::id<1> fraction) {
                      const auto significand = static_cast<std::uint32_t>(FRACTIONS + fraction[0]);
                      const auto divisor = static_cast<float>(significand);
                      float dividends[DIVIDENDS];
                      for (unsigned i = 0; i < DIVIDENDS; ++i)
                        dividends[i] = hard_dividend<float>(significand, 2 * static_cast<int>(i) - 7);
                      for (unsigned i = 0; i < DIVIDENDS; ++i)
                        quotients[fraction[0] * DIVIDENDS + i] = dividends[i] / divisor;
                    })
      .wait();
  std::uint64_t* const count = different.get();
  queue
      .parallel_for(
          sycl::range<1>(std::size_t(FRACTIONS) * DIVIDENDS),
          [=](sycl::id<1> i) {
            const auto significand = static_cast<std::uint32_t>(FRACTIONS + i[0] / DIVIDENDS);
            const float dividend =
                hard_dividend<float>(significand, 2 * static_cast<int>(i[0] % DIVIDENDS) - 7);
            if (dividend / static_cast<float>(significand) != quotients[i])
              sycl::atomic_ref<std::uint64_t, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                  *count) += 1;
          })
      .wait();
  EXPECT_EQ(*count, 0u);
}

} // namespace
