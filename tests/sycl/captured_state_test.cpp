// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Kernels that write what they captured. SYCL 2020 §4.12.1 does not define that, but libraries do so, and on
// other implementations all work-items get the function object as it was launched, and none sees what
// another one writes of it: it is like a variable of the kernel's scope, private to its work-item, or, in
// hierarchical kernels, its work-group's (§3.8.2.1).
#include "../shared_memory.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace {

constexpr std::size_t COUNT = 200, LOCAL = 40;
const sycl::nd_range<1> GROUPS(COUNT, LOCAL);

struct captured_state : testing::Test {
  sycl::queue queue;
  shared<int> out{queue, COUNT};

  /// Each work-item's result is what \p expected gives for its number.
  template <class Expected>
  void expect(Expected expected) {
    queue.wait();
    for (std::size_t i = 0; i < COUNT; ++i)
      EXPECT_EQ(out[i], expected(static_cast<int>(i))) << "work-item " << i;
  }
};

/// How often a number can be counted down, as portBLAS's kernels do.
struct countdown {
  mutable int left;
  int* out;
  void count(std::size_t i) const {
    int steps = 0;
    do {
      ++steps;
      --left;
    } while (left > 0);
    out[i] = steps;
  }
  void operator()(sycl::id<1> i) const { count(i); }
  void operator()(sycl::nd_item<1> item) const { count(item.get_global_id(0)); }
};

struct cast_countdown {
  struct {
    long other;
    int left;
  } inner;
  int* out;
  void operator()(sycl::nd_item<1> item) const {
    int& left = const_cast<int&>(inner.left);
    int steps = 0;
    do
      ++steps;
    while (--left > 0);
    out[item.get_global_id(0)] = steps;
  }
};

} // namespace

TEST_F(captured_state, of_a_range_is_private) {
  queue.parallel_for(sycl::range<1>(COUNT), countdown{5, out.get()});
  expect([](int) { return 5; });
}

TEST_F(captured_state, of_groups_is_private) {
  queue.parallel_for(GROUPS, countdown{5, out.get()});
  expect([](int) { return 5; });
}

TEST_F(captured_state, may_be_written_by_a_cast) {
  queue.parallel_for(GROUPS, cast_countdown{{1, 5}, out.get()});
  expect([](int) { return 5; });
}

TEST_F(captured_state, is_that_of_the_launch_each_time) {
  const countdown kernel{3, out.get()};
  for (int i = 0; i < 3; ++i)
    queue.parallel_for(sycl::range<1>(COUNT), kernel).wait();
  expect([](int) { return 3; });
  for (int i = 0; i < 2; ++i) {
    queue.single_task([kernel] { kernel.count(0); }).wait();
    EXPECT_EQ(out[0], 3);
  }
}

namespace {
struct generator {
  mutable unsigned state[2];
  unsigned next() const {
    state[0] = state[0] * 1664525u + 1013904223u;
    state[1] ^= state[0] >> 7;
    return state[1];
  }
};
} // namespace

// As many steps as each work-item likes, in both branches of a condition.
TEST_F(captured_state, diverges) {
  const generator random{{1, 2}};
  int* results = out.get();
  queue.parallel_for(GROUPS, [=](sycl::nd_item<1> item) {
    const std::size_t self = item.get_global_id(0);
    random.state[0] += static_cast<unsigned>(self);
    for (std::size_t i = 0; i < self % 7; ++i)
      random.next();
    unsigned sum = 0;
    if (self % 3 == 0)
      sum += random.next();
    else
      random.state[1] += 9;
    results[self] = static_cast<int>(sum + random.next());
  });
  expect([](int self) {
    const generator random{{1u + static_cast<unsigned>(self), 2}};
    for (int i = 0; i < self % 7; ++i)
      random.next();
    unsigned sum = 0;
    if (self % 3 == 0)
      sum += random.next();
    else
      random.state[1] += 9;
    return static_cast<int>(sum + random.next());
  });
}

namespace {
struct histogram {
  sycl::local_accessor<int> shared_counts;
  mutable std::array<int, 8> counts;
  sycl::accessor<int, 1, sycl::access_mode::read_write> data;
  mutable int rounds;
  void operator()(sycl::nd_item<1> item) const {
    const int self = static_cast<int>(item.get_global_linear_id());
    const int neighbour = static_cast<int>((item.get_local_linear_id() + 1) % LOCAL);
    for (int round = 0; round < 4; ++round) {
      counts[static_cast<std::size_t>((self * 5 + round) % 8)] += self;
      shared_counts[item.get_local_linear_id()] = counts[static_cast<std::size_t>(round)];
      ++rounds;
      sycl::group_barrier(item.get_group());
      counts[7] += shared_counts[neighbour];
      sycl::group_barrier(item.get_group());
    }
    data[self] += counts[7] * rounds + counts[static_cast<std::size_t>(self % 8)];
  }
};
} // namespace

