// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of arrivals and waits on asynchronous barriers (sycl_ext_oneapi_cuda_async_barrier), beside
// a simulation on the host.
//
// A program is a sequence of events. Each event is some work-items' business, who go through theirs in order:
// so a wait for a cycle is for arrivals that come earlier in the sequence, and no wait is for
// ever. In a cycle of a barrier each participant writes a number into the barrier's slots, arrives, does what
// comes between, waits, and adds up what all participants wrote. Slots alternate from cycle to cycle: one
// that writes to one again has waited for a cycle in which all arrived after reading it.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using sycl::ext::oneapi::experimental::cuda::barrier;

constexpr int SIZE = 37, GROUPS = 3, BARRIERS = 5, EVENTS = 60;

enum action : int { arrive, drop, wait, test, meet };

struct step {
  action what;
  int which;  // barrier
  int weight; // arrivals that it counts as
  int value;  // written before it
  int cycle;
};

struct program {
  /// By work-item.
  std::vector<std::vector<step>> steps{SIZE};
  int expected[BARRIERS] = {};
  std::vector<unsigned> sums = std::vector<unsigned>(SIZE);
};

/// What the host knows of a barrier while it makes up events.
struct simulated_barrier {
  std::vector<int> participants;
  int weight[SIZE] = {};
  int cycle = 0;
  bool has_arrivals = false;
  int slots[2][SIZE] = {};
  std::vector<int> leaving;
};

class program_maker {
public:
  explicit program_maker(unsigned seed) : random_(seed) {
    for (int which = 0; which < BARRIERS; ++which)
      for (int item = 0; item < SIZE; ++item)
        if (below(4) != 0 || item == which) {
          barriers_[which].participants.push_back(item);
          barriers_[which].weight[item] = 1 + (below(3) == 0 ? below(4) : 0);
          result_.expected[which] += barriers_[which].weight[item];
        }
  }

  program make() {
    for (int event = 0; event < EVENTS; ++event) {
      const int which = below(BARRIERS + 1);
      if (which == BARRIERS) {
        for (auto& steps : result_.steps)
          steps.push_back({meet, 0, 0, 0, 0});
      } else if (barriers_[which].has_arrivals) {
        make_waits(which);
      } else if (barriers_[which].participants.size() > 1) {
        make_arrivals(which);
      }
    }
    for (int which = 0; which < BARRIERS; ++which)
      if (barriers_[which].has_arrivals)
        make_waits(which);
    return std::move(result_);
  }

private:
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(random_); }

  void make_arrivals(int which) {
    simulated_barrier& mine = barriers_[which];
    mine.has_arrivals = true;
    mine.leaving.clear();
    for (int item : mine.participants) {
      const bool leaves = below(12) == 0 && mine.leaving.size() + 2 < mine.participants.size();
      if (leaves)
        mine.leaving.push_back(item);
      const int value = mine.slots[mine.cycle % 2][item] = below(1000);
      result_.steps[item].push_back({leaves ? drop : arrive, which, mine.weight[item], value, mine.cycle});
    }
  }

  void make_waits(int which) {
    simulated_barrier& mine = barriers_[which];
    unsigned sum = 0;
    for (int value : mine.slots[mine.cycle % 2])
      sum += static_cast<unsigned>(value);
    std::vector<int> left;
    for (int item : mine.participants) {
      if (std::find(mine.leaving.begin(), mine.leaving.end(), item) != mine.leaving.end())
        continue; // the others may be several cycles further by then
      left.push_back(item);
      result_.steps[item].push_back({below(3) == 0 ? test : wait, which, 0, 0, mine.cycle});
      result_.sums[item] = result_.sums[item] * 3 + sum;
    }
    mine.participants = left;
    mine.has_arrivals = false;
    ++mine.cycle;
  }

  std::mt19937 random_;
  simulated_barrier barriers_[BARRIERS];
  program result_;
};

std::vector<unsigned> run(sycl::queue& queue, const program& what) {
  std::vector<step> steps;
  std::vector<int> first = {0};
  for (const auto& mine : what.steps) {
    steps.insert(steps.end(), mine.begin(), mine.end());
    first.push_back(static_cast<int>(steps.size()));
  }
  steps.push_back({meet, 0, 0, 0, 0}); // buffers are not empty
  std::vector<unsigned> sums(SIZE * GROUPS);
  {
    sycl::buffer<step> step_buffer(steps);
    sycl::buffer<int> first_buffer(first), expected_buffer(what.expected, BARRIERS);
    sycl::buffer<unsigned> sum_buffer(sums);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor all_steps(step_buffer, group, sycl::read_only);
      sycl::accessor begin(first_buffer, group, sycl::read_only);
      sycl::accessor expected(expected_buffer, group, sycl::read_only);
      sycl::accessor out(sum_buffer, group, sycl::write_only);
      sycl::local_accessor<barrier> barriers(BARRIERS, group);
      sycl::local_accessor<int, 3> slots({BARRIERS, 2, SIZE}, group);
      group.parallel_for(sycl::nd_range<1>(SIZE * GROUPS, SIZE), [=](sycl::nd_item<1> item) {
        const int self = static_cast<int>(item.get_local_linear_id());
        if (self < BARRIERS)
          barriers[self].initialize(static_cast<std::uint32_t>(expected[self]));
        for (int which = 0; which < BARRIERS; ++which)
          slots[which][0][self] = slots[which][1][self] = 0;
        sycl::group_barrier(item.get_group());
        barrier::arrival_token tokens[BARRIERS] = {};
        unsigned sum = 0;
        for (int index = begin[self]; index < begin[self + 1]; ++index) {
          const step now = all_steps[index];
          if (now.what == meet) {
            sycl::group_barrier(item.get_group());
            continue;
          }
          barrier& mine = barriers[now.which];
          const int parity = now.cycle % 2;
          if (now.what == arrive) {
            slots[now.which][parity][self] = now.value;
            if (now.weight > 1)
              mine.arrive_no_complete(now.weight - 1);
            tokens[now.which] = mine.arrive();
          } else if (now.what == drop) {
            slots[now.which][parity][self] = now.value;
            if (now.weight > 1)
              mine.arrive_and_drop_no_complete(now.weight - 1);
            tokens[now.which] = mine.arrive_and_drop();
          } else {
            if (now.what == wait)
              mine.wait(tokens[now.which]);
            else
              while (!mine.test_wait(tokens[now.which])) {
              }
            unsigned here = 0;
            for (int other = 0; other < SIZE; ++other)
              here += static_cast<unsigned>(slots[now.which][parity][other]);
            sum = sum * 3 + here;
          }
        }
        out[item.get_global_linear_id()] = sum;
      });
    });
  }
  return sums;
}

TEST(async_barrier_patterns, random_programs_do_what_the_simulation_does) {
  sycl::queue queue;
  if (!queue.get_device().has(sycl::aspect::ext_oneapi_cuda_async_barrier))
    GTEST_SKIP() << "the device has no asynchronous barriers";
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const program what = program_maker(seed).make();
    const std::vector<unsigned> sums = run(queue, what);
    for (int i = 0; i < SIZE * GROUPS; ++i)
      ASSERT_EQ(sums[i], what.sums[i % SIZE]) << "seed " << seed << ", work-item " << i;
  }
}

} // namespace
