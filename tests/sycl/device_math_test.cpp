// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// SYCL 2020 §4.17.4 to §4.17.8 in kernels: what the device computes, against long double references and
// against the host. One kernel per type holds all functions.
#include "../shared_memory.hpp"
#include "elementary_functions.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

using sycl::half;

template <class T>
bool has_type(const sycl::queue& queue) {
  const sycl::device device = queue.get_device();
  return (!std::is_same_v<T, half> || device.has(sycl::aspect::fp16)) &&
         (!std::is_same_v<T, double> || device.has(sycl::aspect::fp64));
}

struct reference {
  const char* name;
  long double (*exact)(long double);
  long double from, to;
  double limit;
};
const reference elementary_references[] = {
#define ENTRY(function, reference, from, to, limit)                                                          \
  {#function, [](long double x) -> long double { return reference; }, from, to, limit},
    ELEMENTARY_FUNCTIONS(ENTRY)
#undef ENTRY
};
constexpr std::size_t SAMPLES = 1001;
constexpr std::size_t ELEMENTARY = std::size(elementary_references);

template <class T>
class device_math : public testing::Test {
protected:
  void SetUp() override {
    if (!has_type<T>(queue))
      GTEST_SKIP() << "the device does not compute with this type";
  }
  sycl::queue queue;
};
struct type_names {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, half> ? "half" : std::is_same_v<T, float> ? "float" : "double";
  }
};
using floating_point_types = testing::Types<float, double, half>;
TYPED_TEST_SUITE(device_math, floating_point_types, type_names);

TYPED_TEST(device_math, elementary_functions_are_as_exact_as_opencl_asks) {
  using T = TypeParam;
  const shared<T> in(this->queue, ELEMENTARY * SAMPLES), out(this->queue, ELEMENTARY * SAMPLES);
  for (std::size_t f = 0; f < ELEMENTARY; ++f) {
    const std::vector<T> values = samples<T>(elementary_references[f].from, elementary_references[f].to);
    std::copy(values.begin(), values.end(), in.get() + f * SAMPLES);
  }
  const T* const x = in.get();
  T* const y = out.get();
  this->queue
      .parallel_for(
          sycl::range<2>(ELEMENTARY, SAMPLES),
          [=](sycl::item<2> item) { y[item.get_linear_id()] = elementary(item[0], x[item.get_linear_id()]); })
      .wait();
  for (std::size_t f = 0; f < ELEMENTARY; ++f) {
    const reference& expected = elementary_references[f];
    long double worst = 0;
    T where{};
    for (std::size_t i = f * SAMPLES; i < (f + 1) * SAMPLES; ++i)
      if (const long double error = ulps<T>(out[i], expected.exact(static_cast<long double>(in[i])));
          error > worst) {
        worst = error;
        where = in[i];
      }
    EXPECT_LE(worst, (std::is_same_v<T, half>) ? 1.0 : expected.limit)
        << expected.name << " of " << static_cast<double>(where);
  }
}

/// X(function, reference of the long double x): what GPUs compute with less exact instructions where the
/// result is rounded to few bits.
#define FEW_BITS_FUNCTIONS(X)                                                                                \
  X(exp, std::exp(x))                                                                                        \
  X(exp2, std::exp2(x))                                                                                      \
  X(exp10, std::pow(10.0L, x))                                                                               \
  X(log, std::log(x))                                                                                        \
  X(log2, std::log2(x))                                                                                      \
  X(log10, std::log10(x))

template <class T>
T few_bits(std::size_t which, T x) {
  std::size_t index = 0;
#define CALL(function, reference)                                                                            \
  if (which == index++) {                                                                                    \
    using sycl::function, sycl::ext::oneapi::function;                                                       \
    return function(x);                                                                                      \
  }
  FEW_BITS_FUNCTIONS(CALL)
#undef CALL
  return x;
}

