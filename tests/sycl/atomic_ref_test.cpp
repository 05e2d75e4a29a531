// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic_ref (SYCL 2020 §4.15.3), on the host and among work-items.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

template <class T>
using relaxed_ref = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device>;

TEST(atomic_ref, integer_operations_return_the_old_value) {
  int value = 10;
  const relaxed_ref<int> ref(value);
  EXPECT_EQ(ref.fetch_add(5), 10);
  EXPECT_EQ(ref.fetch_sub(1), 15);
  EXPECT_EQ(ref.fetch_and(12), 14);
  EXPECT_EQ(ref.fetch_or(1), 12);
  EXPECT_EQ(ref.fetch_xor(3), 13);
  EXPECT_EQ(ref.fetch_min(-4), 14);
  EXPECT_EQ(ref.fetch_max(7), -4);
  EXPECT_EQ(ref.exchange(1), 7);
  EXPECT_EQ(ref++, 1);
  EXPECT_EQ(--ref, 1);
  EXPECT_EQ(ref += 4, 5);
  EXPECT_EQ(ref |= 2, 7);
  EXPECT_EQ(ref = 3, 3);
  EXPECT_EQ(int(ref), 3);
}

TEST(atomic_ref, floating_point_adds_and_bounds) {
  float value = 1.5f;
  const relaxed_ref<float> ref(value);
  EXPECT_EQ(ref.fetch_add(2.0f), 1.5f);
  EXPECT_EQ(ref -= 0.5f, 3.0f);
  EXPECT_EQ(ref.fetch_min(-1.0f), 3.0f);
  EXPECT_EQ(ref.fetch_max(8.0f), -1.0f);
  EXPECT_EQ(ref.load(), 8.0f);
}

TEST(atomic_ref, pointers_count_elements) {
  double array[8];
  double* value = array;
  const relaxed_ref<double*> ref(value);
  EXPECT_EQ(ref.fetch_add(3), array);
  EXPECT_EQ(ref--, array + 3);
  EXPECT_EQ(ref += 4, array + 6);
  EXPECT_EQ(ref -= 6, array);
}

TEST(atomic_ref, compare_exchange_reports_what_it_found) {
  long value = 5;
  const sycl::atomic_ref<long, sycl::memory_order::acq_rel, sycl::memory_scope::system> ref(value);
  long expected = 4;
  EXPECT_FALSE(ref.compare_exchange_strong(expected, 9));
  EXPECT_EQ(expected, 5);
  EXPECT_TRUE(ref.compare_exchange_strong(expected, 9));
  EXPECT_EQ(ref.load(), 9);
  static_assert(decltype(ref)::default_read_order == sycl::memory_order::acquire);
  static_assert(decltype(ref)::default_write_order == sycl::memory_order::release);
}

TEST(atomic_ref, work_items_lose_no_update) {
  sycl::queue queue;
  constexpr std::size_t count = 4096;
  struct totals {
    int sum;
    float float_sum;
    unsigned largest;
  };
  totals* shared = sycl::malloc_shared<totals>(1, queue);
  *shared = {0, 0.0f, 0};
  queue
      .parallel_for(sycl::range<1>(count),
                    [=](sycl::id<1> i) {
                      relaxed_ref<int>(shared->sum) += 2;
                      relaxed_ref<float>(shared->float_sum).fetch_add(0.5f);
                      relaxed_ref<unsigned>(shared->largest).fetch_max(static_cast<unsigned>(i[0]));
                    })
      .wait();
  EXPECT_EQ(shared->sum, 2 * static_cast<int>(count));
  EXPECT_EQ(shared->float_sum, 0.5f * count);
  EXPECT_EQ(shared->largest, count - 1);
  sycl::free(shared, queue);
}

/// In memory and as operands: numbers of both signs, zeros, denormal and infinite ones, NaN with and without
/// a sign.
template <class T>
std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> result{T(0),
                        T(1),
                        T(1.5),
                        T(123456),
                        limits::denorm_min(),
                        limits::min(),
                        limits::max(),
                        limits::infinity(),
                        limits::quiet_NaN()};
  for (std::size_t i = 0, positive = result.size(); i < positive; ++i)
    result.push_back(std::copysign(result[i], T(-1)));
  return result;
}

