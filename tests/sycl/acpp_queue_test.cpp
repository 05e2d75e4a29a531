// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AdaptiveCpp's extensions of queues and command groups: UPDATE_DEVICE, QUEUE_WAIT_LIST,
// COARSE_GRAINED_EVENTS, PREFETCH_HOST, SYNCHRONOUS_MEM_ADVISE, FP_ATOMICS, AUTO_PLACEHOLDER_REQUIRE,
// CG_PROPERTY_*.
#define ACPP_EXT_FP_ATOMICS
#include "../thrown_message.hpp"
#include <CL/sycl.hpp>

#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#if !defined(ACPP_EXT_UPDATE_DEVICE) || !defined(ACPP_EXT_QUEUE_WAIT_LIST) ||                                \
    !defined(ACPP_EXT_COARSE_GRAINED_EVENTS) || !defined(ACPP_EXT_PREFETCH_HOST) ||                          \
    !defined(ACPP_EXT_SYNCHRONOUS_MEM_ADVISE) || !defined(ACPP_EXT_AUTO_PLACEHOLDER_REQUIRE) ||              \
    !defined(ACPP_EXT_CG_PROPERTY_PREFER_GROUP_SIZE) || !defined(ACPP_EXT_CG_PROPERTY_RETARGET) ||           \
    !defined(ACPP_EXT_CG_PROPERTY_PREFER_EXECUTION_LANE) || !defined(ACPP_EXT_ENQUEUE_CUSTOM_OPERATION) ||   \
    !defined(SYCL_EXT_ACPP_FP_ATOMICS)
#error "a feature-test macro of AdaptiveCpp's is missing"
#endif

namespace {

namespace group_property = sycl::property::command_group;
namespace queue_property = sycl::property::queue;
using sycl::property_list;

TEST(acpp_update, brings_contents_to_the_device_and_leaves_the_host_current) {
  sycl::queue queue;
  std::vector<int> data{1, 2, 3, 4};
  sycl::buffer<int> buffer(data.data(), sycl::range<1>(4));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::read_write);
    group.update(access);
  });
  sycl::event read = queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::read_only);
    group.update(access);
  });
  read.wait();
  {
    sycl::host_accessor host(buffer, sycl::read_write);
    EXPECT_EQ(host[3], 4);
    host[3] = 5;
  }
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::read_write);
    group.single_task([=] { access[0] += access[3]; });
  });
  EXPECT_EQ(sycl::host_accessor(buffer)[0], 6);
}

TEST(acpp_update, of_an_accessor_with_no_init_allocates_only) {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(1000));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
    group.update(access);
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
    group.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { access[i] = static_cast<int>(i[0]); });
  });
  EXPECT_EQ(sycl::host_accessor(buffer)[999], 999);
}

TEST(acpp_update, refuses_the_accessor_of_another_command_group) {
  sycl::queue queue;
  sycl::buffer<int> buffer(sycl::range<1>(1));
  sycl::accessor<int> placeholder(buffer);
  const std::string message = message_of(
      sycl::errc::invalid, [&] { queue.submit([&](sycl::handler& group) { group.update(placeholder); }); });
  EXPECT_TRUE(mentions(message, "update")) << message;
}

TEST(acpp_wait_list, covers_all_that_was_submitted) {
  for (const bool in_order : {false, true}) {
    sycl::queue queue(
        in_order ? property_list(queue_property::in_order(), queue_property::AdaptiveCpp_retargetable())
                 : property_list());
    int* const counter = sycl::malloc_shared<int>(11, queue);
    std::vector<sycl::event> events;
    for (int i = 0; i < 10; ++i)
      events.push_back(queue.single_task([=] { counter[i] = i; }));
    const std::vector<sycl::event> list = queue.get_wait_list();
    if (in_order)
      EXPECT_LE(list.size(), 1u);
    queue
        .single_task(list,
                     [=] {
                       counter[10] = 0;
                       for (int i = 0; i < 10; ++i)
                         counter[10] += counter[i];
                     })
        .wait();
    EXPECT_EQ(counter[10], 45);
    for (const sycl::event& event : events)
      EXPECT_EQ(event.get_info<sycl::info::event::command_execution_status>(),
                sycl::info::event_command_status::complete);
    queue.wait();
    EXPECT_TRUE(queue.get_wait_list().empty());
    sycl::free(counter, queue);
  }
}