/// Distance in units in the last place of half, or of bfloat16.
template <class T>
long double units(T result, long double exact) {
  if constexpr (std::is_same_v<T, half>)
    return ulps<half>(result, exact);
  else // bfloat16 has float's exponents, and 16 bits less
    return std::isinf(static_cast<float>(result)) && std::fabs(exact) > 0x1.ffp127L
               ? 0
               : ulps<float>(static_cast<float>(result), exact) / 65536;
}

template <class T>
void expect_all_within_one_unit() {
  constexpr std::size_t COUNT = 65536;
  struct entry {
    const char* name;
    long double (*exact)(long double);
  };
  const entry entries[] = {
#define ENTRY(function, reference) {#function, [](long double x) -> long double { return reference; }},
      FEW_BITS_FUNCTIONS(ENTRY)
#undef ENTRY
  };
  const std::size_t functions = std::size(entries);
  sycl::queue queue;
  const shared<T> out(queue, functions * COUNT);
  T* const y = out.get();
  queue
      .parallel_for(sycl::range<2>(functions, COUNT),
                    [=](sycl::item<2> item) {
                      const auto bits = static_cast<std::uint16_t>(item[1]);
                      y[item.get_linear_id()] = few_bits(item[0], sycl::bit_cast<T>(bits));
                    })
      .wait();
  for (std::size_t f = 0; f < functions; ++f) {
    long double worst = 0;
    float where = 0;
    for (std::size_t i = 0; i < COUNT; ++i) {
      const auto x = static_cast<float>(sycl::bit_cast<T>(static_cast<std::uint16_t>(i)));
      if (const long double error = units<T>(out[f * COUNT + i], entries[f].exact(x)); error > worst) {
        worst = error;
        where = x;
      }
    }
    EXPECT_LE(worst, 1.0L) << entries[f].name << " of " << where;
    testing::Test::RecordProperty(entries[f].name, std::to_string(static_cast<double>(worst)));
  }
}

TEST(device_math_of_few_bits, functions_of_all_halves_are_within_one_unit) {
  if (!has_type<half>(sycl::queue()))
    GTEST_SKIP() << "the device does not compute with this type";
  expect_all_within_one_unit<half>();
}
TEST(device_math_of_few_bits, functions_of_all_bfloat16s_are_within_one_unit) {
  expect_all_within_one_unit<sycl::ext::oneapi::bfloat16>();
}

/// X(function, reference of the long doubles x and y, limit in units in the last place): two arguments.
#define BINARY_FUNCTIONS(X)                                                                                  \
  X(atan2, std::atan2(x, y), 6)                                                                              \
  X(atan2pi, std::atan2(x, y) / pi, 6)                                                                       \
  X(copysign, std::copysign(x, y), 0)                                                                        \
  X(fdim, std::fdim(x, y), 0.5)                                                                              \
  X(fmax, std::fmax(x, y), 0)                                                                                \
  X(fmin, std::fmin(x, y), 0)                                                                                \
  X(fmod, std::fmod(x, y), 0)                                                                                \
  X(hypot, std::hypot(x, y), 4)                                                                              \
  X(pow, std::pow(x, y), 16)                                                                                 \
  X(remainder, std::remainder(x, y), 0)

template <class T>
T binary(std::size_t which, T x, T y) {
  std::size_t index = 0;
#define CALL(function, reference, limit)                                                                     \
  if (which == index++)                                                                                      \
    return sycl::function(x, y);
  BINARY_FUNCTIONS(CALL)
#undef CALL
  return x;
}

