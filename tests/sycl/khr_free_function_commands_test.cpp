// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The proposed sycl_khr_free_function_commands; SYCL-CTS tests the names of its first draft.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <memory>
#include <numeric>
#include <type_traits>
#include <vector>

namespace {

using namespace sycl;

static_assert(SYCL_KHR_FREE_FUNCTION_COMMANDS == 1);
static_assert(khr::is_requirement_v<accessor<int>> && khr::is_requirement_v<khr::wait_event>);
static_assert(khr::is_requirement_v<accessor<int, 1, access_mode::read, target::host_task>>);
static_assert(khr::is_requirement_v<kernel_bundle<bundle_state::executable>>);
static_assert(khr::is_requirement_v<khr::wait_events> && khr::is_requirement_v<khr::signal_event>);
static_assert(!khr::is_requirement_v<event> && !khr::is_requirement_v<kernel_bundle<bundle_state::input>>);
static_assert(!khr::is_requirement_v<local_accessor<int>>);

template <class Requirements, class = void>
constexpr bool copies_after = false;
template <class Requirements>
constexpr bool copies_after<Requirements, std::void_t<decltype(khr::enqueue_memcpy(
                                              std::declval<const queue&>(), std::declval<void*>(), nullptr,
                                              std::size_t{1}, std::declval<Requirements>()))>> = true;
static_assert(copies_after<khr::requirements<khr::wait_event, khr::signal_event>>);
static_assert(!copies_after<khr::requirements<accessor<int>>>,
              "operations on memory require their accessors themselves");

class free_functions : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (!queue_.get_device().has(aspect::usm_shared_allocations))
      GTEST_SKIP() << "the device has no shared USM";
    data_ = malloc_shared<int>(SIZE, queue_);
    std::fill_n(data_, SIZE, 0);
  }
  void TearDown() override {
    queue_.wait();
    free(data_, queue_);
  }

  template <int Dimensions>
  static range<Dimensions> cube() {
    if constexpr (Dimensions == 1)
      return {4};
    else if constexpr (Dimensions == 2)
      return {4, 4};
    else
      return {4, 4, 4};
  }
  template <int Dimensions>
  void launch_all();

  static constexpr std::size_t SIZE = 64;
  queue queue_{GetParam() ? property_list{property::queue::in_order()} : property_list{}};
  int* data_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(order, free_functions, testing::Bool());

template <int Dimensions>
void free_functions::launch_all() {
  int* const data = data_;
  const range<Dimensions> whole = cube<Dimensions>();
  range<Dimensions> group = whole;
  group[0] = 2;
  const auto count = static_cast<int>(whole.size());
  event e = khr::make_event(queue_.get_context());
  const khr::requirements reqs{khr::wait_event(e), khr::signal_event(e)};
  data[0] = data[1] = 0;

  khr::launch(queue_, whole, [=](item<Dimensions> at) { data[2] = static_cast<int>(at.get_range().size()); });
  khr::launch(queue_, whole, reqs, [=](id<Dimensions>) {
    atomic_ref<int, memory_order::relaxed, memory_scope::device>(data[0])++;
  });
  khr::launch_grouped(queue_, whole, group, reqs, [=](nd_item<Dimensions> at) {
    if (at.get_group().leader())
      atomic_ref<int, memory_order::relaxed, memory_scope::device>(data[1])++;
  });
  e.wait();
  EXPECT_EQ(data[0], count);
  EXPECT_EQ(data[1], 2);
  queue_.wait();
  EXPECT_EQ(data[2], count);

  const auto properties = property::reduction::initialize_to_identity();
  const auto add_one = [](auto, auto& sum) { sum += 1; };
  khr::launch_reduce(queue_, whole, add_one, reduction(data, plus<>(), properties));
  khr::launch_reduce(queue_, whole, reqs, add_one, reduction(data + 1, plus<>(), properties));
  khr::launch_grouped_reduce(queue_, whole, group, add_one, reduction(data + 2, plus<>(), properties));
  khr::launch_grouped_reduce(queue_, whole, group, reqs, add_one, reduction(data + 3, plus<>(), properties));
  khr::launch_grouped(queue_, whole, group, [=](nd_item<Dimensions>) { data[4] = count; });
  queue_.wait();
  EXPECT_EQ(std::vector<int>(data, data + 5), std::vector<int>(5, count));
}

