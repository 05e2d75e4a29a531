// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes of sub-groups: what devices and kernels say of them, and what kernels see (SYCL 2020 §4.6.4.2,
// §4.9.1.8, §4.11.13.2, §5.8.1).
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

template <unsigned Size>
class demanding;
class undemanding;

/// What a work-item sees of its sub-group and of the neighbours in it.
struct view {
  unsigned most, range, group, id, sum, last, next, partner, prefix, ballots;
  bool any, all;
};

view look(const sycl::nd_item<1>& item) {
  const sycl::sub_group sub = item.get_sub_group();
  const unsigned self = sub.get_local_linear_id(),
                 value = 100 + static_cast<unsigned>(item.get_local_linear_id());
  view seen{};
  seen.most = static_cast<unsigned>(sub.get_max_local_range()[0]);
  seen.range = sub.get_local_linear_range();
  seen.group = sub.get_group_linear_id();
  seen.id = self;
  seen.sum = sycl::reduce_over_group(sub, value, sycl::plus<>());
  seen.last = sycl::group_broadcast(sub, value, seen.range - 1);
  seen.next = sycl::shift_group_left(sub, value, 1);
  seen.partner = sycl::permute_group_by_xor(sub, value, 1);
  seen.prefix = sycl::exclusive_scan_over_group(sub, value, sycl::plus<>());
  seen.ballots = sycl::reduce_over_group(sub, self % 3 == 0 ? 1u : 0u, sycl::plus<>());
  seen.any = sycl::any_of_group(sub, self == seen.range - 1);
  seen.all = sycl::all_of_group(sub, self < seen.range - 1);
  return seen;
}

/// \p size 0: whatever the device takes.
void expect_right(const view* seen, unsigned local, unsigned total, unsigned size) {
  for (unsigned i = 0; i < total; ++i) {
    const view& mine = seen[i];
    const unsigned linear = i % local;
    if (size != 0)
      ASSERT_EQ(mine.most, size);
    ASSERT_GE(mine.most, 1u);
    const unsigned first = linear / mine.most * mine.most, end = std::min(first + mine.most, local);
    EXPECT_EQ(mine.range, end - first);
    EXPECT_EQ(mine.group, linear / mine.most);
    EXPECT_EQ(mine.id, linear - first);
    unsigned sum = 0, prefix = 0, ballots = 0;
    for (unsigned other = first; other < end; ++other) {
      sum += 100 + other;
      prefix += other < linear ? 100 + other : 0;
      ballots += (other - first) % 3 == 0;
    }
    EXPECT_EQ(mine.sum, sum);
    EXPECT_EQ(mine.last, 100 + end - 1);
    if (linear + 1 < end)
      EXPECT_EQ(mine.next, 100 + linear + 1);
    if (const unsigned partner = first + ((linear - first) ^ 1); partner < end)
      EXPECT_EQ(mine.partner, 100 + partner);
    EXPECT_EQ(mine.prefix, prefix);
    EXPECT_EQ(mine.ballots, ballots);
    EXPECT_TRUE(mine.any);
    EXPECT_FALSE(mine.all);
  }
}

class sub_group_size : public testing::Test {
protected:
  sycl::queue queue;
  sycl::device device = queue.get_device();
  std::vector<std::size_t> sizes = device.get_info<sycl::info::device::sub_group_sizes>();

  template <class Name>
  sycl::kernel kernel() {
    return sycl::get_kernel_bundle<Name, sycl::bundle_state::executable>(queue.get_context())
        .template get_kernel<Name>();
  }
  template <unsigned Size>
  void demand() {
    namespace queries = sycl::info::kernel_device_specific;
    const bool has_size = std::find(sizes.begin(), sizes.end(), Size) != sizes.end();
    constexpr unsigned local = 2 * 64 + 5, total = 2 * local;
    view* seen = sycl::malloc_shared<view>(total, queue);
    const auto run = [&] {
      queue
          .parallel_for<demanding<Size>>(sycl::nd_range<1>(total, local),
                                         [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(Size)]] {
                                           seen[item.get_global_linear_id()] = look(item);
                                         })
          .wait();
    };
    if (has_size) {
      run();
      expect_right(seen, local, total, Size);
      EXPECT_EQ(kernel<demanding<Size>>().template get_info<queries::compile_sub_group_size>(device), Size);
      EXPECT_EQ(kernel<demanding<Size>>().template get_info<queries::max_sub_group_size>(device), Size);
    } else {
      try {
        run();
        ADD_FAILURE() << "runs with sub-groups of " << Size;
      } catch (const sycl::exception& error) {
        EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported);
        EXPECT_NE(std::string(error.what()).find("reqd_sub_group_size"), std::string::npos) << error.what();
      }
    }
    sycl::free(seen, queue);
  }
};

TEST_F(sub_group_size, kernels_get_the_size_that_they_demand) {
  demand<1>();
  demand<2>();
  demand<4>();
  demand<8>();
  demand<16>();
  demand<32>();
  demand<64>();
}

TEST_F(sub_group_size, kernels_that_demand_none_get_one_that_the_device_has) {
  namespace queries = sycl::info::kernel_device_specific;
  constexpr unsigned local = 53, total = 3 * local;
  view* seen = sycl::malloc_shared<view>(total, queue);
  queue
      .parallel_for<undemanding>(
          sycl::nd_range<1>(total, local),
          [=](sycl::nd_item<1> item) { seen[item.get_global_linear_id()] = look(item); })
      .wait();
  expect_right(seen, local, total, 0);
  EXPECT_NE(std::find(sizes.begin(), sizes.end(), seen[0].most), sizes.end());
  EXPECT_EQ(kernel<undemanding>().get_info<queries::max_sub_group_size>(device), seen[0].most);
  EXPECT_EQ(kernel<undemanding>().get_info<queries::compile_sub_group_size>(device), 0u);
  EXPECT_GE(device.get_info<sycl::info::device::max_num_sub_groups>() * seen[0].most,
            device.get_info<sycl::info::device::max_work_group_size>());
  sycl::free(seen, queue);
}

} // namespace
