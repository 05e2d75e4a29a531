// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Extensions of oneAPI for queues, contexts and devices: sycl_ext_oneapi_enqueue_barrier, _enqueue_functions
// (commands that are no kernels), _memcpy2d, _in_order_queue_events, _discard_queue_events, _queue_priority,
// _queue_empty, _profiling_tag, _current_device, _composite_device, _default_context,
// _device_default_context, _platform_device_index, _num_compute_units, _max_work_group_query,
// _filter_selector, and those of Intel's that are properties of queues.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sycl;
namespace syclex = sycl::ext::oneapi::experimental;
namespace queue_property = sycl::ext::oneapi::property::queue;
namespace intel_property = sycl::ext::intel::property::queue;

static_assert(SYCL_EXT_ONEAPI_ENQUEUE_BARRIER == 1 && SYCL_EXT_ONEAPI_MEMCPY2D == 1 &&
              SYCL_EXT_ONEAPI_IN_ORDER_QUEUE_EVENTS == 1 && SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS == 1 &&
              SYCL_EXT_ONEAPI_QUEUE_PRIORITY == 1 && SYCL_EXT_ONEAPI_QUEUE_EMPTY == 1 &&
              SYCL_EXT_ONEAPI_PROFILING_TAG == 1 && SYCL_EXT_ONEAPI_CURRENT_DEVICE == 1 &&
              SYCL_EXT_ONEAPI_COMPOSITE_DEVICE == 1 && SYCL_EXT_ONEAPI_DEFAULT_CONTEXT == 1 &&
              SYCL_EXT_ONEAPI_DEVICE_DEFAULT_CONTEXT == 1 && SYCL_EXT_ONEAPI_PLATFORM_DEVICE_INDEX == 1 &&
              SYCL_EXT_ONEAPI_NUM_COMPUTE_UNITS == 1 && SYCL_EXT_ONEAPI_MAX_WORK_GROUP_QUERY == 1 &&
              SYCL_EXT_ONEAPI_FILTER_SELECTOR == 1 && SYCL_EXT_INTEL_QUEUE_INDEX == 1 &&
              SYCL_EXT_INTEL_QUEUE_IMMEDIATE_COMMAND_LIST == 1 && SYCL_EXT_ONEAPI_ASYNC_MEMORY_ALLOC == 1 &&
              SYCL_EXT_ONEAPI_USE_PINNED_HOST_MEMORY_PROPERTY == 1 &&
              SYCL_EXT_ONEAPI_USM_DEVICE_READ_ONLY == 1 && SYCL_EXT_ONEAPI_ACCESSOR_PROPERTIES == 1);

template <class Action>
errc code_of(const Action& action) {
  try {
    action();
  } catch (const exception& error) {
    return static_cast<errc>(error.code().value());
  }
  return errc::success;
}

/// A host task that is not complete before open is called.
class gate {
public:
  event put_into(queue& q) {
    return q.submit([&](handler& h) { h.host_task([opened = opened_] { opened.wait(); }); });
  }
  void open() { promise_.set_value(); }

private:
  std::promise<void> promise_;
  std::shared_future<void> opened_ = promise_.get_future().share();
};

bool is_complete(const event& some) {
  return some.get_info<info::event::command_execution_status>() == info::event_command_status::complete;
}

class barriers : public testing::TestWithParam<bool> {
protected:
  event submit(handler&) = delete;
  /// By queue::ext_oneapi_submit_barrier or by the enqueue functions.
  void wait_for_all(queue& q) {
    GetParam() ? syclex::barrier(q) : static_cast<void>(q.ext_oneapi_submit_barrier());
  }
  void wait_for(queue& q, const std::vector<event>& events) {
    GetParam() ? syclex::partial_barrier(q, events) : static_cast<void>(q.ext_oneapi_submit_barrier(events));
  }
};
INSTANTIATE_TEST_SUITE_P(enqueue, barriers, testing::Bool());

