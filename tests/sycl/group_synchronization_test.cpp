// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions are synchronization points (SYCL 2020 §4.17.3): what work-items of the group wrote right
// before the call is there for the operation and for all behind it, and what they write right behind it comes
// after the operation, in local and in global memory. There is no other barrier in the patterns tested here.
#include <sycl/ext/oneapi/experimental/prefetch.hpp>
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace {

/// What the work-items of a group share: \p count elements, and as many more that scans write.
struct shared_memory {
  int* in;
  int* out;
  int count;

  int wanted(int turn, int i) const { return 3 * turn + i % 7; }
  /// Of the first elements.
  int sum(int turn, int elements) const {
    const int whole = elements / 7, rest = elements % 7;
    return 3 * turn * elements + 21 * whole + rest * (rest - 1) / 2;
  }
};

/// A work-item's place in the group, and elements of others that it looks at.
struct place {
  int self, size;

  /// Calls \p f with the elements that the work-item writes: in an order of which algorithms know nothing.
  template <class F>
  void for_own(int count, F f) const {
    for (int i = count - 1 - self; i >= 0; i -= size)
      f(i);
  }
  int neighbour(int by, int count) const { return (self + by) % count; }
};

constexpr int UNUSED = -1000;

/// Calls \p f, which gives whether its result is right, in a loop. It stands between writes and reads of the
/// same elements by different work-items, behind another call, and between reads and writes.
template <class Group, class Function>
bool is_ordered(Group g, shared_memory memory, place here, int turns, Function f) {
  bool right = true;
  const int count = memory.count;
  for (int call = 0; call < 2 * turns; ++call) {
    const int turn = call / 2;
    if (call % 2 == 0)
      here.for_own(count, [&](int i) { memory.in[i] = memory.wanted(turn, i); });
    right = f(g, memory, here, turn) && right;
    if (call % 2 == 0)
      for (const int by : {1, here.size / 2, here.size + 1}) {
        const int other = here.neighbour(by, count);
        right = memory.in[other] == memory.wanted(turn, other) && right;
      }
    else
      here.for_own(count, [&](int i) { memory.in[i] = UNUSED; });
  }
  return right;
}

/// The bit of each function that is wrong.
template <class Group, class... Functions>
unsigned wrong_functions(Group g, shared_memory memory, place here, int turns, Functions... functions) {
  unsigned wrong = 0, bit = 1;
  ((wrong |= is_ordered(g, memory, here, turns, functions) ? 0 : bit, bit *= 2, sycl::group_barrier(g)), ...);
  return wrong;
}

enum class memory_kind { local, global };

/// Runs \p functions in work-groups of \p sizes or in their sub-groups.
template <bool SubGroups, memory_kind Memory, class... Functions>
void expect_ordered_in(std::initializer_list<std::size_t> sizes, const std::vector<std::string>& names,
                       Functions... functions) {
  sycl::queue queue;
  const std::size_t widest = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  for (const std::size_t local : sizes) {
    if (local > widest)
      continue;
    constexpr std::size_t groups = 2;
    // A sub-group of one work-item takes six elements, and the last one of several is smaller.
    const std::size_t elements = 8 * local;
    int* const global = sycl::malloc_device<int>(groups * elements, queue);
    unsigned* const wrong = sycl::malloc_shared<unsigned>(groups * local, queue);
    const int turns = 2, size = static_cast<int>(local);
    queue.submit([&](sycl::handler& group) {
      sycl::local_accessor<int> shared(elements, group);
      group.parallel_for(sycl::nd_range<1>(groups * local, local), [=](sycl::nd_item<1> item) {
        int* const all = Memory == memory_kind::local ? &shared[0] : global + item.get_group(0) * elements;
        const auto run = [=](auto g, int index, int most) {
          const place here{static_cast<int>(g.get_local_linear_id()),
                           static_cast<int>(g.get_local_linear_range())};
          // More than twice as many elements as work-items.
          const int count = 2 * here.size + 1;
          int* const own = all + index * (4 * most + 2);
          return wrong_functions(g, shared_memory{own, own + count, count}, here, turns, functions...);
        };
        unsigned result;
        if constexpr (SubGroups) {
          const sycl::sub_group sub = item.get_sub_group();
          const int most = static_cast<int>(sub.get_max_local_range()[0]);
          result = run(sub, static_cast<int>(sub.get_group_linear_id()), most < size ? most : size);
        } else {
          result = run(item.get_group(), 0, size);
        }
        wrong[item.get_global_linear_id()] = result;
      });
    });
    queue.wait();
    unsigned all = 0;
    for (std::size_t i = 0; i < groups * local; ++i)
      all |= wrong[i];
    for (std::size_t i = 0; i < names.size(); ++i)
      EXPECT_FALSE(all & 1u << i) << names[i] << " of " << (SubGroups ? "sub-groups" : "work-groups") << ", "
                                  << (Memory == memory_kind::local ? "local" : "global")
                                  << " memory, groups of " << local;
    sycl::free(global, queue);
    sycl::free(wrong, queue);
  }
}

/// One work-item, less than any sub-group, one sub-group, several, and partial ones.
template <class... Functions>
void expect_ordered(std::pair<const char*, Functions>... functions) {
  const std::vector<std::string> names = {functions.first...};
  expect_ordered_in<false, memory_kind::local>({1, 16, 64, 1000}, names, functions.second...);
  expect_ordered_in<false, memory_kind::global>({3, 250}, names, functions.second...);
  expect_ordered_in<true, memory_kind::local>({250}, names, functions.second...);
  expect_ordered_in<true, memory_kind::global>({3}, names, functions.second...);
}

#define CALL(name, ...)                                                                                      \
  std::make_pair(name, [](auto g, const shared_memory& memory, place here, int turn) -> bool {               \
    (void)g, (void)memory, (void)here, (void)turn;                                                           \
    __VA_ARGS__                                                                                              \
  })

TEST(group_synchronization, barriers_broadcasts_and_votes) {
  expect_ordered(CALL("group_barrier", sycl::group_barrier(g); return true;),
                 CALL("group_barrier with a wider scope", sycl::group_barrier(g, sycl::memory_scope::device);
                      return true;),
                 CALL("group_broadcast", return sycl::group_broadcast(g, here.self + 5) == 5;),
                 CALL("group_broadcast of one by number", const auto last = g.get_local_linear_range() - 1;
                      return sycl::group_broadcast(g, here.self, last) == here.size - 1;),
                 CALL("any_of_group", return sycl::any_of_group(g, here.self == here.size - 1);),
                 CALL("all_of_group", return sycl::all_of_group(g, here.self, [](int x) { return x >= 0; });),
                 CALL("none_of_group", return !sycl::none_of_group(g, here.self == 0);));
}

TEST(group_synchronization, permutations) {
  expect_ordered(
      CALL("shift_group_left", const int other = sycl::shift_group_left(g, here.self, 2);
           return here.self + 2 >= here.size || other == here.self + 2;),
      CALL("shift_group_right", const int other = sycl::shift_group_right(g, here.self);
           return here.self == 0 || other == here.self - 1;),
      CALL("permute_group_by_xor", const int other = sycl::permute_group_by_xor(g, here.self, 1);
           return (here.self ^ 1) >= here.size || other == (here.self ^ 1);),
      CALL("select_from_group", const int from = here.size - 1 - here.self;
           return sycl::select_from_group(g, here.self, static_cast<std::size_t>(from)) == from;),
      CALL("select_from_group of structures",
           const auto pair = sycl::select_from_group(g, sycl::marray<long, 3>(here.self),
                                                     static_cast<std::size_t>((here.self + 1) % here.size));
           return pair[2] == (here.self + 1) % here.size;));
}

TEST(group_synchronization, reductions_and_scans_of_values) {
  expect_ordered(CALL("reduce_over_group", return sycl::reduce_over_group(g, here.self, sycl::plus<int>()) ==
                                                  here.size * (here.size - 1) / 2;),
                 CALL("reduce_over_group from a value",
                      return sycl::reduce_over_group(g, 1, 10, sycl::plus<int>()) == here.size + 10;),
                 CALL("reduce_over_group of any operation",
                      return sycl::reduce_over_group(
                                 g, here.self, [](int a, int b) { return a < b ? b : a; }) == here.size - 1;),
                 CALL("exclusive_scan_over_group",
                      return sycl::exclusive_scan_over_group(g, 2, sycl::plus<int>()) == 2 * here.self;),
                 CALL("exclusive_scan_over_group from a value",
                      return sycl::exclusive_scan_over_group(g, 1, 7, sycl::plus<int>()) == here.self + 7;),
                 CALL("inclusive_scan_over_group",
                      return sycl::inclusive_scan_over_group(g, 3, sycl::plus<int>()) == 3 * here.self + 3;),
                 CALL("inclusive_scan_over_group from a value",
                      return sycl::inclusive_scan_over_group(g, 1, sycl::plus<int>(), 4) == here.self + 5;));
}

TEST(group_synchronization, votes_and_reductions_of_ranges) {
  expect_ordered(
      CALL("joint_any_of", return !sycl::joint_any_of(g, memory.in, memory.in + memory.count,
                                                      [](int x) { return x == UNUSED; });),
      CALL("joint_all_of",
           return sycl::joint_all_of(g, memory.in, memory.in + memory.count,
                                     [=](int x) { return x >= 3 * turn && x < 3 * turn + 7; });),
      CALL("joint_none_of",
           return sycl::joint_none_of(g, memory.in, memory.in + memory.count,
                                      [=](int x) { return x < 3 * turn || x >= 3 * turn + 7; });),
      CALL("joint_reduce", return sycl::joint_reduce(g, memory.in, memory.in + memory.count,
                                                     sycl::plus<int>()) == memory.sum(turn, memory.count);),
      CALL("joint_reduce from a value",
           return sycl::joint_reduce(g, memory.in, memory.in + memory.count, 100, sycl::plus<int>()) ==
                  memory.sum(turn, memory.count) + 100;),
      // Fewer elements than work-items.
      CALL("joint_reduce of few", const int few = here.size / 2 + 1;
           return sycl::joint_reduce(g, memory.in, memory.in + few, sycl::plus<int>()) ==
                  memory.sum(turn, few);));
}

/// Of what a scan wrote, elements of other work-items.
template <class Wanted>
bool has_scanned(const int* out, int count, place here, Wanted wanted) {
  bool right = true;
  for (const int by : {0, 1, here.size / 2, here.size + 1}) {
    const int other = here.neighbour(by, count);
    right = out[count - 1 - other] == wanted(count - 1 - other) && right;
  }
  return right;
}

TEST(group_synchronization, scans_of_ranges) {
  expect_ordered(
      CALL("joint_exclusive_scan",
           sycl::joint_exclusive_scan(g, memory.in, memory.in + memory.count, memory.out, sycl::plus<int>());
           return has_scanned(memory.out, memory.count, here, [=](int i) { return memory.sum(turn, i); });),
      CALL("joint_exclusive_scan from a value",
           sycl::joint_exclusive_scan(g, memory.in, memory.in + memory.count, memory.out, 9,
                                      sycl::plus<int>());
           return has_scanned(memory.out, memory.count, here,
                              [=](int i) { return memory.sum(turn, i) + 9; });),
      CALL("joint_inclusive_scan",
           sycl::joint_inclusive_scan(g, memory.in, memory.in + memory.count, memory.out, sycl::plus<int>());
           return has_scanned(memory.out, memory.count, here,
                              [=](int i) { return memory.sum(turn, i + 1); });),
      CALL("joint_inclusive_scan from a value",
           sycl::joint_inclusive_scan(g, memory.in, memory.in + memory.count, memory.out, sycl::plus<int>(),
                                      5);
           return has_scanned(memory.out, memory.count, here,
                              [=](int i) { return memory.sum(turn, i + 1) + 5; });));
}

/// What is written right before a scan in place and right behind it, to the same elements.
TEST(group_synchronization, scans_in_place) {
  expect_ordered(
      CALL(
          "joint_inclusive_scan in place",
          here.for_own(memory.count, [&](int i) { memory.out[i] = memory.wanted(turn, i); });
          sycl::joint_inclusive_scan(g, memory.out, memory.out + memory.count, memory.out, sycl::plus<int>());
          const bool scanned =
              has_scanned(memory.out, memory.count, here, [=](int i) { return memory.sum(turn, i + 1); });
          sycl::group_barrier(g); return scanned;),
      CALL("joint_exclusive_scan in place, twice",
           here.for_own(memory.count, [&](int i) { memory.out[i] = 1; });
           sycl::joint_exclusive_scan(g, memory.out, memory.out + memory.count, memory.out, 0,
                                      sycl::plus<int>());
           sycl::joint_exclusive_scan(g, memory.out, memory.out + memory.count, memory.out, 0,
                                      sycl::plus<int>());
           const bool scanned =
               has_scanned(memory.out, memory.count, here, [](int i) { return i * (i - 1) / 2; });
           sycl::group_barrier(g); return scanned;),
      CALL("writes right behind a scan",
           sycl::joint_inclusive_scan(g, memory.in, memory.in + memory.count, memory.out, sycl::plus<int>());
           here.for_own(memory.count, [&](int i) { memory.out[i] = UNUSED; }); //
           return sycl::joint_all_of(g, memory.out, memory.out + memory.count,
                                     [](int x) { return x == UNUSED; });));
}

TEST(group_synchronization, empty_ranges) {
  expect_ordered(CALL("joint_reduce of nothing",
                      return sycl::joint_reduce(g, memory.in, memory.in, sycl::plus<int>()) == 0;),
                 CALL("joint_any_of nothing",
                      return !sycl::joint_any_of(g, memory.in, memory.in, [](int) { return true; });),
                 CALL("joint_inclusive_scan of nothing",
                      return sycl::joint_inclusive_scan(g, memory.in, memory.in, memory.out,
                                                        sycl::plus<int>()) == memory.out;));
}

/// sycl_ext_oneapi_prefetch: "These functions are all group functions".
TEST(group_synchronization, joint_prefetch) {
  namespace syclex = sycl::ext::oneapi::experimental;
  sycl::queue queue;
  constexpr std::size_t local = 250;
  int* const data = sycl::malloc_device<int>(local, queue);
  int* const read = sycl::malloc_shared<int>(local, queue);
  queue
      .parallel_for(sycl::nd_range<1>(local, local),
                    [=](sycl::nd_item<1> item) {
                      const std::size_t self = item.get_local_id(0);
                      data[self] = static_cast<int>(self);
                      syclex::joint_prefetch(item.get_group(), data, local);
                      read[self] = data[local - 1 - self];
                    })
      .wait();
  for (std::size_t i = 0; i < local; ++i)
    EXPECT_EQ(read[i], static_cast<int>(local - 1 - i));
  sycl::free(data, queue);
  sycl::free(read, queue);
}

/// What all work-items have copied is there behind wait_for and device_event::wait.
TEST(group_synchronization, waits_for_asynchronous_copies) {
  sycl::queue queue;
  constexpr std::size_t local = 250, count = 1000;
  int* const from = sycl::malloc_shared<int>(count, queue);
  int* const to = sycl::malloc_shared<int>(count, queue);
  for (std::size_t i = 0; i < count; ++i)
    from[i] = static_cast<int>(i * i);
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<int> shared(count, group);
    group.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
      const auto g = item.get_group();
      const auto local_memory =
          sycl::address_space_cast<sycl::access::address_space::local_space, sycl::access::decorated::yes>(
              &shared[0]);
      const auto source =
          sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::yes>(
              static_cast<const int*>(from));
      g.wait_for(g.async_work_group_copy(local_memory, source, count));
      int elements[count / local];
      for (std::size_t i = 0; i < count / local; ++i)
        elements[i] = shared[count - 1 - item.get_local_id(0) * (count / local) - i];
      // What is read above may be written by the second copy only when all have read.
      sycl::group_barrier(g);
      g.async_work_group_copy(local_memory, source + 1, count - 1).wait();
      for (std::size_t i = 0; i < count / local; ++i) {
        const std::size_t at = count - 1 - item.get_local_id(0) * (count / local) - i;
        to[at] = elements[i] == from[at] && (at + 1 == count || shared[at] == from[at + 1]);
      }
    });
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_EQ(to[i], 1) << i;
  sycl::free(from, queue);
  sycl::free(to, queue);
}