TEST(acpp_coarse_grained_events, are_events) {
  sycl::queue queue{queue_property::AdaptiveCpp_coarse_grained_events()};
  EXPECT_TRUE(queue.has_property<queue_property::AdaptiveCpp_coarse_grained_events>());
  int* const value = sycl::malloc_shared<int>(11, queue);
  const sycl::event first = queue.single_task([=] { value[0] = 1; });
  std::vector<sycl::event> events;
  for (std::size_t i = 0; i < 10; ++i)
    events.push_back(queue.submit({group_property::AdaptiveCpp_prefer_execution_lane(i),
                                   group_property::AdaptiveCpp_coarse_grained_events()},
                                  [&](sycl::handler& group) {
                                    group.depends_on(first);
                                    group.single_task([=] { value[i + 1] = value[0] + static_cast<int>(i); });
                                  }));
  for (std::size_t i = 0; i < 10; ++i) {
    events[i].wait();
    EXPECT_EQ(value[i + 1], 1 + static_cast<int>(i));
  }
  sycl::free(value, queue);
}

TEST(acpp_lanes, beyond_the_last_are_counted_from_the_first) {
  sycl::queue queue;
  int* const value = sycl::malloc_shared<int>(4, queue);
  for (const std::size_t lane : {std::size_t{0}, std::size_t{1000}, ~std::size_t{0}})
    queue.submit({group_property::hipSYCL_prefer_execution_lane(lane)},
                 [&](sycl::handler& group) { group.single_task([=] { value[lane % 4] = 7; }); });
  queue.wait();
  EXPECT_EQ(value[0] + value[3], 14);
  sycl::free(value, queue);
}

TEST(acpp_prefetch_host, keeps_shared_memory_as_it_is) {
  sycl::queue queue{queue_property::in_order()};
  constexpr std::size_t count = 4096;
  int* const data = sycl::malloc_shared<int>(count, queue);
  for (std::size_t i = 0; i < count; ++i)
    data[i] = static_cast<int>(i);
  const sycl::event kernel = queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { data[i] += 1; });
  queue.prefetch_host(data, count * sizeof(int));
  queue.prefetch_host(data, count * sizeof(int), kernel);
  queue.prefetch_host(data, count * sizeof(int), std::vector<sycl::event>{kernel}).wait();
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(data[count - 1], static_cast<int>(count));
  queue.prefetch_host(nullptr, 0).wait();
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid, [&] { queue.prefetch_host(nullptr, 1); }), "prefetch_host"));
  sycl::free(data, queue);
}

TEST(acpp_mem_advise, is_taken_at_once) {
  sycl::queue queue;
  int* const data = sycl::malloc_shared<int>(1024, queue);
  sycl::mem_advise(data, 4096, 0, queue);
  sycl::mem_advise(data, 4096, 0, queue.get_context(), queue.get_device());
  if (queue.get_backend() == sycl::backend::cuda) {
    sycl::mem_advise(data, 4096, sycl::cuda::cuda_mem_advise_set_read_mostly, queue);
    sycl::mem_advise(data, 4096, sycl::cuda::cuda_mem_advise_unset_read_mostly, queue);
  }
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid, [&] { sycl::mem_advise(nullptr, 1, 0, queue); }), "null"));
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  if (devices.size() > 1)
    EXPECT_TRUE(
        mentions(message_of(sycl::errc::invalid,
                            [&] { sycl::mem_advise(data, 1, 0, sycl::context(devices[0]), devices[1]); }),
                 "context"));
  sycl::free(data, queue);
}

