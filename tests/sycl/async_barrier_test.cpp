// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_cuda_async_barrier, sentence by sentence; tests/sycl/async_barrier_patterns_test.cpp has
// random programs.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using sycl::ext::oneapi::experimental::cuda::barrier;

static_assert(SYCL_EXT_ONEAPI_CUDA_ASYNC_BARRIER == 1);
static_assert(!std::is_copy_constructible_v<barrier> && !std::is_move_constructible_v<barrier>);
static_assert(!std::is_copy_assignable_v<barrier> && !std::is_move_assignable_v<barrier>);
static_assert(std::is_same_v<decltype(barrier::max()), std::uint64_t>);
static_assert(barrier::max() >= 1024, "every work-item of a group can be expected");
static_assert(sycl::any_device_has_v<sycl::aspect::ext_oneapi_cuda_async_barrier>);
static_assert(!sycl::all_devices_have_v<sycl::aspect::ext_oneapi_cuda_async_barrier>);

/// The tests' device has the aspect, or the test is skipped.
class async_barrier : public testing::Test {
protected:
  void SetUp() override {
    if (!queue.get_device().has(sycl::aspect::ext_oneapi_cuda_async_barrier))
      GTEST_SKIP() << "the device has no asynchronous barriers";
  }

  /// Runs \p body (work-item, local ints, barriers, results) for one group of \p size work-items.
  template <class Body>
  std::vector<int> run(std::size_t size, std::size_t barriers, Body body) {
    std::vector<int> results(size, -1);
    {
      sycl::buffer<int> out(results);
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(out, group, sycl::read_write);
        sycl::local_accessor<int> shared(size, group);
        sycl::local_accessor<barrier> all(barriers, group);
        group.parallel_for(sycl::nd_range<1>(size, size),
                           [=](sycl::nd_item<1> item) { body(item, shared, all, access); });
      });
    }
    return results;
  }

  sycl::queue queue;
};

TEST_F(async_barrier, is_an_aspect_that_devices_list) {
  const auto aspects = queue.get_device().get_info<sycl::info::device::aspects>();
  EXPECT_EQ(std::count(aspects.begin(), aspects.end(), sycl::aspect::ext_oneapi_cuda_async_barrier), 1);
}

class kernel_with_a_barrier;

// SYCL 2020 §4.11: kernels that use optional features are not compatible with devices that lack them.
TEST_F(async_barrier, decides_which_devices_a_kernel_is_compatible_with) {
  queue.submit([&](sycl::handler& group) {
    sycl::local_accessor<barrier> all(1, group);
    group.parallel_for<kernel_with_a_barrier>(sycl::nd_range<1>(1, 1),
                                              [=](sycl::nd_item<1>) { all[0].initialize(1); });
  });
  for (const sycl::device& device : sycl::device::get_devices())
    EXPECT_EQ(sycl::is_compatible<kernel_with_a_barrier>(device),
              device.has(sycl::aspect::ext_oneapi_cuda_async_barrier));
}

// The document's first example, with two barriers where it initialises three.
TEST_F(async_barrier, takes_turns_in_a_loop) {
  constexpr std::size_t N = 64;
  std::vector<int> data(N);
  std::iota(data.begin(), data.end(), 0);
  {
    sycl::buffer<int> buf(data);
    queue.submit([&](sycl::handler& cgh) {
      auto acc = buf.get_access<sycl::access::mode::read_write>(cgh);
      sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local> loc(N, cgh);
      sycl::accessor<barrier, 1, sycl::access::mode::read_write, sycl::access::target::local> loc_barrier(
          2, cgh);
      cgh.parallel_for(sycl::nd_range<1>(N, N), [=](sycl::nd_item<1> item) {
        std::size_t idx = item.get_local_linear_id();
        loc[idx] = acc[idx];
        if (idx < 2)
          loc_barrier[idx].initialize(N);
        item.barrier(sycl::access::fence_space::local_space);
        for (std::size_t i = 0; i < N; i++) {
          int val = loc[idx];
          barrier::arrival_token arr = loc_barrier[0].arrive();
          val += 1;
          std::size_t dst_idx = (idx + 1) % N;
          loc_barrier[0].wait(arr);
          loc[dst_idx] = val;
          loc_barrier[1].wait(loc_barrier[1].arrive());
        }
        acc[idx] = loc[idx];
      });
    });
  }
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(data[i], static_cast<int>(i + N)); // all the way round
}

