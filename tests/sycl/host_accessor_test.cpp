// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

// SYCL 2020 §4.7.6.10: host accessors.

namespace {

using sycl::access_mode;
static_assert(std::is_convertible_v<sycl::host_accessor<int>, sycl::host_accessor<const int>>);
static_assert(
    std::is_convertible_v<sycl::host_accessor<int>, sycl::host_accessor<int, 1, access_mode::read>>);
static_assert(!std::is_convertible_v<sycl::host_accessor<const int>, sycl::host_accessor<int>>);

TEST(host_accessor, sees_what_commands_wrote) {
  sycl::buffer<int> b(1000);
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
    sycl::accessor a{b, h, sycl::write_only, sycl::no_init};
    h.parallel_for(1000, [=](sycl::id<1> i) { a[i] = static_cast<int>(i[0]); });
  });
  sycl::host_accessor a{b, sycl::read_only};
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0), 499500);
  EXPECT_EQ(a.get_pointer()[999], 999);
  EXPECT_EQ(*a.rbegin(), 999);
}

TEST(host_accessor, blocks_later_commands_until_its_last_copy_goes) {
  sycl::buffer<int> b(1);
  sycl::queue q;
  sycl::event event;
  {
    sycl::host_accessor first{b};
    first[0] = 1;
    auto second = first;
    first = {};
    event = q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h};
      h.single_task([=] { a[0] += 10; });
    });
    second[0] = 2;
    EXPECT_NE(event.get_info<sycl::info::event::command_execution_status>(),
              sycl::info::event_command_status::complete);
  }
  event.wait();
  EXPECT_EQ(sycl::host_accessor(b)[0], 12);
}

TEST(host_accessor, read_only_ones_do_not_block_readers) {
  sycl::buffer<int> b(1), out(1);
  sycl::host_accessor{b}[0] = 4;
  sycl::host_accessor reading{b, sycl::read_only};
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     sycl::accessor from{b, h, sycl::read_only};
     sycl::accessor to{out, h, sycl::write_only};
     h.single_task([=] { to[0] = from[0]; });
   }).wait();
  EXPECT_EQ(sycl::host_accessor(out)[0], 4);
}

TEST(host_accessor, does_not_wait_for_other_host_accessors) {
  sycl::buffer<int> b(1);
  sycl::host_accessor one{b}, two{b};
  one[0] = 5;
  EXPECT_EQ(two[0], 5);
}

TEST(host_accessor, reaches_multi_dimensional_ranges) {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  {
    sycl::buffer<int, 3> b(data.data(), {2, 3, 4});
    sycl::host_accessor a{b, sycl::range(1, 2, 2), sycl::id(1, 1, 2)};
    EXPECT_EQ(a[0][0][0], 18);
    EXPECT_EQ((a[{0, 1, 1}]), 23);
    EXPECT_EQ(a.size(), 4u);
    EXPECT_EQ(a.end() - a.begin(), 4);
    EXPECT_EQ(std::vector<int>(a.begin(), a.end()), (std::vector<int>{18, 19, 22, 23}));
    std::fill(a.begin(), a.end(), -1);
  }
  EXPECT_EQ(std::count(data.begin(), data.end(), -1), 4);
}

TEST(host_accessor, without_dimensions_is_the_first_element) {
  sycl::buffer<int> b(1);
  sycl::host_accessor<int, 0> a{b};
  a = 7;
  const int seen = a;
  EXPECT_EQ(seen, 7);
  EXPECT_EQ((sycl::host_accessor<int, 0>().size()), 0u);
  sycl::buffer<int> no_elements{sycl::range<1>(0)};
  const sycl::host_accessor<int, 0> of_nothing{no_elements};
  EXPECT_TRUE(of_nothing.empty());
  EXPECT_EQ(of_nothing.begin(), of_nothing.end());
}

TEST(host_accessor, has_a_deprecated_name) {
  std::vector<int> data{1, 2};
  {
    sycl::buffer<int> b(data);
    auto a = b.get_access<sycl::access::mode::read_write>();
    static_assert(std::is_same_v<decltype(a),
                                 sycl::accessor<int, 1, access_mode::read_write, sycl::target::host_buffer>>);
    a[1] = 3;
    EXPECT_EQ(a.get_count(), 2u);
    EXPECT_EQ(b.get_access<sycl::access::mode::read>(1, 1)[0], 3);
  }
  EXPECT_EQ(data[1], 3);
}

TEST(host_accessor, equal_copies_and_hash) {
  sycl::buffer<int> b(1);
  sycl::host_accessor one{b}, two{b};
  const auto copy = one;
  EXPECT_EQ(one, copy);
  EXPECT_NE(one, two);
  EXPECT_EQ(std::hash<sycl::host_accessor<int>>()(one), std::hash<sycl::host_accessor<int>>()(copy));
}

} // namespace
