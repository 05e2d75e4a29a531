// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_code.hpp"
#include "falx/reduction.hpp"
#include "fixture.hpp"
#include "sycl/kernel_entry.hpp"
#include "sycl/usm.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

/// \file
/// The CUDA backend on the fake driver: allocations, copies and fills.

namespace {

using namespace falx;
using namespace falx::test;

class cuda_memory : public testing::Test {
protected:
  cuda_memory() : queue(make_gpu_queue(0, in_order())), device(queue->device().backend()) {}
  ~cuda_memory() override { EXPECT_EQ(fake_driver().take_complaints(), ""); }

  unsigned char* allocate(std::size_t bytes, std::size_t alignment = 0, usm_kind kind = usm_kind::device) {
    return static_cast<unsigned char*>(device.allocate(kind, bytes, alignment));
  }
  void expect_success(const handle<command>& self) {
    self->wait();
    EXPECT_EQ(text_of_error(*self), "");
  }

  const handle<queue_state> queue;
  backend_device& device;
};

/// Calls \p action with the address of every element of the box, in order.
void for_each_element(const memory_box& box, const std::function<void(unsigned char*)>& action) {
  for (std::size_t z = 0; z < box.range.z; ++z)
    for (std::size_t y = 0; y < box.range.y; ++y)
      for (std::size_t x = 0; x < box.range.x; ++x)
        action(static_cast<unsigned char*>(box.base) +
               (((box.offset.z + z) * box.array_range.y + box.offset.y + y) * box.array_range.x +
                box.offset.x + x) *
                   box.element_size);
}

TEST_F(cuda_memory, every_kind_can_be_allocated_and_freed) {
  for (const usm_kind kind : {usm_kind::device, usm_kind::host, usm_kind::shared}) {
    const std::size_t before = fake_driver().allocated();
    for (const std::size_t bytes : {0, 1, 100, 4096, 1 << 20})
      device.free(kind, allocate(bytes, 0, kind));
    fake_driver().settle();
    EXPECT_EQ(fake_driver().allocated(), before);
  }
}

TEST_F(cuda_memory, alignment_is_kept) {
  for (const usm_kind kind : {usm_kind::device, usm_kind::host, usm_kind::shared})
    for (std::size_t alignment = 1; alignment <= 1 << 16; alignment *= 2) {
      unsigned char* const block = allocate(10, alignment, kind);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % std::max<std::size_t>(alignment, 128), 0u)
          << alignment;
      device.free(kind, block);
    }
}

TEST_F(cuda_memory, running_out_says_how_much_was_asked_for) {
  for (const std::size_t bytes : {std::size_t{1} << 40, ~std::size_t{0}})
    try {
      allocate(bytes, 512);
      FAIL();
    } catch (const sycl::exception& error) {
      EXPECT_EQ(error.code(), sycl::errc::memory_allocation);
      EXPECT_NE(std::string(error.what()).find(std::to_string(bytes)), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("Fake GPU"), std::string::npos) << error.what();
    }
}

TEST_F(cuda_memory, sizes_that_no_memory_has_do_not_reach_the_driver) {
  for (const usm_kind kind : {usm_kind::device, usm_kind::host, usm_kind::shared})
    for (const std::size_t bytes :
         {SIZE_MAX, SIZE_MAX - 255, std::size_t{PTRDIFF_MAX} + 1, std::size_t{PTRDIFF_MAX}})
      for (const std::size_t alignment : {std::size_t{0}, std::size_t{1} << 63})
        EXPECT_EQ(thrown_code([&] { allocate(bytes, alignment, kind); }), sycl::errc::memory_allocation)
            << bytes << " aligned to " << alignment;
}

