// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

// SYCL 2020 §4.7.6.9: accessors of commands.

namespace {

using sycl::access_mode;
using sycl::target;
template <class A, class B>
inline constexpr bool same = std::is_same_v<A, B>;

static_assert(std::is_trivially_copyable_v<sycl::accessor<int, 0>>);
static_assert(std::is_trivially_copyable_v<sycl::accessor<int, 1>>);
static_assert(std::is_trivially_copyable_v<sycl::accessor<const int, 2>>);
static_assert(std::is_trivially_copyable_v<sycl::accessor<int, 3, access_mode::write, target::host_task>>);
static_assert(sizeof(sycl::accessor<int, 1>) == 32);
static_assert(same<sycl::accessor<int, 1, access_mode::read>::reference, const int&>);
static_assert(same<sycl::accessor<int, 2>::iterator::reference, int&>);

template <class From, class To>
inline constexpr bool converts = std::is_convertible_v<From, To>;
using read_write = sycl::accessor<int, 1, access_mode::read_write>;
using read = sycl::accessor<int, 1, access_mode::read>;
using read_const = sycl::accessor<const int, 1, access_mode::read>;
using write = sycl::accessor<int, 1, access_mode::write>;
static_assert(converts<read_write, read> && converts<read_write, read_const>);
static_assert(converts<read, read_const> && converts<read_const, read>);
static_assert(!converts<read, read_write> && !converts<write, read> && !converts<read_write, write>);

TEST(accessor, deduces_mode_and_target_from_tags) {
  sycl::buffer<int> b(4);
  sycl::buffer<int, 2> b2({4, 4});
  sycl::queue().submit([&](sycl::handler& h) {
    static_assert(same<decltype(sycl::accessor{b, h}), read_write>);
    static_assert(same<decltype(sycl::accessor{b, h, sycl::read_only}), read>);
    static_assert(same<decltype(sycl::accessor{b, h, sycl::write_only, sycl::no_init}), write>);
    static_assert(same<decltype(sycl::accessor{b, h, sycl::write_only, {sycl::no_init}}), write>);
    static_assert(
        same<decltype(sycl::accessor{b2, h, sycl::range(1, 1), sycl::id(0, 0), sycl::read_only_host_task}),
             sycl::accessor<int, 2, access_mode::read, target::host_task>>);
    static_assert(same<decltype(b.get_access<access_mode::read>(h)), read>);
    static_assert(same<decltype(b.get_access(h, sycl::write_only)), write>);
    static_assert(
        same<decltype(b.get_access<sycl::access::mode::read, sycl::access::target::constant_buffer>(h)),
             sycl::accessor<int, 1, access_mode::read, target::constant_buffer>>);
  });
}

TEST(accessor, ranged_ones_count_from_their_offset) {
  std::vector<int> data(16);
  {
    sycl::buffer<int> b(data);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::range(4), sycl::id(8)};
      EXPECT_EQ(a.size(), 4u);
      EXPECT_EQ(a.get_offset(), sycl::id(8));
      EXPECT_EQ(a.get_range(), sycl::range(4));
      h.parallel_for(4, [=](sycl::id<1> i) {
        a[i] = static_cast<int>(i[0]) + 1;
        a.get_pointer()[8 + i[0]] += 50; // counts from the buffer's start
      });
    });
  }
  std::vector<int> expected(16);
  for (int i = 0; i < 4; ++i)
    expected[8 + i] = i + 51;
  EXPECT_EQ(data, expected);
}

TEST(accessor, ranged_ones_order_commands_by_the_whole_buffer) {
  sycl::buffer<int> b(8);
  sycl::queue q;
  const auto fill = [&](std::size_t offset) {
    return q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::range(4), sycl::id(offset), sycl::write_only, sycl::no_init};
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 1; });
    });
  };
  sycl::host_accessor hold(b, sycl::range(4));
  sycl::event right = fill(4);
  EXPECT_NE(right.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  const std::vector<sycl::event> awaited = fill(0).get_wait_list();
  EXPECT_NE(std::find(awaited.begin(), awaited.end(), right), awaited.end());
  hold = {};
  q.wait();
}

