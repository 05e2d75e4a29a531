// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How work-items of a sub-group reach memory together: structures, indices of all kinds, private arrays,
// atomics on shared objects, shuffles. The host computes the same with the same code.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace {

/// Not a multiple of any sub-group size, so the last one is partial.
constexpr std::size_t COUNT = 517;
constexpr std::size_t LOCAL = 47; // COUNT = 11 * LOCAL

/// Runs \p body(in, out, i) for all i on the device and on the host over arrays of COUNT * \p factor
/// elements, and compares.
template <class T, class Body>
void compare(const char* what, std::size_t factor, Body body) {
  sycl::queue queue;
  const std::size_t size = COUNT * factor + 64;
  T* in = sycl::malloc_shared<T>(size, queue);
  T* out = sycl::malloc_shared<T>(size, queue);
  std::vector<T> expected(size, T(0));
  for (std::size_t i = 0; i < size; ++i) {
    in[i] = static_cast<T>(static_cast<int>((i * 37 + i / 5) % 101));
    out[i] = T(0);
  }
  for (std::size_t i = 0; i < COUNT; ++i)
    body(static_cast<const T*>(in), expected.data(), i);
  const auto check = [&](const char* launch) {
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(out[i], expected[i]) << what << ", " << launch << ", element " << i;
      out[i] = T(0);
    }
  };
  queue.parallel_for(sycl::range<1>(COUNT), [=](sycl::item<1> item) { body(in, out, item.get_id(0)); })
      .wait();
  check("range");
  queue
      .parallel_for(sycl::nd_range<1>(COUNT, LOCAL),
                    [=](sycl::nd_item<1> item) { body(in, out, item.get_global_id(0)); })
      .wait();
  check("nd_range");
  sycl::free(in, queue);
  sycl::free(out, queue);
}

/// N members, read and written in other orders, some left alone, some under a condition that differs.
template <class T, int N>
void compare_structures() {
  compare<T>("all members", N, [](const T* in, T* out, std::size_t i) {
    for (int k = 0; k < N; ++k)
      out[i * N + N - 1 - k] = static_cast<T>(in[i * N + k] + in[i * N]);
  });
  compare<T>("first and last", N, [](const T* in, T* out, std::size_t i) {
    const T first = in[i * N], last = in[i * N + N - 1];
    out[i * N] = last;
    out[i * N + N / 2] = first;
  });
  compare<T>("under a condition", N, [](const T* in, T* out, std::size_t i) {
    T sum = in[i * N];
    if (in[i * N] > T(50)) {
      for (int k = 1; k < N; ++k)
        sum = static_cast<T>(sum + in[i * N + k]);
      for (int k = 0; k < N; ++k)
        out[i * N + k] = sum;
    }
  });
  // What is stored is what the next member's load must not miss.
  compare<T>("in place", N, [](const T* in, T* out, std::size_t i) {
    out[i * N] = in[i * N];
    for (int k = 1; k < N; ++k)
      out[i * N + k] = static_cast<T>(out[i * N + k - 1] + in[i * N + k]);
  });
}

TEST(vector_memory, structures) {
  compare_structures<std::uint8_t, 4>();
  compare_structures<float, 2>();
  compare_structures<float, 3>();
  compare_structures<std::int32_t, 5>();
  compare_structures<std::int32_t, 8>();
  compare_structures<double, 2>();
}

TEST(vector_memory, structures_of_several_types) {
  compare<int>("float and int", 4, [](const int* in, int* out, std::size_t i) {
    struct mixed {
      float weight;
      int number;
      short low, high;
      int rest;
    };
    const mixed* from = reinterpret_cast<const mixed*>(in) + i;
    mixed* to = reinterpret_cast<mixed*>(out) + i;
    to->number = from->number + from->low;
    to->low = from->high;
    to->high = static_cast<short>(from->rest);
    to->rest = from->number * 3;
  });
}

