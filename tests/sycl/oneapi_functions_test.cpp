// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../shared_memory.hpp"

#include <sycl/ext/intel/math.hpp>
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

// Small extensions of DPC++ with functions for kernels: sycl_ext_oneapi_dot_accumulate,
// sycl_ext_oneapi_clock, sycl_ext_oneapi_native_math, sycl_ext_oneapi_cuda_tex_cache_read.

namespace {

namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

static_assert(SYCL_EXT_ONEAPI_DOT_ACCUMULATE == 1 && SYCL_EXT_ONEAPI_CLOCK == 1);
static_assert(SYCL_EXT_ONEAPI_NATIVE_MATH == 1 && SYCL_EXT_ONEAPI_CUDA_TEX_CACHE_READ == 1);
// Names of SYCL 1.2.1.
static_assert(std::is_same_v<sycl::uint, std::uint32_t> && std::is_same_v<sycl::cl_ulong, std::uint64_t>);
static_assert(sizeof(sycl::ulong) == 8 && sizeof(sycl::uchar) == 1 && sizeof(sycl::cl_half) == 2);

TEST(dot_accumulate, takes_bytes_with_and_without_signs) {
  sycl::queue queue;
  const shared<std::int32_t> out(queue, 9);
  queue
      .single_task([out = out.get()] {
        const sycl::vec<std::int8_t, 4> s(-1, 2, -128, 127), t(-3, -4, -128, 1);
        const sycl::vec<std::uint8_t, 4> u(255, 2, 128, 127), v(253, 252, 128, 1);
        out[0] = oneapi::dot_acc(s, t, 10);
        out[1] = oneapi::dot_acc(s, v, 10);
        out[2] = oneapi::dot_acc(u, t, 10);
        out[3] = oneapi::dot_acc(u, v, 10);
        // The same bytes as integers.
        const std::uint32_t a = sycl::bit_cast<std::uint32_t>(u), b = sycl::bit_cast<std::uint32_t>(v);
        const std::int32_t c = static_cast<std::int32_t>(a), d = static_cast<std::int32_t>(b);
        out[4] = oneapi::dot_acc_4x8packed(c, d, 10);
        out[5] = oneapi::dot_acc_4x8packed(c, b, 10);
        out[6] = oneapi::doc_acc_4x8packed(a, d, 10);
        out[7] = oneapi::doc_acc_4x8packed(a, b, 10);
        out[8] = oneapi::dot_acc(u, v, 0x7fffffff); // wraps around
      })
      .wait();
  const std::int32_t ss = 3 - 8 + 16384 + 127 + 10, su = -253 + 504 - 16384 + 127 + 10;
  const std::int32_t us = -765 - 8 - 16384 + 127 + 10, uu = 64515 + 504 + 16384 + 127 + 10;
  EXPECT_EQ(out[0], ss);
  EXPECT_EQ(out[1], su);
  EXPECT_EQ(out[2], us);
  EXPECT_EQ(out[3], uu);
  EXPECT_EQ(out[4], ss);
  EXPECT_EQ(out[5], su);
  EXPECT_EQ(out[6], us);
  EXPECT_EQ(out[7], uu);
  EXPECT_EQ(out[8], static_cast<std::int32_t>(0x7fffffffu + static_cast<std::uint32_t>(uu - 10)));
}

template <class T>
class atomic16 : public testing::Test {};
using types_of_16_bits = testing::Types<short, unsigned short, sycl::half, oneapi::bfloat16>;
TYPED_TEST_SUITE(atomic16, types_of_16_bits, );

/// sycl_ext_oneapi_atomic16.
TYPED_TEST(atomic16, every_operation_counts) {
  using T = TypeParam;
  using reference = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;
  sycl::queue queue;
  EXPECT_TRUE(queue.get_device().has(sycl::aspect::ext_oneapi_atomic16));
  const shared<T> out(queue, 6);
  out[2] = T(100);
  queue
      .parallel_for(sycl::nd_range<1>(96, 32),
                    [out = out.get()](sycl::nd_item<1> item) {
                      const T self = static_cast<T>(static_cast<float>(item.get_global_id(0)));
                      reference(out[0]).fetch_add(T(1));
                      reference(out[1]).fetch_max(self);
                      reference(out[2]).fetch_min(self);
                      reference(out[3]) -= T(1);
                      if (item.get_global_id(0) == 50)
                        reference(out[4]).store(T(7));
                      T expected = T(0);
                      reference(out[5]).compare_exchange_strong(expected, T(9));
                    })
      .wait();
  EXPECT_EQ(out[0], T(96));
  EXPECT_EQ(out[1], T(95));
  EXPECT_EQ(out[2], T(0));
  EXPECT_EQ(out[3], static_cast<T>(T(0) - T(96)));
  EXPECT_EQ(out[4], T(7));
  EXPECT_EQ(out[5], T(9));
}

TEST(clock, of_each_scope_grows) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  EXPECT_TRUE(device.has(sycl::aspect::ext_oneapi_clock_sub_group));
  EXPECT_TRUE(device.has(sycl::aspect::ext_oneapi_clock_work_group));
  EXPECT_TRUE(device.has(sycl::aspect::ext_oneapi_clock_device));
  constexpr std::size_t count = 64;
  const shared<std::uint64_t> times(queue, 4 * count);
  const shared<std::uint32_t> numbers(queue, count);
  queue
      .parallel_for(sycl::nd_range<1>(count, 32),
                    [times = times.get(), numbers = numbers.get()](sycl::nd_item<1> item) {
                      using experimental::clock_scope;
                      std::uint64_t* const mine = times + 4 * item.get_global_id(0);
                      mine[0] = experimental::clock<clock_scope::device>();
                      mine[1] = experimental::clock<clock_scope::work_group>();
                      std::uint32_t number = static_cast<std::uint32_t>(item.get_global_id(0));
                      for (int i = 0; i < 20000; ++i)
                        number = number * 1664525u + 1013904223u;
                      numbers[item.get_global_id(0)] = number;
                      sycl::group_barrier(item.get_group());
                      mine[2] = experimental::clock<clock_scope::sub_group>();
                      mine[3] = experimental::clock<clock_scope::device>();
                    })
      .wait();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_LT(times[4 * i + 1], times[4 * i + 2]);
    EXPECT_LE(times[4 * i], times[4 * i + 3]);
    EXPECT_NE(times[4 * i], 0u);
  }
}

