// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

// SYCL 2020 §4.14.2: vec and swizzled vectors.

namespace {

using sycl::half;
using sycl::rounding_mode;
using sycl::vec;

template <class T, int N>
constexpr bool layout_is_right() {
  constexpr std::size_t bytes = sizeof(T) * (N == 3 ? 4 : N);
  return sizeof(vec<T, N>) == bytes && alignof(vec<T, N>) == (bytes < 64 ? bytes : 64) &&
         vec<T, N>::byte_size() == bytes && vec<T, N>::size() == N && std::is_trivially_copyable_v<vec<T, N>>;
}
template <class T>
constexpr bool layouts_are_right() {
  return layout_is_right<T, 1>() && layout_is_right<T, 2>() && layout_is_right<T, 3>() &&
         layout_is_right<T, 4>() && layout_is_right<T, 8>() && layout_is_right<T, 16>();
}
static_assert(layouts_are_right<bool>() && layouts_are_right<std::byte>() &&
              layouts_are_right<std::int16_t>() && layouts_are_right<half>() && layouts_are_right<float>() &&
              layouts_are_right<double>());

static_assert(std::is_same_v<sycl::float4, vec<float, 4>> &&
              std::is_same_v<sycl::ulong2, vec<std::uint64_t, 2>>);
static_assert(std::is_same_v<decltype(vec(1.0, 2.0, 3.0)), vec<double, 3>>);
static_assert(!std::is_convertible_v<float, vec<float, 4>> && std::is_convertible_v<float, vec<float, 1>>);
static_assert(!std::is_convertible_v<vec<float, 4>, float> && std::is_convertible_v<vec<float, 1>, double>);
constexpr vec<int, 4> in_constant_expressions(vec<int, 2>(1, 2), 3, 4);
static_assert(in_constant_expressions.w() == 4 && (in_constant_expressions + 1)[0] == 2);

template <class T, int N>
::testing::AssertionResult equal(const vec<T, N>& a, const vec<T, N>& b) {
  for (int i = 0; i < N; ++i)
    if (!(a[i] == b[i]))
      return ::testing::AssertionFailure() << "element " << i << " differs";
  return ::testing::AssertionSuccess();
}

TEST(vec, constructors_put_scalars_vectors_and_swizzles_in_order) {
  const vec<float, 4> a(1, 2, 3, 4);
  EXPECT_TRUE(equal(vec<float, 4>(5), vec<float, 4>(5, 5, 5, 5)));
  EXPECT_TRUE(equal(vec<float, 8>(a.lo(), 7, a.zw(), vec<float, 3>(8, 9, 10)),
                    vec<float, 8>(1, 2, 7, 3, 4, 8, 9, 10)));
  vec<float, 4> b;
  b = 2;
  EXPECT_TRUE(equal(b, vec<float, 4>(2)));
  const vec<float, 1> single = 3;
  EXPECT_EQ(single + 1, 4.0f);
  EXPECT_EQ(static_cast<int>(single), 3);
}

TEST(vec, operators_work_by_element) {
  const vec<int, 4> a(7, -8, 9, 10), b(2, 3, -4, 5);
  EXPECT_TRUE(equal(a + b * 2 - 1, vec<int, 4>(10, -3, 0, 19)));
  EXPECT_TRUE(equal(a / b, vec<int, 4>(3, -2, -2, 2)));
  EXPECT_TRUE(equal(20 % vec<int, 2>(7, 6), vec<int, 2>(6, 2)));
  EXPECT_TRUE(equal((a & 3) | (b ^ 1) << 2, vec<int, 4>(15, 8, -11 & ~0, 18)));
  EXPECT_TRUE(equal(a >> 1, vec<int, 4>(3, -4, 4, 5)));
  EXPECT_TRUE(equal(~a, vec<int, 4>(-8, 7, -10, -11)));
  EXPECT_TRUE(equal(-a, vec<int, 4>(-7, 8, -9, -10)));
  vec<int, 4> c = a;
  c += b;
  c <<= 1;
  EXPECT_TRUE(equal(c++, vec<int, 4>(18, -10, 10, 30)));
  EXPECT_TRUE(equal(--c, vec<int, 4>(18, -10, 10, 30)));
  const vec<std::byte, 2> bytes(std::byte(6), std::byte(1));
  EXPECT_TRUE(equal(bytes & std::byte(3), vec<std::byte, 2>(std::byte(2), std::byte(1))));
  EXPECT_TRUE(equal(~vec<bool, 2>(true, false), vec<bool, 2>(true, true)));
}

TEST(vec, comparisons_give_minus_one_or_zero_of_the_same_size) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const vec<double, 4> a(1, 2, nan, 4);
  static_assert(std::is_same_v<decltype(a < a), vec<std::int64_t, 4>>);
  EXPECT_TRUE(equal(a < 2, vec<std::int64_t, 4>(-1, 0, 0, 0)));
  EXPECT_TRUE(equal(a != a, vec<std::int64_t, 4>(0, 0, -1, 0)));
  EXPECT_TRUE(equal(2 >= a, vec<std::int64_t, 4>(-1, -1, 0, 0)));
  EXPECT_TRUE(equal(!a, vec<std::int64_t, 4>(0)));
  static_assert(std::is_same_v<decltype(vec<half, 2>() == 1), vec<std::int16_t, 2>>);
  static_assert(std::is_same_v<decltype(vec<bool, 2>() && true), vec<std::int8_t, 2>>);
  EXPECT_TRUE(equal(vec<int, 2>(3, 0) && 1, vec<int, 2>(-1, 0)));
}