/// What of NaN and a number, or of two numbers, is the extremum. Zeros of either sign are one.
template <class T>
bool is_extremum(T result, T old, T operand, bool is_maximum) {
  if (std::isnan(old) || std::isnan(operand)) {
    const T other = std::isnan(old) ? operand : old;
    return std::isnan(other) ? std::isnan(result) : result == other;
  }
  return result == (is_maximum ? std::max(old, operand) : std::min(old, operand));
}

/// Each pair of special numbers, in memory of the device or of a group.
template <class T, sycl::memory_order Order, sycl::memory_scope Scope>
void compare_extrema() {
  sycl::queue queue;
  if (sizeof(T) == 8 && !queue.get_device().has(sycl::aspect::fp64))
    return;
  const std::vector<T> numbers = special_numbers<T>();
  const std::size_t count = numbers.size(), size = count * count;
  T* const given = sycl::malloc_shared<T>(count, queue);
  T* const results =
      sycl::malloc_shared<T>(4 * size, queue); // minima, what was there; maxima, what was there
  std::copy(numbers.begin(), numbers.end(), given);
  queue
      .submit([&](sycl::handler& group) {
        sycl::local_accessor<T> local(2 * count, group);
        group.parallel_for(sycl::nd_range<1>(size, count), [=](sycl::nd_item<1> item) {
          const std::size_t i = item.get_global_id(0), own = item.get_local_id(0);
          const T old = given[i / count], operand = given[own];
          constexpr bool is_local = Scope == sycl::memory_scope::work_group;
          T& least = is_local ? local[own] : results[i];
          T& most = is_local ? local[count + own] : results[2 * size + i];
          least = most = old;
          results[size + i] = sycl::atomic_ref<T, Order, Scope>(least).fetch_min(operand);
          results[3 * size + i] = sycl::atomic_ref<T, Order, Scope>(most).fetch_max(operand);
          results[i] = least;
          results[2 * size + i] = most;
        });
      })
      .wait();
  for (std::size_t i = 0; i < size; ++i) {
    const T old = given[i / count], operand = given[i % count];
    EXPECT_TRUE(is_extremum(results[i], old, operand, false))
        << results[i] << " of " << old << ", " << operand;
    EXPECT_TRUE(is_extremum(results[2 * size + i], old, operand, true))
        << results[2 * size + i] << " of " << old << ", " << operand;
    for (const T found : {results[size + i], results[3 * size + i]})
      EXPECT_TRUE(found == old || (std::isnan(found) && std::isnan(old))) << found << " for " << old;
  }
  sycl::free(given, queue);
  sycl::free(results, queue);
}

TEST(atomic_ref, extrema_of_special_numbers) {
  using sycl::memory_order, sycl::memory_scope;
  compare_extrema<float, memory_order::relaxed, memory_scope::device>();
  compare_extrema<float, memory_order::acq_rel, memory_scope::device>();
  compare_extrema<float, memory_order::relaxed, memory_scope::work_group>();
  compare_extrema<double, memory_order::relaxed, memory_scope::device>();
  compare_extrema<double, memory_order::acq_rel, memory_scope::device>();
  compare_extrema<double, memory_order::relaxed, memory_scope::work_group>();
}