TEST_F(cuda_memory, copies_of_random_boxes_match_a_reference) {
  std::mt19937 random(1);
  const auto pick = [&](std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random);
  };
  constexpr std::size_t BYTES = 1 << 16;
  // One of the fake's blocks, and pageable memory.
  unsigned char* const block = allocate(BYTES);
  std::vector<unsigned char> pageable(BYTES), expected(BYTES);
  for (int round = 0; round < 400; ++round) {
    const std::size_t element = std::size_t{1} << pick(0, 4);
    const extent3 range{pick(1, 9), pick(1, 7), pick(1, 5)};
    const auto around = [&](void* base) {
      memory_box box{base, {}, {}, range, element};
      const auto axis = [&](std::size_t extent, std::size_t& whole, std::size_t& offset) {
        whole = extent + (pick(0, 1) != 0 ? pick(0, 3) : 0);
        offset = pick(0, whole - extent);
      };
      axis(range.x, box.array_range.x, box.offset.x);
      axis(range.y, box.array_range.y, box.offset.y);
      axis(range.z, box.array_range.z, box.offset.z);
      return box;
    };
    for (unsigned char& byte : pageable)
      byte = static_cast<unsigned char>(pick(0, 255));
    for (std::size_t i = 0; i < BYTES; ++i)
      block[i] = static_cast<unsigned char>(pick(0, 255));
    copy_operation copy{around(block), around(pageable.data())};
    if (round % 2 != 0)
      std::swap(copy.source, copy.destination);
    auto* const target = static_cast<unsigned char*>(copy.destination.base);
    std::copy_n(target, BYTES, expected.begin());
    std::vector<unsigned char*> sources;
    for_each_element(copy.source, [&](unsigned char* from) { sources.push_back(from); });
    std::size_t next = 0;
    memory_box reference = copy.destination;
    reference.base = expected.data();
    for_each_element(reference, [&](unsigned char* to) { std::copy_n(sources[next++], element, to); });
    expect_success(submit(*queue, operation(copy)));
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), target)) << "round " << round;
  }
  device.free(usm_kind::device, block);
}

/// What the backend's own kernel for fills does, thread by thread.
template <class Unit>
void add_fill_kernel() {
  struct parameters {
    std::uint64_t first, count, pitch;
    std::uint32_t rows, length;
    unsigned char pattern[128];
  };
  fake_driver().add_kernel(
      "falx_fill_" + std::to_string(sizeof(Unit)), sizeof(parameters),
      [](const fake_cuda::launch& launch) {
        parameters fill{};
        std::memcpy(&fill, launch.function, sizeof(fill));
        const std::uint64_t threads = std::uint64_t{launch.grid[0]} * launch.block[0];
        EXPECT_EQ(threads % fill.length, 0u);
        for (unsigned y = 0; y < launch.grid[1]; ++y)
          for (std::uint64_t row = y; row < fill.rows; row += launch.grid[1])
            for (std::uint64_t thread = 0; thread < threads; ++thread)
              for (std::uint64_t i = thread; i < fill.count; i += threads)
                std::memcpy(reinterpret_cast<unsigned char*>(fill.first + row * fill.pitch) +
                                i * sizeof(Unit),
                            fill.pattern + thread % fill.length * sizeof(Unit), sizeof(Unit));
        return fake_cuda::result::success;
      },
      false);
}

class cuda_fill : public cuda_memory, public testing::WithParamInterface<bool> {};
INSTANTIATE_TEST_SUITE_P(with_and_without_our_kernel, cuda_fill, testing::Bool());

