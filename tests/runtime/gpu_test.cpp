// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/backend.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "scheduler/command.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/queue.hpp"
#include "text_of_error.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

/// \file
/// The CUDA backend on a real NVIDIA GPU, without the compiler: kernels are PTX written here. Skipped on
/// machines without one.

namespace {

using namespace falx;
using falx::test::text_of_error;

/// Adds what the function object holds to a number: *pointer += addend.
constexpr const char* ADD = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry add_to(.param .align 8 .b8 function[16], .param .align 8 .b8 launch[48]) {
  .reg .b64 %address;
  .reg .b32 %addend, %value;
  ld.param.u64 %address, [function];
  ld.param.u32 %addend, [function+8];
  cvta.to.global.u64 %address, %address;
  ld.global.u32 %value, [%address];
  add.u32 %value, %value, %addend;
  st.global.u32 [%address], %value;
  ret;
}
)";
/// Writes to an address that no memory is at.
constexpr const char* FAULT = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry fault(.param .align 8 .b8 function[16], .param .align 8 .b8 launch[48]) {
  .reg .b64 %address;
  .reg .b32 %value;
  ld.param.u64 %address, [function];
  mov.u32 %value, 1;
  st.global.u32 [%address], %value;
  ret;
}
)";

struct add_function {
  unsigned* pointer;
  unsigned addend;
};

class gpu : public testing::Test {
protected:
  void SetUp() override {
    for (const handle<device_state>& each : all_devices())
      if (each->platform().backend().name() == "cuda")
        gpus.push_back(each);
    if (gpus.empty())
      GTEST_SKIP() << "this machine has no NVIDIA GPU with a driver";
  }

  backend_device& device() { return gpus[0]->backend(); }
  handle<queue_state> make_queue(const sycl::property_list& properties = {
                                     sycl::property::queue::in_order()}) {
    sycl::queue queue(
        sycl::detail::internals::make<sycl::device>(gpus[0]), [](sycl::exception_list) {}, properties);
    return sycl::detail::internals::state(queue);
  }
  std::unique_ptr<loaded_kernel> load(const char* code, const char* name) {
    return device().load({.path = {}, .bytes = {code, code + std::strlen(code)}}, {name, name});
  }
  handle<command> launch(queue_state& queue, loaded_kernel& kernel, const char* name, unsigned* pointer,
                         unsigned addend, std::vector<handle<command>> after = {}) {
    handle<command> self = command::make_for(queue);
    const add_function function{pointer, addend};
    kernel_operation operation;
    operation.kernel = &kernel;
    operation.kernel_name = name;
    operation.function = self->work()->store_function(&function, sizeof(function), alignof(add_function));
    operation.function_size = sizeof(function);
    operation.geometry = {kernel_kind::single_task, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    self->work()->what = operation;
    queue.submit(self, std::move(after));
    return self;
  }
  handle<command> submit(queue_state& queue, operation what, std::vector<handle<command>> after = {}) {
    handle<command> self = command::make_for(queue);
    self->work()->what = std::move(what);
    queue.submit(self, std::move(after));
    return self;
  }
  static memory_box bytes(void* base, std::size_t count) {
    return {base, {count, 1, 1}, {0, 0, 0}, {count, 1, 1}, 1};
  }

  std::vector<handle<device_state>> gpus;
};

TEST_F(gpu, long_streams_of_launches_keep_their_order) {
  const auto queue = make_queue();
  const auto kernel = load(ADD, "add_to");
  auto* const value = static_cast<unsigned*>(device().allocate(usm_kind::host, sizeof(unsigned), 0));
  *value = 0;
  constexpr unsigned COUNT = 20'000;
  for (unsigned i = 0; i < COUNT; ++i)
    launch(*queue, *kernel, "add_to", value, 1);
  queue->wait();
  EXPECT_EQ(*value, COUNT);
  device().free(usm_kind::host, value);
}

TEST_F(gpu, chains_of_events_keep_their_order_out_of_order) {
  const auto queue = make_queue({}), other = make_queue({});
  const auto kernel = load(ADD, "add_to");
  auto* const value = static_cast<unsigned*>(device().allocate(usm_kind::host, sizeof(unsigned), 0));
  *value = 0;
  handle<command> last;
  for (unsigned i = 0; i < 2000; ++i)
    last = launch(i % 7 < 4 ? *queue : *other, *kernel, "add_to", value, i,
                  last ? std::vector<handle<command>>{last} : std::vector<handle<command>>{});
  last->wait();
  EXPECT_EQ(*value, 2000u * 1999 / 2);
  queue->wait();
  other->wait();
  device().free(usm_kind::host, value);
}

TEST_F(gpu, the_drivers_machine_code_loads) {
  const std::vector<unsigned char> ptx(ADD, ADD + std::strlen(ADD));
  const std::vector<unsigned char> cubin = device().assemble(ptx, {"add_to", "add_to"});
  ASSERT_FALSE(cubin.empty());
  const auto kernel = device().load({.path = {}, .bytes = cubin}, {"add_to", "add_to"});
  const auto queue = make_queue();
  auto* const value = static_cast<unsigned*>(device().allocate(usm_kind::shared, sizeof(unsigned), 0));
  *value = 40;
  launch(*queue, *kernel, "add_to", value, 2)->wait();
  EXPECT_EQ(*value, 42u);
  device().free(usm_kind::shared, value);
}

TEST_F(gpu, fills_and_copies_agree_with_the_host) {
  const auto queue = make_queue();
  constexpr std::size_t BYTES = 60'000;
  auto* const block = static_cast<unsigned char*>(device().allocate(usm_kind::device, BYTES, 0));
  for (std::size_t size = 1; size <= 24; ++size) {
    std::vector<unsigned char> pattern(size), expected(BYTES), back(BYTES);
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(size));
    const std::size_t count = BYTES / size;
    for (std::size_t i = 0; i < count * size; ++i)
      expected[i] = pattern[i % size];
    submit(*queue, fill_operation{bytes(block, BYTES), {0}});
    submit(*queue, fill_operation{{block, {count, 1, 1}, {0, 0, 0}, {count, 1, 1}, size}, pattern});
    const auto self = submit(*queue, copy_operation{bytes(block, BYTES), bytes(back.data(), BYTES)});
    self->wait();
    EXPECT_EQ(text_of_error(*self), "");
    ASSERT_EQ(back, expected) << size;
  }
  device().free(usm_kind::device, block);
}

