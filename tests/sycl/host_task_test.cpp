// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 2020 §4.10: host tasks among kernels.
#include "../thrown_code.hpp"

#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace {

TEST(host_task, sees_buffers_through_its_accessors) {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(16)};
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group, sycl::write_only, sycl::no_init);
    group.parallel_for(16, [=](sycl::id<1> i) { data[i] = static_cast<int>(i[0]); });
  });
  int sum = 0;
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group, sycl::read_write_host_task);
    group.host_task([&sum, data] {
      for (std::size_t i = 0; i < 16; ++i)
        sum += data[i];
      data[0] = 100;
    });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor data(buffer, group);
    group.single_task([=] { data[0] += 1; });
  });
  queue.wait();
  EXPECT_EQ(sum, 120);
  EXPECT_EQ(sycl::host_accessor(buffer, sycl::read_only)[0], 101);
}

using task_accessor = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::host_task>;

/// A buffer of four elements that counts from \p first, on a queue of either kind.
class host_task_placeholder : public testing::TestWithParam<bool> {
protected:
  sycl::buffer<int> count_from(int first) {
    sycl::buffer<int> buffer{sycl::range<1>(4)};
    queue_.submit([&](sycl::handler& group) {
      sycl::accessor data(buffer, group, sycl::write_only, sycl::no_init);
      group.parallel_for(4, [=](sycl::id<1> i) { data[i] = first + static_cast<int>(i[0]); });
    });
    return buffer;
  }
  template <class Callable>
  void run(const std::vector<task_accessor>& required, const Callable& callable) {
    queue_.submit([&](sycl::handler& group) {
      for (const task_accessor& each : required)
        group.require(each);
      group.host_task(callable);
    });
  }

  sycl::queue queue_ =
      GetParam() ? sycl::queue(sycl::property::queue::in_order()) : sycl::queue(sycl::default_selector_v);
};

TEST_P(host_task_placeholder, reads_what_kernels_wrote_and_kernels_read_what_it_wrote) {
  sycl::buffer<int> buffer = count_from(1);
  const sycl::accessor placeholder(buffer, sycl::read_write_host_task);
  EXPECT_TRUE(placeholder.is_placeholder());
  for (int round = 0; round < 3; ++round) {
    run({placeholder}, [=] {
      for (int& each : placeholder)
        each *= 2;
    });
    queue_.submit([&](sycl::handler& group) {
      sycl::accessor data(buffer, group);
      group.parallel_for(4, [=](sycl::id<1> i) { data[i] += 1; });
    });
  }
  const sycl::host_accessor result(buffer, sycl::read_only);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(result[i], (i + 1) * 8 + 7) << i;
}

TEST_P(host_task_placeholder, are_found_wherever_the_callable_keeps_them) {
  sycl::buffer<int> buffer = count_from(0);
  sycl::buffer<int> other = count_from(10);
  const task_accessor first(buffer);
  const task_accessor second(other);
  struct pair {
    task_accessor accessors[2];
    int factor;
  };
  const pair both{{first, second}, 3};
  const std::vector<task_accessor> list{first, second};
  const auto shared = std::make_shared<task_accessor>(first);
  const std::optional<task_accessor> maybe(second);
  const std::function<void()> function = [=] { first[3] = second[3]; };
  run({first, second}, [=] { both.accessors[0][0] = both.accessors[1][0] * both.factor; });
  run({first, second}, [=] { list[0][1] = list[1][1] + 1; });
  run({first, second}, [=] { (*shared)[2] = (*maybe)[2] + 2; });
  run({first, second}, function);
  run({first}, [&first] { first[0] += 1; }); // by reference
  run({first}, [=] { std::thread([=] { first[1] += 1; }).join(); });
  queue_.wait();
  const sycl::host_accessor result(buffer, sycl::read_only);
  EXPECT_EQ(std::vector<int>(result.begin(), result.end()), (std::vector<int>{31, 13, 14, 13}));
}