// The second one, with work where the document has dots.
TEST_F(async_barrier, waits_for_asynchronous_copies) {
  constexpr std::size_t N = 128;
  std::vector<int> data(N), reversed(N);
  std::iota(data.begin(), data.end(), 100);
  {
    sycl::buffer<int> buf(data), out(reversed);
    queue.submit([&](sycl::handler& cgh) {
      auto data_acc = buf.get_access<sycl::access::mode::read_write>(cgh);
      sycl::accessor acc(out, cgh, sycl::write_only);
      sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local> loc(N, cgh);
      sycl::accessor<barrier, 1, sycl::access::mode::read_write, sycl::access::target::local> loc_barrier(
          2, cgh);
      cgh.parallel_for(sycl::nd_range<1>(N, N), [=](sycl::nd_item<1> item) {
        std::size_t idx = item.get_local_linear_id();
        if (idx == 0) {
          loc_barrier[0].initialize(2 * N);
        }
        item.barrier(sycl::access::fence_space::local_space);
        item.async_work_group_copy(loc.get_pointer(), data_acc.get_pointer(), N);
        loc_barrier->arrive_copy_async_no_inc();
        int work = 0;
        for (std::size_t i = 0; i < idx; ++i)
          work += static_cast<int>(i % 3);
        loc_barrier->arrive_and_wait();
        acc[idx] = loc[N - 1 - idx] + work;
      });
    });
  }
  for (std::size_t i = 0; i < N; ++i) {
    int work = 0;
    for (std::size_t j = 0; j < i; ++j)
      work += static_cast<int>(j % 3);
    EXPECT_EQ(reversed[i], static_cast<int>(100 + N - 1 - i) + work);
  }
}

// The third one: one work-item less in every cycle. The first cycle needs all N, where the document has N
// / 2.
TEST_F(async_barrier, loses_a_work_item_per_cycle) {
  constexpr std::size_t N = 48;
  std::vector<int> data(N, 0);
  {
    sycl::buffer<int> buf(data);
    queue.submit([&](sycl::handler& cgh) {
      auto acc = buf.get_access<sycl::access::mode::read_write>(cgh);
      sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local> loc(N, cgh);
      sycl::accessor<barrier, 1, sycl::access::mode::read_write, sycl::access::target::local> loc_barrier(
          2, cgh);
      cgh.parallel_for(sycl::nd_range<1>(N, N), [=](sycl::nd_item<1> item) {
        std::size_t idx = item.get_local_linear_id();
        loc[idx] = acc[idx];
        if (idx < 2) {
          loc_barrier[idx].initialize(N);
        }
        item.barrier(sycl::access::fence_space::local_space);
        for (std::size_t i = 0; i < N; i++) {
          if (idx > i) {
            loc[idx] += 1;
            barrier::arrival_token arr = loc_barrier->arrive();
            int seen = static_cast<int>(i);
            loc_barrier->wait(arr);
            // Those that dropped out in this cycle wrote before.
            acc[idx] = acc[idx] + (loc[i] == 1000 + seen);
          } else if (idx == i) {
            loc[idx] = 1000 + static_cast<int>(i);
            loc_barrier->arrive_and_drop();
            break;
          }
        }
      });
    });
  }
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(data[i], static_cast<int>(i));
}

// "The wait call blocks until the predetermined number of work items in the same work group call arrive": not
// all of them need to, and those that do may stand at different places.
TEST_F(async_barrier, work_items_wait_at_different_places) {
  const std::vector<int> results = run(64, 2, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    barrier &everybody = all[0], &producers = all[1];
    if (self == 0) {
      everybody.initialize(64);
      producers.initialize(32);
    }
    sycl::group_barrier(item.get_group());
    int seen = 0;
    for (int round = 0; round < 3; ++round) {
      if (self % 2 == 0) {
        everybody.arrive_and_wait();
        seen += shared[self] + shared[self + 1];
        everybody.arrive_and_wait();
      } else {
        shared[self - 1] = 10 * round + 1;
        producers.arrive_and_wait();
        shared[self] = shared[(self + 1) % 64] + 1;
        everybody.arrive_and_wait();
        everybody.arrive_and_wait();
      }
    }
    out[self] = seen;
  });
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(results[i], i % 2 == 0 ? (1 + 2) + (11 + 12) + (21 + 22) : 0) << i;
}