/// Where one thread of control stands for the group (deprecated), it sees what all have copied.
TEST(group_synchronization, hierarchical_kernels_wait_for_asynchronous_copies) {
  sycl::queue queue;
  constexpr std::size_t local = 64, count = 256;
  int* const from = sycl::malloc_shared<int>(count, queue);
  int* const sums = sycl::malloc_shared<int>(2, queue);
  for (std::size_t i = 0; i < count; ++i)
    from[i] = static_cast<int>(i);
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<int> shared(count, group);
    group.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(local), [=](sycl::group<1> g) {
      const auto local_memory =
          sycl::address_space_cast<sycl::access::address_space::local_space, sycl::access::decorated::yes>(
              &shared[0]);
      const auto source =
          sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::yes>(
              static_cast<const int*>(from));
      g.wait_for(g.async_work_group_copy(local_memory, source, count));
      int sum = 0;
      for (std::size_t i = 0; i < count; ++i)
        sum += shared[i];
      sums[g.get_group_id(0)] = sum;
    });
  });
  queue.wait();
  EXPECT_EQ(sums[0], static_cast<int>(count * (count - 1) / 2));
  EXPECT_EQ(sums[1], sums[0]);
  sycl::free(from, queue);
  sycl::free(sums, queue);
}

} // namespace