template <class T>
void check_floating_point_atomics() {
  sycl::queue queue;
  if (sizeof(T) == 8 && !queue.get_device().has(sycl::aspect::atomic64))
    return;
  sycl::buffer<T> buffer(sycl::range<1>(4));
  {
    sycl::host_accessor host(buffer, sycl::write_only, sycl::no_init);
    for (int i = 0; i < 4; ++i)
      host[i] = T(100);
  }
  queue.submit([&](sycl::handler& group) {
    auto access = buffer.template get_access<sycl::access_mode::atomic>(group);
    group.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) {
      const T value = static_cast<T>(i[0]);
      access[0].fetch_add(value);
      sycl::atomic_fetch_sub(access[1], T(0.5));
      access[2].fetch_min(value);
      access[3].fetch_max(value * 2);
    });
  });
  sycl::host_accessor host(buffer);
  EXPECT_EQ(host[0], T(100 + 63 * 32));
  EXPECT_EQ(host[1], T(68));
  EXPECT_EQ(host[2], T(0));
  EXPECT_EQ(host[3], T(126));
}

TEST(acpp_atomics, do_floating_point_arithmetic) {
  check_floating_point_atomics<float>();
  check_floating_point_atomics<double>();
}

TEST(acpp_automatic_require, requires_until_it_is_released) {
  namespace s = cl::sycl;
  s::queue queue;
  s::buffer<int, 1> buffer{1};
  s::accessor<int, 1, s::access::mode::read_write, s::access::target::global_buffer,
              s::access::placeholder::true_t>
      access{buffer};
  const auto add = [&](int value) {
    queue.submit([&](s::handler& group) { group.single_task([=] { access[0] += value; }); });
  };
  const auto contents = [&] { return s::host_accessor(buffer)[0]; };
  s::host_accessor{buffer}[0] = 0;

  EXPECT_TRUE(mentions(message_of(s::errc::kernel_argument, [&] { add(1); }), "require"));
  auto required = s::vendor::hipsycl::automatic_require(queue, access);
  EXPECT_TRUE(required.is_required());
  add(1);
  EXPECT_EQ(contents(), 1);
  queue.submit([&](s::handler& group) {
    group.require(access); // again, which changes nothing
    group.single_task([=] { access[0] += 10; });
  });
  EXPECT_EQ(contents(), 11);
  required.release();
  EXPECT_FALSE(required.is_required());
  message_of(s::errc::kernel_argument, [&] { add(1); });
  required.reacquire();
  EXPECT_TRUE(required.is_required());
  add(100);
  EXPECT_EQ(contents(), 111);
  {
    auto moved = std::move(required);
    add(1000);
    EXPECT_EQ(contents(), 1111);
  }
  message_of(s::errc::kernel_argument, [&] { add(1); });
}

TEST(acpp_automatic_require, takes_placeholders_only_and_complains_when_their_buffer_is_gone) {
  sycl::queue queue;
  sycl::accessor<int> nothing;
  message_of(sycl::errc::invalid, [&] { sycl::vendor::hipsycl::automatic_require(queue, nothing); });
  auto buffer = std::make_unique<sycl::buffer<int>>(sycl::range<1>(1));
  sycl::accessor<int> placeholder(*buffer);
  auto required = sycl::vendor::hipsycl::automatic_require(queue, placeholder);
  buffer.reset();
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::invalid, [&] { queue.single_task([=] {}); }), "has been destroyed"));
  required.release();
  queue.single_task([=] {}).wait();
}