TEST_P(free_functions, launch_kernels) {
  launch_all<1>();
  launch_all<2>();
  launch_all<3>();
}

TEST_P(free_functions, launch_tasks) {
  int* const data = data_;
  event e = khr::make_event(queue_.get_context());
  khr::launch_task(queue_, khr::requirements(khr::signal_event(e)), [=] { data[0] = 17; });
  std::atomic<int> seen{0};
  khr::launch_host(queue_, khr::requirements(khr::wait_event(e), khr::signal_event(e)),
                   [&] { seen = data[0]; });
  e.wait();
  EXPECT_EQ(seen, 17);
  khr::launch_task(queue_, {}, [=] { data[1] = 18; });
  khr::launch_host(queue_, [&] { seen = 5; });
  queue_.wait();
  EXPECT_EQ(seen, 5);
  EXPECT_EQ(data[1], 18);
}

TEST_P(free_functions, require_accessors_and_bundles) {
  std::vector<int> values(SIZE);
  int seen = 0;
  {
    buffer<int> b(values);
    accessor<int, 1, access_mode::read_write> out(b);
    const auto bundle = get_kernel_bundle<bundle_state::executable>(queue_.get_context());
    khr::launch(queue_, range<1>(SIZE), khr::requirements(out, bundle),
                [=](id<1> i) { out[i] = static_cast<int>(i); });
    khr::launch_grouped(queue_, 64, 16, khr::requirements(out, out),
                        [=](nd_item<1> i) { out[i.get_global_id()] += 1; });
    accessor<int, 1, access_mode::read, target::host_task> read(b);
    khr::launch_host(queue_, khr::requirements(read), [=, &seen] { seen = read[SIZE - 1]; });
    queue_.wait();
  }
  EXPECT_EQ(seen, static_cast<int>(SIZE));
  for (std::size_t i = 0; i < SIZE; ++i)
    EXPECT_EQ(values[i], static_cast<int>(i) + 1);
}

TEST_P(free_functions, operate_on_usm) {
  int* const data = data_;
  event e = khr::make_event(queue_.get_context());
  const khr::requirements after{khr::wait_event(e), khr::signal_event(e)};
  khr::enqueue_fill(queue_, data, 3, 8, after);
  khr::enqueue_memset(queue_, data + 8, 1, 8 * sizeof(int), after);
  khr::enqueue_copy(queue_, data, data + 16, 8, after);
  khr::enqueue_memcpy(queue_, data + 24, data + 8, 8 * sizeof(int), after);
  khr::enqueue_prefetch(queue_, data, SIZE * sizeof(int), after);
  khr::enqueue_mem_advise(queue_, data, SIZE * sizeof(int), 0, after);
  e.wait();
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(data[16 + i], 3);
    EXPECT_EQ(data[24 + i], 0x01010101);
  }
}

TEST_P(free_functions, operate_on_buffers) {
  std::vector<int> from(SIZE), out(SIZE);
  std::iota(from.begin(), from.end(), 0);
  const std::shared_ptr<int> shared(new int[SIZE], std::default_delete<int[]>());
  const std::shared_ptr<int[]> shared_array(new int[SIZE]);
  std::copy(from.begin(), from.end(), shared_array.get());
  {
    buffer<int> first{range<1>(SIZE)}, second{range<1>(SIZE)};
    accessor<int, 1, access_mode::read_write> a(first);
    accessor<int, 1, access_mode::read_write> b(second);
    khr::enqueue_copy(queue_, from.data(), a);
    khr::enqueue_copy(queue_, a, b);
    khr::enqueue_copy(queue_, b, shared);
    khr::enqueue_fill(queue_, b, 4);
    khr::enqueue_copy(queue_, b, out.data());
    khr::enqueue_copy(queue_, shared_array, b);
    khr::enqueue_update_host(queue_, b);
    queue_.wait();
    EXPECT_EQ(host_accessor(second)[5], 5);
    buffer<int> small{range<1>(2)};
    accessor<int, 1, access_mode::write> too_small(small);
    EXPECT_THROW(khr::enqueue_copy(queue_, a, too_small), exception);
  }
  EXPECT_EQ(std::vector<int>(shared.get(), shared.get() + SIZE), from);
  EXPECT_EQ(out, std::vector<int>(SIZE, 4));
}