// Accessors in the same object keep their places.
TEST_F(captured_state, lives_across_barriers) {
  std::array<int, COUNT> results{};
  {
    sycl::buffer<int> buffer(results.data(), sycl::range<1>(COUNT));
    queue.submit([&](sycl::handler& group) {
      const sycl::local_accessor<int> counts(sycl::range<1>(LOCAL), group);
      group.parallel_for(GROUPS, histogram{counts, {1, 2, 3, 4, 5, 6, 7, 8}, {buffer, group}, 0});
    });
  }
  for (std::size_t first = 0; first < COUNT; first += LOCAL) {
    std::array<std::array<int, 8>, LOCAL> counts;
    counts.fill({1, 2, 3, 4, 5, 6, 7, 8});
    for (std::size_t round = 0; round < 4; ++round) {
      std::array<int, LOCAL> shown{};
      for (std::size_t i = 0; i < LOCAL; ++i) {
        counts[i][((first + i) * 5 + round) % 8] += static_cast<int>(first + i);
        shown[i] = counts[i][round];
      }
      for (std::size_t i = 0; i < LOCAL; ++i)
        counts[i][7] += shown[(i + 1) % LOCAL];
    }
    for (std::size_t i = 0; i < LOCAL; ++i)
      EXPECT_EQ(results[first + i], counts[i][7] * 4 + counts[i][(first + i) % 8])
          << "work-item " << first + i;
  }
}

// At which work-items wait one by one.
TEST_F(captured_state, lives_across_asynchronous_barriers) {
  using sycl::ext::oneapi::experimental::cuda::barrier;
  if (!queue.get_device().has(sycl::aspect::ext_oneapi_cuda_async_barrier))
    GTEST_SKIP() << "the device has no asynchronous barriers";
  struct {
    mutable int number;
    mutable int elements[4];
  } const state{3, {1, 2, 3, 4}};
  int* results = out.get();
  queue.submit([&](sycl::handler& handler) {
    const sycl::local_accessor<barrier> meeting(1, handler);
    handler.parallel_for(GROUPS, [=](sycl::nd_item<1> item) {
      const int self = static_cast<int>(item.get_global_id(0));
      if (item.get_local_id(0) == 0)
        meeting[0].initialize(LOCAL);
      sycl::group_barrier(item.get_group());
      state.number += self;
      for (int round = 0; round < 3; ++round) {
        state.elements[(self + round) % 4] += state.number++;
        meeting[0].arrive_and_wait();
      }
      results[self] = state.number * 1000;
      for (const int element : state.elements)
        results[self] += element;
    });
  });
  expect([](int self) { return (self + 6) * 1000 + 10 + 3 * (self + 4); });
}

namespace {
struct large {
  float factors[512];
  mutable int steps;
  mutable double matrix[2][3];
  int* out;
  void operator()(sycl::id<1> i) const {
    float sum = 0;
    for (steps = 0; steps < 10; ++steps)
      sum += factors[(i * 3 + static_cast<std::size_t>(steps)) % 512];
    for (const float factor : factors)
      sum += factor == 100.0f ? 1.0f : 0.0f;
    matrix[i % 2][i % 3] += sum;
    double all = 0;
    for (const auto& row : matrix)
      for (const double element : row)
        all += element;
    out[i] = static_cast<int>(all) + steps;
  }
};
} // namespace

TEST_F(captured_state, may_be_a_part_of_a_large_object) {
  large kernel{};
  for (int i = 0; i < 512; ++i)
    kernel.factors[i] = static_cast<float>(i);
  kernel.out = out.get();
  queue.parallel_for(sycl::range<1>(COUNT), kernel);
  expect([](int self) {
    int sum = 1;
    for (int i = 0; i < 10; ++i)
      sum += (self * 3 + i) % 512;
    return sum + 10;
  });
}

// Statements of a stream refer to it, and are functions on CPUs.
TEST_F(captured_state, may_be_beside_a_stream) {
  struct {
    mutable int number;
  } const state{3};
  int* results = out.get();
  queue.submit([&](sycl::handler& handler) {
    const sycl::stream text(64, 64, handler);
    handler.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) {
      state.number += static_cast<int>(i[0]);
      if (i[0] == COUNT)
        text << "is " << state.number << sycl::endl;
      results[i] = state.number * 2;
    });
  });
  expect([](int self) { return 2 * (3 + self); });
}

