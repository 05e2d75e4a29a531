// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Platforms, devices, contexts and device selection (SYCL 2020 §4.6.1 to §4.6.4), as a program sees them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>
#include <vector>

TEST(device_selection, every_spelling_gives_a_device) {
  const sycl::device by_default;
  EXPECT_EQ(sycl::device(sycl::default_selector_v), by_default);
  EXPECT_EQ(sycl::device(sycl::aspect_selector()), by_default);
  EXPECT_EQ(sycl::queue().get_device(), by_default);
  if (!sycl::device::get_devices(sycl::info::device_type::cpu).empty()) {
    EXPECT_TRUE(sycl::queue(sycl::cpu_selector_v).get_device().is_cpu());
    EXPECT_TRUE(sycl::queue(sycl::aspect_selector(sycl::aspect::cpu)).get_device().is_cpu());
  }
  if (!sycl::device::get_devices(sycl::info::device_type::gpu).empty()) {
    EXPECT_TRUE(sycl::queue(sycl::gpu_selector_v).get_device().is_gpu());
    EXPECT_TRUE(sycl::queue(sycl::aspect_selector(sycl::aspect::gpu)).get_device().is_gpu());
  }
}

int prefers_any(const sycl::device&) {
  return 1;
}

TEST(device_selection, functions_are_selectors_everywhere) {
  const sycl::device device{prefers_any};
  EXPECT_TRUE(sycl::platform{prefers_any} == device.get_platform());
  const sycl::context context(device);
  const sycl::async_handler ignore = [](sycl::exception_list) {};
  EXPECT_EQ(sycl::queue{prefers_any}.get_device(), device);
  EXPECT_EQ((sycl::queue{prefers_any, ignore}.get_device()), device);
  EXPECT_EQ((sycl::queue{context, prefers_any}.get_device()), device);
  EXPECT_EQ((sycl::queue{context, prefers_any, ignore}.get_device()), device);
}

TEST(device_selection, nothing_that_fits_is_a_runtime_error) {
  try {
    const sycl::queue queue([](const sycl::device&) { return -1; });
    FAIL() << "a device was selected";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::runtime);
  }
}

/// The selector sees all root devices, whatever the context holds.
TEST(device_selection, context_must_contain_what_is_selected) {
  const sycl::device root;
  if (root.get_info<sycl::info::device::partition_max_sub_devices>() < 2)
    GTEST_SKIP() << "a context without the root device needs a sub-device";
  const std::vector<sycl::device> parts =
      root.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
  const sycl::context part(parts.front());
  const auto code = [&](const auto& selector) {
    try {
      const sycl::queue queue(part, selector);
      return make_error_code(sycl::errc::success);
    } catch (const sycl::exception& error) {
      return error.code();
    }
  };
  EXPECT_EQ(code([&](const sycl::device& each) { return each == root ? 1 : -1; }), sycl::errc::invalid);
  EXPECT_EQ(code(sycl::default_selector_v), sycl::errc::invalid);
  EXPECT_EQ(code([](const sycl::device&) { return -1; }), sycl::errc::runtime);
}

TEST(device, limits_hold_for_a_launch) {
  sycl::queue queue;
  const std::size_t size = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  int* const sum = sycl::malloc_shared<int>(1, queue);
  *sum = 0;
  queue
      .parallel_for(sycl::nd_range<1>(size, size),
                    [=](sycl::nd_item<1> item) {
                      if (item.get_local_id(0) == item.get_local_range(0) - 1)
                        *sum = static_cast<int>(item.get_local_range(0));
                    })
      .wait();
  EXPECT_EQ(*sum, static_cast<int>(size));
  sycl::free(sum, queue);
}

TEST(context, is_shared_by_queues_of_one_device) {
  const sycl::device device;
  const sycl::queue a(device), b(device);
  EXPECT_EQ(a.get_context(), b.get_context());
  const sycl::context own(device);
  EXPECT_NE(a.get_context(), own);
  EXPECT_EQ(sycl::queue(own, device).get_context(), own);
}
