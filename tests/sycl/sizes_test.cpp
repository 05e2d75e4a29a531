// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sizes that no memory has and ranges that cannot be counted: an error with the sizes in it, never what is
// left of them when they wrap round.
#include "../thrown_code.hpp"
#include "../thrown_message.hpp"

#include <gtest/gtest.h>
#include <sycl/sycl.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace {

/// 16 bytes of ints, if they wrap.
constexpr std::size_t WRAPS = (std::size_t{1} << 62) + 4;
/// Half of what a std::size_t counts, in each of two dimensions.
constexpr std::size_t HUGE_EXTENT = std::size_t{1} << 40;
const sycl::range<2> HUGE_SQUARE(HUGE_EXTENT, HUGE_EXTENT);
/// A cube of bytes of which the last dimension makes them too many.
const sycl::range<3> HUGE_CUBE(std::size_t{1} << 21, std::size_t{1} << 21, std::size_t{1} << 22);

/// Nothing but errc::invalid, with the extents in the text.
template <class Function>
void expect_sizes(std::initializer_list<const char*> words, Function&& function) {
  const std::string text = message_of(sycl::errc::invalid, function);
  for (const char* word : words)
    EXPECT_TRUE(mentions(text, word)) << word << " is not in: " << text;
}

template <class Function>
void expect_in_group(sycl::queue& queue, sycl::errc code, Function&& function) {
  EXPECT_EQ(thrown_code([&] { queue.submit([&](sycl::handler& h) { function(h); }); }), code);
}

void expect_usable(sycl::queue& queue) {
  int* value = sycl::malloc_shared<int>(1, queue);
  *value = 1;
  queue.single_task([=] { *value += 1; }).wait();
  EXPECT_EQ(*value, 2);
  sycl::free(value, queue);
}

TEST(sizes, buffers_of_more_bytes_than_can_be_addressed_name_their_sizes) {
  expect_sizes({"sycl::buffer", "4611686018427387908", "4 bytes"}, [] { sycl::buffer<int> b(WRAPS); });
  expect_sizes({"1099511627776 x 1099511627776", "4 bytes"}, [] { sycl::buffer<int, 2> b(HUGE_SQUARE); });
  expect_sizes({"2097152 x 2097152 x 4194304"}, [] { sycl::buffer<char, 3> b(HUGE_CUBE); });
  int data[4] = {};
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int> b(data, WRAPS); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int> b(static_cast<const int*>(data), WRAPS); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<const int> b(data, WRAPS); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int> b(std::make_shared<int>(1), WRAPS); }));
  EXPECT_TRUE(throws_invalid(
      [&] { sycl::buffer<int, 2, std::allocator<int>> b(HUGE_SQUARE, std::allocator<int>()); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::make_sync_buffer(data, sycl::range<1>(WRAPS)); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::make_async_writeback_view(data, HUGE_SQUARE); }));
  // One byte less than too many: the buffer exists, though no memory for it.
  EXPECT_EQ((sycl::buffer<char>(static_cast<std::size_t>(PTRDIFF_MAX)).byte_size()),
            std::size_t{PTRDIFF_MAX});
}

TEST(sizes, buffers_without_elements_may_be_huge_otherwise) {
  sycl::buffer<int, 3> b({HUGE_EXTENT, HUGE_EXTENT, 0});
  EXPECT_EQ(b.byte_size(), 0u);
  sycl::queue().submit([&](sycl::handler& h) {
    sycl::accessor a(b, h);
    h.parallel_for(b.get_range(), [=](sycl::id<3> i) { a[i] = 1; });
  });
}

TEST(sizes, parts_of_buffers_do_not_wrap_round) {
  sycl::buffer<int> b(4);
  const auto wrapping = sycl::range<1>(SIZE_MAX - 1);
  EXPECT_TRUE(throws_invalid([&] { sycl::buffer<int> part(b, sycl::id<1>(2), wrapping); }));
  expect_sizes({"reinterpret", "4611686018427387908"}, [&] { b.reinterpret<int>(sycl::range<1>(WRAPS)); });
  EXPECT_TRUE(throws_invalid([&] { b.reinterpret<char>(sycl::range<2>(HUGE_EXTENT, HUGE_EXTENT)); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::host_accessor a(b, wrapping, sycl::id<1>(4)); }));
  EXPECT_TRUE(throws_invalid([&] { sycl::accessor a(b, wrapping, sycl::id<1>(4)); }));
  sycl::queue queue;
  expect_in_group(queue, sycl::errc::invalid,
                  [&](sycl::handler& h) { sycl::accessor a(b, h, wrapping, sycl::id<1>(4)); });
  expect_usable(queue);
}