TEST(vector_memory, indices) {
  compare<int>("int", 1, [](const int* in, int* out, std::size_t id) {
    const int i = static_cast<int>(id);
    out[i] = in[i + 1] + in[i % 64] + in[i / 64] + in[i & 7] + in[i ^ 1] + in[i ^ 32] + in[i >> 3];
  });
  compare<int>("unsigned", 1, [](const int* in, int* out, std::size_t id) {
    const unsigned i = static_cast<unsigned>(id), around = i - 5;
    out[i] =
        in[i % 48] + in[(i | 3) & 255] + in[around < 500 ? around : 0] + in[(i * 5 + 1) % 512] + in[~i & 127];
  });
  compare<int>("short and char", 1, [](const int* in, int* out, std::size_t id) {
    const auto narrow = static_cast<std::uint8_t>(id);
    const auto wraps = static_cast<std::uint8_t>(narrow + 200);
    const auto half = static_cast<std::int16_t>(id * 2);
    out[id] = in[narrow] + in[wraps] + in[half / 2];
  });
  compare<int>("rows and columns", 1, [](const int* in, int* out, std::size_t id) {
    const int x = static_cast<int>(id % 16), y = static_cast<int>(id / 16);
    out[y * 16 + x] = in[x * 16 + (y & 15)] + in[y * 16 + 15 - x];
  });
  compare<int>("rows of 24, 96 and 10", 1, [](const int* in, int* out, std::size_t id) {
    const unsigned i = static_cast<unsigned>(id);
    out[i] = in[i % 24] + in[i / 24] + in[id % 96] + in[id / 96] + in[i % 10] + in[i / 10 | 64];
  });
}

/// Vectors hold several rows of these groups, parts of them, or one and a part of the next.
TEST(vector_memory, rows_of_groups) {
  constexpr std::size_t GROUPS = 3;
  sycl::queue queue;
  const sycl::range<3> locals[] = {{1, 4, 4},  {3, 2, 8}, {2, 8, 2}, {5, 3, 4}, {1, 6, 8},
                                   {1, 3, 16}, {9, 4, 1}, {1, 5, 7}, {2, 3, 24}};
  for (const sycl::range<3>& local : locals) {
    const std::size_t size = local.size(), count = GROUPS * size;
    int* in = sycl::malloc_shared<int>(count, queue);
    int* out = sycl::malloc_shared<int>(count, queue);
    for (std::size_t i = 0; i < count; ++i)
      in[i] = static_cast<int>(i * 37 % 101);
    const int depth = static_cast<int>(local[0]), height = static_cast<int>(local[1]),
              width = static_cast<int>(local[2]);
    // Of the element in a row and a column, from the row of the tile and the one around it.
    const auto combine = [=](const auto& tile, int z, int y, int x) {
      int sum = tile[(z * height + y) * width + x];
      for (int k = 0; k < width; ++k)
        sum = (sum & 0xfff) * 3 + tile[(z * height + y) * width + k] -
              tile[(z * height + k % height) * width + x];
      return sum + tile[((depth - 1 - z) * height + height - 1 - y) * width + width - 1 - x] * (x + 10 * y);
    };
    queue
        .submit([&](sycl::handler& commands) {
          const sycl::local_accessor<int, 1> tile(size, commands);
          commands.parallel_for(sycl::nd_range<3>({GROUPS * local[0], local[1], local[2]}, local),
                                [=](sycl::nd_item<3> item) {
                                  const int z = static_cast<int>(item.get_local_id(0)),
                                            y = static_cast<int>(item.get_local_id(1)),
                                            x = static_cast<int>(item.get_local_id(2));
                                  const std::size_t i = item.get_global_linear_id();
                                  tile[(z * height + y) * width + x] = in[i];
                                  sycl::group_barrier(item.get_group());
                                  out[i] = combine(tile, z, y, x);
                                });
        })
        .wait();
    for (std::size_t i = 0; i < count; ++i) {
      const int z = static_cast<int>(i % size) / (height * width), y = static_cast<int>(i) / width % height,
                x = static_cast<int>(i) % width;
      ASSERT_EQ(out[i], combine(in + i / size * size, z, y, x))
          << "rows of " << width << ", " << height << " of them, element " << i;
    }
    sycl::free(in, queue);
    sycl::free(out, queue);
  }
}

