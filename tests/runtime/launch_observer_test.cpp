// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "adaptivity/launch_observer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace falx;

/// What the kernel of these tests captures. The compiler would record number, scale and table, not what lies
/// between them.
struct captured {
  std::int32_t number = 1;
  std::int32_t padding = 0;
  double scale = 0.5;
  std::int16_t table[4] = {1, 2, 3, 4};
  void* pointer = reinterpret_cast<void*>(std::uintptr_t{4096});
  accessor_core accessor{reinterpret_cast<void*>(std::uintptr_t{64}), 1};
  compact_accessor_core compact{32};
};

image::kernel_metadata some_kernel(kernel_kind kind = kernel_kind::range) {
  image::kernel_metadata kernel;
  kernel.kind = static_cast<std::uint32_t>(kind);
  kernel.function_size = sizeof(captured);
  kernel.captured_values = {{offsetof(captured, number), sizeof(std::int32_t)},
                            {offsetof(captured, scale), sizeof(double)},
                            {offsetof(captured, table), sizeof(captured::table)}};
  kernel.captured_pointers = {offsetof(captured, pointer)};
  kernel.accessor_offsets = {offsetof(captured, accessor), offsetof(captured, compact) + 1};
  return kernel;
}

launch_geometry range_of(std::size_t x) {
  return {kernel_kind::range, 1, {x, 1, 1}, {1, 1, 1}, {0, 0, 0}};
}

class observer : public testing::Test {
protected:
  const learned_version* see(const captured& function, std::size_t range = 1000) {
    has_learned = false;
    return mine.see(&function, range_of(range), has_learned);
  }
  const learned_version* see_often(const captured& function, unsigned times, std::size_t range = 1000) {
    const learned_version* last = nullptr;
    for (unsigned i = 0; i < times; ++i)
      last = see(function, range);
    return last;
  }
  static launch_constants constants_of(const learned_version* version) {
    launch_constants constants;
    version->add_to(constants);
    return constants;
  }
  /// Of a value that the version knows, which starts at \p offset; zero if it knows nothing there.
  template <class T>
  static T known_at(const learned_version* version, std::size_t offset) {
    for (const jit::captured_bytes& part : constants_of(version).captured)
      if (offset >= part.offset && offset + sizeof(T) <= part.offset + part.bytes.size()) {
        T value;
        std::memcpy(&value, part.bytes.data() + (offset - part.offset), sizeof value);
        return value;
      }
    return T();
  }
  static std::uint64_t alignment_at(const learned_version* version, std::size_t offset) {
    for (const jit::captured_alignment& some : constants_of(version).aligned)
      if (some.offset == offset)
        return some.alignment;
    return 0;
  }

  static constexpr unsigned ENOUGH = launch_observer::LAUNCHES_TO_LEARN;
  launch_features features{some_kernel()};
  launch_observer mine{features};
  bool has_learned = false;
  captured function;
};

TEST_F(observer, learns_what_launches_have_in_common) {
  EXPECT_EQ(see_often(function, ENOUGH - 1), nullptr);
  EXPECT_FALSE(has_learned);
  const learned_version* version = see(function);
  ASSERT_NE(version, nullptr);
  EXPECT_TRUE(has_learned);
  EXPECT_EQ(known_at<std::int32_t>(version, offsetof(captured, number)), 1);
  EXPECT_EQ(known_at<double>(version, offsetof(captured, scale)), 0.5);
  EXPECT_EQ(known_at<std::int16_t>(version, offsetof(captured, table) + 6), 4);
  EXPECT_EQ(alignment_at(version, offsetof(captured, pointer)), 64u);
  EXPECT_EQ(alignment_at(version, offsetof(captured, accessor)), 64u);
  EXPECT_EQ(alignment_at(version, offsetof(captured, compact)), 32u);
  EXPECT_EQ(constants_of(version).global_range, (std::array<std::uint64_t, 3>{1000, 1, 1}));
  EXPECT_EQ(see(function), version);
  EXPECT_FALSE(has_learned);
}

