// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.9.4.2: every form in which a kernel can be launched.
#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace {

class shared_ints {
public:
  shared_ints(sycl::queue& queue, std::size_t count)
      : queue_(queue), data_(sycl::malloc_shared<int>(count, queue)), count_(count) {
    for (std::size_t i = 0; i < count; ++i)
      data_[i] = -1;
  }
  ~shared_ints() { sycl::free(data_, queue_); }
  shared_ints(const shared_ints&) = delete;
  shared_ints& operator=(const shared_ints&) = delete;
  int* get() const { return data_; }
  /// Whether element i is i for all.
  bool count_up() const {
    for (std::size_t i = 0; i < count_; ++i)
      if (data_[i] != static_cast<int>(i))
        return false;
    return true;
  }

private:
  sycl::queue queue_;
  int* data_;
  std::size_t count_;
};

sycl::queue make_queue() {
  return sycl::queue();
}

struct from_item {
  std::size_t index;
  from_item(sycl::item<1> item) : index(item.get_linear_id()) {}
};

class named_task;
class named_range;

/// What AdaptiveCpp's users may write before functions for kernels.
ACPP_KERNEL_TARGET int doubled(int value) {
  return 2 * value;
}

/// An extension: AdaptiveCpp's kernels may take their index by a reference that is not const.
TEST(handler, kernels_that_take_a_reference_to_their_index) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 40);
  int* p = out.get();
  queue.parallel_for(sycl::range(8), [=](auto& i) { p[i[0]] = doubled(static_cast<int>(i[0])) / 2; });
  queue.parallel_for(sycl::range(2, 4), [=](sycl::item<2>& i, sycl::kernel_handler) {
    p[8 + i.get_linear_id()] = 8 + static_cast<int>(4 * i[0] + i[1]);
  });
  queue.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1>& i) {
    p[16 + i.get_global_linear_id()] = 16 + static_cast<int>(i.get_global_id(0));
  });
  queue.parallel_for(sycl::nd_range<1>(8, 4), [=](auto& i, sycl::kernel_handler) {
    p[24 + i.get_global_linear_id()] = 24 + static_cast<int>(i.get_global_id(0));
  });
  queue.submit([&](sycl::handler& h) {
    h.parallel_for_work_group(sycl::range(2), sycl::range(4), [=](sycl::group<1>& g) {
      g.parallel_for_work_item(
          [&](sycl::h_item<1> i) { p[32 + i.get_global_id(0)] = 32 + static_cast<int>(i.get_global_id(0)); });
    });
  });
  queue.wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, single_task) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 2);
  int* p = out.get();
  queue.single_task<named_task>([=] { p[0] = 0; }).wait();
  queue.single_task([=](sycl::kernel_handler) { p[1] = 1; }).wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, range_kernels_take_what_an_item_converts_to) {
  sycl::queue queue = make_queue();
  constexpr std::size_t count = 1000;
  const auto check = [&](auto launch) {
    shared_ints out(queue, count);
    launch(out.get());
    queue.wait();
    EXPECT_TRUE(out.count_up());
  };
  check([&](int* p) {
    queue.parallel_for<named_range>(sycl::range<1>(count),
                                    [=](sycl::id<1> i) { p[i[0]] = static_cast<int>(i[0]); });
  });
  check([&](int* p) {
    queue.parallel_for(count, [=](sycl::item<1> i) { p[i.get_id(0)] = static_cast<int>(i.get_linear_id()); });
  });
  check([&](int* p) { queue.parallel_for({count}, [=](std::size_t i) { p[i] = static_cast<int>(i); }); });
  check([&](int* p) { queue.parallel_for(count, [=](int i) { p[i] = i; }); });
  check([&](int* p) {
    queue.parallel_for(count, [=](auto i) { p[i.get_linear_id()] = static_cast<int>(i.get_linear_id()); });
  });
  check([&](int* p) {
    queue.parallel_for(count, [=](from_item i) { p[i.index] = static_cast<int>(i.index); });
  });
  check([&](int* p) {
    queue.parallel_for(count, [=](sycl::id<1> i, sycl::kernel_handler) { p[i[0]] = static_cast<int>(i[0]); });
  });
}

