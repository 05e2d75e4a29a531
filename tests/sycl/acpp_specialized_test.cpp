// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// AdaptiveCpp's extension SPECIALIZED. That values are constants in machine code is shown in tests/jit.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <array>
#include <type_traits>
#include <utility>

#if !defined(ACPP_EXT_SPECIALIZED) || !defined(SYCL_EXT_ACPP_SPECIALIZED)
#error "the feature-test macros are missing"
#endif

namespace {

struct padded {
  char c;
  double d;
  short s;
};
struct no_default {
  explicit no_default(int n) : number(n) {}
  int number;
};
struct nested {
  int other;
  sycl::specialized<float> each[3];
  std::pair<sycl::specialized<padded>, int> in_pair;
};

static_assert(std::is_trivially_copyable_v<sycl::specialized<padded>>);
static_assert(std::is_default_constructible_v<sycl::specialized<int>>);
static_assert(!std::is_default_constructible_v<sycl::specialized<no_default>>);
static_assert(std::is_convertible_v<int, sycl::specialized<int>> &&
              std::is_convertible_v<sycl::specialized<int>, int>);

/// What \p function gives in a kernel.
template <class Function>
auto on_device(const Function& function) {
  sycl::queue queue;
  using result_type = decltype(function());
  auto* result = sycl::malloc_shared<result_type>(1, queue);
  queue.single_task([=] { *result = function(); }).wait();
  const result_type copy = *result;
  sycl::free(result, queue);
  return copy;
}

} // namespace

TEST(specialized, is_its_value_on_the_host) {
  sycl::specialized<int> a, b = 4;
  EXPECT_EQ(a, 0);
  swap(a, b);
  EXPECT_EQ(a, 4);
  EXPECT_EQ(b, 0);
  b = 7;
  a = b;
  EXPECT_EQ(a + b, 14);
  const sycl::specialized<int> moved = std::move(a);
  EXPECT_EQ(moved, 7);
  const sycl::specialized<no_default> constructed = no_default(5);
  EXPECT_EQ(static_cast<no_default>(constructed).number, 5);
}

TEST(specialized, has_the_value_of_each_launch) {
  for (int value : {1, 2, 3, 2, -1}) {
    const sycl::specialized<int> captured = value;
    EXPECT_EQ(on_device([=] { return captured * 10; }), value * 10);
  }
}

TEST(specialized, holds_any_trivially_copyable_type) {
  sycl::queue queue;
  int* memory = sycl::malloc_shared<int>(1, queue);
  *memory = 12;
  const sycl::specialized<int*> pointer = memory;
  const sycl::specialized<bool> flag = true;
  const sycl::specialized<sycl::half> half = sycl::half(0.5f);
  const sycl::specialized<sycl::range<2>> range = sycl::range<2>(3, 4);
  const sycl::specialized<padded> structure = padded{'a', 2.5, 7};
  EXPECT_EQ(on_device([=] { return *static_cast<int*>(pointer); }), 12);
  EXPECT_EQ(on_device([=] { return flag ? 1.5f + half : 0.0f; }), 2.0f);
  EXPECT_EQ(on_device([=] { return static_cast<sycl::range<2>>(range).size(); }), 12u);
  EXPECT_EQ(on_device([=] {
              const padded copy = structure;
              return copy.c + copy.d + copy.s;
            }),
            'a' + 2.5 + 7);
  sycl::free(memory, queue);
}

TEST(specialized, is_found_inside_of_what_is_captured) {
  nested object{5, {1.5f, 2.5f, 3.5f}, {padded{1, 2.5, 3}, 4}};
  for (float last : {3.5f, -1.0f}) {
    object.each[2] = last;
    EXPECT_EQ(on_device([=] {
                const nested copy = object;
                const padded inner = copy.in_pair.first;
                return object.other + object.each[0] + object.each[1] + copy.each[2] +
                       static_cast<float>(inner.c + inner.d + inner.s) +
                       static_cast<float>(copy.in_pair.second);
              }),
              5 + 1.5f + 2.5f + last + 6.5f + 4);
  }
}

// An index that only the kernel knows.
TEST(specialized, may_be_an_array) {
  sycl::queue queue;
  using table = std::array<int, 24>;
  int* out = sycl::malloc_shared<int>(48, queue);
  for (int factor : {2, 5}) {
    table values{};
    for (int i = 0; i < 24; ++i)
      values[static_cast<unsigned>(i)] = factor * i;
    const sycl::specialized<table> captured = values;
    queue
        .parallel_for(sycl::range<1>(48),
                      [=](sycl::id<1> i) {
                        const table copy = captured;
                        out[i] = copy[(i[0] * 5) % 24];
                      })
        .wait();
    for (int i = 0; i < 48; ++i)
      EXPECT_EQ(out[i], factor * (i * 5 % 24)) << i;
  }
  sycl::free(out, queue);
}

// Trip counts and branches around barriers become constants before the kernel is split at them.
TEST(specialized, decides_on_barriers) {
  sycl::queue queue;
  int* out = sycl::malloc_shared<int>(64, queue);
  for (int rounds : {0, 1, 3}) {
    const sycl::specialized<int> captured = rounds;
    queue
        .submit([&](sycl::handler& group) {
          sycl::local_accessor<int> scratch(64, group);
          group.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
            const std::size_t i = item.get_local_id(0);
            scratch[i] = static_cast<int>(i);
            for (int round = 0; round < captured; ++round) {
              sycl::group_barrier(item.get_group());
              const int next = scratch[(i + 1) % 64];
              sycl::group_barrier(item.get_group());
              scratch[i] = next;
            }
            out[i] = scratch[i];
          });
        })
        .wait();
    for (int i = 0; i < 64; ++i)
      EXPECT_EQ(out[i], (i + rounds) % 64) << rounds;
  }
  sycl::free(out, queue);
}

// More values than there are versions of one kernel.
TEST(specialized, of_many_values_stays_right) {
  for (int value = 0; value < 40; ++value) {
    const sycl::specialized<long> captured = value;
    EXPECT_EQ(on_device([=] { return captured * captured; }), value * value);
  }
}
