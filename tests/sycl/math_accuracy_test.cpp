// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SYCL 2020 §4.17.5 on CPUs, whose functions are Falx's own and SLEEF's: floats of all sizes, special values
// among them. tests/accuracy/accuracy.cpp does the same for all floats.
#include "../accuracy/errors.hpp"
#include "../shared_memory.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <cstdint>
#include <limits>
#include <vector>

namespace {

template <class T>
struct reference {
  const char* name;
  reference_of<T> (*exact)(reference_of<T>);
  double limit;
};
template <class T>
const reference<T> references[] = {
#define ENTRY(function, reference, from, to, limit)                                                          \
  {#function, [](reference_of<T> x) { return static_cast<reference_of<T>>(reference); }, limit},
    ELEMENTARY_FUNCTIONS(ENTRY)
#undef ENTRY
};
constexpr std::size_t FUNCTIONS = std::size(references<float>);

/// Ends of the type, what is near to ends of functions, and every 16411th float.
std::vector<float> arguments() {
  using limits = std::numeric_limits<float>;
  std::vector<float> values = {0.0f,
                               1.0f,
                               limits::infinity(),
                               limits::quiet_NaN(),
                               limits::denorm_min(),
                               0x1p-127f,
                               0x1p-30f,
                               limits::min(),
                               limits::max(),
                               0x1p17f,
                               88.72284f,
                               87.5f,
                               104.0f,
                               128.0f,
                               149.5f,
                               9.02f,
                               10.06f,
                               3.93f,
                               4096.5f,
                               0x1.921fb6p0f};
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(-values[i]);
  for (std::uint64_t bits = 0; bits < std::uint64_t(1) << 32; bits += 16411)
    values.push_back(from_bits<float>(static_cast<std::uint32_t>(bits)));
  return values;
}

class math_accuracy : public testing::Test {
protected:
  void SetUp() override {
    if (!queue.get_device().is_cpu())
      GTEST_SKIP() << "the functions of GPUs are not Falx's";
  }
  sycl::queue queue;
};

/// Evaluates all functions of the values and compares them with their limits.
template <class T>
void compare_with_limits(sycl::queue& queue, const std::vector<T>& values) {
  const std::size_t size = values.size();
  const shared<T> in(queue, size), out(queue, FUNCTIONS * size);
  std::copy(values.begin(), values.end(), in.get());
  const T* const x = in.get();
  T* const y = out.get();
  queue
      .parallel_for(sycl::range<2>(FUNCTIONS, size),
                    [=](sycl::item<2> item) { y[item.get_linear_id()] = elementary(item[0], x[item[1]]); })
      .wait();
  for (std::size_t f = 0; f < FUNCTIONS; ++f) {
    worst_case<T> worst;
    for (std::size_t i = 0; i < size; ++i)
      worst.add(values[i], out[f * size + i],
                references<T>[f].exact(static_cast<reference_of<T>>(values[i])));
    EXPECT_LE(worst.error, references<T>[f].limit)
        << references<T>[f].name << " of " << worst.argument << " is " << worst.result;
  }
}

TEST_F(math_accuracy, functions_of_all_floats_are_as_exact_as_opencl_asks) {
  compare_with_limits(queue, arguments());
}

TEST_F(math_accuracy, functions_at_the_ends_of_doubles_are_as_exact_as_opencl_asks) {
  using limits = std::numeric_limits<double>;
  std::vector<double> values = {0,
                                1,
                                limits::infinity(),
                                limits::quiet_NaN(),
                                limits::denorm_min(),
                                1e-310,
                                1e-300,
                                limits::min(),
                                limits::max(),
                                1e150,
                                1e16,
                                1e300,
                                708.5,
                                709.5,
                                709.9,
                                710.4,
                                711,
                                745,
                                1023.5,
                                308.2,
                                0x1p28,
                                0x1p31,
                                0x1p61,
                                19.5,
                                26.5};
  for (std::size_t i = 0, count = values.size(); i < count; ++i)
    values.push_back(-values[i]);
  compare_with_limits(queue, values);
}

template <class T>
void check_powers(sycl::queue& queue, const std::vector<float>& all) {
  std::vector<T> bases, exponents;
  for (std::size_t i = 0; i < all.size(); i += i < 40 ? 1 : 613)
    bases.push_back(all[i]);
  for (std::size_t i = 0; i < all.size(); i += i < 40 ? 1 : 769)
    exponents.push_back(all[i]);
  for (const float each : {2.0f, 3.0f, 0.5f, 1.7f, -5.0f, 40.3f, -0.3f, 7.0f, 16777215.0f, 16777217.0f}) {
    exponents.push_back(each);
    bases.push_back(each);
    bases.push_back(T(1.0f + each * 0x1p-12f));
  }
  // Where a power uses most of the logarithm's digits.
  for (int i = 0; i <= 24; ++i) {
    bases.push_back(T(0.7) + T(0.031) * static_cast<T>(i));
    exponents.push_back(T(331.7) * static_cast<T>(i - 12));
  }
  const shared<T> x(queue, bases.size()), y(queue, exponents.size()),
      out(queue, bases.size() * exponents.size());
  std::copy(bases.begin(), bases.end(), x.get());
  std::copy(exponents.begin(), exponents.end(), y.get());
  const T *const base = x.get(), *const exponent = y.get();
  T* const power = out.get();
  queue
      .parallel_for(sycl::range<2>(exponents.size(), bases.size()),
                    [=](sycl::item<2> item) {
                      power[item.get_linear_id()] = sycl::pow(base[item[1]], exponent[item[0]]);
                    })
      .wait();
  for (std::size_t i = 0; i < exponents.size(); ++i)
    for (std::size_t k = 0; k < bases.size(); ++k) {
      const T found = out[i * bases.size() + k];
      const auto exact =
          std::pow(static_cast<reference_of<T>>(bases[k]), static_cast<reference_of<T>>(exponents[i]));
      const bool has_wrong_sign = found == 0 && std::signbit(found) != std::signbit(exact);
      ASSERT_LE(has_wrong_sign ? WRONG : error_in_units(found, exact), 16)
          << bases[k] << " to the power of " << exponents[i] << " is " << found << ", not " << exact;
    }
}
TEST_F(math_accuracy, powers_are_as_exact_as_opencl_asks) {
  check_powers<float>(queue, arguments());
}
TEST_F(math_accuracy, powers_of_doubles_are_as_exact_as_opencl_asks) {
  if (!queue.get_device().has(sycl::aspect::fp64))
    GTEST_SKIP() << "the device has no doubles";
  check_powers<double>(queue, arguments());
}

/// Functions of math/cpu_math_library.c in vectors, and in one work-item's loop.
TEST_F(math_accuracy, vectors_and_one_work_item_have_the_same_results) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("fma"))
    GTEST_SKIP() << "the processor's functions are SLEEF's and the C library's";
#endif
  constexpr std::size_t SIZE = 4099, OWN = 17;
  const shared<float> in(queue, SIZE), together(queue, OWN * SIZE), alone(queue, OWN * SIZE);
  for (std::size_t i = 0; i < SIZE; ++i)
    in[i] = from_bits<float>(static_cast<std::uint32_t>(i * 1048583));
  const float* const x = in.get();
  const auto fill = [](float each, float* out) {
    const float results[OWN] = {sycl::exp(each),      sycl::exp2(each), sycl::exp10(each), sycl::expm1(each),
                                sycl::log(each),      sycl::log2(each), sycl::log10(each), sycl::log1p(each),
                                sycl::sin(each),      sycl::cos(each),  sycl::tan(each),   sycl::tanh(each),
                                sycl::sinh(each),     sycl::cosh(each), sycl::erf(each),   sycl::erfc(each),
                                sycl::pow(each, 1.7f)};
    for (std::size_t f = 0; f < OWN; ++f)
      out[f * SIZE] = results[f];
  };
  float *const vectors = together.get(), *const scalars = alone.get();
  queue.parallel_for(sycl::range<1>(SIZE), [=](sycl::id<1> i) { fill(x[i], vectors + i[0]); }).wait();
  queue
      .single_task([=] {
        for (std::size_t i = 0; i < SIZE; ++i)
          fill(x[i], scalars + i);
      })
      .wait();
  for (std::size_t i = 0; i < OWN * SIZE; ++i)
    if (!std::isnan(together[i]) || !std::isnan(alone[i]))
      ASSERT_EQ(sycl::bit_cast<std::uint32_t>(together[i]), sycl::bit_cast<std::uint32_t>(alone[i]))
          << "function " << i / SIZE << " of " << in[i % SIZE] << ": " << together[i] << " and " << alone[i];
}

} // namespace