TEST(handler, range_dimensions_count_from_the_slowest) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 5 * 6 * 7);
  int* p = out.get();
  queue
      .parallel_for({5, 6, 7},
                    [=](sycl::item<3> i) {
                      const std::size_t position = (i.get_id(0) * 6 + i.get_id(1)) * 7 + i.get_id(2);
                      p[position] = static_cast<int>(i.get_linear_id());
                    })
      .wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, offsets_are_added) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 12);
  int* p = out.get();
  queue
      .submit([&](sycl::handler& group) {
        group.parallel_for(sycl::range<2>(3, 4), sycl::id<2>(10, 20), [=](sycl::id<2> i) {
          p[(i[0] - 10) * 4 + i[1] - 20] = static_cast<int>((i[0] - 10) * 4 + i[1] - 20);
        });
      })
      .wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, nd_range_kernels_have_groups) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 12 * 16);
  int* p = out.get();
  queue
      .parallel_for(sycl::nd_range<2>({12, 16}, {3, 8}),
                    [=](sycl::nd_item<2> i) {
                      const std::size_t row = i.get_group(0) * 3 + i.get_local_id(0);
                      const std::size_t column = i.get_group(1) * 8 + i.get_local_id(1);
                      p[row * 16 + column] = static_cast<int>(i.get_global_linear_id());
                    })
      .wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, large_launches_cover_every_item_once) {
  sycl::queue queue = make_queue();
  constexpr std::size_t rows = 37, columns = 100'003;
  int* p = sycl::malloc_shared<int>(rows * columns, queue);
  queue.fill(p, 0, rows * columns).wait();
  for (int repetition = 0; repetition < 3; ++repetition)
    queue.parallel_for({rows, columns}, [=](sycl::item<2> i) { p[i.get_linear_id()] += 1; }).wait();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows * columns; ++i)
    wrong += p[i] != 3;
  EXPECT_EQ(wrong, 0u);
  sycl::free(p, queue);
}

TEST(handler, hierarchical_kernels) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 4 * 8);
  int* p = out.get();
  queue
      .submit([&](sycl::handler& group) {
        group.parallel_for_work_group(sycl::range<1>(4), sycl::range<1>(8), [=](sycl::group<1> g) {
          g.parallel_for_work_item(
              [&](sycl::h_item<1> i) { p[i.get_global_id(0)] = static_cast<int>(i.get_global_id(0)); });
        });
      })
      .wait();
  EXPECT_TRUE(out.count_up());
}

TEST(handler, empty_ranges_only_order) {
  sycl::queue queue = make_queue();
  shared_ints out(queue, 1);
  int* p = out.get();
  queue.parallel_for(sycl::range<1>(0), [=](sycl::id<1>) { *p = 5; }).wait();
  queue.parallel_for(sycl::nd_range<1>(0, 4), [=](sycl::nd_item<1>) { *p = 5; }).wait();
  EXPECT_EQ(*p, -1);
}

TEST(handler, refuses_groups_that_do_not_fit) {
  sycl::queue queue = make_queue();
  const std::size_t largest = queue.get_device().get_info<sycl::info::device::max_work_group_size>();
  const auto launch = [&](std::size_t global, std::size_t local) {
    return thrown_code(
        [&] { queue.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1>) {}); });
  };
  EXPECT_EQ(launch(10, 3), sycl::errc::nd_range);
  EXPECT_EQ(launch(10, 0), sycl::errc::nd_range);
  EXPECT_EQ(launch(2 * largest, 2 * largest), sycl::errc::nd_range);
  EXPECT_EQ(launch(largest, largest), sycl::errc::success);
  EXPECT_EQ(thrown_code([&] {
              queue.parallel_for(sycl::range<2>(std::size_t{1} << 40, std::size_t{1} << 40),
                                 [=](sycl::id<2>) {});
            }),
            sycl::errc::invalid);
}

class in_no_bundle;

TEST(handler, goes_on_after_a_launch_that_throws) {
  sycl::queue queue = make_queue();
  const auto none = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context(),
                                                                            std::vector<sycl::kernel_id>());
  int* const value = sycl::malloc_shared<int>(1, queue);
  *value = 0;
  const auto refuse = [&](sycl::handler& group) {
    group.use_kernel_bundle(none);
    try {
      group.single_task<in_no_bundle>([=] { *value = 1; });
      ADD_FAILURE() << "the kernel is in no bundle";
    } catch (const sycl::exception& error) {
      EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported);
    }
  };
  queue.submit([&](sycl::handler& group) { refuse(group); }).wait();
  EXPECT_EQ(*value, 0);
  queue
      .submit([&](sycl::handler& group) {
        refuse(group);
        group.host_task([=] { *value = 2; });
      })
      .wait();
  EXPECT_EQ(*value, 2);
  queue
      .submit([&](sycl::handler& group) {
        EXPECT_THROW(group.parallel_for(sycl::nd_range<1>(8, 3), [=](sycl::nd_item<1>) { *value = 3; }),
                     sycl::exception);
        group.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1>) { *value = 4; });
      })
      .wait();
  EXPECT_EQ(*value, 4);
  sycl::free(value, queue);
}

