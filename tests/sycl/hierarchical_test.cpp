// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hierarchical kernels (SYCL 2020 §4.9.4.2.4, deprecated).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

TEST(hierarchical, work_item_loops_share_group_variables) {
  sycl::queue queue;
  constexpr int groups = 5, local = 12;
  int* out = sycl::malloc_shared<int>(groups * local, queue);
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(local), [=](sycl::group<1> group) {
      int shared[local];
      group.parallel_for_work_item([&](sycl::h_item<1> item) {
        shared[item.get_local_id(0)] = static_cast<int>(item.get_global_id(0));
      });
      group.parallel_for_work_item([&](sycl::h_item<1> item) {
        const std::size_t self = item.get_local_id(0);
        out[item.get_global_id(0)] = shared[local - 1 - self];
      });
    });
  });
  queue.wait();
  for (int i = 0; i < groups * local; ++i)
    EXPECT_EQ(out[i], i / local * local + local - 1 - i % local);
  sycl::free(out, queue);
}

TEST(hierarchical, private_memory_lives_across_loops) {
  sycl::queue queue;
  constexpr int groups = 4;
  int* out = sycl::malloc_shared<int>(groups * 6, queue);
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group(sycl::range<2>(2, 2), sycl::range<2>(2, 3), [=](sycl::group<2> group) {
      sycl::private_memory<int, 2> mine(group);
      group.parallel_for_work_item([&](sycl::h_item<2> item) {
        mine(item) = static_cast<int>(item.get_local().get_linear_id() * 10);
      });
      group.parallel_for_work_item([&](sycl::h_item<2> item) {
        out[group.get_group_linear_id() * 6 + item.get_local().get_linear_id()] = mine(item) + 1;
      });
    });
  });
  queue.wait();
  for (int i = 0; i < groups * 6; ++i)
    EXPECT_EQ(out[i], i % 6 * 10 + 1);
  sycl::free(out, queue);
}

TEST(hierarchical, logical_ranges_may_differ_from_the_group) {
  sycl::queue queue;
  constexpr int groups = 3, logical = 10, physical = 4;
  int* hits = sycl::malloc_shared<int>(groups * logical, queue);
  int* wrong = sycl::malloc_shared<int>(1, queue);
  *wrong = 0;
  for (int i = 0; i < groups * logical; ++i)
    hits[i] = 0;
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group(
        sycl::range<1>(groups), sycl::range<1>(physical), [=](sycl::group<1> group) {
          group.parallel_for_work_item(sycl::range<1>(logical), [&](sycl::h_item<1> item) {
            hits[group.get_id(0) * logical + item.get_logical_local_id(0)] += 1;
            const bool right =
                item.get_physical_local_id(0) == item.get_logical_local_id(0) % physical &&
                item.get_logical_local_range(0) == logical && item.get_physical_local_range(0) == physical &&
                item.get_global_range(0) == groups * physical &&
                item.get_global_id(0) == group.get_id(0) * physical + item.get_physical_local_id(0);
            if (!right)
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*wrong)++;
          });
        });
  });
  queue.wait();
  EXPECT_EQ(*wrong, 0);
  for (int i = 0; i < groups * logical; ++i)
    EXPECT_EQ(hits[i], 1);
  sycl::free(hits, queue);
  sycl::free(wrong, queue);
}

TEST(hierarchical, logical_ranges_of_three_dimensions_may_be_captured) {
  sycl::queue queue;
  const sycl::range<3> groups(3, 4, 2), physical(4, 2, 1), logical(8, 4, 3);
  const std::size_t size = groups.size() * logical.size();
  int* const visits = sycl::malloc_shared<int>(size, queue);
  std::fill_n(visits, size, 0);
  queue
      .submit([&](sycl::handler& handler) {
        handler.parallel_for_work_group(groups, physical, [=](sycl::group<3> group) {
          group.parallel_for_work_item(logical, [&](sycl::h_item<3> item) {
            visits[group.get_group_linear_id() * logical.size() + item.get_logical_local().get_linear_id()] +=
                1;
          });
        });
      })
      .wait();
  EXPECT_EQ(std::count(visits, visits + size, 1), std::ptrdiff_t(size));
  sycl::free(visits, queue);
}

TEST(hierarchical, the_runtime_may_choose_the_group_size) {
  sycl::queue queue;
  constexpr int groups = 6;
  int* counts = sycl::malloc_shared<int>(groups, queue);
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group(sycl::range<1>(groups), [=](sycl::group<1> group) {
      int count = 0;
      group.parallel_for_work_item(sycl::range<1>(9), [&](sycl::h_item<1>) { ++count; });
      group.parallel_for_work_item(
          [&](sycl::h_item<1> item) { count += item.get_global_id(0) == group.get_group_id(0) ? 0 : 100; });
      counts[group.get_group_id(0)] = count;
    });
  });
  queue.wait();
  for (int i = 0; i < groups; ++i)
    EXPECT_EQ(counts[i], 9);
  sycl::free(counts, queue);
}

} // namespace
