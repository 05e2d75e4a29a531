// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/device.hpp"
#include "sycl/exception.hpp"

#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

/// \file
/// main of all test programs. FALX_TEST_DEVICE chooses the device that they test ("cpu", "cuda", "cuda:1",
/// "*" for all, as FALX_DEVICE_SELECTOR spells it); the program sees no other one. If it is not set,
/// everything is visible and tests take the machine's default device. Without a device of that kind the
/// program says so and exits with status 77, which ctest counts as skipped.

namespace {

constexpr int SKIPPED = 77;

bool has_device() {
  try {
    return !sycl::device::get_devices().empty();
  } catch (const sycl::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return false;
  }
}

} // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const char* const chosen = std::getenv("FALX_TEST_DEVICE"); chosen != nullptr && *chosen != '\0') {
    // Before anything of the runtime runs, which reads this when it first looks for devices.
    setenv("FALX_DEVICE_SELECTOR", chosen, 1);
    if (!testing::GTEST_FLAG(list_tests) && !has_device()) {
      std::printf("SKIPPED: this machine has no device that matches FALX_TEST_DEVICE=%s\n", chosen);
      return SKIPPED;
    }
  }
  return RUN_ALL_TESTS();
}