/// Indices above 2^31, and consecutive ones that wrap within a sub-group: 64 bits, added to what is extended,
/// bring them back.
template <class T>
void compare_far_indices() {
  constexpr std::uint64_t HALF = std::uint64_t(1) << 31;
  compare<T>("around 2^31", 1, [](const T* in, T* out, std::size_t i) {
    const unsigned scattered = static_cast<unsigned>(i * 7 % 250), far = 0x80000000u - 100 + scattered;
    const std::uint64_t back = std::uint64_t(in[0]) * 3 + 100 - HALF;
    out[i] = static_cast<T>(in[far + back] + in[2 * (far + back - 1) + 2 * (scattered < 200)]);
  });
  compare<T>("signed, from a row on", 1, [](const T* in, T* out, std::size_t i) {
    const int column = static_cast<int>(i * 11 % 64) - 32;
    const std::size_t row = std::size_t(in[0]) + 256;
    out[i] = static_cast<T>(in[row + std::size_t(std::int64_t(column))] + in[row + 1 - std::size_t(column)]);
  });
  for (const unsigned first : {0u, 7u, 0x7ffffff9u, 0xfffffe03u, 0xffffff00u}) {
    compare<T>("consecutive ones that may wrap", 1, [=](const T* in, T* out, std::size_t i) {
      const unsigned start = first + static_cast<unsigned>(in[0]);
      for (unsigned k = start + static_cast<unsigned>(i), n = 0; n < 3; k += 16, ++n) {
        if (k < 550)
          out[i] = static_cast<T>(out[i] + in[k]);
        else if (k >= 0xfffffe00u)
          out[i] = static_cast<T>(out[i] + in[k - (2 * HALF - 512)]);
      }
    });
    compare<T>("stores to consecutive ones that may wrap", 1, [=](const T* in, T* out, std::size_t i) {
      const unsigned k = first + static_cast<unsigned>(in[0]) + static_cast<unsigned>(i);
      if (k < 550)
        out[k] = in[i];
    });
  }
}

TEST(vector_memory, far_indices) {
  compare_far_indices<int>();
  compare_far_indices<float>();
  compare_far_indices<double>();
  compare_far_indices<std::int8_t>();
}

template <class T>
void compare_private_arrays() {
  compare<T>("index that differs", 1, [](const T* in, T* out, std::size_t i) {
    T bins[8] = {};
    for (int k = 0; k < 40; ++k)
      bins[static_cast<int>(in[(i + std::size_t(k) * 3) % COUNT]) & 7] += in[i];
    for (int k = 0; k < 8; ++k)
      out[i] = static_cast<T>(out[i] + bins[k] * T(k));
  });
  compare<T>("equal indices", 1, [](const T* in, T* out, std::size_t i) {
    T values[33];
    for (int k = 0; k < 33; ++k)
      values[k] = in[(i + std::size_t(k)) % COUNT];
    for (int n = 32; n > 0; --n)
      for (int k = 0; k < n; ++k)
        if (in[i] > T(30) || k % 2 == 0)
          values[k] = static_cast<T>(values[k] + values[k + 1]);
    out[i] = values[0];
  });
  compare<T>("a stack", 1, [](const T* in, T* out, std::size_t i) {
    T stack[20];
    int top = 0, steps = 0;
    stack[top++] = in[i];
    while (top > 0 && steps < 50) {
      const int x = static_cast<int>(stack[--top]);
      ++steps;
      if (x > 1 && top < 18) {
        stack[top++] = static_cast<T>(x / 2);
        stack[top++] = static_cast<T>(x - 9 > 0 ? x - 9 : 0);
      }
    }
    out[i] = static_cast<T>(steps);
  });
}

TEST(vector_memory, private_arrays) {
  compare_private_arrays<std::uint8_t>();
  compare_private_arrays<std::uint32_t>();
  compare_private_arrays<double>();
}

TEST(vector_memory, private_structures) {
  compare<int>("copies and iterators", 1, [](const int* in, int* out, std::size_t i) {
    struct node {
      int key, value;
    };
    node nodes[6] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    node* const chosen = nodes + (in[i] % 6);
    chosen->value += in[i];
    nodes[0] = *chosen;
    int sum = 0;
    for (const node& each : nodes)
      sum = sum * 3 + each.key + each.value;
    out[i] = sum;
  });
}

