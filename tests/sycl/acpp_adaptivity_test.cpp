// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// FALX_ADAPTIVITY=2: kernels are compiled for what their launches have in common. Here: that results stay
// right when launches stop having it in common. What is learned, and when, is in
// tests/runtime/launch_observer_test.cpp.
#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <array>
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

/// Before the runtime looks.
const bool is_set_up = ::setenv("FALX_ADAPTIVITY", "2", 1) == 0;

/// More than it takes to learn.
constexpr int MANY = 30;

struct inner {
  char c;
  bool flag;
  short table[3];
};
struct outer {
  double scale;
  inner parts[2];
  union {
    int as_int;
    float as_float;
  };
  sycl::vec<int, 3> three;
};

outer some_parameters() {
  return {2.0, {{1, true, {1, 2, 3}}, {2, false, {4, 5, 6}}}, {7}, {8, 9, 10}};
}

int sum_of(const outer& from) {
  int sum = static_cast<int>(from.scale) + from.as_int + from.three.x() * 1000 + from.three.z();
  for (const inner& part : from.parts) {
    sum += part.flag ? part.c : -part.c;
    for (const short value : part.table)
      sum = sum * 3 + value;
  }
  return sum;
}

template <class T>
struct shared_array {
  shared_array(std::size_t count, const sycl::queue& on)
      : data(sycl::malloc_shared<T>(count, on)), queue(on) {}
  shared_array(const shared_array&) = delete;
  ~shared_array() { sycl::free(data, queue); }
  T* data;
  sycl::queue queue;
};

class adaptivity : public testing::Test {
protected:
  sycl::queue queue;
};

} // namespace

// Every member in turn changes after the version was made, and back.
TEST_F(adaptivity, follows_every_member_of_what_is_captured) {
  ASSERT_TRUE(is_set_up);
  shared_array<int> result(1, queue);
  int* const out = result.data;
  const auto check = [&](const outer& parameters, int times) {
    for (int i = 0; i < times; ++i) {
      queue.single_task([=] { *out = sum_of(parameters); }).wait();
      ASSERT_EQ(*out, sum_of(parameters));
    }
  };
  check(some_parameters(), MANY);
  void (*const changes[])(outer&) = {
      [](outer& p) { p.scale = -1; },           [](outer& p) { p.parts[0].c = 9; },
      [](outer& p) { p.parts[1].flag = true; }, [](outer& p) { p.parts[1].table[2] = 50; },
      [](outer& p) { p.as_int = 70; },          [](outer& p) { p.three.z() = 11; }};
  for (const int times : {1, MANY})
    for (const auto change : changes) {
      outer changed = some_parameters();
      change(changed);
      check(changed, times);
      check(some_parameters(), 1);
    }
}

// The same range and aligned pointers first; then others.
TEST_F(adaptivity, follows_ranges_and_alignments) {
  constexpr std::size_t COUNT = 1000;
  shared_array<float> from(COUNT + 64, queue), to(COUNT + 64, queue);
  for (std::size_t i = 0; i < COUNT + 64; ++i)
    from.data[i] = static_cast<float>(i);
  const auto check = [&](std::size_t offset, std::size_t count, bool in_groups) {
    for (std::size_t i = 0; i < COUNT + 64; ++i)
      to.data[i] = -1;
    const float* const in = from.data + offset;
    float* const out = to.data + offset;
    const auto work = [=](std::size_t i, std::size_t range) {
      for (std::size_t j = 0; j < 4 && i * 4 < range * 4; ++j)
        out[i * 4 + j] = in[i * 4 + j] + static_cast<float>(range);
    };
    if (in_groups)
      queue.parallel_for(sycl::nd_range<1>(count, count % 5 == 0 ? 5 : 4), [=](sycl::nd_item<1> item) {
        work(item.get_global_id(0), item.get_group_range(0) * item.get_local_range(0));
      });
    else
      queue.parallel_for(sycl::range<1>(count), [=](sycl::item<1> item) { work(item, item.get_range(0)); });
    queue.wait();
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < COUNT + 64; ++i) {
      const bool is_inside = i >= offset && i < offset + 4 * count;
      wrong += to.data[i] != (is_inside ? static_cast<float>(i + count) : -1.0f);
    }
    ASSERT_EQ(wrong, 0u) << offset << ' ' << count << ' ' << in_groups;
  };
  for (const bool in_groups : {false, true}) {
    for (int i = 0; i < MANY; ++i)
      check(0, 200, in_groups);
    for (const std::size_t offset : {std::size_t{1}, std::size_t{4}, std::size_t{0}, std::size_t{16}})
      for (const std::size_t count : {std::size_t{200}, std::size_t{4}, std::size_t{205}, std::size_t{248}})
        check(offset, count, in_groups);
  }
}