TEST(sizes, pages_beyond_a_buffer_end_with_it) {
  using page = sycl::property::buffer::AdaptiveCpp_page_size<2>;
  std::vector<int> data(64);
  {
    sycl::buffer<int, 2> b(data.data(), {8, 8}, {page(sycl::range<2>(std::size_t{1} << 62, WRAPS))});
    sycl::queue().submit([&](sycl::handler& h) {
      sycl::accessor a(b, h, sycl::range(4, 4), sycl::id(2, 2));
      h.parallel_for(a.get_range(), [=](sycl::id<2> i) { a[i] = 1; });
    });
  }
  int sum = 0;
  for (const int each : data)
    sum += each;
  EXPECT_EQ(sum, 16);
}

TEST(sizes, local_accessors_of_more_bytes_than_can_be_addressed_name_their_sizes) {
  sycl::queue queue;
  expect_sizes({"sycl::local_accessor", "4611686018427387908", "4 bytes"},
               [&] { queue.submit([](sycl::handler& h) { sycl::local_accessor<int> l(WRAPS, h); }); });
  expect_in_group(queue, sycl::errc::invalid,
                  [](sycl::handler& h) { sycl::local_accessor<int, 2> l(HUGE_SQUARE, h); });
  expect_in_group(queue, sycl::errc::invalid,
                  [](sycl::handler& h) { sycl::local_accessor<char, 3> l(HUGE_CUBE, h); });
  expect_in_group(queue, sycl::errc::invalid, [](sycl::handler& h) {
    sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::local> l(WRAPS, h);
  });
  // Each can be, both cannot.
  expect_sizes({"sycl::local_accessor", "4611686018427387904"}, [&] {
    queue.submit([](sycl::handler& h) {
      sycl::local_accessor<char> a(std::size_t{1} << 62, h), b(std::size_t{1} << 62, h);
    });
  });
  // More than the device has, but no more than can be counted.
  expect_in_group(queue, sycl::errc::memory_allocation, [](sycl::handler& h) {
    sycl::local_accessor<char> a(std::size_t{1} << 62, h);
    h.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) { a[0] = 1; });
  });
  expect_usable(queue);
}

TEST(sizes, allocations_of_more_bytes_than_can_be_addressed_give_null) {
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  const sycl::context context = queue.get_context();
  EXPECT_EQ(sycl::malloc_device<int>(WRAPS, queue), nullptr);
  EXPECT_EQ(sycl::malloc_shared<int>(WRAPS, queue), nullptr);
  EXPECT_EQ(sycl::malloc_host<int>(WRAPS, queue), nullptr);
  EXPECT_EQ(sycl::malloc_host<int>(WRAPS, context), nullptr);
  EXPECT_EQ(sycl::malloc<int>(WRAPS, device, context, sycl::usm::alloc::device), nullptr);
  EXPECT_EQ(sycl::aligned_alloc_shared<int>(4096, WRAPS, queue), nullptr);
  EXPECT_EQ(sycl::aligned_alloc_device<int>(4096, WRAPS, device, context), nullptr);
  EXPECT_EQ(sycl::aligned_alloc_host<int>(4096, WRAPS, context), nullptr);
  EXPECT_EQ(sycl::aligned_alloc<int>(4096, WRAPS, queue, sycl::usm::alloc::shared), nullptr);
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX - 4095, std::size_t{PTRDIFF_MAX}}) {
    EXPECT_EQ(sycl::malloc_device(bytes, queue), nullptr);
    EXPECT_EQ(sycl::malloc_shared(bytes, queue), nullptr);
    EXPECT_EQ(sycl::malloc_host(bytes, queue), nullptr);
    EXPECT_EQ(sycl::aligned_alloc_shared(4096, bytes, queue), nullptr);
  }
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  EXPECT_EQ(thrown_code([&] { (void)allocator(queue).allocate(WRAPS); }), sycl::errc::memory_allocation);
  expect_usable(queue);
}

