// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_message.hpp"
#include "falx/aspect_names.hpp"
#include "kernels/launch_check.hpp"

#include <gtest/gtest.h>

#include <string>

/// \file
/// Demands of kernels on devices, without devices.

namespace {

falx::image::kernel_metadata kernel_that_needs(std::vector<std::size_t> aspects) {
  falx::image::kernel_metadata kernel;
  kernel.pretty_name = "the_kernel";
  kernel.aspects = std::move(aspects);
  return kernel;
}

constexpr auto BARRIER = static_cast<std::size_t>(sycl::aspect::ext_oneapi_cuda_async_barrier);

TEST(launch_check, aspects_that_the_device_has_not_are_named) {
  falx::device_description device;
  device.name = "Old GPU";
  device.is_gpu = true;
  const auto kernel = kernel_that_needs({static_cast<std::size_t>(sycl::aspect::gpu), BARRIER});
  EXPECT_EQ(falx::incompatibility(kernel, device),
            "it needs aspect::ext_oneapi_cuda_async_barrier, which Old GPU does not have (device::has)");
  falx::launch_geometry geometry{};
  geometry.global_range = {1, 1, 1};
  const std::string message =
      message_of(sycl::errc::kernel_not_supported, [&] { falx::checked_geometry(geometry, kernel, device); });
  EXPECT_TRUE(mentions(message, "kernel 'the_kernel' cannot be launched: it needs aspect::ext_oneapi"))
      << message;

  device.has_async_barrier = true;
  EXPECT_EQ(falx::incompatibility(kernel, device), "");
  EXPECT_NO_THROW(falx::checked_geometry(geometry, kernel, device));
}

TEST(launch_check, aspects_of_the_future_are_refused) {
  const std::string words = falx::incompatibility(kernel_that_needs({falx::ASPECT_COUNT}), {});
  const std::string number = "does not know (number " + std::to_string(falx::ASPECT_COUNT) + ")";
  EXPECT_TRUE(mentions(words, number.c_str())) << words;
}

} // namespace