TEST_P(host_task_placeholder, goes_with_accessors_of_the_command_group) {
  sycl::buffer<int> buffer = count_from(1);
  sycl::buffer<int> results{sycl::range<1>(4)};
  const sycl::accessor whole(buffer, sycl::read_only_host_task);
  const sycl::accessor part(buffer, sycl::range<1>(2), sycl::id<1>(1), sycl::read_only_host_task);
  const sycl::accessor<int, 0, sycl::access_mode::read, sycl::target::host_task> first(buffer);
  queue_.submit([&](sycl::handler& group) {
    sycl::accessor out(results, group, sycl::write_only_host_task, sycl::no_init);
    group.host_task([=] {
      out[0] = whole[3];
      out[1] = static_cast<int>(part.size());
      out[2] = *part.begin();
      out[3] = first;
    });
    group.require(part); // after the task is as good as before
    group.require(whole);
    group.require(first);
    group.require(out); // has no effect
  });
  const sycl::host_accessor result(results, sycl::read_only);
  EXPECT_EQ(std::vector<int>(result.begin(), result.end()), (std::vector<int>{4, 2, 2, 1}));
}

TEST_P(host_task_placeholder, of_a_sub_buffer_and_of_two_dimensions) {
  std::vector<int> numbers(64, 1);
  {
    sycl::buffer<int> buffer(numbers);
    sycl::buffer<int> half(buffer, sycl::id<1>(32), sycl::range<1>(32));
    sycl::buffer<int, 2> square(numbers.data(), {8, 8});
    square.set_write_back(false);
    const task_accessor in_half(half);
    const sycl::accessor in_square(square, sycl::read_only_host_task);
    queue_.submit([&](sycl::handler& group) {
      group.require(in_half);
      group.require(in_square);
      group.host_task([=] { in_half[1] = in_square[7][7] + 1; });
    });
  }
  EXPECT_EQ(numbers[33], 2);
  EXPECT_EQ(numbers[1], 1);
}

TEST_P(host_task_placeholder, that_is_not_required_is_an_error) {
  sycl::buffer<int> buffer = count_from(1);
  sycl::buffer<int> other = count_from(5);
  const task_accessor placeholder(buffer);
  const task_accessor required(other);
  const sycl::accessor of_kernels(buffer, sycl::read_write);
  struct holder {
    int number;
    task_accessor accessor;
  };
  const holder in_structure{1, placeholder};
  const std::optional<task_accessor> nothing;
  EXPECT_EQ(thrown_code([&] { run({}, [=] { placeholder[0] = 1; }); }), sycl::errc::kernel_argument);
  EXPECT_EQ(thrown_code([&] { run({required}, [=] { placeholder[0] = 1; }); }), sycl::errc::kernel_argument);
  EXPECT_EQ(thrown_code([&] { run({}, [=] { in_structure.accessor[0] = 1; }); }),
            sycl::errc::kernel_argument);
  // Those that reach nothing, and those that the callable passes on.
  run({}, [=, empty = task_accessor()] { EXPECT_EQ(empty.size() + (nothing ? 1 : 0), 0u); });
  run({}, [=, queue = queue_]() mutable {
    queue.submit([&](sycl::handler& group) {
      group.require(of_kernels);
      group.single_task([=] { of_kernels[0] = 7; });
    });
  });
  queue_.wait();
  EXPECT_EQ(sycl::host_accessor(buffer, sycl::read_only)[0], 7);
}

TEST_P(host_task_placeholder, of_explicit_memory_operations) {
  sycl::buffer<int> buffer = count_from(1);
  sycl::buffer<int> copy{sycl::range<1>(4)};
  const sycl::accessor from(buffer, sycl::read_only);
  const sycl::accessor to(copy, sycl::write_only);
  const task_accessor on_host(copy);
  queue_.copy(from, to);
  run({on_host}, [=] { on_host[0] += 10; });
  queue_.update_host(sycl::accessor(copy, sycl::read_only));
  std::vector<int> seen(4);
  queue_.submit([&](sycl::handler& group) {
    const sycl::accessor placeholder(copy, sycl::read_only);
    group.require(placeholder);
    group.copy(placeholder, seen.data());
  });
  queue_.wait();
  EXPECT_EQ(seen, (std::vector<int>{11, 2, 3, 4}));
  queue_.fill(to, 9);
  run({on_host}, [=, &seen] { seen[0] = on_host[3]; });
  queue_.wait();
  EXPECT_EQ(seen[0], 9);
}

INSTANTIATE_TEST_SUITE_P(queues, host_task_placeholder, testing::Bool(),
                         [](const auto& info) { return info.param ? "in_order" : "out_of_order"; });

} // namespace
