// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions and algorithms (SYCL 2020 §4.17.3, §4.17.4), on full and on partial sub-groups.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

namespace {

/// Group sizes: a power of two, one that leaves a partial sub-group, and one work-item.
constexpr std::size_t sizes[] = {64, 37, 1};

/// Runs \p kernel on two groups of \p local work-items and gives what each work-item returned.
template <class T, class Kernel>
std::vector<T> run(std::size_t local, Kernel kernel) {
  sycl::queue queue;
  const std::size_t total = 2 * local;
  T* out = sycl::malloc_shared<T>(total, queue);
  queue
      .parallel_for(sycl::nd_range<1>(total, local),
                    [=](sycl::nd_item<1> item) { out[item.get_global_linear_id()] = kernel(item); })
      .wait();
  std::vector<T> result(out, out + total);
  sycl::free(out, queue);
  return result;
}

TEST(group_algorithms, work_group_reduce) {
  for (const std::size_t local : sizes) {
    const auto sums = run<int>(local, [](sycl::nd_item<1> item) {
      const int self = static_cast<int>(item.get_global_id(0));
      // Twice in a row: the second must not see the first one's scratch memory.
      const int sum = sycl::reduce_over_group(item.get_group(), self, sycl::plus<>());
      const int most = sycl::reduce_over_group(item.get_group(), self, sycl::maximum<int>());
      return sum * 1000 + most;
    });
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const int n = static_cast<int>(local), first = static_cast<int>(i / local) * n;
      EXPECT_EQ(sums[i], (first * n + n * (n - 1) / 2) * 1000 + first + n - 1) << "group size " << local;
    }
  }
}

TEST(group_algorithms, work_group_scans_keep_order) {
  for (const std::size_t local : sizes) {
    // Composition of affine maps is associative, but not commutative.
    struct map {
      unsigned a, b;
    };
    const auto compose = [](map f, map g) { return map{f.a * g.a, f.b * g.a + g.b}; };
    const auto scans = run<map>(local, [=](sycl::nd_item<1> item) {
      const unsigned self = static_cast<unsigned>(item.get_local_id(0));
      return sycl::inclusive_scan_over_group(item.get_group(), map{self % 3 + 1, self}, compose);
    });
    map expected{1, 0};
    for (std::size_t i = 0; i < scans.size(); ++i) {
      const unsigned self = static_cast<unsigned>(i % local);
      const map mine{self % 3 + 1, self};
      expected = self == 0 ? mine : compose(expected, mine);
      EXPECT_EQ(scans[i].a, expected.a) << "group size " << local << ", work-item " << i;
      EXPECT_EQ(scans[i].b, expected.b);
    }
  }
}

TEST(group_algorithms, exclusive_scan_with_and_without_initial_value) {
  for (const std::size_t local : sizes) {
    const auto scans = run<int>(local, [](sycl::nd_item<1> item) {
      const int self = static_cast<int>(item.get_local_id(0));
      const int plain = sycl::exclusive_scan_over_group(item.get_group(), self, sycl::plus<int>());
      const int from = sycl::exclusive_scan_over_group(item.get_group(), self, 7, sycl::plus<>());
      return from - plain == 7 ? plain : -1;
    });
    for (std::size_t i = 0; i < scans.size(); ++i) {
      const int self = static_cast<int>(i % local);
      EXPECT_EQ(scans[i], self * (self - 1) / 2);
    }
  }
}

TEST(group_algorithms, sub_group_reduce_and_scan) {
  for (const std::size_t local : sizes) {
    const auto right = run<int>(local, [](sycl::nd_item<1> item) {
      const sycl::sub_group sub = item.get_sub_group();
      const long self = sub.get_local_linear_id(), count = sub.get_local_linear_range();
      const long sum = sycl::reduce_over_group(sub, self, sycl::plus<>());
      const double scan = sycl::inclusive_scan_over_group(sub, static_cast<double>(self), sycl::plus<>());
      const long before = sycl::exclusive_scan_over_group(sub, self, sycl::plus<>());
      return static_cast<int>(sum == count * (count - 1) / 2) +
             static_cast<int>(scan == static_cast<double>(self * (self + 1) / 2)) +
             static_cast<int>(before == self * (self - 1) / 2);
    });
    for (const int r : right)
      EXPECT_EQ(r, 3) << "group size " << local;
  }
}