TEST(acpp_prefer_group_size, is_for_ranges_of_its_dimension) {
  sycl::queue queue;
  int* const counts = sycl::malloc_shared<int>(3, queue);
  const property_list sizes(group_property::AdaptiveCpp_prefer_group_size<1>(sycl::range<1>(96)),
                            group_property::AdaptiveCpp_prefer_group_size<2>(sycl::range<2>(9, 9)));
  for (int i = 0; i < 3; ++i)
    counts[i] = 0;
  using counter = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;
  queue.submit(sizes, [&](sycl::handler& group) {
    group.parallel_for(sycl::range<1>(1000), [=](sycl::id<1>) { counter(counts[0])++; });
  });
  queue.submit(sizes, [&](sycl::handler& group) {
    group.parallel_for(sycl::range<2>(31, 30), [=](sycl::id<2>) { counter(counts[1])++; });
  });
  queue.submit(sizes, [&](sycl::handler& group) { // no preference for three dimensions
    group.parallel_for(sycl::range<3>(10, 10, 11), [=](sycl::id<3>) { counter(counts[2])++; });
  });
  // More than any device has: no preference, either.
  queue.submit({group_property::AdaptiveCpp_prefer_group_size<1>(sycl::range<1>(1 << 30))},
               [&](sycl::handler& group) {
                 group.parallel_for(sycl::range<1>(1000), [=](sycl::id<1>) { counter(counts[0])++; });
               });
  queue.wait();
  EXPECT_EQ(counts[0], 2000);
  EXPECT_EQ(counts[1], 930);
  EXPECT_EQ(counts[2], 1100);
  EXPECT_TRUE(mentions(
      message_of(sycl::errc::invalid,
                 [&] {
                   queue.submit({group_property::AdaptiveCpp_prefer_group_size<2>(sycl::range<2>(0, 9))},
                                [&](sycl::handler& group) { group.single_task([] {}); });
                 }),
      "at least 1"));
  sycl::free(counts, queue);
}

TEST(acpp_retarget, keeps_the_order_of_an_in_order_queue_across_devices) {
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  sycl::queue queue(devices.front(),
                    {queue_property::in_order(), queue_property::AdaptiveCpp_retargetable()});
  sycl::buffer<int> buffer(sycl::range<1>(1000));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor access(buffer, group, sycl::write_only, sycl::no_init);
    group.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { access[i] = static_cast<int>(i[0]); });
  });
  std::vector<int> log; // of host tasks, which nothing but the queue's order protects
  for (int round = 0; round < 20; ++round)
    for (const sycl::device& device : devices) {
      queue.submit({group_property::AdaptiveCpp_retarget(device)}, [&](sycl::handler& group) {
        sycl::accessor access(buffer, group, sycl::read_write);
        group.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { access[i] += 1; });
      });
      queue.submit({group_property::AdaptiveCpp_retarget(device)},
                   [&](sycl::handler& group) { group.host_task([&log, round] { log.push_back(round); }); });
    }
  EXPECT_LE(queue.get_wait_list().size(), 1u);
  queue.wait();
  ASSERT_EQ(log.size(), 20 * devices.size());
  for (std::size_t i = 1; i < log.size(); ++i)
    EXPECT_LE(log[i - 1], log[i]);
  EXPECT_EQ(sycl::host_accessor(buffer)[999], 999 + static_cast<int>(20 * devices.size()));
}

TEST(acpp_retarget, needs_a_retargetable_queue) {
  sycl::queue queue;
  const std::string message = message_of(sycl::errc::invalid, [&] {
    queue.submit({group_property::AdaptiveCpp_retarget(queue.get_device())},
                 [&](sycl::handler& group) { group.single_task([] {}); });
  });
  EXPECT_TRUE(mentions(message, "AdaptiveCpp_retargetable")) << message;
}

TEST(acpp_retarget, errors_reach_the_handler_of_the_queue) {
  const std::vector<sycl::device> devices = sycl::device::get_devices();
  std::vector<std::string> errors;
  sycl::queue queue(
      devices.front(),
      [&](sycl::exception_list list) {
        for (const std::exception_ptr& error : list)
          errors.push_back(message_of(sycl::errc::kernel, [&] { std::rethrow_exception(error); }));
      },
      queue_property::AdaptiveCpp_retargetable());
  for (const sycl::device& device : devices)
    queue.submit({group_property::AdaptiveCpp_retarget(device)}, [&](sycl::handler& group) {
      group.host_task([] { throw sycl::exception(sycl::errc::kernel, "on purpose"); });
    });
  queue.wait_and_throw();
  EXPECT_EQ(errors.size(), devices.size());
}

TEST(acpp_custom_operation, has_its_older_name) {
  sycl::queue queue;
  bool ran = false;
  const sycl::event first = queue.single_task([] {});
  queue.hipSYCL_enqueue_custom_operation([&](sycl::interop_handle&) { ran = true; }, first).wait();
  EXPECT_TRUE(ran);
}

