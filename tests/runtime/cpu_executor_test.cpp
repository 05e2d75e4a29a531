// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_executor.hpp"
#include "backends/cpu/cpu_topology.hpp"

#include <gtest/gtest.h>
#include <latch>
#include <memory>
#include <vector>

namespace falx {
namespace {

/// Notes on which processors the thread may run that runs it.
struct affinity_job : cpu_job {
  affinity_job() noexcept : cpu_job(&note) {}
  static void note(cpu_job& job) noexcept {
    auto& mine = static_cast<affinity_job&>(job);
    mine.processors = usable_processors();
    mine.is_done.count_down();
  }
  processor_list processors;
  std::latch is_done{1};
};

processor_list processors_of(cpu_executor& executor) {
  affinity_job job;
  executor.post(job);
  job.is_done.wait();
  return job.processors;
}

// Threads may linger in executors, which therefore live as long as the process.
cpu_executor& whole() {
  static cpu_executor& made =
      *std::make_unique<cpu_executor>(std::uint32_t(usable_processors().size()), []() noexcept {}).release();
  return made;
}

cpu_executor& part(std::uint32_t processor) {
  static auto& made = *std::make_unique<std::vector<cpu_executor*>>().release();
  made.push_back(std::make_unique<cpu_executor>(whole(), processor_list{processor}).release());
  return *made.back();
}

TEST(cpu_executor, threads_of_a_part_keep_to_its_processors_and_are_free_again_behind_it) {
  const processor_list all = usable_processors();
  EXPECT_EQ(processors_of(whole()), all);
  for (const std::uint32_t processor : all) {
    cpu_executor& own = part(processor);
    EXPECT_EQ(own.thread_count(), 1u);
    EXPECT_EQ(processors_of(own), processor_list{processor});
  }
  for (int round = 0; round < 20; ++round)
    EXPECT_EQ(processors_of(whole()), all);
}

TEST(cpu_executor, parts_compute_beside_each_other) {
  const processor_list all = usable_processors();
  if (all.size() < 2)
    GTEST_SKIP() << "one processor has no parts";
  cpu_executor &first = part(all[0]), &second = part(all[1]);
  // Each waits for the other.
  struct meeting_job : cpu_job {
    explicit meeting_job(std::latch& all_here) noexcept : cpu_job(&meet), meeting(all_here) {}
    static void meet(cpu_job& job) noexcept {
      auto& mine = static_cast<meeting_job&>(job);
      mine.meeting.arrive_and_wait();
      mine.is_done.count_down();
    }
    std::latch& meeting;
    std::latch is_done{1};
  };
  std::latch meeting(2);
  meeting_job one(meeting), other(meeting);
  first.post(one);
  second.post(other);
  one.is_done.wait();
  other.is_done.wait();
}

} // namespace
} // namespace falx