TEST(vec, swizzles_are_views_to_read_and_write) {
  vec<int, 4> a(1, 2, 3, 4);
  EXPECT_TRUE(equal(vec<int, 4>(a.wzyx()), vec<int, 4>(4, 3, 2, 1)));
  EXPECT_TRUE(equal(a.swizzle<0, 0, 3>() + 1, vec<int, 3>(2, 2, 5)));
  a.xy() = a.yx(); // both sides show the same vec
  EXPECT_TRUE(equal(a, vec<int, 4>(2, 1, 3, 4)));
  a.swizzle<sycl::elem::s3, sycl::elem::s0>() += vec<int, 2>(10, 20);
  EXPECT_TRUE(equal(a, vec<int, 4>(22, 1, 3, 14)));
  a.even() = 5;
  a.odd()++;
  EXPECT_TRUE(equal(a, vec<int, 4>(5, 2, 5, 15)));
  a.bgra().hi().lo() = 9; // z of the view b, g, r, a: the first element
  EXPECT_EQ(a.x(), 9);
  EXPECT_TRUE(equal(2 * a.hi() - a.lo(), vec<int, 2>(1, 28)));
  const auto& constant = a;
  EXPECT_TRUE(equal(constant.lo() == a.lo(), vec<int, 2>(-1)));
  vec<int, 3> three(1, 2, 3);
  three.hi() = vec<int, 2>(7, 8);
  EXPECT_TRUE(equal(three, vec<int, 3>(1, 2, 7)));
  int element = a.swizzle<1>();
  EXPECT_EQ(element, 2);
  vec<char, 16> wide(0);
  wide.sF() = 1;
  EXPECT_EQ(wide[15], 1);
}

