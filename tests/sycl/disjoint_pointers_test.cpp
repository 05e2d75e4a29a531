// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels are compiled for pointers and accessors that lead to different memory, if those of a launch do. The
// same kernels with pointers that meet, in whatever way, must see what they write.
#include <sycl/sycl.hpp>

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t COUNT = 64;
using numbers = std::array<int, COUNT>;

numbers ones() {
  numbers all;
  all.fill(1);
  return all;
}

/// One kernel, launched with all kinds of pointers. What it adds up would stay in a register if in led to
/// other memory than sum.
class adder {
public:
  /// What one thread makes of it.
  static int on_host(int* sum, const int* in) {
    *sum = 1;
    for (int i = 0; i < 8; ++i)
      *sum += in[i];
    return *sum;
  }
  int operator()(int* sum, const int* in) {
    queue
        .single_task([=, count = this->count] {
          *sum = 1;
          for (int i = 0; i < count; ++i)
            *sum += in[i];
        })
        .wait();
    return *sum;
  }
  /// Which the kernels do not know.
  int count = 8;
  sycl::queue queue{sycl::property::queue::in_order()};
};

class disjoint_pointers : public testing::Test {
protected:
  int* block() {
    int* const made = sycl::malloc_shared<int>(COUNT, add.queue);
    std::fill_n(made, COUNT, 1);
    blocks.push_back(made);
    return made;
  }
  ~disjoint_pointers() override {
    for (int* each : blocks)
      sycl::free(each, add.queue);
  }
  adder add;
  std::vector<int*> blocks;
};

TEST_F(disjoint_pointers, that_meet_now_and_then_are_told_apart_each_time) {
  int *const a = block(), *const b = block();
  numbers host = ones();
  int sum = 1;
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(add(b, a), adder::on_host(&sum, host.data())) << round;
    EXPECT_EQ(add(a + 3, a), adder::on_host(&host[3], host.data())) << "within a block, round " << round;
  }
  std::swap(blocks[0], blocks[1]);
  int other = b[0];
  numbers others = ones();
  others[0] = other;
  EXPECT_EQ(add(a + 20, b), adder::on_host(&host[20], others.data())) << "exchanged";
}

TEST_F(disjoint_pointers, that_are_null_or_unknown_or_few_are_as_good) {
  int *const a = block(), *const b = block();
  const int* const nothing = nullptr;
  add.queue
      .single_task([=, count = add.count] {
        *b = 1;
        for (int i = 0; i < count; ++i)
          *b += a[i] + (nothing == nullptr ? 1 : nothing[i]);
      })
      .wait();
  EXPECT_EQ(*b, 17);
}

TEST_F(disjoint_pointers, ends_of_blocks_lead_into_them) {
  // Whether blocks touch is up to the allocator: of many some do where small blocks are cut from large ones.
  std::vector<int*> many;
  for (int i = 0; i < 64; ++i)
    many.push_back(block());
  for (int* first : many) {
    int* const last = first + COUNT;
    add.queue
        .single_task([=] {
          for (std::size_t i = 0; i < COUNT; ++i)
            last[-1 - static_cast<std::ptrdiff_t>(i)] = first[i] + 1;
        })
        .wait();
    numbers host = ones();
    for (std::size_t i = 0; i < COUNT; ++i)
      host[COUNT - 1 - i] = host[i] + 1;
    ASSERT_TRUE(std::equal(host.begin(), host.end(), first));
  }
}

TEST_F(disjoint_pointers, arrays_that_are_counted_from_1_lead_into_their_blocks) {
  std::vector<int*> many;
  for (int i = 0; i < 64; ++i)
    many.push_back(block());
  for (int* const in : many) {
    auto* const from_1 = reinterpret_cast<int*>(reinterpret_cast<std::uintptr_t>(in) - sizeof(int));
    add.queue
        .single_task([=, count = add.count] {
          from_1[4] = 1;
          for (int i = 0; i < count; ++i)
            from_1[4] += in[i];
        })
        .wait();
    numbers host = ones();
    ASSERT_EQ(in[3], adder::on_host(&host[3], host.data()));
  }
}

/// The block's first element is from_before[shift].
void add_from_before(adder& add, int* in, std::size_t shift) {
  std::fill_n(in, COUNT, 1);
  auto* const from_before =
      reinterpret_cast<int*>(reinterpret_cast<std::uintptr_t>(in) - shift * sizeof(int));
  add.queue
      .single_task([=, count = add.count] {
        from_before[shift + 3] = 1;
        for (int i = 0; i < count; ++i)
          from_before[shift + 3] += in[i];
      })
      .wait();
  numbers host = ones();
  ASSERT_EQ(in[3], adder::on_host(&host[3], host.data())) << shift;
}

