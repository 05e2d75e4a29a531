// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What launches of a kernel came to is found again for the same device and geometry only.
#include "adaptivity/launch_plans.hpp"

#include <gtest/gtest.h>

namespace {

using falx::launch_plans;

/// Plans only compare addresses.
const falx::backend_device& device(int which) {
  static const char places[2] = {};
  return reinterpret_cast<const falx::backend_device&>(places[which]);
}

falx::launch_geometry range_of(std::size_t size) {
  return {falx::kernel_kind::range, 1, {size, 1, 1}, {1, 1, 1}, {0, 0, 0}};
}

TEST(launch_plans, finds_the_latest_for_its_device_and_geometry) {
  launch_plans plans;
  EXPECT_EQ(plans.find(device(0), range_of(64)), nullptr);
  plans.add({&device(0), range_of(64), nullptr, "first", 0, true});
  const launch_plans::plan* const first = plans.find(device(0), range_of(64));
  ASSERT_NE(first, nullptr);
  EXPECT_STREQ(first->kernel_name, "first");
  EXPECT_TRUE(first->has_accessors);
  EXPECT_EQ(plans.find(device(1), range_of(64)), nullptr);
  EXPECT_EQ(plans.find(device(0), range_of(65)), nullptr);
  falx::launch_geometry shifted = range_of(64);
  shifted.global_offset.x = 1;
  EXPECT_EQ(plans.find(device(0), shifted), nullptr);

  plans.add({&device(1), range_of(7), nullptr, "second", 0, false});
  EXPECT_EQ(plans.find(device(0), range_of(64)), nullptr);
  EXPECT_STREQ(plans.find(device(1), range_of(7))->kernel_name, "second");
  EXPECT_STREQ(first->kernel_name, "first") << "others may still read it";
}

TEST(launch_plans, stops_when_sizes_keep_changing) {
  launch_plans plans;
  for (std::size_t size = 1; size <= 1000; ++size)
    plans.add({&device(0), range_of(size), nullptr, "kernel", 0, false});
  EXPECT_EQ(plans.find(device(0), range_of(1000)), nullptr);
}

} // namespace