TYPED_TEST(device_math, functions_of_two_arguments_are_as_exact_as_opencl_asks) {
  using T = TypeParam;
  struct entry {
    const char* name;
    long double (*exact)(long double, long double);
    double limit;
  };
  const entry entries[] = {
#define ENTRY(function, reference, limit)                                                                    \
  {#function, [](long double x, long double y) -> long double { return reference; }, limit},
      BINARY_FUNCTIONS(ENTRY)
#undef ENTRY
  };
  const std::size_t functions = std::size(entries);
  constexpr std::size_t EDGE = 40;
  const shared<T> arguments(this->queue, EDGE), out(this->queue, functions * EDGE * EDGE);
  for (std::size_t i = 0; i < EDGE; ++i) // both signs, no integers but one, no zero
    arguments[i] = static_cast<T>(static_cast<float>(i) * 0.37f - 7.03f);
  arguments[EDGE - 1] = static_cast<T>(3.0f);
  const T* const in = arguments.get();
  T* const results = out.get();
  this->queue
      .parallel_for(sycl::range<3>(functions, EDGE, EDGE),
                    [=](sycl::item<3> item) {
                      results[item.get_linear_id()] = binary(item[0], in[item[1]], in[item[2]]);
                    })
      .wait();
  for (std::size_t i = 0; i < functions * EDGE * EDGE; ++i) {
    const entry& expected = entries[i / (EDGE * EDGE)];
    const T x = arguments[i / EDGE % EDGE], y = arguments[i % EDGE];
    const double limit = std::is_same_v<T, half> ? 1.0 : expected.limit;
    ASSERT_LE(ulps<T>(out[i], expected.exact(static_cast<long double>(x), static_cast<long double>(y))),
              limit)
        << expected.name << " of " << static_cast<double>(x) << " and " << static_cast<double>(y) << " is "
        << static_cast<double>(out[i]);
  }
}

/// What functions with several results, and those on the bits of numbers, give for x.
template <class T>
struct parts {
  T frexp, modf, whole, fract, low, remquo, sine, cosine, lgamma, ldexp, fma, next, sign;
  int exponent, ilogb, quotient, lgamma_sign, nan, inf, bits;
};
template <class T>
parts<T> take_apart(T x) {
  parts<T> p{};
  p.frexp = sycl::frexp(x, &p.exponent);
  p.modf = sycl::modf(x, &p.whole);
  p.fract = sycl::fract(x, &p.low);
  p.remquo = sycl::remquo(x, static_cast<T>(0.75f), &p.quotient);
  p.sine = sycl::sincos(x, &p.cosine);
  p.lgamma = sycl::lgamma_r(x, &p.lgamma_sign);
  p.ldexp = sycl::ldexp(x, 3);
  p.fma = sycl::fma(x, x, -x);
  p.next = sycl::nextafter(x, static_cast<T>(0.0f));
  p.sign = sycl::sign(x);
  p.ilogb = sycl::ilogb(x);
  p.nan = sycl::isnan(x);
  p.inf = sycl::isinf(x);
  p.bits = sycl::signbit(x) + 2 * sycl::isnormal(x) + 4 * sycl::isfinite(x);
  return p;
}

TYPED_TEST(device_math, numbers_are_taken_apart_as_on_the_host) {
  using T = TypeParam;
  using limits = std::numeric_limits<T>;
  const T values[] = {static_cast<T>(1.0f),  static_cast<T>(-0.3f), static_cast<T>(7.7f),
                      static_cast<T>(-2.5f), limits::denorm_min(),  limits::min() / static_cast<T>(3.0f),
                      limits::min(),         limits::max(),         static_cast<T>(0.0f),
                      static_cast<T>(-0.0f)};
  constexpr std::size_t count = std::size(values);
  const shared<T> in(this->queue, count);
  const shared<parts<T>> out(this->queue, count);
  std::copy(std::begin(values), std::end(values), in.get());
  const T* const x = in.get();
  parts<T>* const y = out.get();
  this->queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { y[i] = take_apart(x[i]); }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    SCOPED_TRACE(static_cast<double>(values[i]));
    const parts<T> expected = take_apart(values[i]);
    EXPECT_EQ(out[i].frexp, expected.frexp);
    EXPECT_EQ(out[i].exponent, expected.exponent);
    EXPECT_EQ(out[i].modf, expected.modf);
    EXPECT_EQ(out[i].whole, expected.whole);
    EXPECT_EQ(out[i].fract, expected.fract);
    EXPECT_EQ(out[i].low, expected.low);
    EXPECT_EQ(out[i].remquo, expected.remquo);
    EXPECT_EQ(out[i].quotient & 7, expected.quotient & 7);
    EXPECT_LE(ulps<T>(out[i].sine, std::sin(static_cast<long double>(values[i]))), 4);
    EXPECT_LE(ulps<T>(out[i].cosine, std::cos(static_cast<long double>(values[i]))), 4);
    if (std::isfinite(static_cast<double>(expected.lgamma)))
      EXPECT_NEAR(static_cast<double>(out[i].lgamma), static_cast<double>(expected.lgamma),
                  1e-3 + 1e-6 * std::fabs(static_cast<double>(expected.lgamma)));
    EXPECT_EQ(out[i].ldexp, expected.ldexp);
    EXPECT_EQ(out[i].fma, expected.fma);
    EXPECT_EQ(out[i].next, expected.next);
    EXPECT_EQ(out[i].sign, expected.sign);
    EXPECT_EQ(out[i].ilogb, expected.ilogb);
    EXPECT_EQ(out[i].nan, expected.nan);
    EXPECT_EQ(out[i].inf, expected.inf);
    EXPECT_EQ(out[i].bits, expected.bits);
  }
}

