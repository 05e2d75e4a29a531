// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstdint>

// SYCL 2020 §4.14.3: marray.

namespace {

using sycl::marray;

static_assert(sizeof(marray<char, 3>) == 3 && sizeof(marray<sycl::half, 5>) == 10);
static_assert(std::is_trivially_copyable_v<marray<float, 7>>);
static_assert(std::is_same_v<sycl::muchar16, marray<std::uint8_t, 16>> &&
              std::is_same_v<sycl::mbool2, marray<bool, 2>>);
static_assert(!std::is_convertible_v<float, marray<float, 4>>);
static_assert(std::is_convertible_v<marray<float, 1>, double> &&
              !std::is_convertible_v<marray<float, 2>, float>);
constexpr marray<int, 3> in_constant_expressions(1, 2, 3);
static_assert((in_constant_expressions * 2)[2] == 6);

template <class T, std::size_t N>
::testing::AssertionResult equal(const marray<T, N>& a, const marray<T, N>& b) {
  for (std::size_t i = 0; i < N; ++i)
    if (!(a[i] == b[i]))
      return ::testing::AssertionFailure() << "element " << i << " differs";
  return ::testing::AssertionSuccess();
}

/// A numeric type of the user's.
struct number {
  int value;
  number() = default;
  number(int v) : value(v) {}
  friend number operator+(number a, number b) { return a.value + b.value; }
  friend bool operator==(number a, number b) { return a.value == b.value; }
  friend number& operator++(number& a) {
    ++a.value;
    return a;
  }
};

TEST(marray, constructors_put_scalars_and_arrays_in_order) {
  const marray<int, 2> pair(1, 2);
  EXPECT_TRUE(equal(marray<int, 5>(pair, 3, pair), marray<int, 5>(1, 2, 3, 1, 2)));
  EXPECT_TRUE(equal(marray<int, 3>(4), marray<int, 3>(4, 4, 4)));
  marray<int, 3> assigned;
  assigned = 6;
  EXPECT_TRUE(equal(assigned, marray<int, 3>(6)));
  int sum = 0;
  for (int element : assigned)
    sum += element;
  EXPECT_EQ(sum, 18);
}

TEST(marray, operators_work_by_element) {
  marray<int, 3> a(7, -8, 9);
  EXPECT_TRUE(equal(a + a * 2 - 1, marray<int, 3>(20, -25, 26)));
  EXPECT_TRUE(equal(a % 4, marray<int, 3>(3, 0, 1)));
  EXPECT_TRUE(equal(1 << (a & 3), marray<int, 3>(8, 1, 2)));
  EXPECT_TRUE(equal(~a, marray<int, 3>(-8, 7, -10)));
  a += 1;
  EXPECT_TRUE(equal(a++, marray<int, 3>(8, -7, 10)));
  EXPECT_TRUE(equal(--a, marray<int, 3>(8, -7, 10)));
  EXPECT_TRUE(equal(marray<sycl::half, 2>(1, 2) * 2, marray<sycl::half, 2>(2, 4)));
}

TEST(marray, comparisons_give_bool) {
  const marray<float, 3> a(1, 2, 3);
  static_assert(std::is_same_v<decltype(a < a), marray<bool, 3>>);
  EXPECT_TRUE(equal(a < 2, marray<bool, 3>(true, false, false)));
  EXPECT_TRUE(equal(2 == a, marray<bool, 3>(false, true, false)));
  EXPECT_TRUE(equal(!a || a > 2, marray<bool, 3>(false, false, true)));
}

TEST(marray, holds_numeric_types_of_the_user) {
  marray<number, 2> a(number(1), number(2));
  ++a;
  EXPECT_TRUE(equal(a + number(1), marray<number, 2>(number(3), number(4))));
  EXPECT_TRUE((a == number(2))[0]);
}

TEST(marray, computes_in_a_kernel) {
  sycl::queue queue;
  auto* data = sycl::malloc_shared<marray<int, 5>>(1, queue);
  data[0] = marray<int, 5>(1, 2, 3, 4, 5);
  queue.single_task([=] { data[0] = data[0] * data[0]; });
  queue.wait();
  EXPECT_TRUE(equal(data[0], marray<int, 5>(1, 4, 9, 16, 25)));
  sycl::free(data, queue);
}

/// A result that is too long for registers, once by a private variable and once by local memory.
template <class T, std::size_t N>
void expect_whole_copies() {
  using array = marray<T, N>;
  sycl::queue queue;
  array expected, results[2];
  for (std::size_t i = 0; i < N; ++i)
    expected[i] = T(i + 3);
  {
    sycl::buffer<array> memory(results, 2);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor out(memory, group, sycl::write_only, sycl::no_init);
      sycl::local_accessor<array, 1> copy(2, group);
      const int first = 2;
      group.parallel_for(sycl::nd_range<1>(2, 2), [=](sycl::nd_item<1> item) {
        const std::size_t own = item.get_local_id(0);
        array value;
        for (std::size_t i = 0; i < N; ++i)
          value[i] = T(i + first);
        if (own == 1)
          copy[1] = ++value;
        sycl::group_barrier(item.get_group());
        out[own] = own == 1 ? copy[1] : ++value;
      });
    });
  }
  EXPECT_TRUE(equal(results[0], expected));
  EXPECT_TRUE(equal(results[1], expected));
}

TEST(marray, leaves_kernels_whole_however_long) {
  expect_whole_copies<int, 5>();
  expect_whole_copies<int, 64>();
  expect_whole_copies<float, 77>();
  expect_whole_copies<double, 130>();
  expect_whole_copies<std::uint8_t, 99>();
}

/// Nothing tells the kernel where the two lie, and they may overlap.
TEST(marray, moves_within_generic_memory) {
  using array = marray<int, 64>;
  sycl::queue queue;
  auto* data = sycl::malloc_shared<int>(80, queue);
  for (int distance : {-5, 0, 7}) {
    for (int i = 0; i < 80; ++i)
      data[i] = i;
    auto* const from = reinterpret_cast<array*>(data + 8);
    auto* const to = reinterpret_cast<array*>(data + 8 + distance);
    queue.single_task([=] {
      const array value = *from;
      *to = value;
    });
    queue.wait();
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(data[8 + distance + i], 8 + i) << "distance " << distance;
  }
  sycl::free(data, queue);
}

} // namespace