TEST(native_math, is_near_the_exact_functions) {
  sycl::queue queue;
  const shared<float> out(queue, 7);
  queue
      .single_task([out = out.get()] {
        out[0] = experimental::native::tanh(0.5f);
        out[1] = experimental::native::tanh(sycl::float2(-2.0f, 30.0f))[1];
        out[2] = experimental::native::tanh(sycl::half(0.5f));
        out[3] = experimental::native::exp2(sycl::half(3));
        out[4] = experimental::native::exp2(sycl::half4(-1))[2];
        out[5] = experimental::native::exp2(2.5f);
        out[6] = experimental::native::tanh(sycl::marray<sycl::half, 3>(-0.25f))[1];
      })
      .wait();
  const float expected[] = {std::tanh(0.5f), 1, std::tanh(0.5f), 8, 0.5f, std::exp2(2.5f), std::tanh(-0.25f)};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NEAR(out[i], expected[i], std::fabs(expected[i]) * 0x1p-10f) << "function " << i;
}

TEST(tex_cache_read, reads_numbers_and_vectors) {
  sycl::queue queue;
  const shared<float> from(queue, 64);
  const shared<double> wide(queue, 8), sums(queue, 16);
  const shared<std::uint16_t> narrow(queue, 16);
  for (int i = 0; i < 64; ++i)
    from[i] = static_cast<float>(i);
  for (int i = 0; i < 8; ++i)
    wide[i] = 0.5 * i;
  for (int i = 0; i < 16; ++i)
    narrow[i] = static_cast<std::uint16_t>(1000 * i);
  queue
      .parallel_for(
          sycl::range<1>(16),
          [out = sums.get(), from = from.get(), wide = wide.get(), narrow = narrow.get()](sycl::id<1> i) {
            namespace cuda = experimental::cuda;
            const float* const place = from + 4 * i;
            const sycl::float4 four = cuda::ldg(reinterpret_cast<const sycl::float4*>(place));
            const sycl::float2 two = cuda::ldg(reinterpret_cast<const sycl::float2*>(place));
            const auto pair = cuda::ldg(reinterpret_cast<const sycl::double2*>(wide + i % 4 * 2));
            out[i] = four.w() + two.y() + cuda::ldg(place) + pair.y() + cuda::ldg(wide + i % 8) +
                     cuda::ldg(narrow + i);
          })
      .wait();
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(sums[i], 4 * i + 3 + 4 * i + 1 + 4 * i + 0.5 * (i % 4 * 2 + 1) + 0.5 * (i % 8) + 1000 * i);
}