TEST(group_algorithms, sub_group_permutations) {
  for (const std::size_t local : sizes) {
    const auto right = run<int>(local, [](sycl::nd_item<1> item) {
      const sycl::sub_group sub = item.get_sub_group();
      const unsigned self = sub.get_local_linear_id(), count = sub.get_local_linear_range();
      struct wide {
        unsigned words[5];
      };
      const wide mine{{self, self + 1, self + 2, self + 3, self + 4}};
      const wide first = sycl::group_broadcast(sub, mine);
      const unsigned last = sycl::group_broadcast(sub, self, count - 1);
      const unsigned next = sycl::shift_group_left(sub, self, 1);
      const unsigned previous = sycl::shift_group_right(sub, self, 1);
      const unsigned other = sycl::permute_group_by_xor(sub, self, 1);
      const unsigned mirrored = sycl::select_from_group(sub, self, sycl::id<1>(count - 1 - self));
      bool ok =
          first.words[0] == 0 && first.words[4] == 4 && last == count - 1 && mirrored == count - 1 - self;
      ok = ok && (self + 1 >= count || next == self + 1);
      ok = ok && (self == 0 || previous == self - 1);
      ok = ok && ((self ^ 1) >= count || other == (self ^ 1));
      return static_cast<int>(ok);
    });
    for (const int r : right)
      EXPECT_EQ(r, 1) << "group size " << local;
  }
}

/// What orders memory among the work-items of a sub-group: barriers, and all other group functions as well.
enum class synchronizer { barrier, reduction, shift, broadcast, vote };

template <synchronizer How>
bool synchronize(sycl::sub_group sub, unsigned value) {
  switch (How) {
  case synchronizer::barrier:
    sycl::group_barrier(sub);
    return true;
  case synchronizer::reduction:
    return sycl::reduce_over_group(sub, value, sycl::maximum<unsigned>()) >= value;
  case synchronizer::shift:
    return sycl::shift_group_left(sub, value, 1) + 1 > 0;
  case synchronizer::broadcast:
    return sycl::group_broadcast(sub, value) + 1 > 0;
  case synchronizer::vote:
    return sycl::any_of_group(sub, value + 1 > 0);
  }
}

/// Work-items read the element behind their own, write it into their own and read the one behind anew, which
/// is another work-item's. A compiler that looks at one of them alone knows that the two are apart. With one
/// element between sub-groups.
template <synchronizer How>
void expect_ordered_memory() {
  sycl::queue queue;
  constexpr std::size_t local = 37;
  constexpr unsigned size = 8 * local, rounds = 3;
  unsigned* const data = sycl::malloc_shared<unsigned>(size, queue);
  for (const unsigned times : {1u, rounds}) {
    for (unsigned i = 0; i < size; ++i)
      data[i] = i * i;
    const auto right = run<int>(local, [=](sycl::nd_item<1> item) {
      const sycl::sub_group sub = item.get_sub_group();
      const unsigned lane = sub.get_local_linear_id(), count = sub.get_local_linear_range();
      const std::size_t before =
          item.get_group_linear_id() * sub.get_group_linear_range() + sub.get_group_linear_id();
      const std::size_t mine = item.get_global_linear_id() + before;
      bool ok = true;
      for (unsigned round = 0; round < times; ++round) {
        const unsigned first = data[mine + 1];
        ok = synchronize<How>(sub, first) && ok;
        data[mine] = first;
        ok = synchronize<How>(sub, first) && ok;
        const unsigned second = data[mine + 1];
        // Values move by one element a round, up to the sub-group's end.
        const auto moved = [&](unsigned by) {
          const std::size_t from = lane + by < count ? mine + by : mine + (count - lane);
          return static_cast<unsigned>(from * from);
        };
        ok = ok && first == moved(round + 1) && second == moved(round + 2);
        sycl::group_barrier(sub);
      }
      return static_cast<int>(ok);
    });
    for (const int r : right)
      EXPECT_EQ(r, 1) << times << " rounds";
  }
  sycl::free(data, queue);
}

TEST(group_algorithms, sub_groups_order_memory) {
  expect_ordered_memory<synchronizer::barrier>();
  expect_ordered_memory<synchronizer::reduction>();
  expect_ordered_memory<synchronizer::shift>();
  expect_ordered_memory<synchronizer::broadcast>();
  expect_ordered_memory<synchronizer::vote>();
}

TEST(group_algorithms, broadcast_and_votes_over_the_work_group) {
  for (const std::size_t local : sizes) {
    const auto right = run<int>(local, [](sycl::nd_item<1> item) {
      const auto group = item.get_group();
      const int self = static_cast<int>(item.get_local_id(0));
      const int last = static_cast<int>(item.get_local_range(0)) - 1;
      int score = sycl::group_broadcast(group, self) == 0;
      score += sycl::group_broadcast(group, self, static_cast<std::size_t>(last)) == last;
      score +=
          sycl::group_broadcast(group, self, sycl::id<1>(static_cast<std::size_t>(last / 2))) == last / 2;
      score += sycl::any_of_group(group, self == last);
      score += !sycl::any_of_group(group, self, [](int x) { return x < 0; });
      score += sycl::all_of_group(group, self >= 0);
      score += sycl::all_of_group(group, self == 0) == (last == 0);
      score += sycl::none_of_group(group, self > last);
      score += sycl::any_of_group(item.get_sub_group(), self == last) ==
               (self / static_cast<int>(item.get_sub_group().get_max_local_range()[0]) ==
                last / static_cast<int>(item.get_sub_group().get_max_local_range()[0]));
      return score;
    });
    for (const int r : right)
      EXPECT_EQ(r, 9) << "group size " << local;
  }
}