TEST(vec, converts_with_every_rounding_mode) {
  const vec<float, 4> a(1.5f, 2.5f, -1.5f, -0.2f);
  EXPECT_TRUE(equal(a.convert<int>(), vec<int, 4>(2, 2, -2, 0)));
  EXPECT_TRUE((equal(a.convert<int, rounding_mode::rte>(), vec<int, 4>(2, 2, -2, 0))));
  EXPECT_TRUE((equal(a.convert<int, rounding_mode::rtz>(), vec<int, 4>(1, 2, -1, 0))));
  EXPECT_TRUE((equal(a.convert<int, rounding_mode::rtp>(), vec<int, 4>(2, 3, -1, 0))));
  EXPECT_TRUE((equal(a.convert<int, rounding_mode::rtn>(), vec<int, 4>(1, 2, -2, -1))));

  const vec<int, 2> exact(16777217, -16777217);
  EXPECT_TRUE(equal(exact.convert<float>(), vec<float, 2>(16777216.0f, -16777216.0f)));
  EXPECT_TRUE((equal(exact.convert<float, rounding_mode::rtp>(), vec<float, 2>(16777218.0f, -16777216.0f))));
  EXPECT_TRUE((equal(exact.convert<float, rounding_mode::rtn>(), vec<float, 2>(16777216.0f, -16777218.0f))));
  const vec<std::uint64_t, 2> large(~std::uint64_t(0), 1);
  EXPECT_TRUE((equal(large.convert<float, rounding_mode::rtz>(), vec<float, 2>(0x1.fffffep63f, 1.0f))));
  EXPECT_TRUE((equal(large.convert<float, rounding_mode::rtp>(), vec<float, 2>(0x1p64f, 1.0f))));
  EXPECT_TRUE((equal(large.convert<half, rounding_mode::rtz>(), vec<half, 2>(65504, 1))));

  const vec<double, 2> d(0.1, -0.1);
  const float nearest = 0.1f; // above 0.1
  const float below = std::nextafter(nearest, 0.0f);
  EXPECT_TRUE((equal(d.convert<float, rounding_mode::rtz>(), vec<float, 2>(below, -below))));
  EXPECT_TRUE((equal(d.convert<float, rounding_mode::rtn>(), vec<float, 2>(below, -nearest))));
  EXPECT_TRUE((equal(d.convert<float, rounding_mode::rtp>(), vec<float, 2>(nearest, -below))));
  EXPECT_TRUE(equal(vec<int, 2>(0, 5).convert<bool>(), vec<bool, 2>(false, true)));
}

TEST(vec, as_keeps_the_bytes) {
  const vec<float, 2> a(1.0f, -2.0f);
  EXPECT_TRUE(equal(a.as<vec<std::uint32_t, 2>>(), vec<std::uint32_t, 2>(0x3f800000u, 0xc0000000u)));
}

TEST(vec, loads_and_stores_count_whole_vectors) {
  alignas(64) float memory[13] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  vec<float, 3> a;
  a.load(1, memory + 1); // not aligned to the vec
  EXPECT_TRUE(equal(a, vec<float, 3>(4, 5, 6)));
  a.store(3, memory);
  EXPECT_EQ(memory[8], 8.0f);
  EXPECT_EQ(memory[9], 4.0f);
  EXPECT_EQ(memory[12], 12.0f);
}

/// Loads by a multi_ptr, and stores behind it, with the template arguments of SYCL 2020 §4.14.2.1 and
/// without.
template <sycl::access::address_space Space, sycl::access::decorated Decorated>
void load_and_store(float* memory) {
  const sycl::multi_ptr<float, Space, Decorated> pointer(memory);
  const sycl::multi_ptr<const float, Space, Decorated> constant(pointer);
  vec<float, 2> a;
  a.template load<Space, Decorated>(0, constant);
  a.store(1, pointer);
  a.load(0, pointer);
  a.template store<Space>(2, pointer);
  vec<float, 4> b(0);
  b.lo().template load<Space>(0, constant);
  b.hi().load(0, pointer);
  b.wzyx().template store<Space, Decorated>(2, pointer);
}
template <sycl::access::address_space Space>
void load_and_store_decorated(float* memory) {
  load_and_store<Space, sycl::access::decorated::yes>(memory);
  load_and_store<Space, sycl::access::decorated::no>(memory);
  load_and_store<Space, sycl::access::decorated::legacy>(memory);
}

TEST(vec, loads_and_stores_through_pointers_of_every_address_space) {
  using space = sycl::access::address_space;
  sycl::queue queue;
  float* const memory = sycl::malloc_shared<float>(12, queue);
  memory[0] = 1;
  memory[1] = 2;
  queue
      .single_task([=] {
        load_and_store_decorated<space::global_space>(memory);
        load_and_store_decorated<space::generic_space>(memory);
        float own[12] = {3, 4};
        load_and_store_decorated<space::private_space>(own);
        memory[0] = own[8];
      })
      .wait();
  const float expected[12] = {4, 2, 1, 2, 1, 2, 0, 0, 2, 1, 2, 1};
  for (int i = 0; i < 12; ++i)
    if (i < 6 || i > 7)
      EXPECT_EQ(memory[i], expected[i]) << i;
  sycl::free(memory, queue);
  sycl::buffer<float> buffer(16);
  queue.submit([&](sycl::handler& group) {
    sycl::accessor a(buffer, group, sycl::write_only);
    sycl::local_accessor<float> local(4, group);
    group.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
      vec<float, 4> v(1);
      v.store(0, local.get_multi_ptr<sycl::access::decorated::yes>());
      v.load(0, local.get_pointer());
      v.store(0, a.get_multi_ptr<sycl::access::decorated::yes>());
      v.store(1, a.get_multi_ptr<sycl::access::decorated::no>());
      v.store(2, a.get_pointer());
    });
  });
  const sycl::host_accessor result(buffer, sycl::read_only);
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(result[i], 1) << i;
}

