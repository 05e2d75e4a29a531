// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define SYCL_EXT_ONEAPI_COMPLEX // with which programs for DPC++ ask for it
#include "../shared_memory.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <sstream>

// sycl_ext_oneapi_complex; complex_test.cpp has the functions of std::complex, which compute it.

namespace {

namespace oneapi = sycl::ext::oneapi::experimental;
using oneapi::complex;
using sycl::half;

static_assert(sycl::is_device_copyable_v<complex<float>> && std::is_trivially_copyable_v<complex<half>>);
static_assert(sycl::is_device_copyable_v<sycl::marray<complex<double>, 3>>);
static_assert(sizeof(complex<half>) == 4 && sizeof(complex<double>) == 16);
static_assert(std::is_convertible_v<std::complex<double>, complex<float>>);
static_assert(std::is_convertible_v<complex<float>, std::complex<double>>);
static_assert(complex<float>(1, 2) + 1.0f == complex<float>(2, 2) && complex<double>(3) == 3.0);
static_assert(std::is_same_v<decltype(oneapi::pow(complex<half>(), 2)), complex<half>>);
static_assert(std::is_same_v<decltype(oneapi::pow(complex<half>(), 2.0f)), complex<float>>);
static_assert(std::is_same_v<decltype(oneapi::pow(half(), complex<double>())), complex<double>>);
static_assert(std::is_same_v<decltype(oneapi::real(1)), double>);

template <class T, class = void>
constexpr bool has_order = false;
template <class T>
constexpr bool has_order<T, std::void_t<decltype(std::declval<T>() < std::declval<T>())>> = true;
template <class T, class = void>
constexpr bool has_steps = false;
template <class T>
constexpr bool has_steps<T, std::void_t<decltype(++std::declval<T&>())>> = true;
using complexes = sycl::marray<complex<float>, 2>;
static_assert(!has_order<complexes> && !has_steps<complexes>);
static_assert(has_order<sycl::marray<float, 2>> && has_steps<sycl::marray<float, 2>>);

template <class T>
class oneapi_complex : public testing::Test {};
using parts = testing::Types<half, float, double>;
static_assert(
    sycl::has_known_identity_v<sycl::plus<>, std::complex<float>> &&
    sycl::has_known_identity_v<std::multiplies<>, sycl::ext::oneapi::experimental::complex<double>> &&
    !sycl::has_known_identity_v<sycl::maximum<>, std::complex<float>>);
static_assert(
    sycl::known_identity_v<sycl::multiplies<>, sycl::ext::oneapi::experimental::complex<double>>.real() == 1);

TYPED_TEST_SUITE(oneapi_complex, parts, );

template <class T>
double tolerance() {
  return std::is_same_v<T, half> ? 4e-3 : std::is_same_v<T, float> ? 2e-6 : 1e-14;
}
template <class T>
void expect_near(complex<T> value, std::complex<double> exact, const char* what) {
  EXPECT_LE(std::abs(std::complex<double>(value) - exact), tolerance<T>() * (1 + std::abs(exact))) << what;
}

TYPED_TEST(oneapi_complex, has_the_operators_of_a_number) {
  using T = TypeParam;
  sycl::queue queue;
  const shared<complex<T>> out(queue, 12);
  queue
      .single_task([out = out.get()] {
        const complex<T> z(T(1), T(2)), w(T(3), T(-1));
        out[0] = z + w;
        out[1] = z - w;
        out[2] = z * w;
        out[3] = z / w;
        out[4] = T(2) - z;
        out[5] = T(2) / z;
        out[6] = -z * T(2);
        complex<T> changing = z;
        changing += w;
        changing *= T(2);
        changing -= complex<float>(1.0f);
        changing /= complex<T>(T(0), T(1));
        out[7] = changing;
        changing = T(5);
        changing.imag(T(7));
        out[8] = changing;
        out[9] = complex<T>(std::complex<float>(1.5f, 2.5f));
        const complex<T> infinite(std::numeric_limits<T>::infinity(), T(0));
        out[10] = infinite * z;
        out[11] = complex<T>(T(z == z), T(z != w && z != T(1) && T(1) != z));
      })
      .wait();
  using exact = std::complex<double>;
  const exact z(1, 2), w(3, -1);
  expect_near(out[0], z + w, "+");
  expect_near(out[1], z - w, "-");
  expect_near(out[2], z * w, "*");
  expect_near(out[3], z / w, "/");
  expect_near(out[4], 2.0 - z, "-");
  expect_near(out[5], 2.0 / z, "/");
  expect_near(out[6], -2.0 * z, "unary -");
  expect_near(out[7], ((z + w) * 2.0 - 1.0) / exact(0, 1), "assignment");
  expect_near(out[8], {5, 7}, "imag");
  expect_near(out[9], {1.5, 2.5}, "conversion");
  EXPECT_TRUE(std::isinf(static_cast<float>(out[10].real())));
  EXPECT_EQ(out[11], complex<T>(T(1), T(1)));
}

TYPED_TEST(oneapi_complex, has_the_functions_of_std_complex) {
  using T = TypeParam;
  sycl::queue queue;
  const shared<complex<T>> out(queue, 24);
  queue
      .single_task([out = out.get()] {
        const complex<T> z(T(0.5f), T(-0.75f)), w(T(1.25f), T(0.5f));
        out[0] = oneapi::acos(z);
        out[1] = oneapi::acosh(z);
        out[2] = oneapi::asin(z);
        out[3] = oneapi::asinh(z);
        out[4] = oneapi::atan(z);
        out[5] = oneapi::atanh(z);
        out[6] = oneapi::conj(z);
        out[7] = oneapi::cos(z);
        out[8] = oneapi::cosh(z);
        out[9] = oneapi::exp(z);
        out[10] = oneapi::log(z);
        out[11] = oneapi::log10(z);
        out[12] = oneapi::proj(z);
        out[13] = oneapi::sin(z);
        out[14] = oneapi::sinh(z);
        out[15] = oneapi::sqrt(z);
        out[16] = oneapi::tan(z);
        out[17] = oneapi::tanh(z);
        out[18] = complex<T>(oneapi::abs(z), oneapi::arg(z));
        out[19] = complex<T>(oneapi::norm(z), oneapi::real(w) + oneapi::imag(w));
        out[20] = oneapi::polar(T(2), T(0.5f));
        out[21] = oneapi::pow(z, w);
        out[22] = complex<T>(oneapi::pow(z, 2));
        out[23] = complex<T>(oneapi::pow(T(2), w));
      })
      .wait();
  const std::complex<double> z(0.5, -0.75), w(1.25, 0.5);
  const std::complex<double> expected[] = {std::acos(z),
                                           std::acosh(z),
                                           std::asin(z),
                                           std::asinh(z),
                                           std::atan(z),
                                           std::atanh(z),
                                           std::conj(z),
                                           std::cos(z),
                                           std::cosh(z),
                                           std::exp(z),
                                           std::log(z),
                                           std::log10(z),
                                           std::proj(z),
                                           std::sin(z),
                                           std::sinh(z),
                                           std::sqrt(z),
                                           std::tan(z),
                                           std::tanh(z),
                                           {std::abs(z), std::arg(z)},
                                           {std::norm(z), 1.75},
                                           std::polar(2.0, 0.5),
                                           std::pow(z, w),
                                           std::pow(z, 2.0),
                                           std::pow(2.0, w)};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    expect_near(out[i], expected[i], ("function " + std::to_string(i)).c_str());
}

TEST(oneapi_complex_marray, works_element_by_element) {
  sycl::queue queue;
  const shared<complexes> out(queue, 8);
  const shared<sycl::marray<float, 2>> parts(queue, 3);
  queue
      .single_task([out = out.get(), parts = parts.get()] {
        const complexes x(complex<float>(1, 2), complex<float>(3, -4));
        const complex<float> i(0, 1);
        out[0] = x * x + i;
        out[1] = i / x - x;
        out[2] = oneapi::sqrt(x);
        out[3] = oneapi::pow(x, 2.0f);
        out[4] = oneapi::pow(i, x);
        out[5] = oneapi::polar(sycl::marray<float, 2>(1, 2), 0.5f);
        out[6] = -x;
        out[6] += x;
        out[7] = oneapi::proj(sycl::marray<float, 2>(1, 2));
        parts[0] = oneapi::real(x);
        parts[1] = oneapi::abs(x);
        const sycl::marray<bool, 2> same = x == complex<float>(1, 2);
        parts[2] = sycl::marray<float, 2>(same[0], same[1]);
      })
      .wait();
  using exact = std::complex<double>;
  const exact x[] = {{1, 2}, {3, -4}}, i(0, 1);
  for (int e = 0; e < 2; ++e) {
    expect_near(out[0][e], x[e] * x[e] + i, "* +");
    expect_near(out[1][e], i / x[e] - x[e], "/ -");
    expect_near(out[2][e], std::sqrt(x[e]), "sqrt");
    expect_near(out[3][e], std::pow(x[e], 2.0), "pow");
    expect_near(out[4][e], std::pow(i, x[e]), "pow");
    expect_near(out[5][e], std::polar(1.0 + e, 0.5), "polar");
    expect_near(out[6][e], 0, "+=");
    expect_near(out[7][e], 1.0 + e, "proj");
    EXPECT_EQ(parts[0][e], x[e].real());
    EXPECT_FLOAT_EQ(parts[1][e], static_cast<float>(std::abs(x[e])));
    EXPECT_EQ(parts[2][e], e == 0);
  }
}

TEST(oneapi_complex_algorithms, are_where_dpcpp_has_them) {
  namespace experimental = sycl::ext::oneapi::experimental;
  using namespace experimental::complex_literals;
  static_assert(std::is_same_v<decltype(3if), complex<float>>);
  EXPECT_EQ(2.0i * 3i, complex<double>(-6));
  sycl::queue queue;
  auto* out = sycl::malloc_shared<complex<float>>(9, queue);
  queue
      .parallel_for(sycl::nd_range<1>(8, 8),
                    [=](sycl::nd_item<1> item) {
                      const auto group = item.get_group();
                      const complex<float> mine(static_cast<float>(item.get_local_id(0)), 1);
                      out[item.get_local_id(0)] =
                          experimental::inclusive_scan_over_group(group, mine, sycl::plus<>());
                      const auto sum = experimental::reduce_over_group(group, mine, sycl::plus<>());
                      if (group.leader())
                        out[8] = sum;
                    })
      .wait();
  EXPECT_EQ(out[3], complex<float>(6, 4));
  EXPECT_EQ(out[8], complex<float>(28, 8));
  sycl::free(out, queue);
}

TEST(oneapi_complex_text, is_in_parentheses) {
  std::stringstream text;
  text << complex<double>(1.5, -2) << complex<half>(3);
  EXPECT_EQ(text.str(), "(1.5,-2)(3,0)");
  complex<float> read;
  text >> read;
  EXPECT_EQ(read, complex<float>(1.5f, -2));
  sycl::queue queue;
  testing::internal::CaptureStdout();
  queue.submit([](sycl::handler& group) {
    const sycl::stream out(1024, 256, group);
    group.single_task([=] { out << "z = " << complex<float>(1.5f, -2) << sycl::endl; });
  });
  queue.wait();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "z = (1.5,-2)\n");
}

} // namespace