// Neighbours are one part: code may load them at once.
TEST_F(observer, joins_neighbours) {
  const auto parts = constants_of(see_often(function, ENOUGH)).captured;
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].offset, offsetof(captured, number));
  EXPECT_EQ(parts[0].bytes.size(), 4u);
  EXPECT_EQ(parts[1].offset, offsetof(captured, scale));
  EXPECT_EQ(parts[1].bytes.size(), 16u);
}

TEST_F(observer, does_not_look_at_padding) {
  const learned_version* version = see_often(function, ENOUGH);
  function.padding = 77;
  EXPECT_EQ(see(function), version);
}

TEST_F(observer, leaves_out_what_varies) {
  const learned_version* version = nullptr;
  unsigned launches = 0;
  for (; version == nullptr && launches < 100; ++launches) {
    function.number = static_cast<std::int32_t>(launches);
    version = see(function, 1000 + launches);
  }
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(launches, launch_observer::LAUNCHES_TO_WAIT);
  EXPECT_EQ(known_at<std::int32_t>(version, offsetof(captured, number)), 0);
  EXPECT_EQ(constants_of(version).global_range[0], 0u);
  EXPECT_EQ(known_at<double>(version, offsetof(captured, scale)), 0.5);
  function.number = 12345;
  EXPECT_EQ(see(function, 5), version);
}

// The first launches of a program may be for warming up.
TEST_F(observer, waits_for_what_settles_late) {
  function.number = 100;
  EXPECT_EQ(see_often(function, ENOUGH - 1), nullptr);
  function.number = 200;
  const learned_version* version = see_often(function, ENOUGH);
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(known_at<std::int32_t>(version, offsetof(captured, number)), 200);
}

TEST_F(observer, serves_other_values_without_a_version_until_they_last) {
  const learned_version* first = see_often(function, ENOUGH);
  captured other = function;
  other.number = 2;
  EXPECT_EQ(see(other), nullptr);
  EXPECT_EQ(see(function), first);
  const learned_version* second = see_often(other, ENOUGH - 1);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(second, first);
  EXPECT_EQ(known_at<std::int32_t>(second, offsetof(captured, number)), 2);
  EXPECT_EQ(see(function), first);
  EXPECT_EQ(see(other), second);
  // Two guesses were enough: a third value is not a constant.
  other.number = 3;
  const learned_version* third = see_often(other, ENOUGH);
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(known_at<std::int32_t>(third, offsetof(captured, number)), 0);
  other.number = 4;
  EXPECT_EQ(see(other), third);
  EXPECT_NE(first->added_to({}), second->added_to({}));
  EXPECT_NE(second->added_to({}), third->added_to({}));
}

TEST_F(observer, gives_up_after_some_versions) {
  for (unsigned i = 0; i < 20; ++i) { // another feature changes each time
    function.number = static_cast<std::int32_t>(i % 3);
    function.scale = i / 3;
    see_often(function, 2 * launch_observer::LAUNCHES_TO_WAIT, 10 + i / 9);
  }
  std::vector<const learned_version*> versions;
  for (unsigned i = 0; i < 20; ++i) {
    function.number = static_cast<std::int32_t>(i % 3);
    function.scale = i / 3;
    const learned_version* version = see(function, 10 + i / 9);
    EXPECT_FALSE(has_learned);
    if (version != nullptr && std::find(versions.begin(), versions.end(), version) == versions.end())
      versions.push_back(version);
  }
  EXPECT_LE(versions.size(), launch_observer::MOST_VERSIONS);
}

TEST_F(observer, asks_for_no_more_alignment_than_was_seen) {
  const learned_version* version = nullptr;
  for (const std::uintptr_t address : {4096, 4096 + 32, 4096, 4096 + 16, 4096, 4096}) {
    function.pointer = reinterpret_cast<void*>(address);
    version = see(function);
  }
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(alignment_at(version, offsetof(captured, pointer)), 16u);
  function.pointer = reinterpret_cast<void*>(std::uintptr_t{4096 + 16});
  EXPECT_EQ(see(function), version);
  function.pointer = reinterpret_cast<void*>(std::uintptr_t{4096 + 8});
  EXPECT_EQ(see(function), nullptr);
  function.pointer = nullptr;
  EXPECT_EQ(see(function), version);
}