TEST_P(barriers, hold_back_what_comes_later) {
  queue q;
  gate first;
  first.put_into(q);
  wait_for_all(q);
  event later = q.single_task([] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(is_complete(later));
  first.open();
  later.wait();
}

TEST_P(barriers, with_events_wait_for_these_alone) {
  queue q, other(q.get_context(), q.get_device());
  gate unrelated, awaited;
  unrelated.put_into(q);
  wait_for(q, {awaited.put_into(other)});
  event later = q.single_task([] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(is_complete(later));
  awaited.open();
  later.wait();
  unrelated.open();
  q.wait();
}

TEST_P(barriers, without_events_in_the_list_have_no_effect) {
  queue q;
  gate unrelated;
  unrelated.put_into(q);
  wait_for(q, {});
  q.single_task([] {}).wait();
  unrelated.open();
  q.wait();
}

TEST(command_group_barriers, wait_for_dependencies_as_well) {
  queue q, other(q.get_context(), q.get_device());
  for (const bool opens_own_first : {false, true}) {
    gate own, foreign;
    own.put_into(q);
    const event dependency = foreign.put_into(other);
    q.submit([&](handler& h) {
      h.depends_on(dependency);
      syclex::barrier(h);
    });
    event later = q.single_task([] {});
    (opens_own_first ? own : foreign).open();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(is_complete(later));
    (opens_own_first ? foreign : own).open();
    later.wait();
  }
}

TEST(enqueue_functions, work_on_memory) {
  queue q{property::queue::in_order()};
  constexpr std::size_t SIZE = 100;
  int* const from = malloc_shared<int>(SIZE, q);
  int* const to = malloc_shared<int>(SIZE, q);
  std::iota(from, from + SIZE, 0);
  syclex::memcpy(q, to, from, SIZE / 2 * sizeof(int));
  syclex::submit(q, [&](handler& h) { syclex::copy(h, from + SIZE / 2, to + SIZE / 2, SIZE / 2); });
  syclex::prefetch(q, to, SIZE * sizeof(int));
  syclex::prefetch(q, to, SIZE * sizeof(int), syclex::prefetch_type::host);
  syclex::mem_advise(q, to, SIZE * sizeof(int), 0);
  q.wait();
  EXPECT_TRUE(std::equal(from, from + SIZE, to));
  syclex::fill(q, to, 7, SIZE);
  syclex::memset(q, to, 0xff, sizeof(int));
  syclex::submit(q, [&](handler& h) { syclex::fill(h, to + 1, 3, 1); });
  q.wait();
  EXPECT_EQ(to[0], -1);
  EXPECT_EQ(to[1], 3);
  EXPECT_EQ(to[SIZE - 1], 7);
  sycl::free(from, q);
  sycl::free(to, q);
}

/// Two arrays of rows, of which a part is copied and filled.
template <class T>
void check_rows(queue& q, usm::alloc from_kind, usm::alloc to_kind) {
  constexpr std::size_t FROM_PITCH = 10, TO_PITCH = 12, ROWS = 16, WIDTH = 5, HEIGHT = 8;
  constexpr std::size_t FROM_FIRST = 2 * FROM_PITCH + 3, TO_FIRST = TO_PITCH + 4;
  T* const from = sycl::malloc<T>(FROM_PITCH * ROWS, q, from_kind);
  T* const to = sycl::malloc<T>(TO_PITCH * ROWS, q, to_kind);
  std::vector<T> values(FROM_PITCH * ROWS), result(TO_PITCH * ROWS);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<T>(i);
  q.copy(values.data(), from, values.size()).wait();
  const auto expect = [&](auto&& inside) {
    q.wait();
    q.copy(to, result.data(), result.size()).wait();
    for (std::size_t y = 0; y < ROWS; ++y)
      for (std::size_t x = 0; x < TO_PITCH; ++x) {
        const bool is_in = y >= 1 && y < 1 + HEIGHT && x >= 4 && x < 4 + WIDTH;
        ASSERT_EQ(result[y * TO_PITCH + x], is_in ? inside(x - 4, y - 1) : T(99)) << x << ", " << y;
      }
    q.fill(to, T(99), TO_PITCH * ROWS).wait();
  };
  q.fill(to, T(99), TO_PITCH * ROWS).wait();
  const auto copied = [&](std::size_t x, std::size_t y) { return values[FROM_FIRST + y * FROM_PITCH + x]; };
  event last = q.ext_oneapi_copy2d(from + FROM_FIRST, FROM_PITCH, to + TO_FIRST, TO_PITCH, WIDTH, HEIGHT);
  expect(copied);
  q.ext_oneapi_memcpy2d(to + TO_FIRST, TO_PITCH * sizeof(T), from + FROM_FIRST, FROM_PITCH * sizeof(T),
                        WIDTH * sizeof(T), HEIGHT, last);
  expect(copied);
  q.ext_oneapi_copy2d(values.data() + FROM_FIRST, FROM_PITCH, to + TO_FIRST, TO_PITCH, WIDTH, HEIGHT,
                      std::vector{last});
  expect(copied);
  q.submit([&](handler& h) { h.ext_oneapi_fill2d(to + TO_FIRST, TO_PITCH, T(42), WIDTH, HEIGHT); });
  expect([](auto...) { return T(42); });
  q.ext_oneapi_memset2d(to + TO_FIRST, TO_PITCH * sizeof(T), 0, WIDTH * sizeof(T), HEIGHT);
  expect([](auto...) { return T(0); });
  sycl::free(from, q);
  sycl::free(to, q);
}

TEST(memcpy2d, reaches_the_rows_alone) {
  queue q{property::queue::in_order()};
  check_rows<unsigned char>(q, usm::alloc::device, usm::alloc::device);
  check_rows<int>(q, usm::alloc::device, usm::alloc::shared);
  check_rows<int>(q, usm::alloc::host, usm::alloc::device);
  check_rows<double>(q, usm::alloc::shared, usm::alloc::host);
}

TEST(memcpy2d, takes_no_rows_that_overlap) {
  queue q;
  std::array<int, 64> a{}, b{};
  EXPECT_EQ(code_of([&] { q.ext_oneapi_memcpy2d(a.data(), 8, b.data(), 16, 9, 2); }), errc::invalid);
  EXPECT_EQ(code_of([&] { q.ext_oneapi_copy2d(a.data(), 8, b.data(), 16, 9, 2); }), errc::invalid);
  EXPECT_EQ(code_of([&] { q.ext_oneapi_memset2d(a.data(), 8, 0, 9, 2); }), errc::invalid);
  EXPECT_EQ(code_of([&] { q.ext_oneapi_fill2d(a.data(), 8, 0, 9, 2); }), errc::invalid);
  EXPECT_EQ(code_of([&] { q.ext_oneapi_memset2d(nullptr, 8, 0, 8, 2); }), errc::invalid);
  EXPECT_NO_THROW(q.ext_oneapi_memset2d(nullptr, 8, 0, 8, 0).wait());
}

TEST(in_order_queue_events, give_the_last_command) {
  queue q{property::queue::in_order()};
  EXPECT_FALSE(q.ext_oneapi_get_last_event().has_value());
  gate first;
  const event submitted = first.put_into(q);
  EXPECT_EQ(q.ext_oneapi_get_last_event(), submitted);
  EXPECT_FALSE(is_complete(*q.ext_oneapi_get_last_event()));
  const event second = q.single_task([] {});
  EXPECT_EQ(q.ext_oneapi_get_last_event(), second);
  first.open();
  q.ext_oneapi_get_last_event()->wait();
  EXPECT_TRUE(is_complete(submitted));
}

TEST(in_order_queue_events, put_external_ones_in_front_of_the_next_command) {
  queue q{property::queue::in_order()}, other(q.get_context(), q.get_device());
  gate replaced, awaited;
  q.ext_oneapi_set_external_event(replaced.put_into(other));
  q.ext_oneapi_set_external_event(awaited.put_into(other));
  event next = q.single_task([] {});
  event after_next = q.single_task([] {});
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(is_complete(next));
  EXPECT_FALSE(is_complete(after_next));
  awaited.open();
  after_next.wait();
  replaced.open();
  other.wait();
}

TEST(in_order_queue_events, are_what_wait_waits_for) {
  queue q{property::queue::in_order()}, other(q.get_context(), q.get_device());
  gate awaited;
  const event external = awaited.put_into(other);
  q.ext_oneapi_set_external_event(external);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    awaited.open();
  });
  q.wait();
  EXPECT_TRUE(is_complete(external));
  opener.join();
  // One of the queue's own that nothing comes after.
  queue last{property::queue::in_order()};
  last.ext_oneapi_set_external_event(last.single_task([] {}));
}