TEST_F(disjoint_pointers, arrays_that_begin_before_their_blocks_lead_into_them) {
  // Some begin in the block before, with what allocators round sizes to in between.
  for (const std::size_t extra : {0, 1, 6, 62, 1000}) {
    std::vector<int*> many;
    for (int i = 0; i < 32; ++i)
      many.push_back(blocks.emplace_back(sycl::malloc_shared<int>(COUNT + extra, add.queue)));
    for (int* const in : many)
      for (const std::size_t shift : {std::size_t{1}, std::size_t{17}, COUNT + 1, 3 * COUNT + 3})
        ASSERT_NO_FATAL_FAILURE(add_from_before(add, in, shift)) << extra;
  }
}

TEST_F(disjoint_pointers, behind_the_rows_of_a_matrix_lead_into_it) {
  constexpr std::size_t ROWS = 4;
  constexpr auto ROW = static_cast<std::ptrdiff_t>(COUNT / ROWS);
  std::vector<int*> many;
  for (int i = 0; i < 64; ++i)
    many.push_back(block());
  for (int* const matrix : many) {
    int* const behind = matrix + COUNT + 5;
    add.queue
        .single_task([=, rows = static_cast<int>(ROWS)] {
          const int* element = behind;
          for (int row = 0; row < rows; ++row) {
            element -= ROW;
            matrix[5] += *element;
          }
        })
        .wait();
    ASSERT_EQ(matrix[5], 8) << "the last one is the sum itself";
  }
}

struct node {
  int* target;
};

TEST_F(disjoint_pointers, of_which_one_is_in_memory_as_well_are_met_there) {
  int *const a = block(), *const b = block();
  auto* const holder = sycl::malloc_shared<node>(1, add.queue);
  holder->target = a + 3;
  add.queue
      .single_task([=, count = add.count] {
        int* const target = holder->target;
        *target = 1;
        for (int i = 0; i < count; ++i) {
          *target += a[i];
          b[i] = a[3];
        }
      })
      .wait();
  numbers host = ones(), seen = ones();
  host[3] = 1;
  for (std::size_t i = 0; i < 8; ++i) {
    host[3] += host[i];
    seen[i] = host[3];
  }
  EXPECT_EQ(a[3], host[3]);
  EXPECT_TRUE(std::equal(seen.begin(), seen.end(), b));
  sycl::free(holder, add.queue);
}

TEST_F(disjoint_pointers, are_exchanged_within_a_kernel) {
  int *const a = block(), *const b = block();
  add.queue
      .single_task([=] {
        int *from = a, *to = b;
        for (int round = 0; round < 5; ++round) {
          for (int i = 0; i < 8; ++i)
            to[i] = from[i] + from[(i + 1) % 8];
          int* const before = from;
          from = to;
          to = before;
        }
      })
      .wait();
  EXPECT_EQ(b[5], 32);
  EXPECT_EQ(a[5], 16);
}

TEST_F(disjoint_pointers, are_found_anew_when_memory_was_freed) {
  for (int round = 0; round < 20; ++round) {
    int* const sum = sycl::malloc_shared<int>(COUNT, add.queue);
    int* const in = sycl::malloc_shared<int>(COUNT, add.queue);
    std::fill_n(sum, COUNT, 1);
    std::fill_n(in, COUNT, 1);
    numbers host = ones();
    int expected = 1;
    EXPECT_EQ(add(sum, in), adder::on_host(&expected, host.data()));
    sycl::free(sum, add.queue);
    sycl::free(in, add.queue);
    int* const both = sycl::malloc_shared<int>(4 * COUNT, add.queue);
    std::fill_n(both, 4 * COUNT, 1);
    numbers other = ones();
    EXPECT_EQ(add(both + 3, both), adder::on_host(&other[3], other.data()));
    sycl::free(both, add.queue);
  }
}

/// The same kernel over accessors.
int add_by_accessors(adder& add, sycl::buffer<int> sum, std::size_t at, sycl::buffer<int> in) {
  add.queue.submit([&](sycl::handler& group) {
    sycl::accessor to(sum, group, sycl::read_write);
    sycl::accessor from(in, group, sycl::read_only);
    const int count = add.count;
    group.single_task([=] {
      to[at] = 1;
      for (int i = 0; i < count; ++i)
        to[at] += from[i];
    });
  });
  return sycl::host_accessor(sum)[at];
}