// Rows of 8: neighbours in a vector of two rows count for one counter per column.
TEST(vector_memory, counters_of_narrow_rows) {
  constexpr std::size_t ROWS = 8, COLUMNS = 8, APART = 4;
  sycl::queue queue;
  int* out = sycl::malloc_shared<int>(ROWS * COLUMNS, queue);
  queue
      .submit([&](sycl::handler& handler) {
        const sycl::local_accessor<int, 1> counters(ROWS * COLUMNS, handler);
        handler.parallel_for(sycl::nd_range<2>({ROWS, COLUMNS}, {ROWS, COLUMNS}), [=](sycl::nd_item<2> item) {
          const std::size_t self = item.get_local_linear_id();
          counters[self] = 0;
          sycl::group_barrier(item.get_group());
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(
              counters[item.get_local_id(1) * APART])
              .fetch_add(1 + static_cast<int>(item.get_local_id(0)));
          sycl::group_barrier(item.get_group());
          out[self] = counters[self];
        });
      })
      .wait();
  for (std::size_t i = 0; i < ROWS * COLUMNS; ++i)
    EXPECT_EQ(out[i], i % APART == 0 && i < COLUMNS * APART ? int(ROWS * (ROWS + 1) / 2) : 0) << i;
  sycl::free(out, queue);
}

TEST(vector_memory, atomics_on_one_object) {
  using sycl::memory_order;
  using sycl::memory_scope;
  sycl::queue queue;
  enum { SUM, DIFFERENCE, ALL, SOME, ODD, MOST, LEAST, COUNTER, KINDS };
  int* shared = sycl::malloc_shared<int>(KINDS, queue);
  double* total = sycl::malloc_shared<double>(1, queue);
  int* places = sycl::malloc_shared<int>(COUNT, queue);
  const std::array<int, KINDS> start = {5, 7, -1, 0, 0, -100, 1000, 0};
  std::copy(start.begin(), start.end(), shared);
  *total = 0.5;
  std::fill(places, places + COUNT, -1);
  queue
      .parallel_for(
          sycl::range<1>(COUNT),
          [=](sycl::id<1> id) {
            const int i = static_cast<int>(id[0]);
            const auto at = [&](int kind) {
              return sycl::atomic_ref<int, memory_order::relaxed, memory_scope::device>(shared[kind]);
            };
            at(SUM).fetch_add(i);
            at(DIFFERENCE).fetch_sub(i % 5);
            at(ALL).fetch_and(~(1 << (i % 7)));
            at(SOME).fetch_or(1 << (i % 9));
            at(ODD).fetch_xor(i);
            at(MOST).fetch_max(i % 400);
            at(LEAST).fetch_min(300 - i % 400);
            sycl::atomic_ref<double, memory_order::acq_rel, memory_scope::device>(*total).fetch_add(i);
            if (i % 3 == 1)
              places[at(COUNTER).fetch_add(1)] = i;
          })
      .wait();
  int sum = 5, difference = 7, odd = 0, chosen = 0;
  for (int i = 0; i < int(COUNT); ++i) {
    sum += i;
    difference -= i % 5;
    odd ^= i;
    chosen += i % 3 == 1;
  }
  EXPECT_EQ(shared[SUM], sum);
  EXPECT_EQ(shared[DIFFERENCE], difference);
  EXPECT_EQ(shared[ALL], ~127);
  EXPECT_EQ(shared[SOME], 511);
  EXPECT_EQ(shared[ODD], odd);
  EXPECT_EQ(shared[MOST], 399);
  EXPECT_EQ(shared[LEAST], -99);
  EXPECT_EQ(shared[COUNTER], chosen);
  EXPECT_EQ(*total, 0.5 + double(COUNT * (COUNT - 1) / 2));
  // Each that took a place has one of its own, and there is none without.
  std::vector<int> seen(COUNT, 0);
  for (int place = 0; place < chosen; ++place) {
    ASSERT_GE(places[place], 0);
    ++seen[std::size_t(places[place])];
  }
  for (std::size_t i = 0; i < COUNT; ++i)
    EXPECT_EQ(seen[i], i % 3 == 1) << i;
  for (std::size_t place = std::size_t(chosen); place < COUNT; ++place)
    EXPECT_EQ(places[place], -1);
  sycl::free(shared, queue);
  sycl::free(total, queue);
  sycl::free(places, queue);
}