TEST(in_order_queue_events, need_order_and_events) {
  queue out_of_order,
      discarding{property_list{property::queue::in_order(), queue_property::discard_events()}};
  for (queue& q : {std::ref(out_of_order), std::ref(discarding)}) {
    EXPECT_EQ(code_of([&] { q.ext_oneapi_get_last_event(); }), errc::invalid);
    EXPECT_EQ(code_of([&] { q.ext_oneapi_set_external_event(event()); }), errc::invalid);
  }
}

TEST(queue_properties, are_accepted_unless_they_contradict) {
  const auto make = [](const property_list& properties) {
    return code_of([&] { queue(properties).single_task([] {}); });
  };
  EXPECT_EQ(make({queue_property::discard_events(), property::queue::in_order()}), errc::success);
  EXPECT_EQ(make({queue_property::discard_events(), property::queue::enable_profiling()}), errc::invalid);
  EXPECT_EQ(make({queue_property::priority_high()}), errc::success);
  EXPECT_EQ(make({queue_property::priority_low(), property::queue::in_order()}), errc::success);
  EXPECT_EQ(make({queue_property::priority_normal(), queue_property::priority_low()}), errc::invalid);
  EXPECT_EQ(make({intel_property::immediate_command_list()}), errc::success);
  EXPECT_EQ(make({intel_property::immediate_command_list(), intel_property::no_immediate_command_list()}),
            errc::invalid);
  EXPECT_EQ(device().get_info<ext::intel::info::device::max_compute_queue_indices>(), 1);
  EXPECT_EQ(make({intel_property::compute_index(0)}), errc::success);
  EXPECT_EQ(make({intel_property::compute_index(1)}), errc::invalid);
  EXPECT_EQ(make({intel_property::compute_index(-1)}), errc::invalid);
  EXPECT_TRUE((is_property_of_v<queue_property::priority_high, queue>));
}

