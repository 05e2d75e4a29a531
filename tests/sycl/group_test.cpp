// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Groups, sub-groups, barriers, local memory and asynchronous copies (SYCL 2020 §4.9.1.7, §4.9.1.9,
// §4.7.6.11, §4.17.3.1).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <new>

namespace {

TEST(group, sub_groups_tile_the_work_group) {
  sycl::queue queue;
  constexpr std::size_t local = 37, total = 74;
  struct place {
    unsigned id, range, group, groups, most;
  };
  place* seen = sycl::malloc_shared<place>(total, queue);
  queue
      .parallel_for(sycl::nd_range<1>(total, local),
                    [=](sycl::nd_item<1> item) {
                      const sycl::sub_group sub = item.get_sub_group();
                      seen[item.get_global_linear_id()] = {
                          sub.get_local_linear_id(), sub.get_local_linear_range(), sub.get_group_linear_id(),
                          sub.get_group_linear_range(), static_cast<unsigned>(sub.get_max_local_range()[0])};
                    })
      .wait();
  for (unsigned i = 0; i < total; ++i) {
    const unsigned self = i % local;
    const place& here = seen[i];
    ASSERT_GE(here.most, 1u);
    EXPECT_EQ(here.group * here.most + here.id, self);
    EXPECT_EQ(here.groups, (local + here.most - 1) / here.most);
    const unsigned left = static_cast<unsigned>(local) - here.group * here.most;
    EXPECT_EQ(here.range, left < here.most ? left : here.most);
  }
  sycl::free(seen, queue);
}

TEST(group, barriers_in_a_loop_order_local_memory) {
  sycl::queue queue;
  constexpr int local = 32, groups = 3;
  int* sums = sycl::malloc_shared<int>(local * groups, queue);
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<int> shared(local, group);
    group.parallel_for(sycl::nd_range<1>(local * groups, local), [=](sycl::nd_item<1> item) {
      const int self = static_cast<int>(item.get_local_id(0));
      shared[self] = self + static_cast<int>(item.get_group(0));
      for (int step = local / 2; step > 0; step /= 2) {
        item.barrier(sycl::access::fence_space::local_space);
        if (self < step)
          shared[self] += shared[self + step];
      }
      sycl::group_barrier(item.get_group());
      sums[item.get_global_id(0)] = shared[0];
    });
  });
  queue.wait();
  for (int i = 0; i < local * groups; ++i)
    EXPECT_EQ(sums[i], local * (local - 1) / 2 + i / local * local);
  sycl::free(sums, queue);
}

TEST(group, items_and_groups_keep_their_values_outside_the_kernel) {
  sycl::queue queue;
  const sycl::nd_range<2> range({4, 6}, {2, 3});
  constexpr std::size_t size = sizeof(sycl::nd_item<2>);
  unsigned char* bytes = sycl::malloc_shared<unsigned char>(24 * size, queue);
  queue.parallel_for(range, [=](sycl::nd_item<2> item) {
    new (bytes + item.get_global_linear_id() * size) sycl::nd_item<2>(item);
  });
  queue.wait();
  const auto* items = reinterpret_cast<const sycl::nd_item<2>*>(bytes);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(items[i].get_global_linear_id(), i);
    EXPECT_EQ(items[i].get_local_id(), sycl::id<2>(i / 6 % 2, i % 3));
    EXPECT_TRUE(items[i].get_nd_range() == range);
    EXPECT_EQ(items[i].get_group().get_group_linear_id(), i / 12 * 2 + i % 6 / 3);
    EXPECT_EQ(items[i] == items[0], i == 0);
    EXPECT_EQ(items[i].get_group() == items[0].get_group(), i / 12 == 0 && i % 6 < 3);
  }
  sycl::free(bytes, queue);
}

TEST(group, local_accessors_of_all_dimensions_are_apart) {
  sycl::queue queue;
  int* wrong = sycl::malloc_shared<int>(1, queue);
  *wrong = 0;
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<char, 1> bytes(3, group);
    sycl::local_accessor<double, 2> table(sycl::range<2>(4, 5), group);
    sycl::local_accessor<int, 3> cube(sycl::range<3>(2, 3, 4), group);
    sycl::local_accessor<int, 0> single(group);
    group.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) {
      for (int i = 0; i < 3; ++i)
        bytes[static_cast<float>(i)] = static_cast<char>(i);
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j)
          table[i][j] = i * 10 + j;
      for (int i = 0; i < 24; ++i)
        cube[i / 12][i / 4 % 3][i % 4] = i;
      single = 77;
      for (int i = 0; i < 3; ++i)
        *wrong += bytes[i] != i;
      for (std::size_t i = 0; i < 20; ++i)
        *wrong += table[sycl::id<2>(i / 5, i % 5)] != static_cast<double>(i / 5 * 10 + i % 5);
      for (int i = 0; i < 24; ++i)
        *wrong += cube.get_pointer()[i] != i;
      const int value = single;
      *wrong += value != 77;
    });
  });
  queue.wait();
  EXPECT_EQ(*wrong, 0);
  sycl::free(wrong, queue);
}

TEST(group, asynchronous_copies_move_every_element) {
  sycl::queue queue;
  constexpr std::size_t local = 8, count = 24;
  sycl::buffer<int> in(sycl::range<1>(count * 2)), out(sycl::range<1>(count * 2));
  {
    sycl::host_accessor a(in, sycl::write_only), b(out, sycl::write_only);
    for (int i = 0; i < static_cast<int>(count * 2); ++i) {
      a[i] = i;
      b[i] = -1;
    }
  }
  queue.submit([&](sycl::handler& group) {
    sycl::accessor from(in, group, sycl::read_only);
    sycl::accessor to(out, group, sycl::read_write);
    sycl::local_accessor<int> shared(count, group);
    group.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
      auto source = from.template get_multi_ptr<sycl::access::decorated::yes>();
      auto target = to.template get_multi_ptr<sycl::access::decorated::yes>();
      auto here = shared.template get_multi_ptr<sycl::access::decorated::yes>();
      item.wait_for(item.async_work_group_copy(here, source, count, 2));
      auto event = item.get_group().async_work_group_copy(target, here, count);
      event.wait();
    });
  });
  sycl::host_accessor result(out, sycl::read_only);
  for (int i = 0; i < static_cast<int>(count); ++i) {
    EXPECT_EQ(result[i], 2 * i);
    EXPECT_EQ(result[i + count], -1);
  }
}

} // namespace