/// Work-items that all want to change a few places, and most of which do not. The old values of one place
/// rise and fall as the place does.
TEST(atomic_ref, most_operations_change_nothing) {
  sycl::queue queue;
  constexpr std::size_t count = 100000, places = 7;
  struct place {
    int least, most;
    unsigned set, left;
    float smallest, largest;
    std::uint64_t last;
  };
  place* const shared = sycl::malloc_shared<place>(places, queue);
  auto* const has_risen = sycl::malloc_shared<unsigned char>(count, queue);
  std::fill_n(shared, places, place{1000, -1000, 0, ~0u, 1.0f, -1.0f, 0});
  const auto number = [](std::size_t i) { return static_cast<int>(i * 7919 % 60013) - 30000; };
  queue
      .parallel_for(sycl::range<1>(count),
                    [=](sycl::id<1> i) {
                      place& own = shared[i[0] % places];
                      const int value = number(i);
                      const unsigned bit = 1u << (value & 31);
                      relaxed_ref<int>(own.least).fetch_min(value);
                      has_risen[i] = relaxed_ref<int>(own.most).fetch_max(value) < value;
                      relaxed_ref<unsigned>(own.set).fetch_or(bit & 0xF0F0F0F0u);
                      relaxed_ref<unsigned>(own.left).fetch_and(~(bit & 0x0F0F0F0Fu));
                      relaxed_ref<float>(own.smallest).fetch_min(static_cast<float>(value) * 0.5f);
                      relaxed_ref<float>(own.largest).fetch_max(static_cast<float>(value) * 0.25f);
                      relaxed_ref<std::uint64_t>(own.last).fetch_max(std::uint64_t(i[0]) << 20);
                    })
      .wait();
  for (std::size_t p = 0; p < places; ++p) {
    place expected{1000, -1000, 0, ~0u, 1.0f, -1.0f, 0};
    bool largest_was_new = false;
    for (std::size_t i = p; i < count; i += places) {
      const int value = number(i);
      const unsigned bit = 1u << (value & 31);
      expected.least = std::min(expected.least, value);
      expected.most = std::max(expected.most, value);
      expected.set |= bit & 0xF0F0F0F0u;
      expected.left &= ~(bit & 0x0F0F0F0Fu);
      expected.last = std::uint64_t(i) << 20;
    }
    for (std::size_t i = p; i < count; i += places)
      largest_was_new |= number(i) == expected.most && has_risen[i] != 0;
    EXPECT_TRUE(largest_was_new) << p;
    EXPECT_EQ(shared[p].least, expected.least) << p;
    EXPECT_EQ(shared[p].most, expected.most) << p;
    EXPECT_EQ(shared[p].set, expected.set) << p;
    EXPECT_EQ(shared[p].left, expected.left) << p;
    EXPECT_EQ(shared[p].smallest, std::min(1.0f, static_cast<float>(expected.least) * 0.5f)) << p;
    EXPECT_EQ(shared[p].largest, std::max(-1.0f, static_cast<float>(expected.most) * 0.25f)) << p;
    EXPECT_EQ(shared[p].last, expected.last) << p;
  }
  sycl::free(shared, queue);
  sycl::free(has_risen, queue);
}

/// Groups count bytes row by row in local memory: rows as long as the group, whose last vector is not full,
/// and in one half of the counters only those that every third work-item finds.
TEST(atomic_ref, groups_count_in_local_memory) {
  constexpr std::size_t GROUP = 40, GROUPS = 3, ROWS = 50, BINS = 16;
  sycl::queue queue;
  auto* in = sycl::malloc_shared<unsigned char>(GROUP * GROUPS * ROWS, queue);
  auto* counts = sycl::malloc_shared<unsigned>(2 * BINS, queue);
  unsigned expected[2 * BINS] = {};
  std::fill_n(counts, 2 * BINS, 0u);
  for (std::size_t i = 0; i < GROUP * GROUPS * ROWS; ++i) {
    in[i] = static_cast<unsigned char>(i * i / 7 % BINS);
    ++expected[in[i]];
    if (i % GROUP % 3 == 0)
      expected[BINS + in[i]] += in[i];
  }
  queue
      .submit([&](sycl::handler& group) {
        sycl::local_accessor<unsigned> bins(2 * BINS, group);
        group.parallel_for(sycl::nd_range<1>(GROUP * GROUPS, GROUP), [=](sycl::nd_item<1> item) {
          using counter =
              sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>;
          const std::size_t self = item.get_local_id(0);
          if (self < 2 * BINS)
            bins[self] = 0;
          sycl::group_barrier(item.get_group());
          for (std::size_t row = 0; row < ROWS; ++row) {
            const unsigned char found = in[(item.get_group(0) * ROWS + row) * GROUP + self];
            counter(bins[found]).fetch_add(1);
            if (self % 3 == 0)
              counter(bins[BINS + found]).fetch_add(found);
          }
          sycl::group_barrier(item.get_group());
          if (self < 2 * BINS)
            relaxed_ref<unsigned>(counts[self]).fetch_add(bins[self]);
        });
      })
      .wait();
  for (std::size_t bin = 0; bin < 2 * BINS; ++bin)
    EXPECT_EQ(counts[bin], expected[bin]) << bin;
  sycl::free(in, queue);
  sycl::free(counts, queue);
}

