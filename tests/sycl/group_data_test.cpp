// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What groups do to data, by the names of oneAPI: sycl_ext_oneapi_group_load_store,
// sycl_ext_oneapi_group_sort, sycl_ext_oneapi_user_defined_reductions, sycl_ext_oneapi_group_algorithms,
// sycl_ext_oneapi_sub_group.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <vector>

namespace {

namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

static_assert(SYCL_EXT_ONEAPI_GROUP_LOAD_STORE == 1 && SYCL_EXT_ONEAPI_GROUP_SORT == 2);
static_assert(SYCL_EXT_ONEAPI_USER_DEFINED_REDUCTIONS == 1);
static_assert(experimental::is_group_helper_v<
                  experimental::group_with_scratchpad<sycl::group<1>, sycl::dynamic_extent>> &&
              !experimental::is_group_helper_v<sycl::sub_group>);

/// A group with a partial sub-group.
constexpr std::size_t local = 37, groups = 2, per_item = 3;
constexpr std::size_t in_group = local * per_item;

/// Runs \p kernel(item, scratch, in, out) and gives what it wrote. \p scratch has \p bytes of local memory.
template <class T, class Kernel>
std::vector<T> run(const std::vector<T>& in, std::size_t bytes, Kernel kernel) {
  sycl::queue queue;
  T* from = sycl::malloc_shared<T>(in.size(), queue);
  T* to = sycl::malloc_shared<T>(in.size(), queue);
  std::copy(in.begin(), in.end(), from);
  queue
      .submit([&](sycl::handler& cgh) {
        sycl::local_accessor<std::byte> scratch(bytes, cgh);
        cgh.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
          kernel(item, sycl::span<std::byte>(&scratch[0], bytes), from, to);
        });
      })
      .wait();
  std::vector<T> result(to, to + in.size());
  sycl::free(to, queue);
  sycl::free(from, queue);
  return result;
}

/// As many numbers as both groups have places, many of them more than once.
template <class T>
std::vector<T> numbers(std::size_t count = groups * in_group) {
  std::vector<T> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(
        static_cast<T>(static_cast<int>(i * 7919 % 101) - (std::numeric_limits<T>::is_signed ? 50 : 0)));
  return result;
}
/// std::stable_sort, which warns.
template <class Iterator, class Compare>
void insert_in_order(Iterator first, Iterator last, Compare comp) {
  for (Iterator i = first; i != last; ++i)
    std::rotate(std::upper_bound(first, i, *i, comp), i, i + 1);
}
template <class T, class Compare = std::less<>>
std::vector<T> sorted_by_group(std::vector<T> values, Compare comp = {}) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / groups);
  insert_in_order(values.begin(), middle, comp);
  insert_in_order(middle, values.end(), comp);
  return values;
}

TEST(group_load_store, blocked_and_striped) {
  const std::vector<int> in = numbers<int>();
  const auto out = run(in, 1, [](sycl::nd_item<1> item, sycl::span<std::byte>, const int* from, int* to) {
    const auto group = item.get_group();
    const std::size_t offset = group.get_group_linear_id() * in_group;
    int blocked[per_item], striped[per_item];
    experimental::group_load(group, from + offset, sycl::span{blocked});
    experimental::group_load(group, from + offset, sycl::span{striped},
                             experimental::properties{experimental::data_placement_striped,
                                                      experimental::full_group,
                                                      experimental::contiguous_memory});
    bool right = true;
    const std::size_t self = item.get_local_linear_id();
    for (std::size_t i = 0; i < per_item; ++i)
      right = right && blocked[i] == from[offset + self * per_item + i] &&
              striped[i] == from[offset + i * local + self];
    for (int& one : blocked)
      one = right ? one + 1000 : 0;
    experimental::group_store(group, sycl::span{blocked}, to + offset,
                              experimental::properties{experimental::data_placement_blocked});
    if (!right)
      return;
    for (int& one : striped)
      one += 1;
    experimental::group_store(group, sycl::span{striped}, to + offset,
                              experimental::properties{experimental::data_placement_striped});
  });
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], in[i] + 1);
}

TEST(group_load_store, single_values_and_vectors) {
  const std::vector<int> in = numbers<int>(groups * local * 2);
  const auto out = run(in, 1, [](sycl::nd_item<1> item, sycl::span<std::byte>, const int* from, int* to) {
    const auto sub_group = item.get_sub_group();
    // Of the sub-group's two values per work-item.
    const std::size_t first = item.get_global_linear_id() - sub_group.get_local_linear_id();
    sycl::vec<float, 2> both;
    experimental::group_load(sub_group, from + 2 * first, both);
    long one = 0;
    experimental::group_load(sub_group, from + 2 * first, one);
    if (one != from[2 * first + sub_group.get_local_linear_id()])
      both += 0.5f;
    experimental::group_store(sub_group, both, to + 2 * first);
  });
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], in[i]);
}