TEST(sizes, allocations_with_alignments_that_are_no_powers_of_two_give_null) {
  sycl::queue queue;
  for (const std::size_t alignment : {3, 6, 48}) {
    EXPECT_EQ(sycl::aligned_alloc_shared(alignment, 64, queue), nullptr);
    EXPECT_EQ(sycl::aligned_alloc_shared<int>(alignment, 16, queue),
              nullptr); // although 3 is less than alignof(int)
  }
  int* const p = sycl::aligned_alloc_shared<int>(1, 16, queue);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignof(int), 0u);
  sycl::free(p, queue);
}

TEST(sizes, operations_on_more_bytes_than_can_be_addressed_name_their_sizes) {
  sycl::queue queue;
  int* const p = sycl::malloc_shared<int>(8, queue);
  expect_sizes({"copy", "4611686018427387908", "4 bytes"}, [&] { queue.copy(p, p + 4, WRAPS); });
  expect_sizes({"fill", "4611686018427387908", "4 bytes"}, [&] { queue.fill(p, 1, WRAPS); });
  expect_sizes({"memset", "18446744073709551615"}, [&] { queue.memset(p, 1, SIZE_MAX); });
  expect_sizes({"memcpy", "18446744073709551615"}, [&] { queue.memcpy(p, p + 4, SIZE_MAX); });
  expect_sizes({"prefetch", "18446744073709551615"}, [&] { queue.prefetch(p, SIZE_MAX); });
  expect_sizes({"mem_advise", "18446744073709551615"}, [&] { queue.mem_advise(p, SIZE_MAX, 0); });
  expect_sizes({"mem_advise", "18446744073709551615"}, [&] { sycl::mem_advise(p, SIZE_MAX, 0, queue); });
  expect_in_group(queue, sycl::errc::invalid, [&](sycl::handler& h) { h.copy(p, p + 4, WRAPS); });
  expect_in_group(queue, sycl::errc::invalid, [&](sycl::handler& h) { h.fill(p, 1, WRAPS); });
  expect_in_group(queue, sycl::errc::invalid, [&](sycl::handler& h) { h.prefetch_host(p, SIZE_MAX); });
  queue.wait();
  sycl::free(p, queue);
  expect_usable(queue);
}

sycl::ext::oneapi::experimental::device_global<int[4]> numbers;

TEST(sizes, copies_of_device_globals_do_not_wrap_round) {
  sycl::queue queue;
  int some[4] = {};
  EXPECT_TRUE(throws_invalid([&] { queue.copy(some, numbers, WRAPS); }));
  EXPECT_TRUE(throws_invalid([&] { queue.copy(some, numbers, 4, SIZE_MAX - 1); }));
  EXPECT_TRUE(throws_invalid([&] { queue.memcpy(some, numbers, 16, SIZE_MAX - 7); }));
  queue.single_task([=] { numbers[0] = 1; }).wait();
  expect_usable(queue);
}

TEST(sizes, streams_of_more_bytes_than_can_be_addressed_name_their_size) {
  sycl::queue queue;
  expect_sizes({"sycl::stream", "18446744073709551615"},
               [&] { queue.submit([](sycl::handler& h) { sycl::stream out(SIZE_MAX, 16, h); }); });
  expect_in_group(queue, sycl::errc::memory_allocation,
                  [](sycl::handler& h) { sycl::stream out(std::size_t{PTRDIFF_MAX}, SIZE_MAX, h); });
  expect_in_group(queue, sycl::errc::memory_allocation,
                  [](sycl::handler& h) { sycl::stream out(std::size_t{1} << 62, 16, h); });
  expect_usable(queue);
}

