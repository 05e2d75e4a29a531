// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What users get wrong, through every header and the whole runtime: the specified error, with a sentence that
// names the thing, and a queue that works afterwards.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <string>

namespace {

class named_kernel;
class other_named_kernel;

/// Runs \p misuse, expects an exception with \p code whose text holds \p words.
template <class Misuse>
void expect_error(sycl::errc code, std::initializer_list<const char*> words, Misuse misuse) {
  try {
    misuse();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    for (const char* word : words)
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

void expect_usable(sycl::queue& queue) {
  int* value = sycl::malloc_shared<int>(1, queue);
  *value = 1;
  queue.single_task([=] { *value += 1; }).wait();
  EXPECT_EQ(*value, 2);
  sycl::free(value, queue);
}

TEST(bad_input, work_groups_that_do_not_fit_name_the_kernel_and_the_limit) {
  sycl::queue queue;
  const std::size_t largest = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  expect_error(sycl::errc::nd_range, {"named_kernel", std::to_string(largest).c_str()}, [&] {
    queue.parallel_for<named_kernel>(sycl::nd_range<1>(4 * largest, 4 * largest), [](sycl::nd_item<1>) {});
  });
  expect_error(sycl::errc::nd_range, {"10", "3"},
               [&] { queue.parallel_for(sycl::nd_range<1>(10, 3), [](sycl::nd_item<1>) {}); });
  expect_usable(queue);
}

struct huge_group {
  [[sycl::reqd_work_group_size(SIZE_MAX, 2)]] void operator()(sycl::nd_item<2>) const {}
};

TEST(bad_input, kernels_for_groups_that_no_device_has_compile_and_are_not_launched) {
  sycl::queue queue;
  expect_error(sycl::errc::kernel_not_supported, {"huge_group", "18446744073709551615"},
               [&] { queue.parallel_for(sycl::nd_range<2>({2, 2}, {1, 2}), huge_group()); });
  EXPECT_FALSE(sycl::is_compatible<huge_group>(queue.get_device()));
  expect_usable(queue);
}

class kernel_for_an_accelerator;
class kernel_that_calls_a_function;

[[sycl::device_has(sycl::aspect::accelerator)]] int function_for_an_accelerator() {
  return 3;
}

TEST(bad_input, kernels_that_list_an_aspect_of_no_device_are_not_launched) {
  sycl::queue queue;
  ASSERT_FALSE(queue.get_device().has(sycl::aspect::accelerator));
  expect_error(sycl::errc::kernel_not_supported, {"kernel_for_an_accelerator", "aspect::accelerator"}, [&] {
    queue.single_task<kernel_for_an_accelerator>([]() [[sycl::device_has(sycl::aspect::accelerator)]] {});
  });
  EXPECT_FALSE(sycl::is_compatible<kernel_for_an_accelerator>(queue.get_device()));
  expect_error(
      sycl::errc::kernel_not_supported, {"kernel_that_calls_a_function", "aspect::accelerator"}, [&] {
        int* const out = nullptr;
        queue.single_task<kernel_that_calls_a_function>([=] { *out = function_for_an_accelerator(); });
      });
  expect_usable(queue);
}

TEST(bad_input, ranges_whose_product_overflows_are_refused) {
  sycl::queue queue;
  const std::size_t half = std::size_t(1) << 40;
  try {
    queue.parallel_for(sycl::range<2>(half, half), [](sycl::item<2>) {});
    ADD_FAILURE() << "nothing was thrown";
  } catch (const sycl::exception& error) {
    EXPECT_TRUE(error.code() == sycl::errc::nd_range || error.code() == sycl::errc::invalid) << error.what();
  }
  expect_usable(queue);
}

TEST(bad_input, null_usm_pointers_name_the_function_and_the_argument) {
  sycl::queue queue;
  int* values = sycl::malloc_shared<int>(4, queue);
  expect_error(sycl::errc::invalid, {"memcpy", "src"}, [&] { queue.memcpy(values, nullptr, 4); });
  expect_error(sycl::errc::invalid, {"dest"}, [&] { queue.copy<int>(values, nullptr, 4); });
  expect_error(sycl::errc::invalid, {"memset"}, [&] { queue.memset(nullptr, 0, 4); });
  expect_error(sycl::errc::invalid, {"fill"}, [&] { queue.fill(nullptr, 1, 4); });
  queue.memcpy(nullptr, nullptr, 0).wait(); // nothing to access, nothing wrong
  sycl::free(values, queue);
  expect_usable(queue);
}

TEST(bad_input, freeing_twice_is_an_error_and_frees_nothing) {
  sycl::queue queue;
  int* values = sycl::malloc_shared<int>(4, queue);
  sycl::free(values, queue);
  expect_error(sycl::errc::invalid, {"freed already"}, [&] { sycl::free(values, queue); });
  int local = 0;
  expect_error(sycl::errc::invalid, {"sycl::free"}, [&] { sycl::free(&local, queue); });
  expect_usable(queue);
}

TEST(bad_input, an_accessor_of_another_command_group_names_the_kernel) {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(4));
  sycl::accessor<int> stolen;
  queue.submit([&](sycl::handler& group) {
    stolen = sycl::accessor<int>(buffer, group);
    group.single_task([accessor = stolen] { accessor[0] = 1; });
  });
  expect_error(sycl::errc::kernel_argument, {"named_kernel", "command group"}, [&] {
    queue.submit([&](sycl::handler& group) {
      group.single_task<other_named_kernel>([accessor = stolen] { accessor[0] = 2; });
    });
  });
  EXPECT_EQ(buffer.get_host_access()[0], 1);
  expect_usable(queue);
}

TEST(bad_input, local_memory_that_no_device_has_is_refused) {
  sycl::queue queue;
  const std::size_t bytes = queue.get_device().get_info<sycl::info::device::local_mem_size>();
  EXPECT_THROW(queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<char> memory(2 * bytes, group);
    group.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) { memory[0] = 1; });
  }),
               sycl::exception);
  expect_usable(queue);
}

} // namespace