TEST(handler, goes_on_after_commands_that_throw) {
  sycl::queue queue = make_queue();
  int* const value = sycl::malloc_shared<int>(1, queue);
  *value = 0;
  sycl::buffer<int> large{sycl::range<1>(8)}, small{sycl::range<1>(4)};
  const auto refused = [&](auto&& submit_to) {
    queue
        .submit([&](sycl::handler& group) {
          EXPECT_EQ(thrown_code([&] { submit_to(group); }), sycl::errc::invalid);
          group.single_task([=] { ++*value; });
        })
        .wait();
  };
  refused([&](sycl::handler& group) { group.memcpy(value, nullptr, sizeof(int)); });
  refused([&](sycl::handler& group) { group.fill<int>(nullptr, 1, 4); });
  refused([&](sycl::handler& group) { group.prefetch(nullptr, sizeof(int)); });
  refused([&](sycl::handler& group) { group.mem_advise(nullptr, sizeof(int), 0); });
  refused([&](sycl::handler& group) {
    group.copy(sycl::accessor(large, group, sycl::read_only), sycl::accessor(small, group, sycl::write_only));
  });
  EXPECT_EQ(*value, 5);
  sycl::free(value, queue);
}

TEST(handler, refuses_local_accessors_that_kernels_without_groups_capture) {
  sycl::queue queue = make_queue();
  int* const result = sycl::malloc_shared<int>(4, queue);
  const auto launch = [&](const auto& command) {
    return thrown_code([&] {
      queue.submit([&](sycl::handler& group) { command(group, sycl::local_accessor<int>(16, group)); })
          .wait();
    });
  };
  EXPECT_EQ(launch([&](sycl::handler& group, sycl::local_accessor<int> local) {
              group.single_task([=] { local[0] = 1; });
            }),
            sycl::errc::kernel_argument);
  EXPECT_EQ(launch([&](sycl::handler& group, sycl::local_accessor<int> local) {
              group.parallel_for(4, [=, all = std::pair(local, 1)](sycl::id<1>) { all.first[0] = 1; });
            }),
            sycl::errc::kernel_argument);
  // Those that are only constructed beside the kernel are none of its arguments.
  EXPECT_EQ(launch([&](sycl::handler& group, const auto&) { group.single_task([=] { result[0] = 1; }); }),
            sycl::errc::success);
  EXPECT_EQ(launch([&](sycl::handler& group, const auto&) {
              group.parallel_for(3, [=](sycl::id<1> i) { result[i + 1] = 1; });
            }),
            sycl::errc::success);
  EXPECT_EQ(std::vector(result, result + 4), std::vector(4, 1));
  sycl::free(result, queue);
}

TEST(handler, refuses_accessors_of_another_command_group) {
  sycl::queue queue = make_queue();
  sycl::buffer<int> buffer{sycl::range<1>(4)};
  EXPECT_EQ(thrown_code([&] {
              sycl::accessor placeholder(buffer);
              queue.submit([&](sycl::handler& group) {
                group.parallel_for(4, [=](sycl::id<1> i) { placeholder[i] = 1; });
              });
            }),
            sycl::errc::kernel_argument);
}

TEST(handler, required_placeholders_get_their_data) {
  sycl::queue queue = make_queue();
  sycl::buffer<int> buffer{sycl::range<1>(4)};
  sycl::accessor placeholder(buffer);
  queue.submit([&](sycl::handler& group) {
    group.require(placeholder);
    group.parallel_for(4, [=](sycl::id<1> i) { placeholder[i] = static_cast<int>(i[0]) * 2; });
  });
  sycl::host_accessor result(buffer);
  EXPECT_EQ(result[3], 6);
}

TEST(handler, copies_and_fills_accessors) {
  sycl::queue queue = make_queue();
  sycl::buffer<int, 2> from{sycl::range<2>(4, 8)}, to{sycl::range<2>(4, 8)};
  std::vector<int> part(6, 0);
  queue.submit([&](sycl::handler& group) { group.fill(sycl::accessor(from, group, sycl::write_only), 3); });
  queue.submit([&](sycl::handler& group) {
    group.fill(sycl::accessor(from, group, sycl::range<2>(2, 3), sycl::id<2>(1, 2), sycl::write_only), 9);
  });
  queue.submit([&](sycl::handler& group) {
    group.copy(sycl::accessor(from, group, sycl::read_only), sycl::accessor(to, group, sycl::write_only));
  });
  queue.submit([&](sycl::handler& group) {
    group.copy(sycl::accessor(to, group, sycl::range<2>(2, 3), sycl::id<2>(1, 2), sycl::read_only),
               part.data());
  });
  queue.wait();
  EXPECT_EQ(part, std::vector<int>(6, 9));
  sycl::host_accessor result(to);
  EXPECT_EQ(result[1][1], 3);
  EXPECT_EQ(result[2][4], 9);
}

} // namespace
