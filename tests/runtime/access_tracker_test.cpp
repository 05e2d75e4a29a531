// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory/buffer_boxes.hpp"
#include "memory/buffer_residency.hpp"
#include "scheduler/access_tracker.hpp"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace {

using falx::access_tracker;
using falx::byte_box;
using falx::command;
using falx::handle;
using commands = std::vector<handle<command>>;

byte_box box1(std::size_t begin, std::size_t end) {
  return {{begin, 0, 0}, {end, 1, 1}};
}

/// Uses \p box by a new command and gives the command; what it waits for goes to \p dependencies.
handle<command> use(access_tracker& tracker, const byte_box& box, bool writes, commands& dependencies,
                    bool by_host = false) {
  auto user = command::make_manual();
  dependencies.clear();
  const falx::tracked_access access{
      .box = box, .contents = box, .writes = writes, .by_host = by_host, .user = user};
  tracker.conflicts(access, dependencies);
  tracker.add(access);
  return user;
}

/// Completes commands, so that none is left running at the end of a test.
struct completer {
  commands all;
  handle<command> operator()(handle<command> c) {
    all.push_back(c);
    return c;
  }
  ~completer() {
    for (const auto& c : all)
      if (!c->is_complete())
        c->complete();
  }
};

TEST(access_tracker, readers_do_not_wait_for_readers) {
  access_tracker tracker;
  completer keep;
  commands deps;
  keep(use(tracker, box1(0, 10), false, deps));
  keep(use(tracker, box1(0, 10), false, deps));
  EXPECT_TRUE(deps.empty());
}

TEST(access_tracker, writer_waits_for_readers_and_reader_for_writer) {
  access_tracker tracker;
  completer keep;
  commands deps;
  const auto r1 = keep(use(tracker, box1(0, 10), false, deps));
  const auto r2 = keep(use(tracker, box1(5, 10), false, deps));
  const auto w = keep(use(tracker, box1(0, 10), true, deps));
  EXPECT_EQ(deps, (commands{r1, r2}));
  EXPECT_EQ(tracker.size(), 1u) << "the write covers the reads";
  keep(use(tracker, box1(2, 3), false, deps));
  EXPECT_EQ(deps, commands{w});
}

TEST(access_tracker, disjoint_accesses_do_not_conflict) {
  access_tracker tracker;
  completer keep;
  commands deps;
  keep(use(tracker, box1(0, 10), true, deps));
  const auto w2 = keep(use(tracker, box1(10, 20), true, deps));
  EXPECT_TRUE(deps.empty());
  keep(use(tracker, box1(15, 30), true, deps));
  EXPECT_EQ(deps, commands{w2});
  keep(use(tracker, {}, true, deps));
  EXPECT_TRUE(deps.empty()) << "an empty box touches nothing";
}

TEST(access_tracker, complete_commands_are_forgotten) {
  access_tracker tracker;
  commands deps;
  for (int i = 0; i < 1000; ++i) {
    use(tracker, box1(0, 10), false, deps)->complete();
    EXPECT_TRUE(deps.empty());
    EXPECT_LE(tracker.size(), 17u);
  }
}

TEST(access_tracker, chain_of_writers_takes_constant_space) {
  access_tracker tracker;
  completer keep;
  commands deps;
  handle<command> last;
  for (int i = 0; i < 100; ++i) {
    const auto next = keep(use(tracker, box1(0, 10), true, deps));
    if (i > 0)
      EXPECT_EQ(deps, commands{last});
    last = next;
    EXPECT_EQ(tracker.size(), 1u);
  }
}

TEST(access_tracker, host_accessors_do_not_wait_for_each_other_but_commands_wait_for_both) {
  access_tracker tracker;
  completer keep;
  commands deps;
  const auto h1 = keep(use(tracker, box1(0, 10), true, deps, true));
  const auto h2 = keep(use(tracker, box1(0, 10), true, deps, true));
  EXPECT_TRUE(deps.empty());
  keep(use(tracker, box1(0, 10), false, deps));
  EXPECT_EQ(deps, (commands{h1, h2}));
  EXPECT_EQ(tracker.live().size(), 1u) << "host accessors are not waited for at the buffer's end";
}