TEST_P(cuda_fill, fills_of_all_pattern_sizes_and_boxes_match_a_reference) {
  if (GetParam()) { // after those without it
    add_fill_kernel<std::uint8_t>();
    add_fill_kernel<std::uint16_t>();
    add_fill_kernel<std::uint32_t>();
    add_fill_kernel<std::uint64_t>();
  }
  // Kernels are looked up once per device: the device of the other case has none.
  const handle<queue_state> queue = make_gpu_queue(GetParam() ? 1 : 0, in_order());
  const int launches = fake_driver().calls("cuLaunchKernel");
  std::mt19937 random(2);
  const auto pick = [&](std::size_t from, std::size_t to) {
    return std::uniform_int_distribution<std::size_t>(from, to)(random);
  };
  constexpr std::size_t BYTES = 1 << 17;
  unsigned char* const block = allocate(BYTES);
  std::vector<unsigned char> expected(BYTES);
  for (std::size_t size = 1; size <= 40; ++size)
    for (int round = 0; round < 12; ++round) {
      const bool repeats = round % 3 == 0, is_box = round % 2 != 0;
      memory_box box{block, {}, {}, {}, size};
      box.range = is_box ? extent3{pick(1, 9), pick(1, 6), pick(1, 4)} : extent3{pick(1, 1000), 1, 1};
      box.array_range = {box.range.x + pick(0, 3), box.range.y + pick(0, 1), box.range.z};
      box.offset = {pick(0, box.array_range.x - box.range.x), pick(0, box.array_range.y - box.range.y), 0};
      std::vector<unsigned char> pattern(size);
      for (unsigned char& byte : pattern)
        byte = repeats ? 7 : static_cast<unsigned char>(pick(0, 255));
      std::iota(block, block + BYTES, 0);
      std::copy_n(block, BYTES, expected.begin());
      memory_box reference = box;
      reference.base = expected.data();
      for_each_element(reference, [&](unsigned char* to) { std::ranges::copy(pattern, to); });
      expect_success(submit(*queue, operation(fill_operation{box, pattern})));
      ASSERT_TRUE(std::equal(expected.begin(), expected.end(), block)) << size << " bytes, round " << round;
    }
  EXPECT_EQ(fake_driver().calls("cuLaunchKernel") > launches, GetParam());
  device.free(usm_kind::device, block);
}

TEST_P(cuda_fill, memory_that_the_device_cannot_reach_is_refused_before_a_kernel_touches_it) {
  if (GetParam())
    add_fill_kernel<std::uint64_t>();
  const handle<queue_state> queue = make_gpu_queue(GetParam() ? 1 : 0, in_order());
  const int launches = fake_driver().calls("cuLaunchKernel");
  alignas(8) unsigned char on_the_stack[64] = {};
  for (const std::vector<unsigned char>& pattern :
       {std::vector<unsigned char>{7}, {1, 2}, {1, 2, 3, 4}, {1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8}}) {
    const std::size_t count = sizeof(on_the_stack) / 2 / pattern.size();
    const memory_box row{on_the_stack, {count, 1, 1}, {0, 0, 0}, {count, 1, 1}, pattern.size()};
    const memory_box rows{on_the_stack, {count / 2, 4, 1}, {0, 0, 0}, {count / 4, 4, 1}, pattern.size()};
    for (const memory_box& box : {row, rows}) {
      const auto self = submit(*queue, operation(fill_operation{box, pattern}));
      self->wait();
      const std::string text = text_of_error(*self);
      EXPECT_NE(text.find("cannot reach"), std::string::npos) << text;
      EXPECT_NE(text.find("malloc_shared"), std::string::npos) << text;
    }
  }
  EXPECT_EQ(fake_driver().calls("cuLaunchKernel"), launches);
  EXPECT_TRUE(std::ranges::all_of(on_the_stack, [](unsigned char byte) { return byte == 0; }));
  // The driver is asked to fill with units of 1, 2 and 4 bytes, and refuses.
  const std::string complaint = "a fill of memory that the device does not have\n";
  std::string complaints;
  for (int fill = 0; fill < 3 * 2; ++fill)
    complaints += complaint;
  EXPECT_EQ(fake_driver().take_complaints(), complaints);
}

TEST_F(cuda_memory, copies_go_between_devices) {
  const auto other_queue = make_gpu_queue(1);
  backend_device& other = other_queue->device().backend();
  EXPECT_TRUE(device.copies_directly(other));
  unsigned char* const here = allocate(1000);
  auto* const there = static_cast<unsigned char*>(other.allocate(usm_kind::device, 1000, 0));
  std::iota(here, here + 1000, 3);
  expect_success(
      submit(*other_queue, operation(copy_operation{{here, {1000, 1, 1}, {0, 0, 0}, {1000, 1, 1}, 1},
                                                    {there, {1000, 1, 1}, {0, 0, 0}, {1000, 1, 1}, 1}})));
  EXPECT_TRUE(std::equal(here, here + 1000, there));
  device.free(usm_kind::device, here);
  other.free(usm_kind::device, there);
}