TEST(queue_empty, is_true_when_all_is_complete) {
  queue q;
  gate first;
  first.put_into(q);
  EXPECT_FALSE(q.ext_oneapi_empty());
  first.open();
  q.wait();
  EXPECT_TRUE(q.ext_oneapi_empty());
}

TEST(profiling_tag, takes_the_time_between_commands) {
  for (const property_list& properties : {property_list{}, property_list{property::queue::in_order()},
                                          property_list{property::queue::enable_profiling()}}) {
    queue q(properties);
    EXPECT_TRUE(q.get_device().has(aspect::ext_oneapi_queue_profiling_tag));
    const event start = syclex::submit_profiling_tag(q);
    const event between = q.single_task([] {});
    q.submit(
        [](handler& h) { h.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }); });
    const event end = syclex::submit_profiling_tag(q);
    q.wait();
    using namespace info::event_profiling;
    EXPECT_EQ(start.get_profiling_info<command_submit>(), start.get_profiling_info<command_start>());
    EXPECT_EQ(start.get_profiling_info<command_end>(), start.get_profiling_info<command_start>());
    EXPECT_GE(end.get_profiling_info<command_start>() - start.get_profiling_info<command_end>(), 15'000'000u);
    if (!q.has_property<property::queue::enable_profiling>()) {
      EXPECT_EQ(code_of([&] { between.get_profiling_info<command_start>(); }), errc::invalid);
    }
  }
}

TEST(current_device, belongs_to_a_thread) {
  namespace this_thread = syclex::this_thread;
  EXPECT_EQ(this_thread::get_current_device(), device(default_selector_v));
  for (const device& each : device::get_devices()) {
    this_thread::set_current_device(each);
    EXPECT_EQ(this_thread::get_current_device(), each);
    std::async(std::launch::async, [] { EXPECT_EQ(this_thread::get_current_device(), device()); }).get();
  }
  this_thread::set_current_device(device());
}

TEST(devices, are_not_composite) {
  const device own;
  EXPECT_TRUE(syclex::get_composite_devices().empty());
  EXPECT_TRUE(own.get_platform().ext_oneapi_get_composite_devices().empty());
  EXPECT_FALSE(own.has(aspect::ext_oneapi_is_composite));
  EXPECT_FALSE(own.has(aspect::ext_oneapi_is_component));
  EXPECT_TRUE(own.get_info<syclex::info::device::component_devices>().empty());
  EXPECT_EQ(code_of([&] { own.get_info<syclex::info::device::composite_device>(); }), errc::invalid);
}

