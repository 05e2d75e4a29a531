// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that exchange at distances which are powers of two, with a barrier behind each step (SYCL 2020
// §4.17.3): what small distances let vectors do without the barrier, and where they must not.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

constexpr unsigned PAIRS = 128, SIZE = 2 * PAIRS, GROUPS = 3;

/// A work-item's first element; the other one is \p distance behind.
unsigned low_of(unsigned self, unsigned distance) {
  return 2 * self - (self & (distance - 1));
}

/// Each step in turn, as sorting networks go through them.
template <class Barrier, class Step>
void shrinking(unsigned begin, const Barrier& barrier, const Step& step) {
  for (unsigned size = begin; size <= SIZE; size *= 2)
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      barrier();
      step(size, distance);
    }
}

/// As transforms do.
template <class Barrier, class Step>
void growing(unsigned begin, const Barrier& barrier, const Step& step) {
  for (unsigned distance = begin / 2; distance < SIZE; distance *= 2) {
    barrier();
    step(SIZE, distance);
  }
}

struct sorting {
  template <class T>
  static void step(T* keys, T*, const T*, unsigned self, unsigned size, unsigned distance, T&) {
    const unsigned low = low_of(self, distance);
    const bool goes_down = (low & size) != 0;
    const T a = keys[low], b = keys[low + distance];
    keys[low] = goes_down ? std::max(a, b) : std::min(a, b);
    keys[low + distance] = goes_down ? std::min(a, b) : std::max(a, b);
  }
};

/// Only if they are in the wrong order, with what belongs to them in a second array.
struct sorting_with_values {
  template <class T>
  static void step(T* keys, T* values, const T*, unsigned self, unsigned size, unsigned distance, T& moved) {
    const unsigned low = low_of(self, distance), high = low + distance;
    if ((keys[low] > keys[high]) == ((low & size) == 0)) {
      std::swap(keys[low], keys[high]);
      std::swap(values[low], values[high]);
      moved = static_cast<T>(moved + 1);
    }
  }
};

/// With factors from memory of the device.
struct transform {
  template <class T>
  static void step(T* keys, T*, const T* table, unsigned self, unsigned, unsigned distance, T&) {
    const unsigned low = low_of(self, distance);
    const T a = keys[low], b = static_cast<T>(keys[low + distance] * table[self & (distance - 1)]);
    keys[low] = static_cast<T>(a + b);
    keys[low + distance] = static_cast<T>(a - b);
  }
};

/// What a step writes behind an element is what another vector reads in the next one.
struct reading_far_away {
  template <class T>
  static void step(T* keys, T* others, const T*, unsigned self, unsigned size, unsigned distance, T&) {
    const unsigned low = low_of(self, distance);
    const bool is_even = ((distance | distance >> 2 | distance >> 4 | distance >> 6) & 1) != 0;
    T *from = is_even ? keys : others, *to = is_even ? others : keys;
    to[low] = static_cast<T>(from[(low + 40) % SIZE] * 3 + (low & size));
    to[low + distance] = static_cast<T>(from[low] + from[(low + distance + 100) % SIZE]);
  }
};

/// All exchange, and one counts for all.
struct counting {
  template <class T>
  static void step(T* keys, T* others, const T*, unsigned self, unsigned size, unsigned distance, T& sum) {
    const unsigned low = low_of(self, distance);
    sum = static_cast<T>(sum + keys[low]);
    std::swap(keys[low], keys[low + distance]);
    keys[low] = static_cast<T>(keys[low] + size);
    if (self == distance)
      others[0] = static_cast<T>(others[0] + keys[low]);
  }
};

/// Not the other half of what a vector has, but one that belongs to another vector.
struct writing_next_to_it {
  template <class T>
  static void step(T* keys, T*, const T*, unsigned self, unsigned, unsigned distance, T&) {
    const unsigned low = (low_of(self, distance) + 2 * distance) % SIZE;
    const T a = keys[low], b = keys[low + distance];
    keys[low] = static_cast<T>(b * 5 + 1);
    keys[low + distance] = static_cast<T>(a * 3 + b);
  }
};

template <class T>
std::vector<T> numbers() {
  std::vector<T> result;
  std::uint64_t state = 12345;
  for (unsigned i = 0; i < GROUPS * SIZE; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    result.push_back(static_cast<T>((state >> 33) % 1000));
  }
  return result;
}

/// What remains in both arrays, and of each work-item.
template <class T>
struct outcome {
  std::vector<T> keys, values, own;
};

