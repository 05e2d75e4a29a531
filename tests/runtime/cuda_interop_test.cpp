// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_code.hpp"
#include "backends/cuda/cuda_driver.hpp"
#include "fixture.hpp"
#include "sycl/backend/cuda.hpp"
#include "sycl/interop_handle.hpp"
#include "sycl/usm.hpp"

#include <array>
#include <atomic>
#include <cstring>

/// \file
/// Interoperability with CUDA on the fake driver: the program's own driver calls on streams and events of
/// Falx's, and Falx's commands on the program's.

namespace {

using namespace falx;
using namespace falx::test;
using sycl::detail::internals;

constexpr auto CUDA = sycl::backend::cuda;

/// The driver as the program calls it.
const cuda::driver_functions& native() {
  fake_driver();
  return cuda::api();
}
cuda::stream_handle as_stream(CUstream stream) {
  return reinterpret_cast<cuda::stream_handle>(stream);
}
cuda::event_handle as_event(CUevent event) {
  return reinterpret_cast<cuda::event_handle>(event);
}
CUstream to_program(cuda::stream_handle stream) {
  return reinterpret_cast<CUstream>(stream);
}
CUevent to_program(cuda::event_handle event) {
  return reinterpret_cast<CUevent>(event);
}
void expect_success(cuda::result answer) {
  EXPECT_EQ(answer, cuda::result::success);
}

sycl::device gpu(std::size_t which = 0) {
  return internals::make<sycl::device>(gpus()[which]);
}

sycl::queue make_queue(bool is_in_order, std::size_t on = 0) {
  return internals::make<sycl::queue>(make_gpu_queue(on, in_order(is_in_order)));
}

sycl::event launch(sycl::queue& queue, std::function<void()> body,
                   const std::vector<sycl::event>& after = {}) {
  std::vector<handle<command>> dependencies;
  for (const sycl::event& each : after)
    dependencies.push_back(internals::state(each));
  return internals::make<sycl::event>(
      submit(*internals::state(queue), std::move(body), std::move(dependencies)));
}

class cuda_interop : public testing::TestWithParam<bool> {
protected:
  cuda_interop() {
    fake_driver();
    // As the CUDA runtime does for a program.
    expect_success(native().cuCtxSetCurrent(
        reinterpret_cast<cuda::context_handle>(sycl::get_native<CUDA>(sycl::context(gpu())).front())));
    memory_ = sycl::malloc_device<int>(COUNT, gpu(), context_);
    std::memset(memory_, 0, COUNT * sizeof(int)); // it may be a block that another test has filled
  }
  ~cuda_interop() override {
    fake_driver().hold(false);
    fake_driver().settle();
    sycl::free(memory_, context_);
    EXPECT_EQ(fake_driver().take_complaints(), "");
  }

  /// Puts a fill with \p value on a stream, as a program would.
  void fill(CUstream stream, unsigned value) {
    expect_success(native().cuMemsetD32Async(reinterpret_cast<std::uintptr_t>(memory_), value, COUNT,
                                             as_stream(stream)));
  }
  bool is_filled(unsigned value) const {
    for (std::size_t i = 0; i < COUNT; ++i)
      if (memory_[i] != static_cast<int>(value))
        return false;
    return true;
  }

