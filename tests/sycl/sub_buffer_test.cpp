// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <vector>

// SYCL 2020 §4.7.2.1, construct sub-buffer; §3.7.2: sub-buffers conflict only where they overlap.

namespace {

TEST(sub_buffer, is_a_part_of_its_parent) {
  std::vector<int> data(256, 1);
  {
    sycl::buffer<int, 2> parent(data.data(), {8, 32});
    sycl::buffer<int, 2> rows(parent, sycl::id(2, 0), sycl::range(2, 32));
    EXPECT_TRUE(rows.is_sub_buffer());
    EXPECT_NE(rows, parent);
    sycl::queue q;
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{rows, h};
      h.parallel_for(rows.get_range(),
                     [=](sycl::item<2> i) { a[i] = static_cast<int>(i.get_linear_id()) + 100; });
    });
    q.submit([&](sycl::handler& h) {
      sycl::accessor a{parent, h};
      h.parallel_for(parent.get_range(), [=](sycl::id<2> i) { a[i] += 1; });
    });
    sycl::host_accessor seen(rows, sycl::read_only);
    EXPECT_EQ(seen[0][0], 101);
    EXPECT_EQ(seen[1][31], 164);
  }
  for (int i = 0; i < 256; ++i)
    EXPECT_EQ(data[i], i >= 64 && i < 128 ? 101 + i - 64 : 2);
}

TEST(sub_buffer, outlives_the_parent_s_name) {
  std::vector<int> data(8, 1);
  {
    auto half = [&] {
      sycl::buffer<int> parent(data);
      return sycl::buffer<int>(parent, sycl::id(4), sycl::range(4));
    }();
    sycl::host_accessor a(half);
    a[0] = 5;
  }
  EXPECT_EQ(data[4], 5);
}

TEST(sub_buffer, reinterprets) {
  std::vector<unsigned> data{1, 2, 3, 4};
  {
    sycl::buffer<unsigned> parent(data);
    sycl::buffer<unsigned> half(parent, sycl::id(2), sycl::range(2));
    auto bytes = half.reinterpret<unsigned char>();
    EXPECT_TRUE(bytes.is_sub_buffer());
    sycl::host_accessor a(bytes);
    a[0] = 7;
  }
  EXPECT_EQ(data, (std::vector<unsigned>{1, 2, 7, 4}));
}

TEST(sub_buffer, refuses_what_is_not_contiguous_or_not_inside) {
  sycl::buffer<int, 2> parent({8, 8});
  sycl::buffer<int, 2> sub(parent, {2, 0}, {2, 8});
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int, 2>(parent, {2, 0}, {2, 2}); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int, 2>(parent, {2, 2}, {2, 6}); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int, 2>(parent, {2, 2}, {2, 8}); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int, 2>(parent, {7, 0}, {2, 8}); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int, 2>(sub, {0, 0}, {1, 8}); }));
}

TEST(sub_buffer, begins_at_a_multiple_of_the_device_s_alignment) {
  sycl::queue q;
  const std::size_t step = q.get_device().get_info<sycl::info::device::mem_base_addr_align>() / 8;
  sycl::buffer<char> parent(4 * step);
  sycl::buffer<char> right(parent, sycl::id(step), sycl::range(step + 1));
  sycl::buffer<char> wrong(parent, sycl::id(step + 1), sycl::range(step));
  q.submit([&](sycl::handler& h) { sycl::accessor a{right, h}; });
  EXPECT_TRUE(throws_invalid([&] { q.submit([&](sycl::handler& h) { sycl::accessor a{wrong, h}; }); }));
  sycl::accessor placeholder{wrong};
  EXPECT_TRUE(throws_invalid([&] { q.submit([&](sycl::handler& h) { h.require(placeholder); }); }));
  // The host is not a device.
  sycl::host_accessor on_host{wrong};
  on_host[0] = 1;
}

TEST(sub_buffer, disjoint_ones_do_not_wait_for_each_other) {
  sycl::buffer<int> parent(64);
  sycl::buffer<int> left(parent, sycl::id(0), sycl::range(32)), right(parent, sycl::id(32), sycl::range(32));
  sycl::host_accessor hold(left); // commands on the left half wait
  sycl::queue q;
  const auto fill = [&](sycl::buffer<int>& b) {
    return q.submit([&](sycl::handler& h) {
      sycl::accessor a{b, h, sycl::write_only, sycl::no_init};
      h.parallel_for(b.get_range(), [=](sycl::id<1> i) { a[i] = 1; });
    });
  };
  sycl::event waits = fill(left);
  fill(right).wait();
  EXPECT_NE(waits.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  hold = {};
  waits.wait();
}

} // namespace