/// One work-item after the other, step by step.
template <class Step, class T, class Walk>
outcome<T> serially(const Walk& walk, unsigned begin) {
  outcome<T> result{numbers<T>(), std::vector<T>(GROUPS * SIZE, T(1)), std::vector<T>(GROUPS * PAIRS, T(0))};
  const std::vector<T> table = numbers<T>();
  for (unsigned group = 0; group < GROUPS; ++group)
    walk(
        begin, [] {},
        [&](unsigned size, unsigned distance) {
          for (unsigned self = 0; self < PAIRS; ++self)
            Step::step(result.keys.data() + group * SIZE, result.values.data() + group * SIZE, table.data(),
                       self, size, distance, result.own[group * PAIRS + self]);
        });
  return result;
}

template <class Step, class T, class Walk, int Dimensions>
outcome<T> on_device(const Walk& walk, unsigned begin, sycl::range<Dimensions> local) {
  outcome<T> result{numbers<T>(), std::vector<T>(GROUPS * SIZE), std::vector<T>(GROUPS * PAIRS)};
  sycl::queue queue;
  T* keys = sycl::malloc_shared<T>(GROUPS * SIZE, queue);
  T* values = sycl::malloc_shared<T>(GROUPS * SIZE, queue);
  T* own = sycl::malloc_shared<T>(GROUPS * PAIRS, queue);
  T* table = sycl::malloc_shared<T>(GROUPS * SIZE, queue);
  std::copy(result.keys.begin(), result.keys.end(), keys);
  std::copy(result.keys.begin(), result.keys.end(), table);
  sycl::range<Dimensions> global = local;
  global[0] *= GROUPS;
  queue
      .submit([&](sycl::handler& group) {
        sycl::local_accessor<T> local_keys(SIZE, group), local_values(SIZE, group);
        group.parallel_for(sycl::nd_range<Dimensions>(global, local), [=](sycl::nd_item<Dimensions> item) {
          const unsigned self = static_cast<unsigned>(item.get_local_linear_id());
          const std::size_t first = item.get_group_linear_id() * SIZE;
          for (unsigned i = self; i < SIZE; i += PAIRS) {
            local_keys[i] = keys[first + i];
            local_values[i] = T(1);
          }
          T mine = T(0);
          walk(
              begin, [&] { sycl::group_barrier(item.get_group()); },
              [&](unsigned size, unsigned distance) {
                Step::step(&local_keys[0], &local_values[0], table, self, size, distance, mine);
              });
          sycl::group_barrier(item.get_group());
          for (unsigned i = self; i < SIZE; i += PAIRS) {
            keys[first + i] = local_keys[i];
            values[first + i] = local_values[i];
          }
          own[item.get_group_linear_id() * PAIRS + self] = mine;
        });
      })
      .wait();
  std::copy_n(keys, GROUPS * SIZE, result.keys.data());
  std::copy_n(values, GROUPS * SIZE, result.values.data());
  std::copy_n(own, GROUPS * PAIRS, result.own.data());
  for (T* each : {keys, values, own, table})
    sycl::free(each, queue);
  return result;
}

constexpr auto SHRINKING = [](unsigned begin, const auto& barrier, const auto& step) {
  shrinking(begin, barrier, step);
};
constexpr auto GROWING = [](unsigned begin, const auto& barrier, const auto& step) {
  growing(begin, barrier, step);
};

template <class Step, class T, class Walk, int Dimensions = 1>
void compare(const Walk& walk, unsigned begin = 2, sycl::range<Dimensions> local = sycl::range<1>(PAIRS)) {
  const outcome<T> expected = serially<Step, T>(walk, begin), seen = on_device<Step, T>(walk, begin, local);
  EXPECT_EQ(seen.keys, expected.keys);
  EXPECT_EQ(seen.values, expected.values);
  EXPECT_EQ(seen.own, expected.own);
}

TEST(butterflies, sort) {
  compare<sorting, unsigned>(SHRINKING);
  compare<sorting, std::int16_t>(SHRINKING);
  compare<sorting, std::uint64_t>(SHRINKING, 32);
}

TEST(butterflies, sort_with_values) {
  compare<sorting_with_values, unsigned>(SHRINKING);
}

TEST(butterflies, sort_in_groups_of_several_rows) {
  compare<sorting, unsigned>(SHRINKING, 2, sycl::range<2>(4, PAIRS / 4));
}

TEST(butterflies, transform_at_distances_that_grow_or_shrink) {
  compare<transform, unsigned>(GROWING);
  compare<transform, std::uint8_t>(SHRINKING, 16);
}

TEST(butterflies, read_what_other_vectors_have_written) {
  compare<reading_far_away, unsigned>(SHRINKING);
}

TEST(butterflies, count_in_one_place) {
  compare<counting, unsigned>(GROWING);
}

TEST(butterflies, write_what_other_vectors_have_read) {
  compare<writing_next_to_it, unsigned>(GROWING);
}

} // namespace