TEST(devices, know_contexts_indices_and_limits) {
  const device own;
  const platform of = own.get_platform();
  EXPECT_EQ(own.ext_oneapi_get_default_context(), queue(own).get_context());
  EXPECT_EQ(of.ext_oneapi_get_default_context(), of.khr_get_default_context());
  const std::vector<device> all = of.get_devices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].ext_oneapi_index_within_platform(), i);
    EXPECT_EQ(of.ext_oneapi_device_at_index(i), all[i]);
  }
  EXPECT_EQ(code_of([&] { of.ext_oneapi_device_at_index(all.size()); }), errc::invalid);
  EXPECT_EQ(own.get_info<ext::oneapi::info::device::num_compute_units>(),
            own.get_info<info::device::max_compute_units>());
  const id<3> groups = own.get_info<syclex::info::device::max_work_groups<3>>();
  EXPECT_GE(groups[0], 65535u);
  EXPECT_GT(static_cast<int>(groups[0]), 0) << "what an int cannot hold, programs for DPC++ cannot use";
  EXPECT_GE(own.get_info<syclex::info::device::max_global_work_groups>(), groups[2]);
}

TEST(filter_selector, takes_the_first_filter_that_names_a_device) {
  using ext::oneapi::filter_selector;
  const device own;
  const std::string type = own.is_cpu() ? "cpu" : "gpu", backend = own.is_cpu() ? "opencl" : "cuda";
  for (const std::string& filter :
       {type, backend, backend + ":" + type, type + ":0", backend + ":" + type + ":0", "hip:gpu:7," + type,
        "level_zero, " + type + " : 0"})
    EXPECT_EQ(device(filter_selector(filter)), own) << filter;
  EXPECT_EQ(filter_selector("0").select_device(), device::get_devices().front());
  EXPECT_EQ(code_of([] { device(filter_selector("accelerator")); }), errc::runtime);
  EXPECT_EQ(code_of([] { filter_selector("level_zero").select_device(); }), errc::runtime);
  for (const char* const wrong : {"", "gup", "cuda:gpu:x", "gpu:cuda", "cuda:gpu:0:1", "gpu,,cpu", "gpu:1:0"})
    EXPECT_EQ(code_of([&] { filter_selector{wrong}; }), errc::runtime) << wrong;
}

constexpr std::size_t MANY = std::size_t{1} << 20;

/// Until what a complete command has freed is back in the pool.
template <class Condition>
bool comes_true(const Condition& condition) {
  for (int attempt = 0; attempt < 2000 && !condition(); ++attempt)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return condition();
}

TEST(memory_pool, keeps_up_to_its_threshold) {
  queue q{property::queue::in_order()};
  EXPECT_TRUE(q.get_device().has(aspect::ext_oneapi_async_memory_alloc));
  const syclex::memory_pool pool(q, usm::alloc::device,
                                 syclex::properties{syclex::property::memory_pool::initial_threshold(MANY)});
  EXPECT_EQ(pool.get_context(), q.get_context());
  EXPECT_EQ(pool.get_device(), q.get_device());
  EXPECT_EQ(pool.get_alloc_kind(), usm::alloc::device);
  EXPECT_EQ(pool.get_threshold(), MANY);
  void* const first = syclex::async_malloc_from_pool(q, MANY, pool);
  EXPECT_EQ(get_pointer_type(first, q.get_context()), usm::alloc::device);
  EXPECT_EQ(pool.get_used_size_current(), MANY);
  syclex::async_free(q, first);
  q.wait();
  EXPECT_TRUE(comes_true([&] { return pool.get_used_size_current() == 0; }));
  EXPECT_EQ(pool.get_reserved_size_current(), MANY);
  void* const second = syclex::async_malloc_from_pool(q, MANY - 100, pool);
  EXPECT_EQ(second, first);
  void* const third = syclex::async_malloc_from_pool(q, 2 * MANY, pool);
  EXPECT_EQ(pool.get_reserved_size_current(), 3 * MANY);
  syclex::async_free(q, third);
  q.wait();
  EXPECT_TRUE(comes_true([&] { return pool.get_reserved_size_current() == MANY; }));
  syclex::async_free(q, second);
  q.wait();
  EXPECT_TRUE(comes_true([&] { return pool.get_used_size_current() == 0; }));
  EXPECT_EQ(pool.get_reserved_size_current(), MANY);
  syclex::memory_pool copy = pool;
  copy.increase_threshold_to(1);
  EXPECT_EQ(pool.get_threshold(), MANY);
  copy.increase_threshold_to(2 * MANY);
  EXPECT_EQ(pool.get_threshold(), 2 * MANY);
  EXPECT_EQ(copy, pool);
}