TEST_F(disjoint_pointers, may_be_accessors) {
  sycl::buffer<int> a{sycl::range<1>(COUNT)}, b{sycl::range<1>(COUNT)};
  for (sycl::buffer<int>* each : {&a, &b}) {
    sycl::host_accessor all(*each);
    std::fill(all.begin(), all.end(), 1);
  }
  numbers host = ones();
  int sum = 1;
  for (int round = 0; round < 4; ++round) {
    EXPECT_EQ(add_by_accessors(add, b, 0, a), adder::on_host(&sum, host.data())) << round;
    EXPECT_EQ(add_by_accessors(add, a, 3, a), adder::on_host(&host[3], host.data())) << round;
  }
}

TEST_F(disjoint_pointers, may_be_accessors_of_parts_of_a_buffer) {
  sycl::buffer<int> all{sycl::range<1>(4 * COUNT)};
  {
    sycl::host_accessor values(all);
    std::fill(values.begin(), values.end(), 1);
  }
  // 128 bytes are what parts of buffers are aligned to.
  sycl::buffer<int> part(all, sycl::id<1>(0), sycl::range<1>(COUNT));
  sycl::buffer<int> other(all, sycl::id<1>(COUNT), sycl::range<1>(COUNT));
  numbers host = ones();
  int sum = 1;
  EXPECT_EQ(add_by_accessors(add, all, 3, part), adder::on_host(&host[3], host.data()));
  EXPECT_EQ(add_by_accessors(add, other, 1, part), adder::on_host(&sum, host.data()));
}

TEST_F(disjoint_pointers, may_be_accessors_of_the_memory_of_a_pointer) {
  int *const a = block(), *const b = block();
  sycl::queue& queue = add.queue;
  sycl::buffer<int> view(a, sycl::range<1>(COUNT), {sycl::property::buffer::use_host_ptr()});
  const auto launch = [&](int* to) {
    queue.submit([&](sycl::handler& group) {
      sycl::accessor from(view, group, sycl::read_only);
      group.single_task([=, count = add.count] {
        *to = 1;
        for (int i = 0; i < count; ++i)
          *to += from[i];
      });
    });
    queue.wait();
  };
  launch(b);
  EXPECT_EQ(*b, 9);
  if (!queue.get_device().is_cpu())
    return; // the buffer has memory of its own
  numbers host = ones();
  launch(a + 3);
  EXPECT_EQ(a[3], adder::on_host(&host[3], host.data()));
}

TEST_F(disjoint_pointers, may_be_accessors_of_buffers_over_the_same_memory) {
  const sycl::device device = add.queue.get_device();
  int* const memory = block();
  const auto view = [&](int* of) {
    return sycl::buffer<int>({sycl::buffer_allocation::view(of, device)}, sycl::range<1>(COUNT));
  };
  int expected = 1;
  for (int i = 0; i < add.count; ++i)
    expected += i == 3 ? expected : 1;
  const auto check = [&](sycl::buffer<int>& to, sycl::buffer<int>& from, const char* what) {
    add.queue.wait();
    EXPECT_EQ(add_by_accessors(add, to, 3, from), expected) << what;
  };
  {
    sycl::buffer<int> one = view(memory), other = view(memory);
    check(one, other, "two views");
  }
  sycl::buffer<int> own{sycl::range<1>(COUNT)};
  add.queue.submit([&](sycl::handler& group) {
    const sycl::accessor all(own, group, sycl::write_only);
    group.fill(all, 1);
  });
  add.queue.wait();
  {
    ASSERT_TRUE(own.has_allocation(device));
    sycl::buffer<int> other = view(own.get_pointer(device));
    check(other, own, "a view of a buffer's own memory");
  }
  if (device.is_cpu()) {
    std::fill_n(memory, COUNT, 1);
    sycl::buffer<int> one = view(memory);
    sycl::buffer<int> other(memory, sycl::range<1>(COUNT), {sycl::property::buffer::use_host_ptr()});
    check(one, other, "a view and the user's memory");
  }
}

TEST_F(disjoint_pointers, launched_by_many_work_items_read_what_none_of_them_writes) {
  int *const a = block(), *const b = block();
  std::iota(a, a + COUNT, 0);
  for (int round = 0; round < 3; ++round) {
    int* const out = round == 1 ? a : b; // in place, each its own
    add.queue
        .parallel_for(sycl::range<1>(COUNT),
                      [=](sycl::id<1> i) {
                        out[i] = a[i] * 2;
                        out[i] += a[i];
                      })
        .wait();
    for (std::size_t i = 0; i < COUNT; ++i)
      ASSERT_EQ(out[i], static_cast<int>(i) * (round == 0 ? 3 : round == 1 ? 4 : 12)) << round;
  }
}

} // namespace
