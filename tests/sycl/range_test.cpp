// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// range, id, item and nd_range (SYCL 2020 §4.9.1.1 to §4.9.1.4), and what kernels see of them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

namespace {

template <class T, class U>
using product = decltype(std::declval<T>() * std::declval<U>());

TEST(range, size_is_the_product) {
  EXPECT_EQ(sycl::range<1>(7).size(), 7u);
  EXPECT_EQ(sycl::range<3>(2, 3, 4).size(), 24u);
  static_assert(std::is_same_v<decltype(sycl::range{1, 2}), sycl::range<2>>);
  static_assert(std::is_trivially_copyable_v<sycl::range<3>>);
}

TEST(range, operators_work_by_element) {
  const sycl::range<2> a(6, 8), b(2, 3);
  EXPECT_EQ(a + b, (sycl::range<2>(8, 11)));
  EXPECT_EQ(a / 2, (sycl::range<2>(3, 4)));
  EXPECT_EQ(20 - a, (sycl::range<2>(14, 12)));
  EXPECT_EQ(a % b, (sycl::range<2>(0, 2)));
  EXPECT_EQ(a << 1, (sycl::range<2>(12, 16)));
  EXPECT_EQ(a > b, (sycl::range<2>(1, 1)));
  EXPECT_EQ(a && sycl::range<2>(0, 1), (sycl::range<2>(0, 1)));
  sycl::range<2> c = a;
  c -= 1;
  c *= b;
  EXPECT_EQ(c, (sycl::range<2>(10, 21)));
  EXPECT_EQ(c++, (sycl::range<2>(10, 21)));
  EXPECT_EQ(--c, (sycl::range<2>(10, 21)));
}

TEST(id, one_dimension_is_a_number) {
  const sycl::id<1> i = 5;
  static_assert(std::is_same_v<product<sycl::id<1>, int>, sycl::id<1>>);
  static_assert(std::is_same_v<product<sycl::id<1>, float>, float>);
  EXPECT_EQ(std::size_t{i}, 5u);
  EXPECT_EQ(i * 2.5f, 12.5f);
  EXPECT_TRUE(i < 6);
  EXPECT_TRUE(i == 5);
  EXPECT_TRUE(6 != i);
  const int values[8] = {0, 1, 2, 3, 4, 50, 60};
  EXPECT_EQ(values[i] + values[i + 1], 110);
}

TEST(id, converts_from_range_and_compares) {
  const sycl::id<3> i(sycl::range<3>(1, 2, 3));
  EXPECT_EQ(i, (sycl::id<3>(1, 2, 3)));
  EXPECT_NE(i, (sycl::id<3>(1, 2, 4)));
  EXPECT_EQ(-sycl::id<1>(1), sycl::id<1>(static_cast<std::size_t>(-1)));
}

TEST(nd_range, counts_groups) {
  const sycl::nd_range<2> space({8, 6}, {4, 3}, {1, 2});
  EXPECT_EQ(space.get_group_range(), (sycl::range<2>(2, 2)));
  EXPECT_EQ(space.get_offset(), (sycl::id<2>(1, 2)));
  EXPECT_TRUE(space == sycl::nd_range<2>(space));
  EXPECT_TRUE(space != sycl::nd_range<2>({8, 6}, {4, 3}));
}

/// Every work-item reports what it sees at its row-major position.
TEST(item, knows_its_place_in_three_dimensions) {
  sycl::queue queue;
  const sycl::range<3> extent(3, 4, 5);
  std::size_t* seen = sycl::malloc_shared<std::size_t>(extent.size() * 4, queue);
  queue
      .parallel_for(extent,
                    [=](sycl::item<3> item) {
                      std::size_t* mine = seen + item.get_linear_id() * 4;
                      for (int d = 0; d < 3; ++d)
                        mine[d] = item[d];
                      mine[3] = item.get_range(0) * 100 + item.get_range(1) * 10 + item.get_range(2);
                    })
      .wait();
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t k = 0; k < 5; ++k) {
        const std::size_t* here = seen + ((i * 4 + j) * 5 + k) * 4;
        EXPECT_EQ(here[0], i);
        EXPECT_EQ(here[1], j);
        EXPECT_EQ(here[2], k);
        EXPECT_EQ(here[3], 345u);
      }
  sycl::free(seen, queue);
}

/// SYCL 2020 subtracts an offset, which is deprecated, for nd_item::get_global_linear_id alone.
TEST(item, linear_id_is_that_of_its_id) {
  sycl::queue queue;
  std::size_t* seen = sycl::malloc_shared<std::size_t>(4, queue);
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::range<1>(1), sycl::id<1>(3), [=](sycl::item<1> item) {
      seen[0] = item.get_linear_id();
      seen[1] = item;
    });
  });
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::range<2>(1, 4), sycl::id<2>(2, 1), [=](sycl::item<2> item) {
      if (item[1] == 3)
        seen[2] = item.get_linear_id();
    });
  });
  queue.submit([&](sycl::handler& group) {
    group.parallel_for(sycl::nd_range<1>(1, 1, 3),
                       [=](sycl::nd_item<1> item) { seen[3] = item.get_global_linear_id(); });
  });
  queue.wait();
  EXPECT_EQ(seen[0], 3u);
  EXPECT_EQ(seen[1], 3u);
  EXPECT_EQ(seen[2], 11u);
  EXPECT_EQ(seen[3], 0u);
  sycl::free(seen, queue);
}

TEST(nd_item, knows_its_place_in_two_dimensions) {
  sycl::queue queue;
  const sycl::nd_range<2> space({6, 8}, {3, 4});
  struct place {
    sycl::id<2> global, local;
    std::size_t group0, group1, local_linear, group_linear, group_count;
  };
  place* seen = sycl::malloc_shared<place>(48, queue);
  queue
      .parallel_for(space,
                    [=](sycl::nd_item<2> item) {
                      seen[item.get_global_linear_id()] = {item.get_global_id(),
                                                           item.get_local_id(),
                                                           item.get_group(0),
                                                           item.get_group(1),
                                                           item.get_local_linear_id(),
                                                           item.get_group_linear_id(),
                                                           item.get_group().get_group_linear_range()};
                    })
      .wait();
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 8; ++j) {
      const place& here = seen[i * 8 + j];
      EXPECT_EQ(here.global, (sycl::id<2>(i, j)));
      EXPECT_EQ(here.local, (sycl::id<2>(i % 3, j % 4)));
      EXPECT_EQ(here.group0, i / 3);
      EXPECT_EQ(here.group1, j / 4);
      EXPECT_EQ(here.local_linear, i % 3 * 4 + j % 4);
      EXPECT_EQ(here.group_linear, i / 3 * 2 + j / 4);
      EXPECT_EQ(here.group_count, 4u);
    }
  sycl::free(seen, queue);
}

} // namespace