template <class T, class Sorter, class Compare>
void test_sorters(Compare comp) {
  const std::vector<T> in = numbers<T>();
  const auto expected = sorted_by_group(in, comp);
  EXPECT_EQ(expected, run(in, Sorter::memory_required(sycl::memory_scope::work_group, in_group),
                          [](sycl::nd_item<1> item, sycl::span<std::byte> scratch, T* from, T* to) {
                            const std::size_t offset = item.get_group_linear_id() * in_group;
                            experimental::joint_sort(item.get_group(), from + offset,
                                                     from + offset + in_group, Sorter(scratch));
                            for (std::size_t i = item.get_local_linear_id(); i < in_group; i += local)
                              to[offset + i] = from[offset + i];
                          }));
}

TEST(group_sort, ranges) {
  test_sorters<int, experimental::radix_sorters::joint_sorter<int>>(std::less<>());
  test_sorters<float,
               experimental::radix_sorters::joint_sorter<float, experimental::sorting_order::descending>>(
      std::greater<>());
  const std::vector<unsigned char> in = numbers<unsigned char>();
  const auto by_tens = [](unsigned char x, unsigned char y) { return x / 10 > y / 10; };
  const sycl::device device = sycl::queue().get_device();
  const std::size_t bytes = experimental::default_sorters::joint_sorter<>::memory_required<unsigned char>(
      device, sycl::memory_scope::work_group, in_group);
  EXPECT_EQ(
      sorted_by_group(in, by_tens),
      run(in, bytes,
          [=](sycl::nd_item<1> item, sycl::span<std::byte> scratch, unsigned char* from, unsigned char* to) {
            const std::size_t offset = item.get_group_linear_id() * in_group;
            experimental::joint_sort(experimental::group_with_scratchpad(item.get_group(), scratch),
                                     from + offset, from + offset + in_group, by_tens);
            for (std::size_t i = item.get_local_linear_id(); i < in_group; i += local)
              to[offset + i] = from[offset + i];
          }));
}

TEST(group_sort, values_of_work_items) {
  const std::vector<int> in = numbers<int>();
  const sycl::device device = sycl::queue().get_device();
  using sorter = experimental::default_sorters::group_sorter<int, std::greater<>, per_item>;
  const std::size_t bytes = sorter::memory_required(device, sycl::memory_scope::work_group, local);
  const auto striped =
      run(in, bytes, [](sycl::nd_item<1> item, sycl::span<std::byte> scratch, const int* from, int* to) {
        int mine[per_item];
        const std::size_t self = item.get_global_linear_id();
        for (std::size_t i = 0; i < per_item; ++i)
          mine[i] = from[self * per_item + i];
        const experimental::group_with_scratchpad helper(item.get_group(), scratch);
        experimental::sort_over_group(helper, sycl::span{mine}); // ascending and blocked
        experimental::sort_over_group(
            item.get_group(), sycl::span{mine}, sorter(scratch),
            experimental::properties{
                experimental::output_data_placement<experimental::group_algorithm_data_placement::striped>});
        for (std::size_t i = 0; i < per_item; ++i)
          to[item.get_group_linear_id() * in_group + i * local + item.get_local_linear_id()] = mine[i];
      });
  EXPECT_EQ(striped, sorted_by_group(in, std::greater<>()));

  const std::vector<int> few = numbers<int>(groups * local);
  const auto single =
      run(few, bytes, [](sycl::nd_item<1> item, sycl::span<std::byte> scratch, const int* from, int* to) {
        const std::size_t self = item.get_global_linear_id();
        to[self] = experimental::sort_over_group(
            experimental::group_with_scratchpad(item.get_group(), scratch), from[self]);
      });
  EXPECT_EQ(single, sorted_by_group(few));
}