  static constexpr std::size_t COUNT = 64;
  const sycl::context context_{gpu()};
  int* memory_ = nullptr; // the fake's is host memory
};
INSTANTIATE_TEST_SUITE_P(in_both_orders, cuda_interop, testing::Bool());

TEST_P(cuda_interop, devices_and_contexts_are_the_drivers) {
  EXPECT_EQ(sycl::get_native<CUDA>(gpu(0)), 0);
  EXPECT_EQ(sycl::get_native<CUDA>(gpu(1)), 1);
  EXPECT_EQ(sycl::make_device<CUDA>(1), gpu(1));
  EXPECT_EQ(sycl::get_native<CUDA>(gpu().get_platform()), (std::vector<CUdevice>{0, 1}));
  EXPECT_EQ(sycl::make_platform<CUDA>({1}), gpu().get_platform());
  EXPECT_EQ(thrown_code([] { sycl::make_device<CUDA>(2); }), sycl::errc::invalid);

  const std::vector<CUcontext> natives = sycl::get_native<CUDA>(context_of_gpus());
  ASSERT_EQ(natives.size(), 2u);
  const sycl::context again = sycl::make_context<CUDA>(natives[1]);
  EXPECT_EQ(again.get_devices(), std::vector<sycl::device>{gpu(1)});
  EXPECT_EQ(sycl::get_native<CUDA>(again), std::vector<CUcontext>{natives[1]});
  cuda::context_object* const foreign = reinterpret_cast<cuda::context_object*>(this);
  EXPECT_EQ(thrown_code([&] { sycl::make_context<CUDA>(reinterpret_cast<CUcontext>(foreign)); }),
            sycl::errc::feature_not_supported);
}

TEST_P(cuda_interop, the_stream_of_a_queue_takes_foreign_work_that_wait_waits_for) {
  sycl::queue queue = make_queue(GetParam());
  const CUstream stream = sycl::get_native<CUDA>(queue);
  EXPECT_EQ(sycl::get_native<CUDA>(queue), stream);
  fake_driver().hold(true);
  fill(stream, 11);
  std::thread releaser([] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    fake_driver().hold(false);
  });
  queue.wait();
  EXPECT_TRUE(is_filled(11));
  releaser.join();
}

// sycl_ext_oneapi_queue_priority. A stream that is used again has the priority of the queue.
TEST_P(cuda_interop, the_streams_of_a_queue_have_its_priority) {
  namespace priorities = sycl::ext::oneapi::property::queue;
  const auto priority_of = [&](auto property) {
    const sycl::property_list properties =
        GetParam() ? sycl::property_list{property, sycl::property::queue::in_order()}
                   : sycl::property_list{property};
    const sycl::queue queue(context_of_gpus(), gpu(), properties);
    return fake_driver().priority_of(reinterpret_cast<cuda::stream_handle>(sycl::get_native<CUDA>(queue)));
  };
  for (int repeat = 0; repeat < 2; ++repeat) {
    EXPECT_EQ(priority_of(priorities::priority_normal()), 0);
    EXPECT_EQ(priority_of(priorities::priority_high()), -5);
    EXPECT_EQ(priority_of(priorities::priority_low()), 0);
  }
}

TEST_P(cuda_interop, foreign_work_is_between_the_commands_of_an_in_order_queue) {
  sycl::queue queue = make_queue(true);
  const CUstream stream = sycl::get_native<CUDA>(queue);
  fake_driver().hold(true);
  launch(queue, [&] { EXPECT_FALSE(is_filled(12)); });
  fill(stream, 12);
  launch(queue, [&] { EXPECT_TRUE(is_filled(12)); });
  fake_driver().hold(false);
  queue.wait();
}

TEST_P(cuda_interop, native_commands_are_between_what_they_depend_on_and_what_depends_on_them) {
  sycl::queue queue = make_queue(GetParam());
  std::atomic<int> step{0};
  fake_driver().hold(true);
  const sycl::event first = launch(queue, [&] { EXPECT_EQ(step++, 0); });
  bool was_called = false;
  const sycl::event between = queue.submit([&](sycl::handler& group) {
    group.depends_on(first);
    group.ext_codeplay_enqueue_native_command([&](sycl::interop_handle interop) {
      was_called = true;
      fill(interop.get_native_queue<CUDA>(), 13);
    });
  });
  EXPECT_TRUE(was_called);
  launch(queue,
         [&] {
           EXPECT_EQ(step++, 1);
           EXPECT_TRUE(is_filled(13));
         },
         {between});
  fake_driver().hold(false);
  queue.wait();
  EXPECT_EQ(step, 2);
}

TEST_P(cuda_interop, native_commands_have_the_memory_of_buffers) {
  sycl::queue queue = make_queue(GetParam());
  std::vector<int> values(COUNT, 1);
  {
    sycl::buffer<int> numbers(values.data(), sycl::range<1>(COUNT));
    queue.submit([&](sycl::handler& group) {
      const sycl::accessor access(numbers, group, sycl::read_write);
      group.ext_codeplay_enqueue_native_command([access](sycl::interop_handle interop) {
        void* const memory = interop.get_native_mem<CUDA>(access);
        EXPECT_NE(memory, nullptr);
        expect_success(native().cuMemsetD32Async(reinterpret_cast<std::uintptr_t>(memory), 5, COUNT / 2,
                                                 as_stream(interop.get_native_queue<CUDA>())));
      });
    });
  }
  EXPECT_EQ(values.front(), 5);
  EXPECT_EQ(values.back(), 1);
}