/// Host tasks that wait for a gate: what is behind them cannot have run.
class gate {
public:
  void operator()() const { opened_.wait(); }
  void open() { promise_.set_value(); }

private:
  std::promise<void> promise_;
  std::shared_future<void> opened_ = promise_.get_future().share();
};

TEST_P(free_functions, reuse_events) {
  const event e = khr::make_event(queue_.get_context());
  event copy = e;
  EXPECT_EQ(copy, e);
  EXPECT_EQ(e.get_backend(), queue_.get_backend());
  const auto status = [&] { return copy.get_info<info::event::command_execution_status>(); };
  EXPECT_EQ(status(), info::event_command_status::complete);
  copy.wait();

  for (int round = 0; round < 3; ++round) {
    gate first;
    khr::launch_host(queue_, khr::requirements(khr::signal_event(e)), [&] { first(); });
    EXPECT_NE(status(), info::event_command_status::complete) << "copies change with the event";
    first.open();
    copy.wait();
    EXPECT_EQ(status(), info::event_command_status::complete);
  }
}

TEST_P(free_functions, capture_dependencies_at_submission) {
  queue other{queue_.get_context(), queue_.get_device()};
  const event e = khr::make_event(queue_.get_context());
  gate first, second;
  std::atomic<bool> has_first_run{false}, was_first{false};
  khr::launch_host(queue_, khr::requirements(khr::signal_event(e)), [&] {
    first();
    has_first_run = true;
  });
  event follows = khr::make_event(other.get_context());
  khr::launch_host(other, khr::requirements(khr::wait_event(e), khr::signal_event(follows)),
                   [&] { was_first = has_first_run.load(); });
  // From here on the event means another command.
  khr::launch_host(other, khr::requirements(khr::signal_event(e)), [&] { second(); });
  first.open();
  follows.wait();
  EXPECT_TRUE(was_first);
  second.open();
  event(e).wait();
}

TEST_P(free_functions, let_barriers_wait) {
  queue other{queue_.get_context(), queue_.get_device()};
  const event elsewhere = khr::make_event(other.get_context()),
              passed = khr::make_event(queue_.get_context());
  gate here, there;
  khr::launch_host(queue_, [&] { here(); });
  khr::launch_host(other, khr::requirements(khr::signal_event(elsewhere)), [&] { there(); });
  khr::enqueue_barrier(queue_, khr::requirements(khr::wait_events({elsewhere}), khr::signal_event(passed)));
  std::atomic<bool> has_run{false};
  khr::launch_host(queue_, [&] { has_run = true; });
  const auto is_passed = [&] {
    return passed.get_info<info::event::command_execution_status>() == info::event_command_status::complete;
  };
  EXPECT_FALSE(is_passed());
  there.open();
  event(elsewhere).wait();
  EXPECT_FALSE(is_passed()) << "the command before it in the queue has not run";
  EXPECT_FALSE(has_run);
  here.open();
  event(passed).wait();
  queue_.wait();
  EXPECT_TRUE(has_run);
  khr::enqueue_signal_event(queue_, passed);
  khr::enqueue_signal_event(queue_, passed, khr::requirements(khr::wait_event(elsewhere)));
  event(passed).wait();
}