/// X(function, argument from, to) of sycl::native: whatever its precision, it is the function.
#define NATIVE_FUNCTIONS(X)                                                                                  \
  X(cos, -3, 3)                                                                                              \
  X(exp, -5, 5)                                                                                              \
  X(exp2, -5, 5)                                                                                             \
  X(exp10, -3, 3)                                                                                            \
  X(log, 0.1f, 50)                                                                                           \
  X(log2, 0.1f, 50)                                                                                          \
  X(log10, 0.1f, 50)                                                                                         \
  X(rsqrt, 0.1f, 50)                                                                                         \
  X(sin, -3, 3)                                                                                              \
  X(sqrt, 0.1f, 50)                                                                                          \
  X(tan, -1.2f, 1.2f)

TEST(device_math_of_one_type, native_functions_are_near) {
  sycl::queue queue;
  constexpr float ends[][2] = {
#define ENTRY(function, from, to) {from, to},
      NATIVE_FUNCTIONS(ENTRY)
#undef ENTRY
  };
  constexpr std::size_t functions = std::size(ends), points = 200;
  const shared<float> native(queue, functions * points), exact(queue, functions * points);
  float *const n = native.get(), *const e = exact.get();
  queue
      .parallel_for(sycl::range<2>(functions, points),
                    [=](sycl::item<2> item) {
                      std::size_t index = 0;
                      const float part = static_cast<float>(item[1]) / points;
#define CALL(function, from, to)                                                                             \
  if (item[0] == index++) {                                                                                  \
    const float x = from + (to - from) * part;                                                               \
    n[item.get_linear_id()] = sycl::native::function(x);                                                     \
    e[item.get_linear_id()] = sycl::function(x);                                                             \
  }
                      NATIVE_FUNCTIONS(CALL)
#undef CALL
                    })
      .wait();
  for (std::size_t i = 0; i < functions * points; ++i)
    ASSERT_NEAR(native[i], exact[i], 1e-5f + 1e-5f * std::fabs(exact[i]))
        << "function " << i / points << ", point " << i % points;
}