TEST_P(cuda_interop, host_tasks_are_complete_when_their_foreign_work_is) {
  sycl::queue queue = make_queue(GetParam());
  sycl::event task = queue.submit([&](sycl::handler& group) {
    group.host_task([&](sycl::interop_handle interop) {
      expect_success(native().cuCtxSetCurrent(
          reinterpret_cast<cuda::context_handle>(interop.get_native_context<CUDA>().front())));
      fake_driver().hold(true);
      fill(interop.get_native_queue<CUDA>(), 14);
      fake_driver().hold(false);
    });
  });
  const sycl::event after = launch(queue, [&] { EXPECT_TRUE(is_filled(14)); }, {task});
  task.wait();
  EXPECT_TRUE(is_filled(14));
  queue.wait();
}

TEST_P(cuda_interop, events_of_commands_order_streams_of_the_program) {
  sycl::queue queue = make_queue(GetParam());
  cuda::stream_handle mine = nullptr;
  expect_success(native().cuStreamCreate(&mine, 0));
  fake_driver().hold(true);
  bool ran = false;
  const sycl::event event = launch(queue, [&] {
    ran = true;
    EXPECT_FALSE(is_filled(15));
  });
  EXPECT_TRUE(sycl::cuda::has_native_event(event));
  const CUevent marker = sycl::get_native<CUDA>(event);
  EXPECT_EQ(native().cuEventQuery(as_event(marker)), cuda::result::not_ready);
  expect_success(native().cuStreamWaitEvent(mine, as_event(marker), 0));
  fill(to_program(mine), 15);
  fake_driver().hold(false);
  expect_success(native().cuStreamSynchronize(mine));
  EXPECT_TRUE(ran);
  EXPECT_TRUE(is_filled(15));
  queue.wait();
  expect_success(native().cuEventQuery(as_event(sycl::get_native<CUDA>(event))));
}

TEST_P(cuda_interop, events_of_complete_commands_have_occurred) {
  sycl::queue queue = make_queue(GetParam());
  sycl::event event = launch(queue, [] {});
  event.wait();
  expect_success(native().cuEventQuery(as_event(sycl::get_native<CUDA>(event))));
}

TEST_P(cuda_interop, events_of_the_program_order_commands) {
  sycl::queue queue = make_queue(GetParam());
  cuda::stream_handle mine = nullptr;
  cuda::event_handle marker = nullptr;
  expect_success(native().cuStreamCreate(&mine, 0));
  expect_success(native().cuEventCreate(&marker, 0));
  fake_driver().hold(true);
  fill(to_program(mine), 16);
  expect_success(native().cuEventRecord(marker, mine));
  sycl::event event = sycl::make_event<CUDA>(to_program(marker), context_of_gpus());
  EXPECT_EQ(sycl::get_native<CUDA>(event), to_program(marker));
  launch(queue, [&] { EXPECT_TRUE(is_filled(16)); }, {event});
  EXPECT_NE(event.get_info<sycl::info::event::command_execution_status>(),
            sycl::info::event_command_status::complete);
  fake_driver().hold(false);
  event.wait();
  EXPECT_TRUE(is_filled(16));
  queue.wait();
  expect_success(native().cuEventDestroy(marker));
}

