// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multi_ptr and its conversions (SYCL 2020 §4.7.7).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace {

using sycl::access::address_space;
using sycl::access::decorated;

template <class Pointer, class = void>
constexpr bool prefetches = false;
template <class Pointer>
constexpr bool prefetches<Pointer, std::void_t<decltype(std::declval<const Pointer&>().prefetch(1))>> = true;
static_assert(prefetches<sycl::raw_global_ptr<int>> && prefetches<sycl::decorated_global_ptr<const float>>);
static_assert(!prefetches<sycl::raw_local_ptr<int>> && !prefetches<sycl::raw_private_ptr<int>> &&
              !prefetches<sycl::generic_ptr<int, decorated::no>>);

/// The functions with a second result write it to all address spaces but that of constants.
template <class Pointer, class = void>
constexpr bool takes_result = false;
template <class Pointer>
constexpr bool takes_result<Pointer, std::void_t<decltype(sycl::fract(1.0f, std::declval<Pointer>()))>> =
    true;
static_assert(takes_result<float*> && !takes_result<const float*> && !takes_result<int*>);
static_assert(takes_result<sycl::private_ptr<float>> && takes_result<sycl::decorated_local_ptr<float>> &&
              takes_result<sycl::generic_ptr<float, decorated::yes>>);
static_assert(!takes_result<sycl::raw_global_ptr<const float>> &&
              !takes_result<sycl::multi_ptr<float, address_space::constant_space, decorated::no>>);

TEST(multi_ptr, behaves_as_a_pointer) {
  int array[4] = {1, 2, 3, 4};
  sycl::raw_global_ptr<int> p(array);
  EXPECT_EQ(*p, 1);
  EXPECT_EQ(p[2], 3);
  ++p;
  EXPECT_EQ(*p, 2);
  p += 2;
  EXPECT_EQ(*p--, 4);
  EXPECT_EQ(*(p - 1), 2);
  EXPECT_EQ(p.get(), array + 2);
  EXPECT_TRUE(p != nullptr);
  EXPECT_TRUE(nullptr < p);
  p = nullptr;
  EXPECT_TRUE(p == nullptr);
}

TEST(multi_ptr, legacy_converts_from_pointers) {
  int array[4] = {1, 2, 3, 4};
  sycl::global_ptr<int> p = array;
  EXPECT_EQ(p[3], 4);
  const int* raw = p + 1;
  EXPECT_EQ(*raw, 2);
  EXPECT_TRUE(p == &array[0]);
  EXPECT_TRUE(&array[1] > p);
  sycl::global_ptr<void> untyped = array;
  void* const raw_untyped = array;
  EXPECT_TRUE(untyped == raw_untyped);
  EXPECT_FALSE(raw_untyped != untyped);
  static_assert(std::is_convertible_v<int*, sycl::global_ptr<int>>);
  static_assert(!std::is_convertible_v<int*, sycl::raw_global_ptr<int>>);
}

TEST(multi_ptr, converts_as_the_specification_says) {
  using global_int = sycl::raw_global_ptr<int>;
  using generic_int = sycl::raw_generic_ptr<int>;
  static_assert(std::is_convertible_v<global_int, sycl::decorated_global_ptr<int>>);
  static_assert(std::is_convertible_v<global_int, sycl::raw_global_ptr<const int>>);
  static_assert(std::is_convertible_v<global_int, sycl::raw_global_ptr<void>>);
  static_assert(!std::is_convertible_v<sycl::raw_global_ptr<const int>, global_int>);
  static_assert(!std::is_convertible_v<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<void>>);
  static_assert(std::is_assignable_v<generic_int&, sycl::raw_local_ptr<int>>);
  static_assert(!std::is_convertible_v<generic_int, global_int>);
  static_assert(std::is_constructible_v<sycl::decorated_local_ptr<const int>, generic_int>);
  static_assert(!std::is_constructible_v<sycl::raw_local_ptr<int>, global_int>);
  static_assert(std::is_constructible_v<global_int, sycl::raw_global_ptr<void>>);
  static_assert(std::is_trivially_copyable_v<global_int>);
  int value = 3;
  auto p = sycl::address_space_cast<address_space::private_space, decorated::yes>(&value);
  static_assert(std::is_same_v<decltype(p), sycl::decorated_private_ptr<int>>);
  EXPECT_EQ(*p, 3);
}

TEST(multi_ptr, constant_accessors_give_pointers_of_their_element_type) {
  sycl::queue queue;
  int value = 5;
  sycl::buffer<int> in(&value, 1), out(sycl::range<1>(1));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::constant_buffer> constant(in, group);
    sycl::accessor write(out, group, sycl::write_only);
    group.single_task([=] {
      sycl::constant_ptr<int> p = constant.get_pointer();
      write[0] = *p;
    });
  });
  EXPECT_EQ(sycl::host_accessor{out}[0], 5);
}

TEST(multi_ptr, points_into_accessors) {
  sycl::queue queue;
  sycl::buffer<int> data(sycl::range<1>(64));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor out(data, group, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int> shared(16, group);
    group.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
      sycl::multi_ptr global(out);
      sycl::raw_local_ptr<int> local(shared);
      const std::ptrdiff_t self = static_cast<std::ptrdiff_t>(item.get_local_id(0));
      local[self] = static_cast<int>(item.get_global_id(0));
      sycl::group_barrier(item.get_group());
      global[static_cast<std::ptrdiff_t>(item.get_global_id(0))] = local[15 - self];
    });
  });
  sycl::host_accessor result(data, sycl::read_only);
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(result[i], i / 16 * 16 + 15 - i % 16);
}

} // namespace