/// Devices estimate it and refine the estimate, which alone is not right at the ends of the type's range.
TEST(device_math_of_one_type, reciprocal_root_holds_at_the_ends) {
  using limits = std::numeric_limits<float>;
  sycl::queue queue;
  const float ends[] = {0.0f,
                        -0.0f,
                        limits::infinity(),
                        -1.0f,
                        limits::denorm_min(),
                        3 * limits::denorm_min(),
                        limits::min() / 3,
                        limits::min(),
                        limits::max(),
                        1.0f};
  constexpr std::size_t copies = 16, size = std::size(ends) * copies;
  const shared<float> values(queue, size), roots(queue, size);
  for (std::size_t i = 0; i < size; ++i)
    values[i] = ends[i % std::size(ends)];
  const float* const in = values.get();
  float* const out = roots.get();
  queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { out[i] = sycl::rsqrt(in[i]); }).wait();
  for (std::size_t i = 0; i < size; ++i) {
    const double exact = 1.0 / std::sqrt(static_cast<double>(in[i]));
    if (std::isnan(exact))
      EXPECT_TRUE(std::isnan(out[i]));
    else if (std::isinf(exact))
      EXPECT_EQ(static_cast<double>(out[i]), exact);
    else
      EXPECT_NEAR(static_cast<double>(out[i]), exact, 2.5e-7 * exact) << in[i];
  }
}

/// Numbers of all sizes, subnormal ones and those that are none among them.
template <class T, class Bits>
void fill_with_all_sizes(T* values, std::size_t size) {
  using limits = std::numeric_limits<T>;
  const T ends[] = {0,
                    -T(0),
                    limits::infinity(),
                    -limits::infinity(),
                    limits::quiet_NaN(),
                    limits::denorm_min(),
                    limits::min(),
                    limits::max(),
                    1,
                    4,
                    -1};
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < size; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[i] =
        i < std::size(ends) ? ends[i] : sycl::bit_cast<T>(static_cast<Bits>(state >> (64 - 8 * sizeof(T))));
    if (i % 4 == 1 && i >= std::size(ends))
      values[i] = values[i] * 0 == 0 ? limits::min() * std::abs(values[i] / limits::max()) : values[i];
  }
}

constexpr std::size_t ROOTS = 4096, ROOTS_OF_ITEM = 8;