TEST(memory_pool, frees_when_the_commands_turn_has_come) {
  queue q;
  const context of = q.get_context();
  const syclex::memory_pool pool = of.ext_oneapi_get_default_memory_pool(q.get_device(), usm::alloc::device);
  EXPECT_EQ(pool, of.ext_oneapi_get_default_memory_pool(q.get_device(), usm::alloc::device));
  int* data = nullptr;
  const event allocated = syclex::submit_with_event(q, [&](handler& h) {
    data = static_cast<int*>(syclex::async_malloc(h, usm::alloc::device, 4 * sizeof(int)));
  });
  const std::size_t used = pool.get_used_size_current();
  gate held;
  const event before = held.put_into(q);
  const event written = q.submit([&](handler& h) {
    h.depends_on({allocated, before});
    h.single_task([=] { data[3] = 42; });
  });
  int result = 0;
  const event read = q.copy(data + 3, &result, 1, written);
  syclex::submit(q, [&](handler& h) {
    h.depends_on(read);
    syclex::async_free(h, data);
  });
  EXPECT_EQ(pool.get_used_size_current(), used);
  held.open();
  q.wait();
  EXPECT_EQ(result, 42);
  EXPECT_TRUE(comes_true([&] { return pool.get_used_size_current() < used; }));
  EXPECT_EQ(code_of([&] { syclex::async_free(q, data); }), errc::invalid);
}

TEST(memory_pool, has_a_maximum_and_zeros) {
  // Beyond the maximum there is a null pointer and an asynchronous error.
  std::vector<errc> errors;
  queue q{[&](exception_list list) {
            for (const std::exception_ptr& each : list)
              errors.push_back(code_of([&] { std::rethrow_exception(each); }));
          },
          property::queue::in_order()};
  namespace pools = syclex::property::memory_pool;
  const syclex::memory_pool pool(q.get_context(), q.get_device(), usm::alloc::device,
                                 syclex::properties{pools::maximum_size(MANY), pools::zero_init()});
  EXPECT_EQ(syclex::async_malloc_from_pool(q, 2 * MANY, pool), nullptr);
  q.wait_and_throw();
  EXPECT_EQ(errors, std::vector<errc>{errc::memory_allocation});
  // What is about to be freed is waited for.
  for (int turn = 0; turn < 8; ++turn) {
    auto* const bytes = static_cast<unsigned char*>(syclex::async_malloc_from_pool(q, MANY, pool));
    unsigned char last = 1;
    q.copy(bytes + MANY - 1, &last, 1).wait();
    EXPECT_EQ(last, 0);
    q.memset(bytes, 0, MANY);
    syclex::async_free(q, bytes);
  }
  void* const half = syclex::async_malloc_from_pool(q, MANY / 2, pool);
  EXPECT_EQ(pool.get_used_size_current(), MANY / 2);
  void* beyond = half;
  syclex::submit(q, [&](handler& h) { beyond = syclex::async_malloc_from_pool(h, MANY, pool); });
  EXPECT_EQ(beyond, nullptr);
  EXPECT_EQ(code_of([&] { sycl::free(half, q); }), errc::invalid);
  syclex::async_free(q, half);
  q.wait_and_throw();
  EXPECT_EQ(errors.size(), 2);
  EXPECT_NE(std::hash<syclex::memory_pool>()(pool),
            std::hash<syclex::memory_pool>()(syclex::memory_pool(q, usm::alloc::device)));
}

TEST(memory_pool, is_for_device_memory_of_one_context) {
  queue q;
  const queue other(context(q.get_device()), q.get_device());
  const syclex::memory_pool pool(q, usm::alloc::device);
  EXPECT_EQ(code_of([&] { syclex::memory_pool(q, usm::alloc::shared); }), errc::invalid);
  EXPECT_EQ(code_of([&] { syclex::async_malloc(q, usm::alloc::host, 8); }), errc::invalid);
  EXPECT_EQ(code_of([&] { syclex::async_malloc_from_pool(other, 8, pool); }), errc::invalid);
  int* const plain = malloc_device<int>(1, q);
  EXPECT_EQ(code_of([&] { syclex::async_free(q, plain); }), errc::invalid);
  sycl::free(plain, q);
  EXPECT_NO_THROW(syclex::async_free(q, nullptr));
  void* const empty = syclex::async_malloc(q, usm::alloc::device, 0);
  syclex::async_free(q, empty);
  q.wait();
}