TEST(accessor, reaches_elements_by_id_and_by_subscripts) {
  std::vector<int> data(2 * 3 * 4);
  {
    sycl::buffer<int, 3> b(data.data(), {2, 3, 4});
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::range(1, 2, 2), sycl::id(1, 1, 1)};
      h.parallel_for(a.get_range(), [=](sycl::id<3> i) {
        a[i] += 1;
        a[i[0]][i[1]][i[2]] += 10;
      });
    });
  }
  for (int z = 0; z < 2; ++z)
    for (int y = 0; y < 3; ++y)
      for (int x = 0; x < 4; ++x)
        EXPECT_EQ(data[(z * 3 + y) * 4 + x], z == 1 && y >= 1 && x >= 1 && x <= 2 ? 11 : 0);
}

TEST(accessor, iterates_over_its_range_in_row_major_order) {
  std::vector<int> data(16), forward(6), backward(6);
  std::iota(data.begin(), data.end(), 0);
  {
    sycl::buffer<int, 2> b(data.data(), {4, 4});
    sycl::buffer<int> f(forward), r(backward);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::range(2, 3), sycl::id(1, 1), sycl::read_only};
      sycl::accessor out{f, h, sycl::write_only};
      sycl::accessor out_reverse{r, h, sycl::write_only};
      h.single_task([=] {
        auto to = out.begin();
        for (const int& value : a)
          *to++ = value;
        to = out_reverse.begin();
        for (auto i = a.crbegin(); i != a.crend(); ++i)
          *to++ = *i;
      });
    });
  }
  EXPECT_EQ(forward, (std::vector<int>{5, 6, 7, 9, 10, 11}));
  EXPECT_EQ(backward, (std::vector<int>{11, 10, 9, 7, 6, 5}));
}

TEST(accessor, without_dimensions_is_the_first_element) {
  int value = 3;
  {
    sycl::buffer<int> b(&value, 1);
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor<int, 0> a{b, h};
      EXPECT_EQ(a.size(), 1u);
      h.single_task([=] {
        const int old = a;
        a = old * 2;
      });
    });
  }
  EXPECT_EQ(value, 6);
}

TEST(accessor, without_dimensions_is_empty_if_its_buffer_is) {
  sycl::buffer<int> no_elements{sycl::range<1>(0)}, one{sycl::range<1>(1)};
  sycl::buffer<std::size_t> sizes{sycl::range<1>(2)};
  sycl::queue().submit([&](sycl::handler& h) {
    sycl::accessor<int, 0> a{no_elements, h}, b{one, h};
    sycl::accessor out{sizes, h, sycl::write_only};
    h.single_task([=] {
      out[0] = a.size();
      out[1] = b.byte_size();
    });
  });
  sycl::host_accessor result{sizes};
  EXPECT_EQ(result[0], 0u);
  EXPECT_EQ(result[1], sizeof(int));
}

TEST(accessor, placeholders_are_bound_by_require) {
  std::vector<int> data(4, 1);
  {
    sycl::buffer<int> b(data);
    sycl::accessor placeholder{b, sycl::range(2), sycl::id(1)};
    EXPECT_TRUE(placeholder.is_placeholder());
    sycl::queue q;
    for (int pass = 0; pass < 2; ++pass)
      q.submit([&](sycl::handler& h) {
        h.require(placeholder);
        h.parallel_for(2, [=](sycl::id<1> i) { placeholder[i] *= 2; });
      });
    q.submit([&](sycl::handler& h) { h.require(read_write()); }); // has no effect
  }
  EXPECT_EQ(data, (std::vector<int>{1, 4, 4, 1}));
}

TEST(accessor, default_constructed_reaches_nothing) {
  const read_write a;
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(a.byte_size(), 0u);
  EXPECT_FALSE(a.is_placeholder());
  EXPECT_EQ(a, read_write());
}

TEST(accessor, keeps_identity_through_copies) {
  sycl::buffer<int> b(4);
  const sycl::accessor first{b}, second{b};
  EXPECT_EQ(first, read_write(first));
  EXPECT_NE(first, second);
  EXPECT_EQ(std::hash<read_write>()(first), std::hash<read_write>()(read_write(first)));
  read_write x = first, y = second;
  x.swap(y);
  EXPECT_EQ(x, second);
}