TEST_F(observer, knows_nothing_of_accessors_that_get_their_address_later) {
  function.accessor.data = nullptr;
  function.compact.word = LATE_REQUIREMENT | 64;
  const learned_version* version = see_often(function, ENOUGH);
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(alignment_at(version, offsetof(captured, accessor)), 0u);
  EXPECT_EQ(alignment_at(version, offsetof(captured, compact)), 0u);
}

TEST_F(observer, of_a_kernel_without_features_never_learns) {
  image::kernel_metadata task;
  const launch_features none(task);
  launch_observer observer(none);
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(observer.see(nullptr, {}, has_learned), nullptr);
  EXPECT_FALSE(has_learned);
}

TEST_F(observer, abandoned_versions_are_not_learned_again) {
  see_often(function, ENOUGH)->abandon();
  for (unsigned i = 0; i < 10 * ENOUGH; ++i)
    ASSERT_EQ(see(function), nullptr) << i;
  captured other = function;
  other.number = 2;
  EXPECT_NE(see_often(other, ENOUGH), nullptr);
  EXPECT_EQ(see(function), nullptr);
}

TEST_F(observer, remembers_from_the_first_launch_on) {
  const learned_version* const first = see_often(function, ENOUGH);
  captured other = function;
  other.number = 2;
  const learned_version* const second = see_often(other, ENOUGH);
  launch_observer next(features);
  next.remember(mine.memory());
  const learned_version* const remembered = next.see(&function, range_of(1000), has_learned);
  ASSERT_NE(remembered, nullptr);
  EXPECT_EQ(remembered->added_to({}), first->added_to({}));
  const learned_version* const also = next.see(&other, range_of(1000), has_learned);
  ASSERT_NE(also, nullptr);
  EXPECT_EQ(also->added_to({}), second->added_to({}));
  // Changes count on: a third value is no constant in the next process either.
  other.number = 3;
  const learned_version* third = nullptr;
  for (unsigned i = 0; i < ENOUGH; ++i)
    third = next.see(&other, range_of(1000), has_learned);
  ASSERT_NE(third, nullptr);
  EXPECT_EQ(known_at<std::int32_t>(third, offsetof(captured, number)), 0);
  EXPECT_EQ(next.memory().size(), mine.memory().size() + features.all().size() + features.sample_size());
}

TEST_F(observer, ignores_a_memory_that_is_damaged) {
  see_often(function, ENOUGH);
  const std::vector<unsigned char> right = mine.memory();
  const auto learns_from = [&](const std::vector<unsigned char>& memory) {
    // A copy that ends where the heap block ends, so that AddressSanitizer sees a read too far.
    const auto copy = std::make_unique<unsigned char[]>(memory.size());
    std::copy(memory.begin(), memory.end(), copy.get());
    launch_observer next(features);
    next.remember({copy.get(), memory.size()});
    return next.see(&function, range_of(1000), has_learned) != nullptr;
  };
  EXPECT_TRUE(learns_from(right));
  for (std::size_t size = 0; size < right.size(); ++size)
    EXPECT_FALSE(learns_from({right.begin(), right.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
  const std::size_t versions = 3 + features.all().size(), sample = versions + features.all().size();
  const struct {
    std::size_t place;
    unsigned char value;
  } damages[] = {{0, 2},                                            // another format
                 {1, 2},                                            // settled
                 {2, 9},                                            // versions
                 {versions, 2},                                     // known
                 {sample + features.all()[3].position, 17},         // an alignment
                 {sample + features.all().back().position + 8, 0}}; // a range without work-items
  for (const auto& [place, value] : damages) {
    std::vector<unsigned char> damaged = right;
    damaged[place] = value;
    EXPECT_FALSE(learns_from(damaged)) << place;
  }
  std::vector<unsigned char> longer = right;
  longer.push_back(0);
  EXPECT_FALSE(learns_from(longer));
}

TEST_F(observer, may_be_used_by_several_threads) {
  std::atomic<int> wrong{0};
  const auto launch = [&](int thread) {
    captured own = function;
    for (int i = 0; i < 4000; ++i) {
      own.number = i / 1000 + thread;
      bool learned = false;
      const learned_version* const version = mine.see(&own, range_of(1000), learned);
      if (version != nullptr && !version->fits(&own, range_of(1000)))
        ++wrong;
      if (learned)
        wrong += mine.memory().empty();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(launch, i);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