TEST(atomic, deprecated_interface_works_in_kernels) {
  sycl::queue queue;
  long zeros[2] = {0, 0};
  sycl::buffer<long> sums(zeros, 2);
  queue.submit([&](sycl::handler& group) {
    auto global = sums.get_access<sycl::access_mode::atomic>(group);
    sycl::accessor<int, 1, sycl::access_mode::atomic, sycl::target::local> local(1, group);
    group.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
      sycl::atomic<int, sycl::access::address_space::local_space> shared = local[0];
      if (item.get_local_id(0) == 0)
        shared.store(0);
      sycl::group_barrier(item.get_group());
      shared.fetch_add(static_cast<int>(item.get_local_id(0)));
      sycl::group_barrier(item.get_group());
      if (item.get_local_id(0) == 0)
        sycl::atomic_fetch_add(global[0], shared.load());
      sycl::atomic_fetch_max(global[1], static_cast<long>(item.get_global_id(0)));
    });
  });
  sycl::host_accessor result(sums, sycl::read_only);
  EXPECT_EQ(result[0], 4 * 120);
  EXPECT_EQ(result[1], 63);
}

struct two_counts {
  int up, down;
};

TEST(atomic_ref, classes_that_are_aligned_as_their_members) {
  sycl::queue queue;
  two_counts* const both = sycl::malloc_shared<two_counts>(1, queue);
  *both = {0, 0};
  queue
      .parallel_for(
          200,
          [=](sycl::id<1>) {
            const sycl::atomic_ref<two_counts, sycl::memory_order::relaxed, sycl::memory_scope::device>
                shared(*both);
            two_counts before = shared.load();
            while (!shared.compare_exchange_strong(before, {before.up + 1, before.down - 1})) {
            }
          })
      .wait();
  EXPECT_EQ(both->up, 200);
  EXPECT_EQ(both->down, -200);
  sycl::free(both, queue);
}

/// SYCL 2020, "Interaction with host code": with memory_scope::system, where the memory's aspect says so.
template <class T>
void meet_with_the_host(sycl::queue queue, sycl::usm::alloc kind) {
  using counter_ref = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::system>;
  using flag_ref = sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::system>;
  struct meeting {
    T counter;
    int ended;
  };
  constexpr int of_the_device = 5000, most_of_the_host = 1'000'000;
  auto* const both = static_cast<meeting*>(sycl::malloc(sizeof(meeting), queue, kind));
  ASSERT_NE(both, nullptr);
  *both = {0, 0};
  queue.single_task([=] {
    for (int i = 0; i < of_the_device; ++i)
      counter_ref(both->counter).fetch_add(1);
    flag_ref(both->ended).store(1);
  });
  int of_the_host = 0;
  do
    counter_ref(both->counter).fetch_add(1);
  while (++of_the_host < most_of_the_host && flag_ref(both->ended).load() == 0);
  queue.wait();
  EXPECT_EQ(both->counter, static_cast<T>(of_the_device + of_the_host));
  sycl::free(both, queue);
}

TEST(atomic_ref, host_and_device_meet_where_the_aspect_says_so) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  if (device.has(sycl::aspect::usm_atomic_shared_allocations)) {
    meet_with_the_host<int>(queue, sycl::usm::alloc::shared);
    meet_with_the_host<unsigned long long>(queue, sycl::usm::alloc::shared);
  }
  if (device.has(sycl::aspect::usm_atomic_host_allocations))
    meet_with_the_host<int>(queue, sycl::usm::alloc::host);
}

} // namespace