TEST(intel_math, converts_with_every_rounding) {
  namespace math = sycl::ext::intel::math;
  sycl::queue queue;
  const shared<float> out(queue, 20);
  queue
      .single_task([out = out.get()] {
        const float x = -2.5f, above_one = 0x1.002p0f; // a half's ulp is 0x1p-10
        out[0] = static_cast<float>(math::float2int_rn(x));
        out[1] = static_cast<float>(math::float2int_rz(x));
        out[2] = static_cast<float>(math::float2int_ru(x));
        out[3] = static_cast<float>(math::float2int_rd(x));
        out[4] = math::half2float(math::float2half_rn(above_one));
        out[5] = math::half2float(math::float2half_ru(above_one));
        out[6] = math::half2float(math::float2half_rd(-above_one));
        out[7] = math::half2float(math::float2half_rz(-above_one));
        out[8] = math::double2float_ru(1 + 0x1p-30);
        out[9] = math::int2float_rd(0x7fffffff);
        out[10] = math::bfloat162float(math::float2bfloat16_ru(above_one));
        out[11] = static_cast<float>(math::half_as_ushort(sycl::half(1)));
        out[12] = math::int_as_float(math::float_as_int(x));
        out[13] = math::inv(4.0f) + math::saturate(3.0f) + math::saturate(-1.0f);
        out[14] = math::hfma(sycl::half(2), sycl::half(3), sycl::half(4));
        out[15] = math::hadd2(sycl::half2(1, 2), sycl::half2(3, 4))[1];
        out[16] = math::floor(sycl::half2(1.5f, -1.5f))[1];
        out[17] = math::copysign(2.0f, -1.0f);
      })
      .wait();
  const float expected[] = {
      -2,        -3 + 1, -2,    -3,    1,  0x1.004p0f, -0x1.004p0f, -1, 0x1.000002p0f, 0x1.fffffep30f,
      0x1.02p0f, 0x3c00, -2.5f, 1.25f, 10, 6,          -2,          -2};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(out[i], expected[i]) << "function " << i;
}

/// What the processor computes when told to round like that.
template <class Function>
auto rounded_by_processor(int mode, const Function& function) {
  std::fesetround(mode);
  const volatile auto result = function();
  std::fesetround(FE_TONEAREST);
  return result;
}

TEST(intel_math, rounds_arithmetic_as_told) {
  namespace math = sycl::ext::intel::math;
  constexpr int count = 1024, functions = 6;
  sycl::queue queue;
  const shared<float> in(queue, 3 * count), out(queue, 4 * functions * count);
  std::uint32_t state = 1;
  for (int i = 0; i < 3 * count; ++i) {
    state = state * 1664525 + 1013904223;
    std::uint32_t bits = state;
    if (i % 5 == 0)
      bits &= 0x807fffff; // subnormal
    else if (i % 5 < 3)
      bits = (bits & 0x807fffff) | (110 + bits % 31) << 23; // near to each other
    in[i] = sycl::bit_cast<float>(bits);
  }
  in[count] = -in[0];
  queue
      .parallel_for(count,
                    [in = in.get(), out = out.get()](std::size_t i) {
                      const float a = in[i], b = in[count + i], c = in[2 * count + i];
                      float* to = out + i * 4 * functions;
                      for (const float x : {math::fadd_rn(a, b), math::fmul_rn(a, b), math::fdiv_rn(a, b),
                                            math::fsqrt_rn(a), math::fmaf_rn(a, b, c), math::fsub_rn(a, b)})
                        *to++ = x;
                      for (const float x : {math::fadd_rz(a, b), math::fmul_rz(a, b), math::fdiv_rz(a, b),
                                            math::fsqrt_rz(a), math::fmaf_rz(a, b, c), math::fsub_rz(a, b)})
                        *to++ = x;
                      for (const float x : {math::fadd_ru(a, b), math::fmul_ru(a, b), math::fdiv_ru(a, b),
                                            math::fsqrt_ru(a), math::fmaf_ru(a, b, c), math::fsub_ru(a, b)})
                        *to++ = x;
                      for (const float x : {math::fadd_rd(a, b), math::fmul_rd(a, b), math::fdiv_rd(a, b),
                                            math::fsqrt_rd(a), math::fmaf_rd(a, b, c), math::fsub_rd(a, b)})
                        *to++ = x;
                    })
      .wait();
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int i = 0; i < count; ++i) {
    const volatile float a = in[i], b = in[count + i], c = in[2 * count + i];
    for (int mode = 0; mode < 4; ++mode) {
      const float expected[] = {rounded_by_processor(modes[mode], [&] { return a + b; }),
                                rounded_by_processor(modes[mode], [&] { return a * b; }),
                                rounded_by_processor(modes[mode], [&] { return a / b; }),
                                rounded_by_processor(modes[mode], [&] { return std::sqrt(a); }),
                                rounded_by_processor(modes[mode], [&] { return std::fma(a, b, c); }),
                                rounded_by_processor(modes[mode], [&] { return a - b; })};
      for (int f = 0; f < functions; ++f) {
        const float found = out[(i * 4 + mode) * functions + f];
        EXPECT_TRUE((std::isnan(found) && std::isnan(expected[f])) ||
                    sycl::bit_cast<std::uint32_t>(found) == sycl::bit_cast<std::uint32_t>(expected[f]))
            << "function " << f << ", mode " << mode << ": " << a << ", " << b << ", " << c << " gave "
            << found << " and not " << expected[f];
      }
    }
  }
}