TEST(accessor, remembers_no_init_and_refuses_it_for_reading) {
  sycl::buffer<int> b(4);
  EXPECT_TRUE((sycl::accessor{b, sycl::write_only, sycl::no_init}.has_property<sycl::property::no_init>()));
  EXPECT_FALSE(sycl::accessor{b}.has_property<sycl::property::no_init>());
  EXPECT_TRUE(throws_invalid([&] { (void)sycl::accessor{b}.get_property<sycl::property::no_init>(); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::accessor{b, sycl::read_only, sycl::no_init}; }));
}

TEST(accessor, refuses_boxes_beyond_the_buffer) {
  sycl::buffer<int, 2> b({4, 4});
  EXPECT_TRUE(throws_invalid([&] { sycl::accessor{b, sycl::range(5, 4)}; }));
  EXPECT_TRUE(throws_invalid([&] { sycl::accessor{b, sycl::range(2, 2), sycl::id(0, 3)}; }));
  EXPECT_TRUE(throws_invalid(
      [&] { sycl::queue().submit([&](sycl::handler& h) { sycl::accessor{b, h, sycl::range(4, 5)}; }); }));
}

TEST(accessor, two_accessors_of_one_buffer_see_the_same_elements) {
  std::vector<int> data{1, 2, 3, 4};
  {
    sycl::buffer<int> b(data);
    sycl::queue q;
    for (int pass = 0; pass < 3; ++pass)
      q.submit([&](sycl::handler& h) {
        sycl::accessor in{b, h, sycl::read_only};
        sycl::accessor out{b, h, sycl::write_only};
        h.parallel_for(4, [=](sycl::id<1> i) { out[i] = in[i] + 1; });
      });
  }
  EXPECT_EQ(data, (std::vector<int>{4, 5, 6, 7}));
}

TEST(accessor, orders_commands_of_different_queues) {
  int value = 0;
  {
    sycl::buffer<int> b(&value, 1);
    sycl::queue one, two;
    for (int i = 0; i < 200; ++i)
      (i % 2 ? one : two).submit([&](sycl::handler& h) {
        sycl::accessor a{b, h};
        h.single_task([=] { a[0] = a[0] * 3 % 1009 + i; });
      });
  }
  int expected = 0;
  for (int i = 0; i < 200; ++i)
    expected = expected * 3 % 1009 + i;
  EXPECT_EQ(value, expected);
}

TEST(accessor, host_tasks_work_in_host_memory) {
  std::vector<int> data{1, 2, 3};
  {
    sycl::buffer<int> b(data);
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.parallel_for(3, [=](sycl::id<1> i) { a[i] += 1; });
    });
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::read_write_host_task};
      h.host_task([=] {
        for (int& value : a)
          value *= 10;
        a.get_pointer()[0] += 1;
      });
    });
  }
  EXPECT_EQ(data, (std::vector<int>{21, 30, 40}));
}

/// Undefined by §4.7.6.9, which has them for native handles; programs and the conformance tests do it.
TEST(accessor, device_accessors_reach_host_memory_in_host_tasks) {
  std::vector<int> data{1, 2, 3, 4};
  int last = 0;
  {
    sycl::buffer<int> b(data), seen(&last, 1);
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] += 1; });
    });
    q.submit([&](sycl::handler& h) {
      struct pair {
        sycl::accessor<int> first;
        sycl::accessor<int> second;
      } both{{b, h}, {b, h, sycl::range(2), sycl::id(1)}};
      sycl::accessor result{seen, h, sycl::write_only};
      sycl::accessor same{b, h, sycl::read_only_host_task};
      h.host_task([=] {
        for (int& value : both.second)
          value *= 10;
        both.first[0] = 7;
        result[0] = same[3] + same[1];
      });
    });
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.parallel_for(4, [=](sycl::id<1> i) { a[i] += 1; });
    });
  }
  EXPECT_EQ(data, (std::vector<int>{8, 31, 41, 6}));
  EXPECT_EQ(last, 35);
}

} // namespace