/// In loops devices compute roots without branches, and without scaling where the argument cannot be small.
TEST(device_math_of_one_type, roots_in_loops_are_rounded_correctly) {
  sycl::queue queue;
  const shared<float> arguments(queue, ROOTS), results(queue, 3 * ROOTS);
  fill_with_all_sizes<float, std::uint32_t>(arguments.get(), ROOTS);
  const float* const in = arguments.get();
  float* const out = results.get();
  queue
      .parallel_for(sycl::range<1>(ROOTS / ROOTS_OF_ITEM),
                    [=](sycl::id<1> item) {
                      for (std::size_t i = item[0]; i < ROOTS; i += ROOTS / ROOTS_OF_ITEM) {
                        out[3 * i] = sycl::sqrt(in[i]);
                        out[3 * i + 1] = 1.0f / sycl::sqrt(in[i]);
                        out[3 * i + 2] = 1.0f / sycl::sqrt(sycl::fma(in[i], in[i], 0.001f));
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < ROOTS; ++i) {
    const float exact[] = {std::sqrt(in[i]), 1.0f / std::sqrt(in[i]),
                           1.0f / std::sqrt(std::fma(in[i], in[i], 0.001f))};
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(std::isnan(exact[k]) ? std::isnan(out[3 * i + k])
                                       : sycl::bit_cast<std::uint32_t>(exact[k]) ==
                                             sycl::bit_cast<std::uint32_t>(out[3 * i + k]))
          << "result " << k << " of " << in[i] << ": " << out[3 * i + k] << " is not " << exact[k];
  }
}

TEST(device_math_of_one_type, reciprocal_roots_of_doubles_in_loops) {
  sycl::queue queue;
  if (!has_type<double>(queue))
    GTEST_SKIP() << "the device does not compute with doubles";
  const shared<double> arguments(queue, ROOTS), results(queue, 2 * ROOTS);
  fill_with_all_sizes<double, std::uint64_t>(arguments.get(), ROOTS);
  const double* const in = arguments.get();
  double* const out = results.get();
  queue
      .parallel_for(sycl::range<1>(ROOTS / ROOTS_OF_ITEM),
                    [=](sycl::id<1> item) {
                      for (std::size_t i = item[0]; i < ROOTS; i += ROOTS / ROOTS_OF_ITEM) {
                        out[2 * i] = sycl::rsqrt(in[i]);
                        out[2 * i + 1] = sycl::rsqrt(sycl::fma(in[i], in[i], 0.001));
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < ROOTS; ++i)
    for (const std::size_t k : {0, 1}) {
      const double x = k == 0 ? in[i] : std::fma(in[i], in[i], 0.001), result = out[2 * i + k];
      const double exact = static_cast<double>(1 / std::sqrt(static_cast<long double>(x)));
      if (std::isnan(exact))
        EXPECT_TRUE(std::isnan(result)) << x;
      else if (std::isinf(exact) || exact == 0)
        EXPECT_EQ(result, exact) << x;
      else
        EXPECT_NEAR(result, exact, 2 * std::numeric_limits<double>::epsilon() * exact) << x;
    }
}

/// Results of all integer functions for two arguments, in as many bits as one needs.
constexpr std::size_t INTEGER_RESULTS = 16;
template <class T>
void integer_functions(T a, T b, T* out) {
  const T results[INTEGER_RESULTS] = {static_cast<T>(sycl::abs(a)),
                                      static_cast<T>(sycl::abs_diff(a, b)),
                                      sycl::add_sat(a, b),
                                      sycl::hadd(a, b),
                                      sycl::rhadd(a, b),
                                      sycl::clamp(a, static_cast<T>(7), static_cast<T>(100)),
                                      sycl::clz(a),
                                      sycl::ctz(a),
                                      sycl::mad_hi(a, b, static_cast<T>(3)),
                                      sycl::mad_sat(a, b, static_cast<T>(5)),
                                      sycl::max(a, b),
                                      sycl::min(a, b),
                                      sycl::mul_hi(a, b),
                                      sycl::popcount(a),
                                      sycl::rotate(a, static_cast<T>(b & 15)),
                                      sycl::sub_sat(a, b)};
  for (std::size_t i = 0; i < INTEGER_RESULTS; ++i)
    out[i] = results[i];
}

template <class T>
void compare_integer_functions() {
  sycl::queue queue;
  constexpr std::size_t EDGE = 24;
  const shared<T> in(queue, EDGE), out(queue, EDGE * EDGE * INTEGER_RESULTS);
  std::uint64_t state = 5;
  for (std::size_t i = 0; i < EDGE; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    in[i] = static_cast<T>(i < 3 ? i : state >> 17 >> (i % 4 * 8));
  }
  in[3] = std::numeric_limits<T>::min();
  in[4] = std::numeric_limits<T>::max();
  in[5] = static_cast<T>(-1);
  const T* const x = in.get();
  T* const y = out.get();
  queue
      .parallel_for(sycl::range<2>(EDGE, EDGE),
                    [=](sycl::item<2> item) {
                      integer_functions(x[item[0]], x[item[1]], y + item.get_linear_id() * INTEGER_RESULTS);
                    })
      .wait();
  for (std::size_t i = 0; i < EDGE * EDGE; ++i) {
    T expected[INTEGER_RESULTS];
    integer_functions(in[i / EDGE], in[i % EDGE], expected);
    for (std::size_t k = 0; k < INTEGER_RESULTS; ++k)
      ASSERT_EQ(+out[i * INTEGER_RESULTS + k], +expected[k])
          << "result " << k << " of " << +in[i / EDGE] << " and " << +in[i % EDGE];
  }
}

/// Where §4.17.8 gives an expression of the element's type, devices round each operation of it as the host
/// does.
TEST(device_math_of_one_type, interpolation_of_halves_is_what_it_is_on_the_host) {
  sycl::queue queue;
  if (!has_type<half>(queue))
    GTEST_SKIP() << "the device does not compute with this type";
  constexpr std::size_t size = 3000;
  const half low(0.3991507449f), high(0.7130365772f);
  const shared<half> steps(queue, size), mixtures(queue, size);
  half *const step = steps.get(), *const mixture = mixtures.get();
  const auto at = [](std::size_t i) { return half(static_cast<float>(i) / size); };
  queue
      .parallel_for(sycl::range<1>(size),
                    [=](sycl::id<1> i) {
                      step[i] = sycl::smoothstep(low, high, at(i));
                      mixture[i] = sycl::mix(low, high, at(i));
                    })
      .wait();
  for (std::size_t i = 0; i < size; ++i) {
    ASSERT_EQ(step[i], sycl::smoothstep(low, high, at(i))) << i;
    ASSERT_EQ(mixture[i], sycl::mix(low, high, at(i))) << i;
  }
}

TEST(device_math_of_one_type, integer_functions_give_what_they_give_on_the_host) {
  compare_integer_functions<std::int8_t>();
  compare_integer_functions<std::uint8_t>();
  compare_integer_functions<std::int16_t>();
  compare_integer_functions<std::uint16_t>();
  compare_integer_functions<std::int32_t>();
  compare_integer_functions<std::uint32_t>();
  compare_integer_functions<std::int64_t>();
  compare_integer_functions<std::uint64_t>();
}

#pragma float_control(precise, off, push)
template <class T>
T fast_power(T x, T y) {
  return __builtin_elementwise_pow(x, y);
}
/// Of a number, exponents that work-items share and that they do not, and constants.
template <class T>
void fast_powers(T x, int shared, int own, T real, T* results) {
  results[0] = fast_power(x, static_cast<T>(shared));
  results[1] = fast_power(x, static_cast<T>(own));
  results[2] = fast_power(x, real);
  results[3] = fast_power(x < 0 ? -x : x, real);
  results[4] = fast_power(x, T(3));
  results[5] = fast_power(x, T(-7));
  results[6] = fast_power(x, T(0));
  results[7] = fast_power(x, T(101));
}
#pragma float_control(pop)

/// With -ffast-math powers may be approximated, but signs are right, and x^0 is 1.
template <class T>
void compare_fast_powers() {
  sycl::queue queue;
  if (!has_type<T>(queue))
    GTEST_SKIP() << "the device does not compute with this type";
  constexpr std::size_t size = 100, results = 8;
  const shared<T> out(queue, size * results);
  T* const to = out.get();
  const auto base = [](std::size_t i) {
    return static_cast<T>(i % 2 == 0 ? 1 : -1) * static_cast<T>(0.6 + 0.01 * static_cast<double>(i));
  };
  const auto own = [](std::size_t i) { return static_cast<int>(i % 23) - 9; };
  const auto real = [](std::size_t i) {
    return static_cast<T>(i % 2 == 0 ? 0.3 * static_cast<double>(i % 17) : static_cast<double>(i % 13));
  };
  for (const int exponent : {0, 1, -1, 2, 5, -12, 31}) {
    queue
        .parallel_for(
            sycl::range<1>(size),
            [=](sycl::id<1> i) { fast_powers(base(i), exponent, own(i), real(i), to + i[0] * results); })
        .wait();
    for (std::size_t i = 0; i < size; ++i) {
      const double exponents[] = {
          double(exponent), double(own(i)), double(real(i)), double(real(i)), 3, -7, 0, 101};
      for (std::size_t k = 0; k < results; ++k) {
        const double x = k == 3 ? std::abs(double(base(i))) : double(base(i)),
                     expected = std::pow(x, exponents[k]);
        if (std::abs(expected) > std::numeric_limits<T>::max() ||
            std::abs(expected) < std::numeric_limits<T>::min())
          continue;
        ASSERT_NEAR(double(out[i * results + k]), expected,
                    2e-6 * (1 + std::abs(exponents[k])) * std::abs(expected))
            << x << " to " << exponents[k];
      }
    }
  }
}

TEST(device_math_of_one_type, approximate_powers_have_their_sign) {
  compare_fast_powers<float>();
  compare_fast_powers<double>();
}

} // namespace