// "Once a barrier is initialized, it can be reused for multiple cycles of arrivals and waits."
TEST_F(async_barrier, producers_and_consumers_share_a_buffer) {
  constexpr int rounds = 20, half = 24;
  const std::vector<int> results = run(2 * half, 2, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    barrier &full = all[0], &empty = all[1];
    if (self == 0)
      full.initialize(2 * half);
    if (self == 1)
      empty.initialize(2 * half);
    sycl::group_barrier(item.get_group());
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
      if (self < half) {
        shared[self] = self * round;
        full.arrive(); // nothing to wait for: the buffer is written again when it is empty
        empty.arrive_and_wait();
      } else {
        full.arrive_and_wait();
        sum += shared[2 * half - 1 - self];
        const barrier::arrival_token token = empty.arrive();
        sum += 1;
        empty.wait(token);
      }
    }
    out[self] = sum;
  });
  for (int i = half; i < 2 * half; ++i)
    EXPECT_EQ(results[i], (2 * half - 1 - i) * rounds * (rounds - 1) / 2 + rounds);
}

// arrive_no_complete "counts as count arrivals"; "either be followed with a call to arrive or by a barrier
// operation after which a different work-item is guaranteed to call arrive within the same cycle".
TEST_F(async_barrier, counts_several_arrivals) {
  const std::vector<int> results = run(8, 2, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self == 0) {
      all[0].initialize(8 + 1 + 2 + 3); // 0 to 3 more for the first four
      all[1].initialize(8);
    }
    sycl::group_barrier(item.get_group());
    for (int round = 0; round < 3; ++round) {
      shared[self] = 10 * round + self;
      if (self > 0 && self < 4)
        all[0].arrive_no_complete(self);
      all[0].arrive_and_wait();
      const int seen = shared[7 - self];
      all[1].arrive_and_wait();
      out[self] = out[self] + seen;
    }
    // The other way: all but one arrival at once, then a group barrier, then another work-item.
    barrier::arrival_token token{};
    if (self == 5)
      token = all[1].arrive_no_complete(7);
    sycl::group_barrier(item.get_group());
    if (self == 2)
      token = all[1].arrive();
    if (self == 5 || self == 2)
      all[1].wait(token);
  });
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(results[i], -1 + 30 + 3 * (7 - i));
}

// max(): "the maximum value of the expected and pending counts".
TEST_F(async_barrier, counts_up_to_its_maximum) {
  const std::vector<int> results = run(2, 1, [](auto item, auto&, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self == 0)
      all[0].initialize(static_cast<std::uint32_t>(barrier::max()));
    for (int cycle = 0; cycle < 2; ++cycle) {
      sycl::group_barrier(item.get_group());
      if (self == cycle)
        all[0].arrive_no_complete(static_cast<std::int32_t>(barrier::max()) - 2);
      sycl::group_barrier(item.get_group());
      all[0].arrive_and_wait();
    }
    out[self] = 1;
  });
  EXPECT_EQ(results, std::vector<int>(2, 1));
}

// arrive_and_drop_no_complete "reduces expected arrival count for future cycles by count".
TEST_F(async_barrier, drops_several_arrivals) {
  const std::vector<int> results = run(4, 1, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    shared[self] = 0;
    if (self == 0)
      all[0].initialize(4 + 5);
    sycl::group_barrier(item.get_group());
    if (self == 3)
      all[0].arrive_and_drop_no_complete(5);
    all[0].arrive_and_wait(); // 9 arrivals
    sycl::group_barrier(item.get_group());
    all[0].arrive_and_wait(); // 4
    sycl::group_barrier(item.get_group());
    if (self == 3)
      all[0].arrive_and_drop(); // and here the fourth for the last time
    else
      all[0].arrive_and_wait();
    sycl::group_barrier(item.get_group());
    if (self != 3)
      all[0].arrive_and_wait(); // 3
    out[self] = 1;
  });
  EXPECT_EQ(results, std::vector<int>(4, 1));
}