TEST(acpp_custom_operation, sees_memory_on_the_cpu) {
  if (sycl::device::get_devices(sycl::info::device_type::cpu).empty())
    GTEST_SKIP() << "no CPU is visible";
  sycl::queue queue{sycl::cpu_selector_v};
  std::vector<int> data(4, 1);
  {
    sycl::buffer<int> buffer(data);
    const sycl::accessor placeholder(buffer);
    static_assert(std::is_same_v<sycl::backend_return_t<sycl::backend::omp, sycl::buffer<int, 2>>, void*>);
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access{buffer, group};
      group.AdaptiveCpp_enqueue_custom_operation([=](sycl::interop_handle& interop) {
        void* const memory = interop.get_native_mem<sycl::backend::omp>(access);
        static_cast<int*>(memory)[1] = 5;
      });
    });
    queue.submit([&](sycl::handler& group) {
      group.require(placeholder);
      group.host_task([=](sycl::interop_handle interop) {
        static_cast<int*>(interop.get_native_mem<sycl::backend::cpu>(placeholder))[2] = 6;
      });
    });
  }
  EXPECT_EQ(data, (std::vector<int>{1, 5, 6, 1}));
}

/// The types that AdaptiveCpp's document names, and a selector of the program's own.
struct cpu_scores {
  int operator()(const sycl::device& device) const { return device.is_cpu() ? 1 : -1; }
};
constexpr sycl::multi_device_selector<sycl::cpu_selector, sycl::selection_policy::best> best_cpus;
constexpr sycl::multi_device_selector<cpu_scores> own_selector{cpu_scores{}};
static_assert(std::is_same_v<decltype(sycl::system_selector_v),
                             const sycl::multi_device_selector<sycl::default_selector>>);
static_assert(
    std::is_same_v<decltype(sycl::multi_gpu_selector_v),
                   const sycl::multi_device_selector<sycl::gpu_selector, sycl::selection_policy::best>>);

TEST(acpp_multi_device, selectors_are_constants) {
  for (const sycl::device& device : sycl::device::get_devices()) {
    EXPECT_EQ(best_cpus(device) >= 0, device.is_cpu());
    EXPECT_EQ(own_selector(device) >= 0, device.is_cpu());
    EXPECT_GE(sycl::system_selector_v(device), 0);
  }
}

/// Sums over all work-groups through local memory.
void launch_sums(sycl::queue& queue, sycl::buffer<int>& data, sycl::buffer<int>& sums) {
  queue.submit([&](sycl::handler& group) {
    sycl::accessor in(data, group, sycl::read_only);
    sycl::accessor out(sums, group, sycl::write_only, sycl::no_init);
    sycl::local_accessor<int> local(64, group);
    group.parallel_for(sycl::nd_range<1>(640, 64), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_local_linear_id();
      local[i] = in[item.get_global_linear_id()];
      sycl::group_barrier(item.get_group());
      if (i == 0) {
        int sum = 0;
        for (std::size_t other = 0; other < 64; ++other)
          sum += local[other];
        out[item.get_group_linear_id()] = sum;
      }
    });
  });
}

