// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What launches of a kernel came to is found again for the same device, geometry and pointers that differ
// only.
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

launch_plans::plan plan_of(int which, std::size_t size, const char* name, std::uint64_t disjoint = 0) {
  return {&device(which), range_of(size), nullptr, name, disjoint, false};
}

TEST(launch_plans, finds_those_of_the_device_and_geometry) {
  launch_plans plans;
  EXPECT_EQ(plans.find(device(0), range_of(64), 0), nullptr);
  launch_plans::plan added = plan_of(0, 64, "first");
  added.has_accessors = true;
  plans.add(added);
  const launch_plans::plan* const first = plans.find(device(0), range_of(64), 0);
  ASSERT_NE(first, nullptr);
  EXPECT_STREQ(first->kernel_name, "first");
  EXPECT_TRUE(first->has_accessors);
  EXPECT_EQ(plans.find(device(1), range_of(64), 0), nullptr);
  EXPECT_EQ(plans.find(device(0), range_of(65), 0), nullptr);
  EXPECT_EQ(plans.find(device(0), range_of(64), 3), nullptr);
  falx::launch_geometry shifted = range_of(64);
  shifted.global_offset.x = 1;
  EXPECT_EQ(plans.find(device(0), shifted, 0), nullptr);

  plans.add(plan_of(1, 7, "second"));
  plans.add(plan_of(0, 64, "third", 3));
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(plans.find(device(0), range_of(64), 0), first) << "which is not the latest";
    EXPECT_STREQ(plans.find(device(1), range_of(7), 0)->kernel_name, "second");
    EXPECT_STREQ(plans.find(device(0), range_of(64), 3)->kernel_name, "third");
  }
}

TEST(launch_plans, stops_when_sizes_keep_changing) {
  launch_plans plans;
  for (std::size_t size = 1; size <= 1000; ++size)
    plans.add(plan_of(0, size, "kernel"));
  EXPECT_EQ(plans.find(device(0), range_of(1000), 0), nullptr);
  EXPECT_NE(plans.find(device(0), range_of(1), 0), nullptr);
}

TEST(launch_plans, are_not_used_up_by_launches_in_turn) {
  launch_plans plans;
  for (int launch = 0; launch < 100; ++launch)
    plans.add(plan_of(0, 64, "in turn", launch % 2 == 0 ? 0 : 3));
  plans.add(plan_of(0, 65, "new"));
  EXPECT_NE(plans.find(device(0), range_of(65), 0), nullptr);
}

} // namespace