// test_wait returns "true if they did and false if wait(arrival) would block".
TEST_F(async_barrier, tests_without_waiting) {
  const std::vector<int> results = run(16, 1, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self == 0)
      all[0].initialize(16 + 1);
    shared[self] = self;
    sycl::group_barrier(item.get_group());
    const barrier::arrival_token token = all[0].arrive();
    int answers = all[0].test_wait(token) ? 100 : 0; // one arrival is missing
    sycl::group_barrier(item.get_group());
    if (self == 7)
      all[0].arrive();
    sycl::group_barrier(item.get_group());
    answers += all[0].test_wait(token) ? 10 : 0;
    answers += all[0].test_wait(token) ? 1 : 0;
    all[0].wait(token); // of the previous cycle: does not block
    out[self] = answers;
  });
  EXPECT_EQ(results, std::vector<int>(16, 11));
}

// A program may test until the answer is yes, in whatever order work-items run.
TEST_F(async_barrier, tests_until_the_answer_is_yes) {
  const std::vector<int> results = run(40, 1, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self == 0)
      all[0].initialize(40);
    sycl::group_barrier(item.get_group());
    shared[self] = self * self;
    const barrier::arrival_token token = all[0].arrive();
    while (!all[0].test_wait(token)) {
    }
    out[self] = shared[39 - self];
  });
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(results[i], (39 - i) * (39 - i));
}

// "Invalidates a previously initialized barrier, enabling its associated memory to be repurposed."
TEST_F(async_barrier, gives_its_memory_back) {
  const std::vector<int> results = run(32, 1, [](auto item, auto&, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    int sum = 0;
    for (std::uint32_t expected : {32u, 16u}) {
      if (self == 3)
        all[0].initialize(expected);
      sycl::group_barrier(item.get_group());
      if (self % 2 == 0 || expected == 32)
        all[0].arrive_and_wait();
      sycl::group_barrier(item.get_group());
      if (self == 30)
        all[0].invalidate();
      sycl::group_barrier(item.get_group());
      int* memory = reinterpret_cast<int*>(&all[0]);
      if (self == 1)
        memory[0] = memory[1] = static_cast<int>(expected);
      sycl::group_barrier(item.get_group());
      sum += memory[self % 2];
      sycl::group_barrier(item.get_group());
    }
    out[self] = sum;
  });
  EXPECT_EQ(results, std::vector<int>(32, 48));
}

// arrive_copy_async: "after the arrival there is no change to the pending count".
TEST_F(async_barrier, copies_may_arrive_on_top_of_what_is_expected) {
  constexpr std::size_t N = 96;
  struct alignas(16) wide {
    int words[4];
  };
  std::vector<wide> data(N);
  for (std::size_t i = 0; i < N; ++i)
    data[i] = {{static_cast<int>(i), 1, 2, static_cast<int>(2 * i)}};
  std::vector<short> halves(N);
  std::iota(halves.begin(), halves.end(), short{5});
  std::vector<int> sums(N);
  {
    sycl::buffer<wide> in(data);
    sycl::buffer<short> small(halves);
    sycl::buffer<int> out(sums);
    queue.submit([&](sycl::handler& cgh) {
      sycl::accessor from(in, cgh, sycl::read_write);
      sycl::accessor from_small(small, cgh, sycl::read_write);
      sycl::accessor to(out, cgh, sycl::write_only);
      sycl::local_accessor<wide> loc(N, cgh);
      sycl::local_accessor<short> loc_small(N / 2, cgh);
      sycl::local_accessor<barrier> done(1, cgh);
      cgh.parallel_for(sycl::nd_range<1>(N, N), [=](sycl::nd_item<1> item) {
        const std::size_t self = item.get_local_linear_id();
        if (self == 0)
          done[0].initialize(N);
        sycl::group_barrier(item.get_group());
        item.async_work_group_copy(loc.get_pointer(), from.get_pointer(), N);
        item.async_work_group_copy(loc_small.get_pointer(), from_small.get_pointer(), N / 2, 2);
        done[0].arrive_copy_async();
        // The copies' arrivals must not be overtaken by the next cycle: all arrive after them.
        sycl::group_barrier(item.get_group());
        done[0].arrive_and_wait();
        const wide& mine = loc[N - 1 - self];
        to[self] = mine.words[0] + mine.words[1] + mine.words[2] + mine.words[3];
        // wait_for makes copies visible as well, in the same kernel.
        item.wait_for(
            item.async_work_group_copy(loc_small.get_pointer(), from_small.get_pointer(), N / 2, 2));
        to[self] += loc_small[self / 2];
      });
    });
  }
  for (std::size_t i = 0; i < N; ++i)
    EXPECT_EQ(sums[i], static_cast<int>(3 * (N - 1 - i) + 3 + 5 + i / 2 * 2));
}

