// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.10: host tasks among kernels.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

namespace {

TEST(host_task, sees_buffers_through_its_accessors) {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(16)};
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group, sycl::write_only, sycl::no_init);
    group.parallel_for(16, [=](sycl::id<1> i) { data[i] = static_cast<int>(i[0]); });
  });
  int sum = 0;
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group, sycl::read_write_host_task);
    group.host_task([&sum, data] {
      for (std::size_t i = 0; i < 16; ++i)
        sum += data[i];
      data[0] = 100;
    });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group);
    group.single_task([=] { data[0] += 1; });
  });
  queue.wait();
  EXPECT_EQ(sum, 120);
  EXPECT_EQ(sycl::host_accessor(buffer, sycl::read_only)[0], 101);
}

} // namespace