// Sub-buffers of several sizes and places, placeholders, and a variable amount of local memory.
TEST_F(adaptivity, follows_accessors) {
  const std::size_t step = // between places where sub-buffers may begin
      queue.get_device().get_info<sycl::info::device::mem_base_addr_align>() / 8 / sizeof(int);
  const std::size_t all = 64 + 2 * step;
  const auto check = [&](std::size_t first, std::size_t count, bool is_placeholder, std::size_t local) {
    std::vector<int> host(all, 1);
    {
      sycl::buffer<int> whole(host.data(), sycl::range<1>(all));
      sycl::buffer<int> part(whole, sycl::id<1>(first), sycl::range<1>(count));
      sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::device,
                     sycl::access::placeholder::true_t>
          later(part);
      queue.submit([&](sycl::handler& group) {
        sycl::local_accessor<int> scratch(local, group);
        const auto launch = [&](const auto& data) {
          group.parallel_for(sycl::nd_range<1>(count, 8), [=](sycl::nd_item<1> item) {
            const std::size_t me = item.get_local_id(0);
            scratch[scratch.size() - 1 - me] = data[item.get_global_id()];
            sycl::group_barrier(item.get_group());
            data[item.get_global_id()] +=
                scratch[scratch.size() - 1 - (me + 1) % 8] + static_cast<int>(data.size());
          });
        };
        if (is_placeholder) {
          group.require(later);
          launch(later);
        } else {
          launch(sycl::accessor(part, group, sycl::read_write));
        }
      });
    }
    for (std::size_t i = 0; i < all; ++i)
      ASSERT_EQ(host[i], i >= first && i < first + count ? 2 + static_cast<int>(count) : 1) << i;
  };
  for (const bool is_placeholder : {false, true}) {
    for (int i = 0; i < MANY; ++i)
      check(0, 64, is_placeholder, 8);
    for (int i = 0; i < 2; ++i) {
      check(0, 32, is_placeholder, 8);
      check(step, 64, is_placeholder, 9);
      check(2 * step, 64, is_placeholder, 8);
    }
  }
}

// One kernel from several threads, each with values of its own.
TEST_F(adaptivity, serves_several_threads) {
  std::atomic<int> wrong{0};
  const auto work = [&](int thread) {
    sycl::queue own;
    shared_array<int> result(64, own);
    int* const out = result.data;
    for (int i = 0; i < MANY; ++i) {
      const std::array<int, 2> values = {thread / 2, i / 10};
      own.parallel_for(64, [=](sycl::id<1> id) { out[id] = static_cast<int>(id[0]) * values[0] + values[1]; })
          .wait();
      for (int j = 0; j < 64; ++j)
        wrong += out[j] != j * values[0] + values[1];
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work, i);
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

// Together with what is specialised on demand.
constexpr sycl::specialization_id<int> addend(3);
TEST_F(adaptivity, works_beside_specialized_and_specialization_constants) {
  shared_array<int> result(1, queue);
  int* const out = result.data;
  for (int i = 0; i < 3 * MANY; ++i) {
    const sycl::specialized<int> factor = i % 3;
    const int plain = i / MANY;
    queue
        .submit([&](sycl::handler& group) {
          if (i % 2 == 1)
            group.set_specialization_constant<addend>(i % 4);
          group.single_task([=](sycl::kernel_handler handler) {
            *out = factor * plain + handler.get_specialization_constant<addend>();
          });
        })
        .wait();
    ASSERT_EQ(*out, (i % 3) * plain + (i % 2 == 1 ? i % 4 : 3));
  }
}