// Values, arrays and places in nested control flow survive waits, in groups of every shape.
TEST_F(async_barrier, keeps_private_state_over_waits) {
  constexpr std::size_t size = 2 * 3 * 7;
  std::vector<int> results(2 * size);
  {
    sycl::buffer<int> out(results);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(out, group, sycl::write_only);
      sycl::local_accessor<barrier> all(2, group);
      sycl::local_accessor<int> shared(size, group);
      group.parallel_for(sycl::nd_range<3>({4, 3, 7}, {2, 3, 7}), [=](sycl::nd_item<3> item) {
        const int self = static_cast<int>(item.get_local_linear_id());
        if (self < 2)
          all[self].initialize(size);
        sycl::group_barrier(item.get_group());
        int history[4] = {};
        for (int i = 0; i < 4; ++i) {
          const int step = self * (i + 1);
          shared[self] = step;
          if (item.get_local_id(2) % 2 == 0) {
            all[0].arrive_and_wait();
            history[(i + self) % 4] = shared[size - 1 - self] + step;
          } else {
            const barrier::arrival_token token = all[0].arrive();
            history[(i + self) % 4] = step;
            all[0].wait(token);
            history[(i + self) % 4] += shared[size - 1 - self];
          }
          all[1].arrive_and_wait();
        }
        int sum = 0;
        for (int i = 0; i < 4; ++i)
          sum = 3 * sum + history[(i + self) % 4];
        access[item.get_global_linear_id()] = sum + static_cast<int>(item.get_local_id(1));
      });
    });
  }
  for (std::size_t i = 0; i < 2 * size; ++i) {
    int sum = 0;
    for (int round = 0; round < 4; ++round)
      sum = 3 * sum + static_cast<int>(size - 1) * (round + 1);
    EXPECT_EQ(results[i], sum + static_cast<int>(i / 7 % 3));
  }
}

TEST_F(async_barrier, composes_with_group_barriers_and_algorithms) {
  const std::vector<int> results = run(33, 1, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self == 0)
      all[0].initialize(33);
    shared[self] = 1;
    sycl::group_barrier(item.get_group());
    const barrier::arrival_token token = all[0].arrive();
    shared[self] += static_cast<int>(sycl::reduce_over_group(item.get_group(), self, sycl::plus<>()));
    all[0].wait(token);
    const int sum = sycl::reduce_over_group(item.get_group(), shared[self], sycl::plus<>());
    out[self] = sum;
  });
  EXPECT_EQ(results, std::vector<int>(33, 33 * (1 + 33 * 16)));
}

// SYCL 2020 §4.17.1: a sub-group's work-items are all there when its function is, wherever they waited
// before.
TEST_F(async_barrier, sub_groups_meet_behind_waits) {
  const std::vector<int> results = run(96, 3, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self < 3)
      all[self].initialize(32);
    sycl::group_barrier(item.get_group());
    const sycl::sub_group together = item.get_sub_group();
    int result = 0;
    for (int round = 1; round < 4; ++round) {
      all[(self + round) % 3].arrive_and_wait();
      shared[self] = round * self;
      result += sycl::reduce_over_group(together, round * self, sycl::plus<>());
      sycl::group_barrier(together);
      const int next = (together.get_local_linear_id() + 1) % together.get_local_linear_range();
      result -= shared[self - static_cast<int>(together.get_local_linear_id()) + next];
      result -= sycl::select_from_group(together, round * self, together.get_local_linear_range() - 1);
      sycl::group_barrier(together);
    }
    int expected = 0;
    const int first = self - static_cast<int>(together.get_local_linear_id());
    const int size = static_cast<int>(together.get_local_linear_range());
    for (int round = 1; round < 4; ++round)
      expected += round * ((2 * first + size - 1) * size / 2 - (first + (self - first + 1) % size) -
                           (first + size - 1));
    out[self] = result - expected;
  });
  EXPECT_EQ(results, std::vector<int>(96, 0));
}

