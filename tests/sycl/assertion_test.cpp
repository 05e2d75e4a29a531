// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#undef NDEBUG
#include <sycl/sycl.hpp>

#include <cassert>
#include <csignal>
#include <gtest/gtest.h>

// sycl_ext_oneapi_assert: on devices with native assertions, one that fails ends the program.

namespace {

/// In processes of their own, which use the device from the start.
class assertion : public testing::Test {
protected:
  assertion() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

void fail_in_a_kernel() {
  // Neither takes it.
  sycl::queue queue([](const sycl::exception_list&) {});
  try {
    queue
        .parallel_for(sycl::nd_range<1>(64, 16),
                      [](sycl::nd_item<1> item) { assert(item.get_global_id(0) != 37 && "there is no 37"); })
        .wait_and_throw();
  } catch (const sycl::exception&) {
  }
}

TEST_F(assertion, that_fails_ends_the_program) {
  if (!sycl::device().has(sycl::aspect::ext_oneapi_native_assert))
    GTEST_SKIP() << "assertions are not native";
  EXPECT_EXIT(fail_in_a_kernel(), testing::KilledBySignal(SIGABRT), "assertion_test.cpp.*there is no 37");
}

TEST_F(assertion, that_holds_does_nothing) {
  sycl::queue queue;
  queue.parallel_for(64, [](sycl::id<1> i) { assert(i[0] < 64); }).wait_and_throw();
}

} // namespace