TEST(group_sort, keys_and_values) {
  const std::vector<int> keys = numbers<int>(groups * local);
  using sorter = experimental::radix_sorters::group_key_value_sorter<int, short,
                                                                     experimental::sorting_order::descending>;
  const std::size_t bytes = sorter::memory_required(sycl::memory_scope::work_group, local);
  const auto places =
      run(keys, bytes, [](sycl::nd_item<1> item, sycl::span<std::byte> scratch, const int* from, int* to) {
        const std::size_t self = item.get_global_linear_id();
        const auto [key, place] = experimental::sort_key_value_over_group(
            item.get_group(), from[self], static_cast<short>(item.get_local_linear_id()), sorter(scratch));
        to[self] =
            from[self - item.get_local_linear_id() + static_cast<std::size_t>(place)] == key ? place : -1;
      });
  std::vector<int> expected(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
    expected[i] = static_cast<int>(i % local);
  for (std::size_t group = 0; group < groups; ++group)
    insert_in_order(expected.begin() + static_cast<std::ptrdiff_t>(group * local),
                    expected.begin() + static_cast<std::ptrdiff_t>((group + 1) * local), [&](int x, int y) {
                      return keys[group * local + static_cast<std::size_t>(x)] >
                             keys[group * local + static_cast<std::size_t>(y)];
                    });
  EXPECT_EQ(places, expected);
}

TEST(user_defined_reductions, groups_with_memory) {
  const std::vector<int> in = numbers<int>(groups * local);
  const auto out =
      run(in, 64 * sizeof(int),
          [](sycl::nd_item<1> item, sycl::span<std::byte> scratch, const int* from, int* to) {
            const experimental::group_with_scratchpad helper(item.get_group(), scratch);
            const auto larger = [](int x, int y) { return x < y ? y : x; };
            const std::size_t self = item.get_global_linear_id();
            const int* first = from + item.get_group_linear_id() * local;
            const int most = experimental::reduce_over_group(helper, from[self], larger);
            to[self] =
                most == experimental::joint_reduce(helper, first, first + local, -1000, larger) ? most : 0;
          });
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(out[i], *std::max_element(in.begin() + static_cast<std::ptrdiff_t>(i / local * local),
                                        in.begin() + static_cast<std::ptrdiff_t>((i / local + 1) * local)));
}

TEST(group_algorithms, old_names) {
  const std::vector<int> in = numbers<int>(groups * local);
  const auto out = run(in, 1, [](sycl::nd_item<1> item, sycl::span<std::byte>, int* from, int* to) {
    const auto group = item.get_group();
    const std::size_t self = item.get_global_linear_id();
    int* first = from + item.get_group_linear_id() * local;
    const int x = from[self];
    bool right = oneapi::reduce(group, x, sycl::plus<>()) ==
                 oneapi::reduce(group, first, first + local, sycl::plus<>());
    right = right && oneapi::reduce(group, x, 1, sycl::plus<>()) ==
                         oneapi::reduce(group, first, first + local, 1, sycl::plus<>());
    right = right && oneapi::any_of(group, x > 40) ==
                         oneapi::any_of(group, first, first + local, [](int y) { return y > 40; });
    right =
        right && oneapi::none_of(group, x, [](int y) { return y > 1000; }) && oneapi::all_of(group, x < 1000);
    right = right && oneapi::broadcast(group, x) == first[0] && oneapi::broadcast(group, x, 5) == first[5];
    right = right && oneapi::leader(group) == (item.get_local_linear_id() == 0);
    right = right && oneapi::inclusive_scan(group, x, sycl::plus<>()) ==
                         oneapi::exclusive_scan(group, x, sycl::plus<>()) + x;
    oneapi::inclusive_scan(group, first, first + local, to + (first - from), sycl::plus<>(), 3);
    right = right && to[self] == oneapi::inclusive_scan(group, x, sycl::plus<>(), 3);
    sycl::group_barrier(group);
    to[self] = right;
  });
  for (const int right : out)
    EXPECT_EQ(right, 1);
}

TEST(sub_group, old_members) {
  const std::vector<int> in = numbers<int>(groups * local * 2);
  const auto out = run(in, 1, [](sycl::nd_item<1> item, sycl::span<std::byte>, int* from, int* to) {
    const auto sub_group = item.get_sub_group();
    const unsigned lane = sub_group.get_local_linear_id(), size = sub_group.get_local_linear_range();
    int* first = from + (item.get_global_linear_id() - lane);
    const int x = sub_group.load(first);
    using global =
        sycl::multi_ptr<int, sycl::access::address_space::global_space, sycl::access::decorated::no>;
    bool right = x == from[item.get_global_linear_id()] && sub_group.load(global(first)) == x;
    const auto two = sub_group.load<2>(global(from));
    right = right && two[0] == from[lane] && two[1] == from[lane + sub_group.get_max_local_range()[0]];
    right = right && sub_group.shuffle(x, size - 1 - lane) == first[size - 1 - lane];
    const int behind = sub_group.shuffle_down(x, 1), before = sub_group.shuffle_up(x, 1);
    right =
        right && (lane + 1 == size || behind == first[lane + 1]) && (lane == 0 || before == first[lane - 1]);
    const int other = sub_group.shuffle_xor(x, 1);
    right = right && ((lane ^ 1) >= size || other == first[lane ^ 1]);
    right =
        right && sub_group.reduce(x, sycl::plus<>()) == sycl::reduce_over_group(sub_group, x, sycl::plus<>());
    right = right && sub_group.broadcast(x, 0) == first[0] && sub_group.any(lane == 0) &&
            sub_group.all(lane < size);
    right = right && sub_group.exclusive_scan(x, 5, sycl::plus<>()) + x ==
                         sub_group.inclusive_scan(x, sycl::plus<>(), 5);
    sub_group.store(to + (item.get_global_linear_id() - lane), x);
    if (!right)
      to[item.get_global_linear_id()] = -1000;
  });
  for (std::size_t i = 0; i < groups * local; ++i)
    EXPECT_EQ(out[i], in[i]);
}

} // namespace