TEST(access_tracker, transfers_wait_for_commands_on_the_buffer_but_for_contents_of_host_accessors) {
  access_tracker tracker;
  completer keep;
  commands deps;
  const auto part = [&](const byte_box& contents, bool by_host) {
    auto user = keep(command::make_manual());
    tracker.add({.box = box1(0, 10), .contents = contents, .writes = true, .by_host = by_host, .user = user});
    return user;
  };
  const auto host = part(box1(0, 5), true);
  tracker.writers(box1(5, 10), deps);
  EXPECT_TRUE(deps.empty()) << "its thread may be the one that needs the transfer";
  tracker.writers(box1(4, 10), deps);
  EXPECT_EQ(deps, commands{host});
  deps.clear();
  part(box1(0, 5), false);
  const auto last = part(box1(5, 10), false);
  tracker.writers(box1(0, 5), deps);
  EXPECT_EQ(deps, commands{last}) << "which waits for the others";
  part(box1(0, 5), true);
  deps.clear();
  tracker.writers(box1(5, 10), deps);
  EXPECT_EQ(deps, commands{last}) << "a host accessor of another range does not stand for it";
}

/// Reachability in the graph of dependencies must equal what pairwise conflicts imply, byte by byte.
TEST(access_tracker, random_boxes_order_all_conflicts_transitively) {
  std::mt19937 random(7);
  access_tracker tracker;
  completer keep;
  std::vector<std::pair<byte_box, bool>> accesses;
  std::vector<std::vector<bool>> after;
  commands deps;
  for (int i = 0; i < 120; ++i) {
    byte_box box;
    for (int axis = 0; axis < 3; ++axis) {
      box.begin[axis] = random() % 4;
      box.end[axis] = box.begin[axis] + 1 + random() % 3;
    }
    const bool writes = random() % 3 == 0;
    const auto user = keep(use(tracker, box, writes, deps));
    std::vector<bool> reaches(i, false);
    for (int j = 0; j < i; ++j)
      for (const auto& d : deps)
        if (d == keep.all[j]) {
          reaches[j] = true;
          EXPECT_TRUE(falx::intersects(box, accesses[j].first) && (writes || accesses[j].second))
              << "no wait without a conflict";
          for (int k = 0; k < j; ++k)
            reaches[k] = reaches[k] || after[j][k];
        }
    for (int j = 0; j < i; ++j)
      if (falx::intersects(box, accesses[j].first) && (writes || accesses[j].second))
        EXPECT_TRUE(reaches[j]);
    accesses.emplace_back(box, writes);
    after.push_back(reaches);
  }
}

std::size_t volume(const byte_box& b) {
  return b.is_empty() ? 0 : (b.end[0] - b.begin[0]) * (b.end[1] - b.begin[1]) * (b.end[2] - b.begin[2]);
}

TEST(buffer_boxes, subtract_partitions_the_rest) {
  std::mt19937 random(3);
  for (int i = 0; i < 500; ++i) {
    byte_box a, b;
    for (int axis = 0; axis < 3; ++axis) {
      a.begin[axis] = random() % 6, a.end[axis] = a.begin[axis] + 1 + random() % 5;
      b.begin[axis] = random() % 6, b.end[axis] = b.begin[axis] + 1 + random() % 5;
    }
    std::vector<byte_box> rest;
    falx::subtract(a, b, rest);
    std::size_t sum = volume(falx::intersection(a, b));
    for (std::size_t p = 0; p < rest.size(); ++p) {
      sum += volume(rest[p]);
      EXPECT_TRUE(falx::covers(a, rest[p]));
      EXPECT_FALSE(falx::intersects(b, rest[p]));
      for (std::size_t q = 0; q < p; ++q)
        EXPECT_FALSE(falx::intersects(rest[p], rest[q]));
    }
    EXPECT_EQ(sum, volume(a));
  }
}