TEST(vector_memory, atomics_on_local_memory) {
  using reference = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>;
  sycl::queue queue;
  constexpr std::size_t BINS = 16, GROUP = 100, GROUPS = 5;
  int* out = sycl::malloc_shared<int>(BINS * GROUPS, queue);
  queue
      .submit([&](sycl::handler& handler) {
        sycl::local_accessor<int, 1> bins(BINS, handler);
        handler.parallel_for(sycl::nd_range<1>(GROUP * GROUPS, GROUP), [=](sycl::nd_item<1> item) {
          const std::size_t local = item.get_local_id(0), i = item.get_global_id(0);
          if (local < BINS)
            bins[local] = 0;
          sycl::group_barrier(item.get_group());
          for (std::size_t k = 0; k < 8; ++k)
            reference(bins[(i * k) % BINS]).fetch_add(int(k) + 1);
          int seen = 0;
          while (i % 7 == 0 && !reference(bins[3]).compare_exchange_strong(seen, seen + 1000)) {
          }
          sycl::group_barrier(item.get_group());
          if (local < BINS)
            out[item.get_group(0) * BINS + local] = bins[local];
        });
      })
      .wait();
  std::vector<int> expected(BINS * GROUPS, 0);
  for (std::size_t i = 0; i < GROUP * GROUPS; ++i) {
    int* const bins = expected.data() + i / GROUP * BINS;
    for (std::size_t k = 0; k < 8; ++k)
      bins[(i * k) % BINS] += int(k) + 1;
    if (i % 7 == 0)
      bins[3] += 1000;
  }
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(out[i], expected[i]) << i;
  sycl::free(out, queue);
}

/// Which work-item each one got its value from, if all pass their number, and what that is for a chosen one.
template <class T, class Make>
void check_shuffle(Make make) {
  sycl::queue queue;
  constexpr std::size_t GROUP = 64, TOTAL = 4 * GROUP;
  T* out = sycl::malloc_shared<T>(TOTAL, queue);
  unsigned* first = sycl::malloc_shared<unsigned>(TOTAL, queue);
  unsigned* chosen = sycl::malloc_shared<unsigned>(TOTAL, queue);
  queue
      .parallel_for(sycl::nd_range<1>(TOTAL, GROUP),
                    [=](sycl::nd_item<1> item) {
                      const auto sub_group = item.get_sub_group();
                      const auto i = static_cast<unsigned>(item.get_global_id(0));
                      const unsigned size = sub_group.get_local_range()[0],
                                     self = sub_group.get_local_id()[0];
                      first[i] = i - self;
                      chosen[i] = (self * 7 + i / 16 + 3) % size;
                      out[i] = sycl::select_from_group(sub_group, make(i), chosen[i]);
                    })
      .wait();
  for (std::size_t i = 0; i < TOTAL; ++i)
    EXPECT_TRUE(out[i] == make(first[i] + chosen[i])) << i;
  sycl::free(out, queue);
  sycl::free(first, queue);
  sycl::free(chosen, queue);
}

TEST(vector_memory, shuffles_by_any_number) {
  check_shuffle<std::uint8_t>([](unsigned i) { return static_cast<std::uint8_t>(i * 3); });
  check_shuffle<sycl::half>([](unsigned i) { return static_cast<sycl::half>(static_cast<float>(i)); });
  check_shuffle<float>([](unsigned i) { return float(i) * 0.5f; });
  check_shuffle<std::uint64_t>([](unsigned i) { return i * 0x123456789ABCDEFu; });
  struct payload {
    double x;
    int y, z, w;
    bool operator==(const payload& other) const {
      return x == other.x && y == other.y && z == other.z && w == other.w;
    }
  };
  check_shuffle<payload>([](unsigned i) { return payload{i * 0.25, int(i), int(i * i), -int(i)}; });
}

} // namespace