TEST_F(cuda_memory, prefetch_and_advice_reach_the_driver) {
  unsigned char* const block = allocate(4096, 0, usm_kind::shared);
  const int prefetches = fake_driver().calls("cuMemPrefetchAsync"),
            advices = fake_driver().calls("cuMemAdvise");
  expect_success(submit(*queue, operation(prefetch_operation{block, 4096, false})));
  expect_success(submit(*queue, operation(prefetch_operation{block, 4096, true})));
  expect_success(submit(*queue, operation(advise_operation{block, 4096, 1})));
  expect_success(submit(*queue, operation(advise_operation{block, 4096, 0})));
  EXPECT_EQ(fake_driver().calls("cuMemPrefetchAsync"), prefetches + 2);
  EXPECT_GE(fake_driver().calls("cuMemAdvise"), advices + 1);
  device.free(usm_kind::shared, block);
}

TEST_F(cuda_memory, small_shared_blocks_with_results_are_mapped_once) {
  sycl::queue user = sycl::detail::internals::make<sycl::queue>(queue);
  int* const small = sycl::malloc_shared<int>(16, user);
  int* const large = sycl::malloc_shared<int>(2000, user);
  int* const of_device = sycl::malloc_device<int>(16, user);
  const int advices = fake_driver().calls("cuMemAdvise");
  const std::vector<const int*> results = {large, of_device, &advices, small + 3, small, small + 15};
  for (const int* result : results)
    user.submit([&](sycl::handler& group) {
      announce_reduction_result(sycl::detail::command_group_of(group), result);
    });
  EXPECT_EQ(fake_driver().calls("cuMemAdvise"), advices + 1);
  for (int* block : {small, large, of_device})
    sycl::free(block, user);
}

TEST_F(cuda_memory, queues_copy_and_fill) {
  std::vector<int> data(1000);
  std::iota(data.begin(), data.end(), 0);
  sycl::queue user = sycl::detail::internals::make<sycl::queue>(queue);
  int* const block = reinterpret_cast<int*>(allocate(4000));
  user.memcpy(block, data.data(), 4000);
  user.fill(block, 42, 10);
  std::vector<int> back(1000);
  user.memcpy(back.data(), block, 4000).wait();
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(back[static_cast<std::size_t>(i)], i < 10 ? 42 : i);
  device.free(usm_kind::device, block);
}

TEST(cuda_small_blocks, blocks_do_not_overlap_and_come_back) {
  backend_device& device = gpus()[0]->backend();
  const int allocations = fake_driver().calls("cuMemHostAlloc");
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t bytes = 1; bytes <= 32768; bytes = bytes * 3 / 2 + 1)
      for (int i = 0; i < 5; ++i)
        blocks.emplace_back(static_cast<unsigned char*>(device.allocate(usm_kind::host, bytes, 0)), bytes);
    for (const auto& [begin, bytes] : blocks)
      std::fill_n(begin, bytes, 1);
    std::set<unsigned char*> begins;
    for (const auto& [begin, bytes] : blocks)
      EXPECT_TRUE(begins.insert(begin).second);
    std::sort(blocks.begin(), blocks.end());
    for (std::size_t i = 1; i < blocks.size(); ++i)
      EXPECT_LE(blocks[i - 1].first + blocks[i - 1].second, blocks[i].first);
    for (const auto& [begin, bytes] : blocks)
      device.free(usm_kind::host, begin);
    blocks.clear();
  }
  EXPECT_LE(fake_driver().calls("cuMemHostAlloc"), allocations + 8) << "a slab for each size";
}

} // namespace