template <class To, class From, class = void>
inline constexpr bool accepts_sum = false;
template <class To, class From>
inline constexpr bool
    accepts_sum<To, From, std::void_t<decltype(std::declval<To>() += std::declval<From>())>> = true;
template <class Swizzle, class = void>
inline constexpr bool loads = false;
template <class Swizzle>
inline constexpr bool
    loads<Swizzle, std::void_t<decltype(std::declval<Swizzle>().load(0, (float*)nullptr))>> = true;

using writable_swizzle = decltype(std::declval<vec<float, 4>&>().xy());
using repeating_swizzle = decltype(std::declval<vec<float, 4>&>().swizzle<0, 0>());
using const_swizzle = decltype(std::declval<const vec<float, 4>&>().xy());
using const_element = decltype(std::declval<const vec<float, 4>&>().swizzle<0>());
template <class Swizzle>
inline constexpr bool is_closed =
    !std::is_assignable_v<Swizzle, vec<float, 2>> && !std::is_assignable_v<Swizzle, float> &&
    !std::is_assignable_v<Swizzle, writable_swizzle> && !std::is_assignable_v<Swizzle, Swizzle> &&
    !std::is_assignable_v<Swizzle&, const Swizzle&> && !accepts_sum<Swizzle, float> && !loads<Swizzle>;
static_assert(std::is_assignable_v<writable_swizzle, vec<float, 2>> &&
              std::is_assignable_v<writable_swizzle, int> &&
              std::is_assignable_v<writable_swizzle, writable_swizzle> &&
              std::is_assignable_v<writable_swizzle&, const writable_swizzle&> &&
              std::is_assignable_v<writable_swizzle, const_swizzle> && accepts_sum<writable_swizzle, float> &&
              loads<writable_swizzle>);
static_assert(is_closed<const_swizzle> && is_closed<repeating_swizzle> && is_closed<const_element>);
static_assert(sizeof(writable_swizzle) == sizeof(void*) && sizeof(const_swizzle) == sizeof(void*));

// A program's own functions of vectors are not ambiguous with what operators are made of.
template <class T>
T sum(T a, T b) {
  return a + b;
}
template <class T>
T difference(const T& a, const T& b) {
  return a - b;
}
template <class T>
T product(T a, T b) {
  return a * b;
}
template <class T>
T shifted_left(T a, T b) {
  return a << b;
}

TEST(vec, leaves_names_to_the_program) {
  const vec<int, 2> a(3, 4), b(1, 2);
  EXPECT_TRUE(equal(sum(a, b), vec<int, 2>(4, 6)));
  EXPECT_TRUE(equal(difference(a, b), vec<int, 2>(2, 2)));
  EXPECT_TRUE(equal(product(a, b), vec<int, 2>(3, 8)));
  EXPECT_TRUE(equal(shifted_left(a, b), vec<int, 2>(6, 16)));
}

TEST(vec, computes_in_a_kernel) {
  sycl::queue queue;
  auto* data = sycl::malloc_shared<vec<float, 4>>(2, queue);
  data[0] = vec<float, 4>(1, 2, 3, 4);
  queue.single_task([=] {
    data[1] = data[0] * 2;
    data[1].lo() += data[0].hi();
  });
  queue.wait();
  EXPECT_TRUE(equal(data[1], vec<float, 4>(5, 8, 6, 8)));
  sycl::free(data, queue);
}

} // namespace
