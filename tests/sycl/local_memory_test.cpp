// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL extension sycl_ext_oneapi_local_memory.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi;

static_assert(SYCL_EXT_ONEAPI_LOCAL_MEMORY == 2);

constexpr std::size_t groups = 5, local = 37;

/// Runs \p kernel on groups with a partial sub-group and gives what each work-item returned.
template <class Kernel>
std::vector<int> run(Kernel kernel) {
  sycl::queue queue;
  int* out = sycl::malloc_shared<int>(groups * local, queue);
  queue
      .parallel_for(sycl::nd_range<1>(groups * local, local),
                    [=](sycl::nd_item<1> item) { out[item.get_global_linear_id()] = kernel(item); })
      .wait();
  std::vector<int> result(out, out + groups * local);
  sycl::free(out, queue);
  return result;
}

struct point {
  point(int x = 1, int y = -2) : x(x), y(y) {}
  int x, y;
};

TEST(local_memory, is_constructed_once_per_group) {
  const auto result = run([](sycl::nd_item<1> item) {
    const int group = static_cast<int>(item.get_group_linear_id());
    auto object = oneapi::group_local_memory<point>(item.get_group(), group);
    static_assert(
        std::is_same_v<decltype(object), sycl::multi_ptr<point, sycl::access::address_space::local_space>>);
    auto counter = oneapi::group_local_memory<int>(item.get_group());
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(*counter) += 1;
    sycl::group_barrier(item.get_group());
    return object->x * 1000 + object->y + *counter;
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], static_cast<int>(i / local) * 1000 - 2 + static_cast<int>(local));
}

TEST(local_memory, arrays_are_aggregates) {
  const auto result = run([](sycl::nd_item<1> item) {
    const int group = static_cast<int>(item.get_group_linear_id());
    auto& all = *oneapi::group_local_memory<int[4]>(item.get_group(), group, 2);
    return all[0] * 1000 + all[1] * 100 + all[2] * 10 + all[3];
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], static_cast<int>(i / local) * 1000 + 200);
}

/// The other end's id, by way of memory that nothing initialises.
int reversed(sycl::nd_item<1> item) {
  auto memory = oneapi::group_local_memory_for_overwrite<int[local]>(item.get_group());
  int (&all)[local] = *memory;
  const std::size_t self = item.get_local_linear_id();
  all[self] = static_cast<int>(self);
  sycl::group_barrier(item.get_group());
  const int other = all[local - 1 - self];
  sycl::group_barrier(item.get_group());
  return other;
}

TEST(local_memory, functions_have_their_own) {
  const auto result = run([](sycl::nd_item<1> item) {
    auto kept = oneapi::group_local_memory_for_overwrite<int[local]>(item.get_group());
    (*kept)[item.get_local_linear_id()] = 7;
    const int sum = reversed(item) + reversed(item);
    auto constructed = oneapi::group_local_memory_for_overwrite<point>(item.get_group());
    return sum + (*kept)[item.get_local_linear_id()] + constructed->y;
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    EXPECT_EQ(result[i], 2 * static_cast<int>(local - 1 - i % local) + 5);
}

TEST(local_memory, is_there_anew_in_each_iteration) {
  const auto result = run([](sycl::nd_item<1> item) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
      auto value = oneapi::group_local_memory<int>(item.get_group(), i);
      sum = sum * 10 + *value;
    }
    return sum;
  });
  for (const int sum : result)
    EXPECT_EQ(sum, 12);
}

} // namespace