/// Numbers of all kinds: subnormal ones, ones whose products are, ones near to each other, with few bits, at
/// the ends of the range.
std::vector<double> doubles_of_all_kinds(int count) {
  std::vector<double> numbers;
  std::uint64_t state = 1;
  const auto next = [&] { return (state = state * 6364136223846793005 + 1442695040888963407) >> 11; };
  for (int i = 0; i < count; ++i) {
    const std::uint64_t fraction = (next() ^ next() << 20) & 0x800fffffffffffff;
    const auto near = [&](std::uint64_t least, std::uint64_t many) {
      return sycl::bit_cast<double>(fraction | (least + next() % many) << 52);
    };
    const double ends[] = {0.0,
                           -0.0,
                           1.0,
                           0x1p-1074,
                           -0x1p-1074,
                           0x1.fffffffffffffp1023,
                           -0x1p1023,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()};
    switch (i / 3 % 6) {
    case 0:
      numbers.push_back(sycl::bit_cast<double>(fraction));
      break;
    case 1:
      numbers.push_back(near(470, 80));
      break;
    case 2:
      numbers.push_back(near(1, 120));
      break;
    case 3:
      numbers.push_back(sycl::bit_cast<double>((fraction & 0x8008000000000001) | (990 + next() % 66) << 52));
      break;
    case 4:
      numbers.push_back(ends[next() % std::size(ends)]);
      break;
    default:
      numbers.push_back(near(960, 120));
    }
  }
  for (int i = 0; i + 2 < count; i += 15) // a sum that cancels
    numbers[i + 2] = -(numbers[i] * numbers[i + 1]);
  return numbers;
}

TEST(intel_math, rounds_arithmetic_of_doubles_as_told) {
  namespace math = sycl::ext::intel::math;
  constexpr int count = 1536, functions = 7;
  sycl::queue queue;
  const std::vector<double> numbers = doubles_of_all_kinds(3 * count);
  const shared<double> in(queue, 3 * count), out(queue, 4 * functions * count);
  std::copy(numbers.begin(), numbers.end(), in.get());
  queue
      .parallel_for(count,
                    [in = in.get(), out = out.get()](std::size_t i) {
                      const double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
                      double* to = out + i * 4 * functions;
#define FALX_TEST_MODE(suffix)                                                                               \
  for (const double x : {math::dadd##suffix(a, b), math::dsub##suffix(a, b), math::dmul##suffix(a, b),       \
                         math::ddiv##suffix(a, b), math::drcp##suffix(a), math::dsqrt##suffix(a),            \
                         math::fma##suffix(a, b, c)})                                                        \
    *to++ = x;
                      FALX_TEST_MODE(_rn)
                      FALX_TEST_MODE(_rz)
                      FALX_TEST_MODE(_ru)
                      FALX_TEST_MODE(_rd)
#undef FALX_TEST_MODE
                    })
      .wait();
  const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
  for (int i = 0; i < count; ++i) {
    const volatile double a = in[3 * i], b = in[3 * i + 1], c = in[3 * i + 2];
    for (int mode = 0; mode < 4; ++mode) {
      const auto rounded = [&](const auto& function) { return rounded_by_processor(modes[mode], function); };
      const double expected[] = {rounded([&] { return a + b; }),
                                 rounded([&] { return a - b; }),
                                 rounded([&] { return a * b; }),
                                 rounded([&] { return a / b; }),
                                 rounded([&] { return 1.0 / a; }),
                                 rounded([&] { return std::sqrt(a); }),
                                 rounded([&] { return std::fma(a, b, c); })};
      for (int f = 0; f < functions; ++f) {
        const double found = out[(i * 4 + mode) * functions + f];
        EXPECT_TRUE((std::isnan(found) && std::isnan(expected[f])) ||
                    sycl::bit_cast<std::uint64_t>(found) == sycl::bit_cast<std::uint64_t>(expected[f]))
            << std::hexfloat << "function " << f << ", mode " << mode << ": " << a << ", " << b << ", " << c
            << " gave " << found << " and not " << expected[f];
      }
    }
  }
}

} // namespace