TEST(buffer_shape, sees_sub_buffers_and_reinterpretations_in_one_grid) {
  const falx::buffer_shape shape({8, 8, 1}, 4); // 8 rows of 8 ints
  falx::access_request request;
  request.element_size = 4;
  request.buffer_range = {8, 2, 1};
  request.range = {8, 2, 1};
  request.base = 2 * 32; // a sub-buffer of rows 2 and 3
  auto region = shape.locate(request);
  EXPECT_TRUE(region.is_exact);
  EXPECT_EQ(region.box, (byte_box{{0, 2, 0}, {32, 4, 1}}));

  request.range = {3, 1, 1}; // three elements of its second row
  request.offset = {4, 1, 0};
  region = shape.locate(request);
  EXPECT_TRUE(region.is_exact);
  EXPECT_EQ(region.box, (byte_box{{16, 3, 0}, {28, 4, 1}}));

  falx::access_request bytes; // as 256 bytes, 40 to 50 and 40 to 70
  bytes.buffer_range = {256, 1, 1};
  bytes.offset = {40, 0, 0};
  bytes.range = {10, 1, 1};
  EXPECT_EQ(shape.locate(bytes).box, (byte_box{{8, 1, 0}, {18, 2, 1}}));
  EXPECT_TRUE(shape.locate(bytes).is_exact);
  bytes.range = {30, 1, 1};
  EXPECT_EQ(shape.locate(bytes).box, (byte_box{{0, 1, 0}, {32, 3, 1}}));
  EXPECT_FALSE(shape.locate(bytes).is_exact);
  bytes.range = {0, 1, 1};
  EXPECT_TRUE(shape.locate(bytes).box.is_empty());
}

TEST(buffer_residency, copies_only_what_is_missing) {
  falx::buffer_residency residency;
  residency.written(0, box1(0, 100));
  const std::size_t device = residency.add_memory();
  auto copies = residency.missing(device, box1(20, 40));
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].box, box1(20, 40));
  residency.copied(device, box1(20, 40), {});
  EXPECT_TRUE(residency.missing(device, box1(25, 30)).empty());
  EXPECT_TRUE(residency.missing(0, box1(0, 100)).empty());

  copies = residency.missing(device, box1(10, 50));
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].box, box1(10, 20));
  EXPECT_EQ(copies[1].box, box1(40, 50));

  residency.written(device, box1(30, 60));
  copies = residency.missing(0, box1(0, 100));
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].box, box1(30, 60));
  EXPECT_EQ(residency.current(device).size(), 1u) << "neighbours merge";
}

TEST(buffer_residency, devices_that_reach_each_other_need_no_host) {
  falx::buffer_residency residency;
  const std::size_t a = residency.add_memory(), b = residency.add_memory({true, true});
  const std::size_t c = residency.add_memory({true, false, false});
  residency.written(0, box1(0, 100));
  residency.written(a, box1(20, 40));
  auto copies = residency.missing(b, box1(10, 50));
  ASSERT_EQ(copies.size(), 3u);
  EXPECT_EQ(copies[0].from, a);
  EXPECT_EQ(copies[0].to, b);
  EXPECT_EQ(copies[0].box, box1(20, 40));
  EXPECT_EQ(copies[1].from, 0u);
  EXPECT_EQ(copies[2].from, 0u);
  copies = residency.missing(c, box1(20, 40));
  ASSERT_EQ(copies.size(), 2u) << "not reached by the first";
  EXPECT_EQ(copies[0].from, a);
  EXPECT_EQ(copies[0].to, 0u);
  EXPECT_EQ(copies[1].to, c);
}

TEST(buffer_residency, device_to_device_goes_through_the_host) {
  falx::buffer_residency residency;
  const std::size_t a = residency.add_memory(), b = residency.add_memory();
  residency.written(a, box1(0, 10));
  const auto copies = residency.missing(b, box1(0, 20));
  ASSERT_EQ(copies.size(), 2u);
  EXPECT_EQ(copies[0].from, a);
  EXPECT_EQ(copies[0].to, 0u);
  EXPECT_EQ(copies[1].from, 0u);
  EXPECT_EQ(copies[1].to, b);
  EXPECT_EQ(copies[1].box, box1(0, 10)) << "what was not written is not copied";
}

} // namespace