TEST(acpp_multi_device, runs_all_kinds_of_commands) {
  for (const bool in_order : {false, true}) {
    sycl::queue queue(sycl::system_selector_v,
                      in_order ? property_list(queue_property::in_order()) : property_list());
    EXPECT_EQ(queue.get_devices().size(), sycl::device::get_devices().size());
    sycl::buffer<int> data(sycl::range<1>(640)), sums(sycl::range<1>(10)), total(sycl::range<1>(1));
    sycl::accessor<int> placeholder(data);
    for (int round = 0; round < 12; ++round) { // beyond the launches that are measured
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(data, group, sycl::write_only, sycl::no_init);
        group.parallel_for(sycl::range<1>(640),
                           [=](sycl::id<1> i) { access[i] = static_cast<int>(i[0]) + round; });
      });
      queue.submit([&](sycl::handler& group) {
        group.require(placeholder);
        group.single_task([=] { placeholder[639] += 1; });
      });
      launch_sums(queue, data, sums);
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(sums, group, sycl::read_only);
        const auto sum = sycl::reduction(total, group, sycl::plus<>(),
                                         sycl::property::reduction::initialize_to_identity());
        group.parallel_for(sycl::range<1>(10), sum, [=](sycl::id<1> i, auto& into) { into += access[i]; });
      });
      int seen = 0;
      queue.submit([&](sycl::handler& group) {
        sycl::accessor access(total, group, sycl::read_only_host_task);
        group.host_task([=, &seen] { seen = access[0]; });
      });
      queue.wait();
      EXPECT_EQ(seen, 640 * 639 / 2 + 640 * round + 1);
    }
    EXPECT_EQ(sycl::host_accessor(sums)[0], 64 * 63 / 2 + 64 * 11);
  }
}

constexpr sycl::specialization_id<int> number(3);

// The device is chosen when the command group is complete, but the kernel has the values that it was invoked
// with.
TEST(acpp_multi_device, specialization_constants_set_later_do_not_reach_the_kernel) {
  for (sycl::queue& queue : std::vector{sycl::queue(), sycl::queue(sycl::system_selector_v)}) {
    sycl::buffer<int> result(sycl::range<1>(2));
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(result, group);
      group.set_specialization_constant<number>(4);
      group.single_task([=](sycl::kernel_handler k) { access[0] = k.get_specialization_constant<number>(); });
      group.set_specialization_constant<number>(5);
      EXPECT_EQ(group.get_specialization_constant<number>(), 5);
    });
    queue.submit([&](sycl::handler& group) {
      sycl::accessor access(result, group);
      group.single_task([=](sycl::kernel_handler k) { access[1] = k.get_specialization_constant<number>(); });
      group.set_specialization_constant<number>(6);
    });
    EXPECT_EQ(sycl::host_accessor(result)[0], 4);
    EXPECT_EQ(sycl::host_accessor(result)[1], 3);
  }
}

TEST(acpp_multi_device, copies_and_uses_usm) {
  sycl::queue queue(sycl::system_selector_v, queue_property::in_order());
  int* const shared = sycl::malloc_shared<int>(1000, queue);
  int* const device = sycl::malloc_device<int>(1000, queue);
  std::vector<int> host(1000, -1);
  queue.fill(device, 5, 1000);
  queue.memcpy(shared, device, 1000 * sizeof(int));
  queue.parallel_for(sycl::range<1>(1000), [=](sycl::id<1> i) { device[i] += shared[i]; });
  queue.single_task([=] { shared[0] = 77; });
  queue.prefetch(shared, 1000);
  queue.copy(device, host.data(), 1000).wait();
  EXPECT_EQ(host[999], 10);
  EXPECT_EQ(shared[0], 77);
  sycl::buffer<int> a(host.data(), sycl::range<1>(1000)), b(sycl::range<1>(1000));
  queue.submit([&](sycl::handler& group) {
    sycl::accessor from(a, group, sycl::read_only);
    sycl::accessor to(b, group, sycl::write_only, sycl::no_init);
    group.copy(from, to);
  });
  EXPECT_EQ(sycl::host_accessor(b)[500], 10);
  sycl::free(shared, queue);
  sycl::free(device, queue);
}

TEST(acpp_multi_device, an_empty_range_and_a_bad_one) {
  sycl::queue queue(sycl::system_selector_v);
  queue.parallel_for(sycl::range<1>(0), [](sycl::id<1>) {}).wait();
  EXPECT_TRUE(
      mentions(message_of(sycl::errc::nd_range,
                          [&] { queue.parallel_for(sycl::nd_range<1>(10, 3), [](sycl::nd_item<1>) {}); }),
               "multiple"));
  sycl::buffer<int> buffer(sycl::range<1>(1));
  sycl::accessor<int> placeholder(buffer);
  message_of(sycl::errc::kernel_argument, [&] { queue.single_task([=] { placeholder[0] = 1; }); });
}

} // namespace