TEST(accessor_property_list, is_taken_by_accessors) {
  using namespace ext::oneapi;
  queue q;
  buffer<int> values(range<1>(8));
  q.submit([&](handler& h) {
    accessor out(values, h, write_only, accessor_property_list{no_alias, no_init});
    h.parallel_for(range<1>(8), [=](id<1> i) { out[i] = static_cast<int>(i[0]); });
  });
  q.submit([&](handler& h) {
    accessor both(values, h, accessor_property_list{no_offset, no_alias});
    h.parallel_for(range<1>(8), [=](id<1> i) { both[i] *= 2; });
  });
  EXPECT_EQ(values.get_host_access()[7], 14);
  const accessor_property_list list{no_alias, no_init};
  static_assert(decltype(list)::has_property<ext::oneapi::property::no_alias>());
  static_assert(!decltype(list)::has_property<ext::oneapi::property::no_offset>());
  EXPECT_TRUE(list.has_property<sycl::property::no_init>());
}

template <class T, int D, access_mode M, target G, access::placeholder P, class L,
          class = std::enable_if_t<
              accessor<T, D, M, G, P, L>::template has_property<ext::oneapi::property::no_alias>()>>
void wants_no_alias(const accessor<T, D, M, G, P, L>&) {}

// As the document's examples have it.
TEST(accessor_property_list, is_part_of_the_type) {
  using namespace ext::oneapi;
  namespace properties = ext::oneapi::property;
  queue q;
  buffer<int> values(range<1>(8));
  q.submit([&](handler& h) {
    accessor none(values, h);
    accessor listed(values, h, write_only, {no_init});
    accessor short_list(values, h, no_init);
    static_assert(std::is_same_v<decltype(none), accessor<int>> &&
                  std::is_same_v<decltype(short_list), accessor<int>> &&
                  std::is_same_v<decltype(listed), accessor<int, 1, access_mode::write>>);
    accessor a(values, h, accessor_property_list{no_alias});
    accessor b(values, h, accessor_property_list{no_alias, no_init});
    accessor c(values, h, accessor_property_list{no_alias, no_offset});
    accessor d(values, h, accessor_property_list{no_offset, no_alias});
    a = b;
    b = a;
    d = c;
    static_assert(!std::is_assignable_v<decltype(a)&, decltype(c)> &&
                  !std::is_assignable_v<decltype(a)&, decltype(none)>);
    static_assert(decltype(a)::has_property<properties::no_alias>() &&
                  !decltype(a)::has_property<properties::no_offset>() &&
                  !decltype(none)::has_property<properties::no_alias>());
    static_assert(decltype(a)::get_property<properties::no_alias>() == no_alias);
    wants_no_alias(d);
    accessor<int, 1, access_mode::read_write, target::device, access::placeholder::false_t,
             accessor_property_list<properties::no_alias::instance<>, sycl::property::no_init>>
        spelled = a;
    accessor part(values, h, range<1>(4), id<1>(2), read_only, accessor_property_list{no_alias});
    accessor placeholder(values, accessor_property_list{no_alias});
    h.require(placeholder);
    EXPECT_EQ(std::hash<decltype(a)>()(a), std::hash<decltype(b)>()(b));
    h.parallel_for(range<1>(8), [=](id<1> i) {
      multi_ptr<int, access::address_space::global_space> pointer(spelled);
      pointer[i] = static_cast<int>(i[0]) + static_cast<int>(part.size());
    });
  });
  EXPECT_EQ(values.get_host_access()[7], 11);
  const accessor_property_list<> plain = property_list{no_init};
  EXPECT_TRUE(plain.has_property<sycl::property::no_init>());
}

TEST(memory_properties, are_hints) {
  namespace buffer_property = ext::oneapi::property::buffer;
  const property_list pinned{buffer_property::use_pinned_host_memory()};
  buffer<int> own(range<1>(4), pinned);
  EXPECT_TRUE(own.has_property<buffer_property::use_pinned_host_memory>());
  int value = 0;
  EXPECT_EQ(code_of([&] { buffer<int>(&value, range<1>(1), pinned); }), errc::invalid);
  queue q;
  int* const shared = malloc_shared<int>(1, q, property_list{ext::oneapi::property::usm::device_read_only()});
  *shared = 3;
  EXPECT_EQ(*shared, 3);
  sycl::free(shared, q);
}

} // namespace
