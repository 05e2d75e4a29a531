// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sub-devices (SYCL 2020 §4.6.4.2). The CPU can be divided if it has two processors; GPUs say that they
// cannot.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

namespace queries = sycl::info::device;
using sycl::info::partition_affinity_domain;
using sycl::info::partition_property;

constexpr std::size_t SIZE = 100'000;

std::size_t units(const sycl::device& device) {
  return device.get_info<queries::max_compute_units>();
}

std::vector<sycl::device> halves(const sycl::device& device) {
  return device.create_sub_devices<partition_property::partition_equally>(units(device) / 2);
}

template <class Function>
void expect_error(sycl::errc code, Function function) {
  try {
    function();
    ADD_FAILURE() << "no exception";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), code) << error.what();
  }
}

/// Tests that divide the device, which is skipped where it cannot be divided.
class sub_devices : public testing::Test {
protected:
  void SetUp() override {
    if (!device.is_cpu() || units(device) < 2)
      GTEST_SKIP() << "the device cannot be divided";
  }
  sycl::device device;
};

TEST(sub_device, devices_that_cannot_be_divided_say_so) {
  const sycl::device device;
  if (device.is_cpu() && units(device) >= 2)
    GTEST_SKIP() << "the device can be divided";
  EXPECT_TRUE(device.get_info<queries::partition_properties>().empty());
  EXPECT_TRUE(device.get_info<queries::partition_affinity_domains>().empty());
  EXPECT_EQ(device.get_info<queries::partition_max_sub_devices>(), 0u);
  expect_error(sycl::errc::feature_not_supported,
               [&] { device.create_sub_devices<partition_property::partition_equally>(1); });
  expect_error(sycl::errc::feature_not_supported,
               [&] { device.create_sub_devices<partition_property::partition_by_counts>({1}); });
  expect_error(sycl::errc::feature_not_supported, [&] {
    device.create_sub_devices<partition_property::partition_by_affinity_domain>(
        partition_affinity_domain::next_partitionable);
  });
}

TEST(sub_device, a_root_device_has_no_parent) {
  const sycl::device device;
  expect_error(sycl::errc::invalid, [&] { device.get_info<queries::parent_device>(); });
  EXPECT_EQ(device.get_info<queries::partition_type_property>(), partition_property::no_partition);
  EXPECT_EQ(device.get_info<queries::partition_type_affinity_domain>(),
            partition_affinity_domain::not_applicable);
}

TEST_F(sub_devices, equal_parts_have_as_many_units_each_and_leave_out_the_rest) {
  for (std::size_t count = 1; count <= units(device); ++count) {
    const auto parts = device.create_sub_devices<partition_property::partition_equally>(count);
    EXPECT_EQ(parts.size(), units(device) / count);
    for (const sycl::device& part : parts) {
      EXPECT_EQ(units(part), count);
      EXPECT_EQ(part.get_info<queries::parent_device>(), device);
      EXPECT_EQ(part.get_info<queries::partition_type_property>(), partition_property::partition_equally);
      EXPECT_EQ(part.get_platform(), device.get_platform());
      EXPECT_TRUE(part.is_cpu());
    }
  }
  EXPECT_EQ(device.get_info<queries::partition_max_sub_devices>(), units(device));
}

TEST_F(sub_devices, counts_give_a_part_each_but_for_zeros) {
  const auto parts =
      device.create_sub_devices<partition_property::partition_by_counts>({1, 0, units(device) - 1});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(units(parts[0]), 1u);
  EXPECT_EQ(units(parts[1]), units(device) - 1);
  EXPECT_EQ(parts[1].get_info<queries::partition_type_property>(), partition_property::partition_by_counts);
  EXPECT_TRUE(device.create_sub_devices<partition_property::partition_by_counts>({0, 0}).empty());
}

TEST_F(sub_devices, each_listed_affinity_domain_divides_and_others_do_not) {
  const auto domains = device.get_info<queries::partition_affinity_domains>();
  for (const auto domain :
       {partition_affinity_domain::numa, partition_affinity_domain::L4_cache,
        partition_affinity_domain::L3_cache, partition_affinity_domain::L2_cache,
        partition_affinity_domain::L1_cache, partition_affinity_domain::next_partitionable}) {
    const auto divide = [&] {
      return device.create_sub_devices<partition_property::partition_by_affinity_domain>(domain);
    };
    if (std::find(domains.begin(), domains.end(), domain) == domains.end()) {
      expect_error(sycl::errc::feature_not_supported, divide);
      continue;
    }
    const auto parts = divide();
    EXPECT_GE(parts.size(), 2u);
    std::size_t sum = 0;
    for (const sycl::device& part : parts) {
      sum += units(part);
      const auto by = part.get_info<queries::partition_type_affinity_domain>();
      EXPECT_EQ(by, domain == partition_affinity_domain::next_partitionable ? domains.front() : domain);
    }
    EXPECT_LE(sum, units(device));
  }
  expect_error(sycl::errc::feature_not_supported, [&] {
    device.create_sub_devices<partition_property::partition_by_affinity_domain>(
        partition_affinity_domain::not_applicable);
  });
}