TEST_P(cuda_interop, a_stream_of_the_program_becomes_a_queue) {
  cuda::stream_handle mine = nullptr;
  expect_success(native().cuStreamCreate(&mine, 0));
  {
    sycl::queue queue = sycl::make_queue<CUDA>(to_program(mine), context_of_gpus());
    sycl::queue other = sycl::make_queue<CUDA>(to_program(mine), sycl::context(gpu()));
    EXPECT_EQ(sycl::get_native<CUDA>(queue), to_program(mine));
    EXPECT_EQ(queue.get_device(), gpu());
    EXPECT_TRUE(queue.is_in_order());
    fake_driver().hold(true);
    fill(to_program(mine), 17);
    launch(queue, [&] { EXPECT_TRUE(is_filled(17)); });
    fill(to_program(mine), 18);
    launch(other, [&] { EXPECT_TRUE(is_filled(18)); });
    fill(to_program(mine), 19);
    fake_driver().hold(false);
    queue.wait();
    EXPECT_TRUE(is_filled(19)) << "wait is for the program's work as well";
    other.wait();
  }
  // Falx has left it alone.
  fill(to_program(mine), 20);
  expect_success(native().cuStreamSynchronize(mine));
  EXPECT_TRUE(is_filled(20));
  EXPECT_EQ(thrown_code([&] { sycl::make_queue<CUDA>(to_program(mine), sycl::context(gpu(1))); }),
            sycl::errc::invalid);
  EXPECT_EQ(thrown_code([&] {
              sycl::make_queue<CUDA>(reinterpret_cast<CUstream>(std::uintptr_t{2}), sycl::context(gpu()));
            }),
            sycl::errc::feature_not_supported);
}

TEST(cuda_errors, keep_the_drivers_number) {
  fake_driver().fail("cuMemGetInfo", cuda::result::invalid_value);
  try {
    gpu().get_info<sycl::ext::intel::info::device::free_memory>();
    FAIL() << "no error";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::runtime);
    EXPECT_EQ(sycl::cuda::get_error_code(error), 1);
    const cuda::result as_enumerator = sycl::cuda::get_error_code(error);
    EXPECT_EQ(as_enumerator, cuda::result::invalid_value);
  }
  EXPECT_EQ(sycl::cuda::get_error_code(sycl::exception(sycl::errc::invalid)), 0);
}

TEST(cuda_peers, are_enabled_and_disabled_once) {
  sycl::device a = gpu(0), b = gpu(1);
  using sycl::ext::oneapi::peer_access;
  EXPECT_TRUE(a.ext_oneapi_can_access_peer(b));
  EXPECT_FALSE(a.ext_oneapi_can_access_peer(a));
  EXPECT_FALSE(a.ext_oneapi_can_access_peer(sycl::device(sycl::cpu_selector_v)));
  EXPECT_TRUE(a.ext_oneapi_can_access_peer(b, peer_access::atomics_supported));
  EXPECT_FALSE(b.ext_oneapi_can_access_peer(a, peer_access::atomics_supported));

  const int enabled = fake_driver().calls("cuCtxEnablePeerAccess");
  a.ext_oneapi_enable_peer_access(b);
  EXPECT_EQ(fake_driver().calls("cuCtxEnablePeerAccess"), enabled + 1);
  EXPECT_EQ(thrown_code([&] { a.ext_oneapi_enable_peer_access(b); }), sycl::errc::invalid);
  b.ext_oneapi_enable_peer_access(a);
  a.ext_oneapi_disable_peer_access(b);
  EXPECT_EQ(thrown_code([&] { a.ext_oneapi_disable_peer_access(b); }), sycl::errc::invalid);
  // CUDA code of the program's has done it already.
  fake_driver().fail("cuCtxEnablePeerAccess", cuda::result::peer_access_already_enabled);
  a.ext_oneapi_enable_peer_access(b);
  a.ext_oneapi_disable_peer_access(b);
  b.ext_oneapi_disable_peer_access(a);
  EXPECT_EQ(fake_driver().take_complaints(), "");
}

TEST(cuda_device_information, is_what_the_driver_says) {
  namespace intel = sycl::ext::intel::info::device;
  const sycl::device device = gpu(1);
  EXPECT_EQ(device.get_info<intel::pci_address>(), "0000:1B:00.0");
  std::array<unsigned char, 16> uuid;
  uuid.fill(2);
  EXPECT_EQ(device.get_info<intel::uuid>(), uuid);
  EXPECT_EQ(device.get_info<intel::device_id>(), 0x2330u);
  EXPECT_EQ(device.get_info<intel::memory_clock_rate>(), 2619u);
  EXPECT_EQ(device.get_info<intel::memory_bus_width>(), 5120u);
  EXPECT_GT(device.get_info<intel::free_memory>(), 0u);
  EXPECT_FALSE(device.has(sycl::aspect::ext_intel_gpu_eu_count));
}

} // namespace