TEST(sizes, ranges_that_cannot_be_counted_are_not_launched) {
  sycl::queue queue;
  const sycl::range<2> half(std::size_t{1} << 32, std::size_t{1} << 32); // 0, if it wraps
  expect_sizes({"1099511627776"}, [&] { queue.parallel_for(HUGE_SQUARE, [](sycl::id<2>) {}); });
  EXPECT_TRUE(throws_invalid([&] { queue.parallel_for(half, [](sycl::id<2>) {}); }));
  EXPECT_EQ(
      thrown_code([&] { queue.parallel_for(sycl::nd_range<2>(half, {1, 1}), [](sycl::nd_item<2>) {}); }),
      sycl::errc::nd_range);
  EXPECT_EQ(thrown_code([&] { queue.parallel_for(sycl::nd_range<2>(half, half), [](sycl::nd_item<2>) {}); }),
            sycl::errc::nd_range);
  EXPECT_TRUE(throws_invalid([&] {
    queue.submit([&](sycl::handler& h) {
      h.parallel_for(sycl::range<1>(16), sycl::id<1>(SIZE_MAX - 7), [](sycl::item<1>) {});
    });
  }));
  EXPECT_EQ(thrown_code([&] {
              queue.parallel_for(sycl::nd_range<1>(16, 8, sycl::id<1>(SIZE_MAX - 7)),
                                 [](sycl::nd_item<1>) {});
            }),
            sycl::errc::nd_range);
  expect_usable(queue);
}

TEST(sizes, work_groups_that_cannot_be_counted_are_not_launched) {
  sycl::queue queue;
  expect_sizes({"parallel_for_work_group", "4611686018427387908 work-groups of 4 work-items"}, [&] {
    queue.submit([](sycl::handler& h) {
      h.parallel_for_work_group(sycl::range<1>(WRAPS), sycl::range<1>(4), [](sycl::group<1>) {});
    });
  });
  expect_in_group(queue, sycl::errc::invalid,
                  [](sycl::handler& h) { h.parallel_for_work_group(HUGE_SQUARE, [](sycl::group<2>) {}); });
  expect_sizes({"parallel", "4611686018427387908 work-groups of 4 work-items"}, [&] {
    queue.submit([](sycl::handler& h) { h.parallel(sycl::range<1>(WRAPS), sycl::range<1>(4), [](auto) {}); });
  });
  expect_usable(queue);
}

TEST(sizes, preferred_groups_that_cannot_be_counted_are_not_preferred) {
  sycl::queue queue;
  int* const sum = sycl::malloc_shared<int>(1, queue);
  *sum = 0;
  const sycl::range<2> half(std::size_t{1} << 32, std::size_t{1} << 32);
  queue
      .submit({sycl::property::command_group::AdaptiveCpp_prefer_group_size<2>(half)},
              [&](sycl::handler& h) {
                h.parallel_for(sycl::range<2>(4, 4), [=](sycl::id<2>) {
                  sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*sum) += 1;
                });
              })
      .wait();
  EXPECT_EQ(*sum, 16);
  sycl::free(sum, queue);
}

TEST(sizes, reductions_over_ranges_that_cannot_be_counted_are_not_launched) {
  sycl::queue queue;
  int* const sum = sycl::malloc_shared<int>(1, queue);
  *sum = 5;
  const auto add = [](auto, auto& total) { total += 1; };
  const sycl::range<2> half(std::size_t{1} << 32, std::size_t{1} << 32);
  EXPECT_TRUE(
      throws_invalid([&] { queue.parallel_for(half, sycl::reduction(sum, sycl::plus<int>()), add); }));
  EXPECT_TRUE(throws_invalid([&] {
    queue.parallel_for(sycl::nd_range<2>(half, {1, 1}), sycl::reduction(sum, sycl::plus<int>()), add);
  }));
  EXPECT_EQ(thrown_code([&] {
              queue.parallel_for(sycl::nd_range<1>(std::size_t{1} << 33, 1),
                                 sycl::reduction(sum, sycl::plus<int>()), add);
            }),
            sycl::errc::nd_range);
  EXPECT_EQ(thrown_code([&] {
              queue.parallel_for(sycl::nd_range<1>(4, 0), sycl::reduction(sum, sycl::plus<int>()), add);
            }),
            sycl::errc::nd_range);
  queue.parallel_for(sycl::nd_range<1>(0, 4), sycl::reduction(sum, sycl::plus<int>()), add).wait();
  EXPECT_EQ(*sum, 5);
  sycl::free(sum, queue);
  expect_usable(queue);
}

} // namespace