TEST(group_algorithms, joint_forms_cover_ranges_of_any_length) {
  sycl::queue queue;
  constexpr std::size_t longest = 150;
  int* data = sycl::malloc_shared<int>(longest, queue);
  int* scanned = sycl::malloc_shared<int>(longest * 3, queue);
  int* sums = sycl::malloc_shared<int>(4, queue);
  for (std::size_t i = 0; i < longest; ++i)
    data[i] = static_cast<int>(i * 7 % 11);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{20}, longest}) {
    queue
        .parallel_for(
            sycl::nd_range<1>(37, 37),
            [=](sycl::nd_item<1> item) {
              const auto group = item.get_group();
              const int* end = data + count;
              const int plain = sycl::joint_reduce(group, data, const_cast<int*>(end), sycl::plus<>());
              const int from = sycl::joint_reduce(item.get_sub_group(), data, const_cast<int*>(end), 100,
                                                  sycl::plus<int>());
              const bool any =
                  sycl::joint_any_of(group, data, const_cast<int*>(end), [](int x) { return x == 10; });
              const bool all =
                  sycl::joint_all_of(group, data, const_cast<int*>(end), [](int x) { return x < 11; });
              sycl::joint_inclusive_scan(group, static_cast<const int*>(data), end, scanned, sycl::plus<>());
              sycl::joint_exclusive_scan(group, static_cast<const int*>(data), end, scanned + longest, 5,
                                         sycl::plus<>());
              int* past = sycl::joint_exclusive_scan(group, static_cast<const int*>(data), end,
                                                     scanned + 2 * longest, sycl::plus<>());
              if (group.leader()) {
                sums[0] = plain;
                sums[1] = from;
                sums[2] = any + 2 * all;
                sums[3] = static_cast<int>(past - scanned);
              }
            })
        .wait();
    int sum = 0;
    bool any = false;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(scanned[longest + i], sum + 5);
      EXPECT_EQ(scanned[2 * longest + i], sum);
      sum += data[i];
      any = any || data[i] == 10;
      EXPECT_EQ(scanned[i], sum);
    }
    EXPECT_EQ(sums[0], sum);
    EXPECT_EQ(sums[1], sum + 100);
    EXPECT_EQ(sums[2], any + 2);
    EXPECT_EQ(sums[3], static_cast<int>(2 * longest + count));
  }
  sycl::free(data, queue);
  sycl::free(scanned, queue);
  sycl::free(sums, queue);
}

TEST(function_objects, known_identities) {
  static_assert(sycl::known_identity_v<sycl::plus<>, float> == 0.0f);
  static_assert(sycl::known_identity_v<sycl::multiplies<int>, int> == 1);
  static_assert(sycl::known_identity_v<sycl::bit_and<>, unsigned> == ~0u);
  static_assert(sycl::known_identity_v<sycl::minimum<>, short> == 32767);
  static_assert(sycl::known_identity_v<sycl::maximum<>, double> == -std::numeric_limits<double>::infinity());
  static_assert(sycl::known_identity_v<sycl::logical_and<>, bool>);
  static_assert(!sycl::has_known_identity_v<sycl::bit_or<>, float>);
  static_assert(!sycl::has_known_identity_v<sycl::plus<int>, float>);
  static_assert(sycl::has_known_identity_v<sycl::plus<>, sycl::half>);
  static_assert(sycl::minimum<>()(3, 2) == 2 && sycl::maximum<int>()(3, 2) == 3);
}

/// So many that functions of vectors would be shared by their callers, if lanes could call them.
TEST(group_algorithms, of_several_vectors_in_one_kernel_run_in_sub_groups) {
  sycl::queue queue;
  auto* const sums = sycl::malloc_shared<sycl::float4>(65, queue);
  queue
      .parallel_for(sycl::nd_range<1>(64, 64),
                    [=](sycl::nd_item<1> item) {
                      const auto group = item.get_group();
                      const sycl::float4 mine(static_cast<float>(item.get_local_linear_id()));
                      const sycl::float4 a = sycl::reduce_over_group(group, mine, sycl::plus<>());
                      const sycl::float4 b = sycl::reduce_over_group(group, mine + 1.0f, sycl::plus<>());
                      const sycl::float4 c = sycl::inclusive_scan_over_group(group, mine, sycl::plus<>());
                      sums[item.get_local_linear_id()] = a + b + c;
                      if (group.leader())
                        sums[64][0] = static_cast<float>(item.get_sub_group().get_max_local_range()[0]);
                    })
      .wait();
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(sums[i][i % 4], static_cast<float>(2016 + 2080 + i * (i + 1) / 2)) << i;
  const auto widths = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  if (std::getenv("FALX_SIMD") == nullptr && widths.back() > 1)
    EXPECT_GT(sums[64][0], 1.0f);
  sycl::free(sums, queue);
}

} // namespace