// Lanes that take part in a wait, and others that do not, in groups that are no multiple of a sub-group.
TEST_F(async_barrier, work_items_return_before_others_wait) {
  const std::vector<int> results = run(45, 2, [](auto item, auto& shared, auto& all, auto& out) {
    const int self = static_cast<int>(item.get_local_linear_id());
    if (self < 2)
      all[self].initialize(self == 0 ? 30 : 16);
    sycl::group_barrier(item.get_group());
    shared[self] = 3 * self;
    if (self % 3 == 0) {
      all[1].arrive();
      return;
    }
    if (self == 1)
      all[1].arrive_and_wait();
    all[0].arrive_and_wait();
    out[self] = shared[self / 3 * 3] + shared[(self + 1) % 45];
  });
  for (int i = 0; i < 45; ++i)
    EXPECT_EQ(results[i], i % 3 == 0 ? -1 : 3 * (i / 3 * 3) + 3 * ((i + 1) % 45)) << i;
}

// A size that the kernel demands is its sub-groups', waits or not.
TEST_F(async_barrier, kernels_demand_their_sub_group_size) {
  const auto sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  if (std::find(sizes.begin(), sizes.end(), 32u) == sizes.end())
    GTEST_SKIP() << "the device has no sub-groups of 32";
  std::vector<int> results(64);
  {
    sycl::buffer<int> out(results);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(out, group, sycl::write_only);
      sycl::local_accessor<barrier> all(1, group);
      group.parallel_for(sycl::nd_range<1>(64, 64),
                         [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(32)]] {
                           if (item.get_local_linear_id() == 0)
                             all[0].initialize(64);
                           sycl::group_barrier(item.get_group());
                           all[0].arrive_and_wait();
                           access[item.get_local_linear_id()] =
                               static_cast<int>(item.get_sub_group().get_max_local_range()[0]);
                         });
    });
  }
  EXPECT_EQ(results, std::vector<int>(64, 32));
}

class stuck_kernel;

// What never ends on a GPU is an error of the CPU.
TEST_F(async_barrier, reports_when_no_work_item_can_go_on) {
  if (!queue.get_device().is_cpu())
    GTEST_SKIP() << "a GPU would not end";
  std::string message;
  sycl::queue watched(queue.get_device(), [&](sycl::exception_list errors) {
    for (const std::exception_ptr& error : errors)
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception& caught) {
        EXPECT_EQ(caught.code(), sycl::errc::kernel);
        message += caught.what();
      }
  });
  watched.submit([&](sycl::handler& group) {
    sycl::local_accessor<barrier> all(1, group);
    group.parallel_for<stuck_kernel>(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
      if (item.get_local_linear_id() == 0)
        all[0].initialize(65);
      sycl::group_barrier(item.get_group());
      if (item.get_local_linear_id() < 24)
        all[0].arrive_and_wait();
      sycl::group_barrier(item.get_group());
    });
  });
  watched.wait_and_throw();
  EXPECT_NE(message.find("stuck_kernel"), std::string::npos) << message;
  EXPECT_NE(message.find("24 work-items of a group wait"), std::string::npos) << message;
  EXPECT_NE(message.find("and 40 at a group barrier"), std::string::npos) << message;
  // The queue and the threads are as good as before.
  EXPECT_EQ(run(4, 1, [](auto item, auto&, auto&, auto& out) { out[item.get_local_linear_id()] = 7; }),
            std::vector<int>(4, 7));
}

// Work-items that are iterations of a loop have no places of their own to wait at.
TEST_F(async_barrier, needs_an_nd_range) {
  try {
    queue.submit([&](sycl::handler& group) {
      sycl::local_accessor<barrier> all(1, group);
      group.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(4),
                                    [=](sycl::group<1>) { all[0].initialize(1); });
    });
    FAIL() << "the kernel was launched";
  } catch (const sycl::exception& caught) {
    EXPECT_EQ(caught.code(), sycl::errc::build);
    EXPECT_NE(std::string(caught.what()).find("parallel_for over an nd_range"), std::string::npos)
        << caught.what();
  }
}

} // namespace