TEST_F(sub_devices, more_units_than_there_are_is_an_error) {
  const std::size_t all = units(device);
  expect_error(sycl::errc::invalid,
               [&] { device.create_sub_devices<partition_property::partition_equally>(all + 1); });
  expect_error(sycl::errc::invalid,
               [&] { device.create_sub_devices<partition_property::partition_equally>(0); });
  expect_error(sycl::errc::invalid,
               [&] { device.create_sub_devices<partition_property::partition_by_counts>({all, 1}); });
  expect_error(sycl::errc::invalid,
               [&] { device.create_sub_devices<partition_property::partition_by_counts>({SIZE_MAX, 2}); });
}

TEST_F(sub_devices, the_same_division_gives_the_same_devices) {
  const auto first = halves(device), second = halves(device);
  EXPECT_EQ(first, second);
  EXPECT_NE(first[0], first[1]);
  EXPECT_NE(first[0], device);
  const auto all = sycl::device::get_devices();
  EXPECT_EQ(std::find(all.begin(), all.end(), first[0]), all.end());
}

TEST_F(sub_devices, parts_of_parts_know_their_parents) {
  const sycl::device half = halves(device)[0];
  const auto ones = device.create_sub_devices<partition_property::partition_equally>(1);
  expect_error(sycl::errc::feature_not_supported,
               [&] { ones[0].create_sub_devices<partition_property::partition_equally>(1); });
  if (units(half) < 2)
    GTEST_SKIP() << "a half is one processor";
  const sycl::device quarter = halves(half)[0];
  EXPECT_EQ(quarter.get_info<queries::parent_device>(), half);
  EXPECT_EQ(units(quarter), units(half) / 2);
}

TEST_F(sub_devices, work_on_parts_gives_the_same_results) {
  std::vector<int> data(SIZE);
  std::iota(data.begin(), data.end(), 0);
  {
    sycl::buffer<int> values(data.data(), SIZE);
    for (int round = 0; round < 3; ++round)
      for (const sycl::device& part : halves(device))
        sycl::queue(part).submit([&](sycl::handler& group) {
          const sycl::accessor at(values, group, sycl::read_write);
          group.parallel_for(SIZE, [=](sycl::id<1> i) { at[i] += 1; });
        });
    sycl::queue(device).submit([&](sycl::handler& group) {
      const sycl::accessor at(values, group, sycl::read_write);
      group.parallel_for(SIZE, [=](sycl::id<1> i) { at[i] *= 2; });
    });
  }
  for (std::size_t i = 0; i < SIZE; ++i)
    ASSERT_EQ(data[i], 2 * (static_cast<int>(i) + 6));
}

TEST_F(sub_devices, contexts_of_the_root_serve_their_descendants) {
  const auto parts = halves(device);
  const sycl::context root(device);
  sycl::queue queue(root, parts[0], sycl::property::queue::in_order());
  int* const data = sycl::malloc_device<int>(SIZE, parts[0], root);
  queue.fill(data, 3, SIZE);
  queue.parallel_for(sycl::nd_range<1>(SIZE / 1000 * 1000, 1000), [=](sycl::nd_item<1> item) {
    data[item.get_global_id(0)] += sycl::reduce_over_group(item.get_group(), 1, sycl::plus<>());
  });
  // Memory of one part is memory of all.
  std::vector<int> result(SIZE);
  sycl::queue(root, parts[1]).copy(data, result.data(), SIZE, queue.ext_oneapi_submit_barrier()).wait();
  EXPECT_TRUE(std::all_of(result.begin(), result.end(), [](int value) { return value == 1003; }));
  sycl::free(data, root);

  const sycl::context half(parts[0]);
  EXPECT_EQ(half.get_devices(), std::vector{parts[0]});
  expect_error(sycl::errc::invalid, [&] { sycl::queue(half, parts[1]); });
  expect_error(sycl::errc::invalid, [&] { sycl::queue(half, device); });
}

} // namespace