namespace {
/// Not inlined on CPUs.
[[gnu::cold]] int* advance(int& number, int by) {
  number += by;
  return &number;
}
} // namespace
SYCL_EXTERNAL void double_number(int* number);
void double_number(int* number) {
  *number *= 2;
}

TEST_F(captured_state, may_be_written_by_functions_and_through_pointers) {
  struct {
    mutable int first, second;
  } const both{1, 2};
  int* results = out.get();
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> id) {
    const int self = static_cast<int>(id[0]);
    int own = 3;
    int* chosen[3] = {&both.first, &both.second, &own};
    *chosen[self % 3] += self;
    double_number(self % 2 == 0 ? &both.first : chosen[self % 3]);
    *advance(both.second, self) += 1;
    results[self] = both.first * 1000000 + both.second * 1000 + own;
  });
  expect([](int self) {
    int numbers[3] = {1, 2, 3};
    numbers[self % 3] += self;
    numbers[self % 2 == 0 ? 0 : self % 3] *= 2;
    numbers[1] += self + 1;
    return numbers[0] * 1000000 + numbers[1] * 1000 + numbers[2];
  });
}

TEST_F(captured_state, may_be_atomic) {
  struct {
    mutable int number;
    mutable unsigned long long mask;
  } const state{7, 1};
  int* results = out.get();
  queue.parallel_for(GROUPS, [=](sycl::nd_item<1> item) {
    const int self = static_cast<int>(item.get_global_id(0));
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group> number(state.number);
    sycl::atomic_ref<unsigned long long, sycl::memory_order::acq_rel, sycl::memory_scope::device> mask(
        state.mask);
    const int old = number.fetch_add(self);
    int seen = old + self;
    number.compare_exchange_strong(seen, seen * 2);
    mask.fetch_or(2);
    number.fetch_max(10);
    results[self] = old * 1000 + number.load() + static_cast<int>(mask.exchange(0)) * 100000;
  });
  expect([](int self) { return 7000 + std::max(2 * (7 + self), 10) + 300000; });
}

// Captured values that are constants in machine code are so until they are written.
TEST_F(captured_state, may_be_specialized) {
  const sycl::specialized<int> factor = 3;
  int* results = out.get();
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) {
    int result = factor;
    for (std::size_t step = 0; step < i % 4; ++step) {
      const_cast<sycl::specialized<int>&>(factor) = factor + static_cast<int>(i);
      result = result * 2 + factor;
    }
    results[i] = result;
  });
  expect([](int self) {
    int factor = 3, result = 3;
    for (int step = 0; step < self % 4; ++step) {
      factor += self;
      result = result * 2 + factor;
    }
    return result;
  });
}

TEST_F(captured_state, of_a_reduction_is_private) {
  struct {
    mutable int number;
  } const state{1};
  int* results = out.get();
  shared<int> sum(queue, 1);
  queue
      .parallel_for(GROUPS, sycl::reduction(sum.get(), sycl::plus<int>()),
                    [=](sycl::nd_item<1> item, auto& total) {
                      for (std::size_t i = 0; i < item.get_local_id(0) % 5; ++i)
                        state.number *= 2;
                      results[item.get_global_id(0)] = state.number;
                      total += state.number;
                    })
      .wait();
  expect([](int self) { return 1 << (self % static_cast<int>(LOCAL) % 5); });
  EXPECT_EQ(sum[0], (1 + 2 + 4 + 8 + 16) * 40);
}

// What a group writes before its work-items begin they see, and what one of them writes the group sees; no
// other group.
TEST_F(captured_state, of_a_hierarchical_kernel_is_the_groups) {
  struct {
    mutable int number;
    mutable int elements[LOCAL];
  } const state{1, {}};
  int* results = out.get();
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group(
        sycl::range<1>(COUNT / LOCAL), sycl::range<1>(LOCAL), [=](sycl::group<1> group) {
          state.number += static_cast<int>(group.get_group_id(0));
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            const std::size_t self = item.get_local_id(0);
            state.elements[self] += state.number * static_cast<int>(self);
            if (self == 3)
              sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
                  state.elements[LOCAL - 1])
                  .fetch_add(100);
          });
          state.number += state.elements[2];
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            results[item.get_global_id(0)] = state.elements[LOCAL - 1 - item.get_local_id(0)] + state.number;
          });
        });
  });
  expect([](int self) {
    const int number = 1 + self / static_cast<int>(LOCAL);
    const int other = static_cast<int>(LOCAL) - 1 - self % static_cast<int>(LOCAL);
    return number * other + (other == static_cast<int>(LOCAL) - 1 ? 100 : 0) + number + 2 * number;
  });
}