TEST_F(gpu, boxes_travel_to_the_device_and_back) {
  const auto queue = make_queue();
  constexpr std::size_t X = 37, Y = 19, Z = 11;
  auto* const block = static_cast<unsigned*>(device().allocate(usm_kind::device, X * Y * Z * 4, 0));
  std::vector<unsigned> host(X * Y * Z), back(X * Y * Z, 0);
  std::iota(host.begin(), host.end(), 1);
  for (const extent3 range : {extent3{5, 7, 3}, extent3{X, 7, 3}, extent3{X, Y, 4}, extent3{5, 1, 3}}) {
    const memory_box there{block, {X, Y, Z}, {0, 0, 2}, range, 4},
        here{host.data(), {X, Y, Z}, {0, 0, 5}, range, 4};
    const memory_box again{back.data(), {X, Y, Z}, {0, 0, 5}, range, 4};
    std::fill(back.begin(), back.end(), 0);
    submit(*queue, copy_operation{here, there});
    submit(*queue, copy_operation{there, again})->wait();
    for (std::size_t z = 0; z < Z; ++z)
      for (std::size_t y = 0; y < Y; ++y)
        for (std::size_t x = 0; x < X; ++x) {
          const std::size_t i = (z * Y + y) * X + x;
          const bool is_inside = z >= 5 && z < 5 + range.z && y < range.y && x < range.x;
          ASSERT_EQ(back[i], is_inside ? host[i] : 0) << x << ' ' << y << ' ' << z;
        }
  }
  device().free(usm_kind::device, block);
}

TEST_F(gpu, profiled_commands_tell_plausible_times) {
  const auto queue =
      make_queue({sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
  const auto kernel = load(ADD, "add_to");
  auto* const value = static_cast<unsigned*>(device().allocate(usm_kind::device, sizeof(unsigned), 0));
  std::uint64_t before = 0;
  for (int i = 0; i < 100; ++i) {
    const auto self = launch(*queue, *kernel, "add_to", value, 1);
    self->wait();
    EXPECT_LE(self->submit_time(), self->start_time());
    EXPECT_LT(self->start_time(), self->end_time());
    EXPECT_LE(before, self->start_time() + 100'000);
    before = self->end_time();
  }
  device().free(usm_kind::device, value);
}

TEST_F(gpu, threads_share_a_queue) {
  const auto queue = make_queue({});
  const auto kernel = load(ADD, "add_to");
  constexpr unsigned THREADS = 8, LAUNCHES = 500;
  auto* const values =
      static_cast<unsigned*>(device().allocate(usm_kind::host, THREADS * sizeof(unsigned), 0));
  std::fill_n(values, THREADS, 0);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < THREADS; ++t)
    threads.emplace_back([&, t] {
      handle<command> last;
      for (unsigned i = 0; i < LAUNCHES; ++i) {
        last = launch(*queue, *kernel, "add_to", values + t, 1,
                      last ? std::vector<handle<command>>{last} : std::vector<handle<command>>{});
        if (i % 50 == 0)
          last->wait();
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  queue->wait();
  EXPECT_TRUE(std::all_of(values, values + THREADS, [](unsigned value) { return value == LAUNCHES; }));
  device().free(usm_kind::host, values);
}

class faulting_gpu : public gpu {
protected:
  /// Exits with 0 if everything is told as it should be.
  [[noreturn]] void fault_and_exit() {
    const auto queue = make_queue();
    const auto add = load(ADD, "add_to"), fault = load(FAULT, "fault");
    auto* const value = static_cast<unsigned*>(device().allocate(usm_kind::host, sizeof(unsigned), 0));
    const auto guilty = launch(*queue, *fault, "the_guilty_one", reinterpret_cast<unsigned*>(16), 0);
    const auto later = launch(*queue, *add, "add_to", value, 1);
    later->wait();
    const std::string text = text_of_error(*guilty);
    std::fprintf(stderr, "%s\n", text.c_str());
    const bool is_told = text.find("the_guilty_one") != std::string::npos &&
                         text.find("CUDA_ERROR_ILLEGAL_ADDRESS") != std::string::npos;
    const auto refused = launch(*queue, *add, "add_to", value, 1);
    refused->wait();
    const bool is_refused = text_of_error(*refused).find("lost to this process") != std::string::npos;
    std::_Exit(is_told && is_refused && !text_of_error(*later).empty() ? 0 : 1);
  }
};

TEST_F(faulting_gpu, a_fault_names_its_kernel_and_the_process_goes_on) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe"; // in a process of its own
  EXPECT_EXIT(fault_and_exit(), testing::ExitedWithCode(0), "the_guilty_one");
}

} // namespace