TEST_P(free_functions, wait_for_events_on_the_device) {
  queue other{queue_.get_context(), queue_.get_device()};
  const event elsewhere = khr::make_event(other.get_context());
  const event passed = khr::make_event(queue_.get_context());
  gate there;
  std::atomic<bool> is_open{false}, was_open{false};
  khr::launch_host(other, khr::requirements(khr::signal_event(elsewhere)), [&] {
    there();
    is_open = true;
  });
  khr::enqueue_wait_event(queue_, elsewhere, khr::requirements(khr::signal_event(passed)));
  khr::launch_host(queue_, [&] { was_open = is_open.load(); });
  there.open();
  queue_.wait();
  EXPECT_TRUE(was_open);
  EXPECT_EQ(passed.get_info<info::event::command_execution_status>(), info::event_command_status::complete);
  khr::enqueue_wait_events(queue_, {elsewhere, passed});
  khr::enqueue_wait_events(queue_, std::vector<event>());
  queue_.wait();
}

TEST_P(free_functions, signal_only_what_make_event_made_for_the_context) {
  const event of_a_command = queue_.single_task([] {});
  EXPECT_THROW(khr::enqueue_signal_event(queue_, of_a_command), exception);
  const event foreign = khr::make_event(context(queue_.get_device()));
  try {
    khr::launch_task(queue_, khr::requirements(khr::signal_event(foreign)), [] {});
    FAIL() << "the contexts differ";
  } catch (const exception& error) {
    EXPECT_EQ(error.code(), errc::invalid);
  }
  // To wait for it is another matter.
  khr::launch_task(queue_, khr::requirements(khr::wait_event(foreign)), [] {});
}

/// What the first draft had: a handler in the queue's place, and shorter names.
TEST_P(free_functions, have_the_names_of_the_first_draft) {
  int* const data = data_;
  const std::shared_ptr<int[]> host(new int[SIZE]);
  std::iota(host.get(), host.get() + SIZE, 0);
  event first = khr::submit_tracked(queue_, [&](handler& h) {
    khr::launch(h, range<1>(SIZE), [=](auto i) { data[i.get_linear_id()] = 1; });
  });
  khr::event_barrier(queue_, {first});
  khr::submit(queue_, [&](handler& h) {
    khr::launch_grouped(h, SIZE, 16, [=](nd_item<1> i) { data[i.get_global_id(0)] += 2; });
  });
  khr::command_barrier(queue_);
  khr::submit(queue_, [&](handler& h) { khr::copy(h, data, data + 32, 4); });
  queue_.wait();
  EXPECT_EQ(std::vector<int>(data, data + SIZE), std::vector<int>(SIZE, 3));
  const auto add_one = [](auto, auto& sum) { sum += 1; };
  data[1] = 0;
  khr::submit(queue_, [&](handler& h) {
    khr::launch_reduce(h, range<2>(3, 4), add_one, reduction(data + 1, plus<>()));
  });
  khr::submit(queue_, [&](handler& h) { khr::launch_task(h, [=] { data[2] = 9; }); });
  khr::fill(queue_, data + 3, 7, 1);
  khr::memset(queue_, data + 4, 0, sizeof(int));
  queue_.wait();
  khr::submit_tracked(queue_, [&](handler& h) { khr::memcpy(h, data + 5, data + 3, sizeof(int)); }).wait();
  EXPECT_EQ(std::vector<int>(data + 1, data + 6), (std::vector<int>{12, 9, 7, 0, 7}));
  std::vector<int> out(SIZE);
  {
    buffer<int> b{range<1>(SIZE)};
    khr::submit(queue_, [&](handler& h) { khr::copy(h, host, accessor(b, h, write_only)); });
    khr::copy(queue_, accessor<int, 1, access_mode::read>(b), out.data());
    khr::submit(queue_, [&](handler& h) { khr::update_host(h, accessor(b, h, read_only)); });
    queue_.wait();
  }
  EXPECT_EQ(out, std::vector<int>(host.get(), host.get() + SIZE));
  khr::prefetch(queue_, data, sizeof(int));
  khr::mem_advise(queue_, data, sizeof(int), 0);
}

} // namespace
