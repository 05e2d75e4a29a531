// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../thrown_code.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <string>
#include <sycl/sycl.hpp>
#include <thread>
#include <type_traits>
#include <vector>

/// \file
/// Interoperability with CUDA (SYCL 2020 §4.5.1, §4.10.2, CUDA backend specification): the program's own
/// calls of the driver and Falx's kernels on one stream. Most tests need an NVIDIA GPU and are skipped
/// without.

namespace {

constexpr auto CUDA = sycl::backend::cuda;
constexpr std::size_t COUNT = std::size_t{1} << 20;

static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::device>, CUdevice>);
static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::context>, std::vector<CUcontext>>);
static_assert(std::is_same_v<sycl::backend_input_t<CUDA, sycl::context>, CUcontext>);
static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::queue>, CUstream>);
static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::event>, CUevent>);
static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::buffer<int, 2>>, void*>);
static_assert(sycl::backend::ext_oneapi_cuda == CUDA);

/// The driver as a program calls it that includes no header of CUDA's.
struct driver_calls {
  using result = int;
  result (*ctx_set_current)(CUcontext);
  result (*stream_create)(CUstream*, unsigned);
  result (*stream_destroy)(CUstream);
  result (*stream_synchronize)(CUstream);
  result (*stream_wait_event)(CUstream, CUevent, unsigned);
  result (*event_create)(CUevent*, unsigned);
  result (*event_destroy)(CUevent);
  result (*event_record)(CUevent, CUstream);
  result (*memset32)(unsigned long long, unsigned, std::size_t, CUstream);
  result (*module_load)(CUmodule*, const void*);
  result (*module_function)(CUfunction*, CUmodule, const char*);
  result (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream,
                   void**, void**);

  static const driver_calls& instance() {
    static const driver_calls calls;
    return calls;
  }

private:
  driver_calls() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    look_up(library, ctx_set_current, "cuCtxSetCurrent");
    look_up(library, stream_create, "cuStreamCreate");
    look_up(library, stream_destroy, "cuStreamDestroy_v2");
    look_up(library, stream_synchronize, "cuStreamSynchronize");
    look_up(library, stream_wait_event, "cuStreamWaitEvent");
    look_up(library, event_create, "cuEventCreate");
    look_up(library, event_destroy, "cuEventDestroy_v2");
    look_up(library, event_record, "cuEventRecord");
    look_up(library, memset32, "cuMemsetD32Async");
    look_up(library, module_load, "cuModuleLoadData");
    look_up(library, module_function, "cuModuleGetFunction");
    look_up(library, launch, "cuLaunchKernel");
  }
  template <class Function>
  static void look_up(void* library, Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(library != nullptr ? dlsym(library, name) : nullptr);
    EXPECT_NE(function, nullptr) << name;
  }
};

void expect_success(int result) {
  EXPECT_EQ(result, 0);
}

/// value[i] = 3 * value[i], as nvcc would make it.
constexpr const char* TRIPLE = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry triple(.param .u64 values, .param .u32 count)
{
  .reg .pred %p<2>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [values];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra DONE;
  cvta.to.global.u64 %rd1, %rd1;
  mul.wide.u32 %rd2, %r5, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r6, [%rd3];
  mul.lo.s32 %r6, %r6, 3;
  st.global.u32 [%rd3], %r6;
DONE:
  ret;
}
)";

/// On the device that is tested, which must be CUDA's.
class cuda_interop : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (device_.get_backend() != CUDA)
      GTEST_SKIP() << "needs an NVIDIA GPU; the device is " << device_.get_info<sycl::info::device::name>();
    expect_success(driver_calls::instance().ctx_set_current(sycl::get_native<CUDA>(context_).front()));
    values_ = sycl::malloc_device<int>(COUNT, queue());
  }
  void TearDown() override {
    if (values_ != nullptr)
      sycl::free(values_, context_);
  }

  sycl::queue queue() const {
    return GetParam() ? sycl::queue(context_, device_, {sycl::property::queue::in_order()})
                      : sycl::queue(context_, device_);
  }
  /// Foreign work.
  void set(CUstream stream, int value) const {
    expect_success(driver_calls::instance().memset32(reinterpret_cast<std::uintptr_t>(values_),
                                                     static_cast<unsigned>(value), COUNT, stream));
  }
  static void triple(CUstream stream, void* values) {
    static const CUfunction function = [] {
      CUmodule module = nullptr;
      CUfunction found = nullptr;
      expect_success(driver_calls::instance().module_load(&module, TRIPLE));
      expect_success(driver_calls::instance().module_function(&found, module, "triple"));
      return found;
    }();
    unsigned count = COUNT;
    void* arguments[] = {&values, &count};
    expect_success(driver_calls::instance().launch(function, (COUNT + 255) / 256, 1, 1, 256, 1, 1, 0, stream,
                                                   arguments, nullptr));
  }
  /// A kernel of Falx's.
  sycl::event add(sycl::queue& on, int amount, const std::vector<sycl::event>& after = {}) const {
    int* const values = values_;
    return on.parallel_for(sycl::range<1>(COUNT), after, [=](sycl::id<1> i) { values[i] += amount; });
  }
  /// Number of values that are not \p expected.
  std::size_t wrong(int expected) const {
    std::vector<int> copy(COUNT);
    sycl::queue(context_, device_).copy(values_, copy.data(), COUNT).wait();
    std::size_t count = 0;
    for (const int value : copy)
      count += value != expected ? 1 : 0;
    return count;
  }

  sycl::device device_;
  sycl::context context_{device_};
  int* values_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(in_both_orders, cuda_interop, testing::Bool());

TEST_P(cuda_interop, native_objects_survive_the_round_trip) {
  const CUdevice native = sycl::get_native<CUDA>(device_);
  EXPECT_EQ(sycl::make_device<CUDA>(native), device_);
  const sycl::context again = sycl::make_context<CUDA>(sycl::get_native<CUDA>(context_).front());
  EXPECT_EQ(again.get_devices(), context_.get_devices());
  sycl::queue on = queue();
  EXPECT_NE(sycl::get_native<CUDA>(on), nullptr);
}

TEST_P(cuda_interop, foreign_work_and_kernels_alternate_on_the_stream_of_an_in_order_queue) {
  sycl::queue on(context_, device_, {sycl::property::queue::in_order()});
  const CUstream stream = sycl::get_native<CUDA>(on);
  int expected = 0;
  for (int i = 0; i < 50; ++i) {
    if (i % 10 == 0)
      set(stream, expected = i);
    add(on, 2);
    triple(stream, values_);
    add(on, -1);
    expected = (expected + 2) * 3 - 1;
    if (i % 5 == 4)
      expected = 0, set(stream, 0);
  }
  on.wait();
  EXPECT_EQ(wrong(expected), 0u);
}

TEST_P(cuda_interop, waiting_for_a_queue_waits_for_foreign_work) {
  sycl::queue on = queue();
  const CUstream stream = sycl::get_native<CUDA>(on);
  for (int i = 0; i < 100; ++i)
    set(stream, i);
  on.wait();
  EXPECT_EQ(wrong(99), 0u);
}

TEST_P(cuda_interop, native_commands_are_ordered_on_the_device) {
  sycl::queue on = queue();
  sycl::event last = on.fill(values_, 1, COUNT);
  int expected = 1;
  for (int i = 0; i < 8; ++i) {
    last = on.submit([&](sycl::handler& group) {
      group.depends_on(last);
      group.ext_codeplay_enqueue_native_command(
          [this](sycl::interop_handle interop) { triple(interop.get_native_queue<CUDA>(), values_); });
    });
    last = add(on, 1, {last});
    expected = 3 * expected + 1;
  }
  last.wait();
  EXPECT_EQ(wrong(expected), 0u);
}

TEST_P(cuda_interop, native_commands_work_on_buffers) {
  sycl::queue on = queue();
  std::vector<int> values(COUNT, 2);
  {
    sycl::buffer<int> buffer(values.data(), sycl::range<1>(COUNT));
    for (int i = 0; i < 3; ++i) {
      on.submit([&](sycl::handler& group) {
        const sycl::accessor access(buffer, group, sycl::read_write);
        group.AdaptiveCpp_enqueue_custom_operation([access](sycl::interop_handle& interop) {
          triple(interop.get_native_queue<CUDA>(), interop.get_native_mem<CUDA>(access));
        });
      });
      on.submit([&](sycl::handler& group) {
        const sycl::accessor access(buffer, group, sycl::read_write);
        group.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { access[i] -= 4; });
      });
    }
  }
  for (std::size_t i = 0; i < COUNT; i += 997)
    ASSERT_EQ(values[i], 2) << i;
}

TEST_P(cuda_interop, host_tasks_put_work_on_the_native_queue) {
  sycl::queue on = queue();
  const sycl::event first = on.fill(values_, 5, COUNT);
  const sycl::event task = on.submit([&](sycl::handler& group) {
    group.depends_on(first);
    group.host_task([this](sycl::interop_handle interop) {
      expect_success(driver_calls::instance().ctx_set_current(interop.get_native_context<CUDA>().front()));
      EXPECT_EQ(interop.get_native_device<CUDA>(), sycl::get_native<CUDA>(device_));
      triple(interop.get_native_queue<CUDA>(), values_);
    });
  });
  add(on, 1, {task}).wait();
  EXPECT_EQ(wrong(16), 0u);
}

TEST_P(cuda_interop, a_stream_of_the_program_becomes_a_queue) {
  const driver_calls& driver = driver_calls::instance();
  CUstream stream = nullptr;
  expect_success(driver.stream_create(&stream, 1));
  {
    sycl::queue on = sycl::make_queue<CUDA>(stream, context_);
    EXPECT_EQ(sycl::get_native<CUDA>(on), stream);
    set(stream, 7);
    add(on, 3);
    triple(stream, values_);
    on.wait();
    EXPECT_EQ(wrong(30), 0u);
  }
  triple(stream, values_);
  expect_success(driver.stream_synchronize(stream));
  EXPECT_EQ(wrong(90), 0u);
  expect_success(driver.stream_destroy(stream));
}

TEST_P(cuda_interop, the_default_stream_of_the_program_becomes_a_queue) {
  sycl::queue on = sycl::make_queue<CUDA>(nullptr, context_);
  set(nullptr, 4);
  add(on, 1);
  triple(nullptr, values_);
  const sycl::event last = add(on, 1);
  sycl::queue other = queue();
  add(other, 1, {last}).wait();
  on.wait();
  EXPECT_EQ(wrong(17), 0u);
}

TEST_P(cuda_interop, events_order_both_ways) {
  const driver_calls& driver = driver_calls::instance();
  CUstream stream = nullptr;
  CUevent marker = nullptr;
  expect_success(driver.stream_create(&stream, 1));
  expect_success(driver.event_create(&marker, 2));
  sycl::queue on = queue();
  int expected = 9;
  sycl::event last = on.fill(values_, 9, COUNT);
  for (int i = 0; i < 8; ++i) {
    // From Falx to the program and back.
    EXPECT_TRUE(sycl::cuda::has_native_event(last));
    expect_success(driver.stream_wait_event(stream, sycl::get_native<CUDA>(last), 0));
    triple(stream, values_);
    expect_success(driver.event_record(marker, stream));
    const sycl::event of_program = sycl::make_event<CUDA>(marker, context_);
    EXPECT_EQ(sycl::get_native<CUDA>(of_program), marker);
    last = add(on, -2, {of_program});
    expected = 3 * expected - 2;
  }
  last.wait();
  EXPECT_EQ(wrong(expected), 0u);
  expect_success(driver.stream_destroy(stream));
  expect_success(driver.event_destroy(marker));
}

TEST_P(cuda_interop, many_threads_mix_native_commands_and_kernels) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([this] {
      sycl::queue on = queue();
      int* const mine = sycl::malloc_device<int>(COUNT, on);
      sycl::event last = on.fill(mine, 1, COUNT);
      for (int i = 0; i < 10; ++i) {
        last = on.AdaptiveCpp_enqueue_custom_operation(
            [mine](sycl::interop_handle interop) { triple(interop.get_native_queue<CUDA>(), mine); }, last);
        last = on.parallel_for(sycl::range<1>(COUNT), last, [=](sycl::id<1> k) { mine[k] -= 2; });
      }
      int first = 0;
      on.copy(mine + COUNT - 1, &first, 1, last).wait();
      EXPECT_EQ(first, 1);
      sycl::free(mine, on);
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST_P(cuda_interop, hardware_information_is_there) {
  namespace intel = sycl::ext::intel::info::device;
  EXPECT_GE(device_.get_info<intel::pci_address>().size(), 10u);
  EXPECT_EQ(device_.get_info<intel::uuid>().size(), 16u);
  EXPECT_GT(device_.get_info<intel::free_memory>(), 0u);
  EXPECT_LE(device_.get_info<intel::free_memory>(), device_.get_info<sycl::info::device::global_mem_size>());
  if (device_.has(sycl::aspect::ext_intel_max_mem_bandwidth)) {
    EXPECT_GT(device_.get_info<intel::max_mem_bandwidth>(), std::uint64_t{10'000'000'000});
  }
}

TEST_P(cuda_interop, peers_reach_each_others_memory) {
  sycl::device peer = device_;
  for (const sycl::device& other : device_.get_platform().get_devices())
    if (device_.ext_oneapi_can_access_peer(other))
      peer = other;
  if (peer == device_)
    GTEST_SKIP() << "needs two NVIDIA GPUs with peer access";
  const sycl::context both({device_, peer});
  const sycl::queue there(both, peer);
  sycl::queue here(both, device_);
  int* const remote = sycl::malloc_device<int>(COUNT, there);
  sycl::queue(there).fill(remote, 5, COUNT).wait();
  device_.ext_oneapi_enable_peer_access(peer);
  here.parallel_for(sycl::range<1>(COUNT), [=](sycl::id<1> i) { remote[i] *= 2; }).wait();
  std::vector<int> copy(COUNT);
  sycl::queue(there).copy(remote, copy.data(), COUNT).wait();
  EXPECT_EQ(copy.front() + copy.back(), 20);
  device_.ext_oneapi_disable_peer_access(peer);
  sycl::free(remote, both);
}

/// On any device: kernels ask accessors for plain pointers.
TEST(kernel_interop, accessors_are_pointers) {
  sycl::queue queue;
  std::vector<int> values(64, 1);
  {
    sycl::buffer<int> buffer(values.data(), sycl::range<1>(64));
    queue.submit([&](sycl::handler& group) {
      const sycl::accessor access(buffer, group, sycl::read_write);
      const sycl::local_accessor<int> local(16, group);
      group.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
        int* const global_memory = sycl::get_native<CUDA>(access);
        int* const local_memory = sycl::get_native<CUDA>(local);
        const std::size_t mine = item.get_local_linear_id();
        local_memory[mine] = global_memory[item.get_global_linear_id()] + static_cast<int>(mine);
        sycl::group_barrier(item.get_group());
        global_memory[item.get_global_linear_id()] = local_memory[15 - mine];
      });
    });
  }
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(values[static_cast<std::size_t>(i)], 1 + 15 - i % 16);
}

/// On any device: without native queues, native commands are host tasks.
TEST(native_command, is_ordered_on_every_device) {
  sycl::queue queue;
  const bool is_cuda = queue.get_backend() == CUDA;
  bool was_called = false;
  std::vector<int> values(16, 0);
  {
    sycl::buffer<int> buffer(values.data(), sycl::range<1>(16));
    queue.submit([&](sycl::handler& group) {
      const sycl::accessor access(buffer, group, sycl::write_only);
      group.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { access[i] = 1; });
    });
    queue.submit([&](sycl::handler& group) {
      const sycl::accessor access(buffer, group, sycl::read_write);
      group.ext_codeplay_enqueue_native_command([&, access](sycl::interop_handle interop) {
        was_called = true;
        EXPECT_EQ(interop.get_backend() == CUDA, is_cuda);
        if (is_cuda)
          return;
        for (int i = 0; i < 16; ++i)
          access.get_pointer()[i] += 1; // the CPU's memory is the host's
      });
    });
  }
  EXPECT_TRUE(was_called);
  for (const int value : values)
    EXPECT_EQ(value, is_cuda ? 1 : 2);
}

TEST(native_objects, of_device_images_are_refused) {
  const sycl::device device;
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::input>(sycl::context(device), {device});
  const sycl::device_image<sycl::bundle_state::input>& image = *bundle.begin();
  EXPECT_EQ(thrown_code([&] { (void)sycl::get_native<CUDA>(image); }), sycl::errc::feature_not_supported);
  EXPECT_EQ(thrown_code([&] { (void)sycl::get_native<sycl::backend::cpu>(image); }),
            sycl::errc::feature_not_supported);
}

TEST(native_objects, of_images_are_their_pixels_in_commands) {
  sycl::queue queue;
  const bool is_cuda = queue.get_backend() == CUDA;
  sycl::unsampled_image<2> image(sycl::image_format::r32b32g32a32_uint, {8, 4}, sycl::range(8 * 16));
  queue.submit([&](sycl::handler& group) {
    const auto pixels = image.get_access<sycl::uint4, sycl::access_mode::write>(group);
    group.ext_codeplay_enqueue_native_command([=](sycl::interop_handle interop) {
      if (is_cuda) {
        void* const memory = interop.get_native_mem<CUDA>(pixels);
        expect_success(driver_calls::instance().memset32(reinterpret_cast<std::uintptr_t>(memory), 7, 4 * 32,
                                                         interop.get_native_queue<CUDA>()));
      } else {
        auto* const memory = static_cast<std::uint32_t*>(interop.get_native_mem<sycl::backend::cpu>(pixels));
        std::fill_n(memory, 4 * 32, 7u);
      }
    });
  });
  const std::vector<std::uint32_t> white(4 * 32, 9);
  sycl::sampled_image<2> sampled(white.data(), sycl::image_format::r32b32g32a32_uint,
                                 {sycl::addressing_mode::clamp,
                                  sycl::coordinate_normalization_mode::unnormalized,
                                  sycl::filtering_mode::nearest},
                                 {8, 4});
  std::uint32_t first = 0;
  queue.submit([&](sycl::handler& group) {
    const auto pixels = sampled.get_access<sycl::uint4>(group);
    group.host_task([=, &first](sycl::interop_handle interop) {
      if (is_cuda)
        EXPECT_NE(interop.get_native_mem<CUDA>(pixels), nullptr);
      else
        first = static_cast<const std::uint32_t*>(interop.get_native_mem<sycl::backend::cpu>(pixels))[127];
      EXPECT_EQ(thrown_code([&] { (void)interop.get_native_mem<sycl::backend::opencl>(pixels); }),
                sycl::errc::backend_mismatch);
    });
  });
  queue.wait();
  EXPECT_EQ(first, is_cuda ? 0u : 9u);
  const auto found = image.get_host_access<sycl::uint4, sycl::access_mode::read>();
  for (int x = 0; x < 8; ++x)
    EXPECT_TRUE(sycl::all(found.read(sycl::int2(x, 3)) == sycl::uint4(7))) << x;
}

TEST(native_objects, of_images_are_refused_elsewhere) {
  const sycl::image_sampler sampler{sycl::addressing_mode::clamp,
                                    sycl::coordinate_normalization_mode::normalized,
                                    sycl::filtering_mode::linear};
  static_assert(std::is_same_v<sycl::backend_input_t<CUDA, sycl::sampled_image<2>>, void*>);
  static_assert(std::is_same_v<sycl::backend_return_t<CUDA, sycl::unsampled_image<3>>, void*>);
  const sycl::unsampled_image<1> image(sycl::image_format::r8g8b8a8_unorm, sycl::range(4));
  const auto unsupported = [](auto function) {
    return thrown_code(function) == sycl::errc::feature_not_supported;
  };
  EXPECT_TRUE(unsupported([&] { (void)sycl::get_native<CUDA>(image); }));
  EXPECT_TRUE(unsupported([&] { (void)sycl::get_native<sycl::backend::cpu>(image); }));
  const sycl::context context;
  void* const memory = nullptr;
  if (context.get_backend() == CUDA) {
    EXPECT_TRUE(unsupported([&] { (void)sycl::make_unsampled_image<CUDA>(memory, context); }));
    EXPECT_TRUE(
        unsupported([&] { (void)sycl::make_unsampled_image<CUDA, 2>(memory, context, sycl::event()); }));
    EXPECT_TRUE(unsupported([&] { (void)sycl::make_sampled_image<CUDA, 3>(memory, context, sampler); }));
    return;
  }
  const sycl::backend_input_t<sycl::backend::cpu, sycl::sampled_image<2>> none{};
  EXPECT_TRUE(unsupported(
      [&] { (void)sycl::make_sampled_image<sycl::backend::cpu, 2>(none, context, sampler, sycl::event()); }));
  EXPECT_EQ(thrown_code([&] { (void)sycl::make_sampled_image<CUDA, 2>(memory, context, sampler); }),
            sycl::errc::backend_mismatch);
}

/// Falx's backends have no information descriptors.
TEST(backend_information, is_another_backends) {
  const auto refused = [](auto function) { return thrown_code(function) == sycl::errc::backend_mismatch; };
  sycl::queue queue;
  const sycl::device device = queue.get_device();
  EXPECT_TRUE(
      refused([&] { (void)device.get_platform().get_backend_info<sycl::info::platform::version>(); }));
  EXPECT_TRUE(refused([&] { (void)device.get_backend_info<sycl::info::device::version>(); }));
  EXPECT_TRUE(refused([&] { (void)queue.get_context().get_backend_info<sycl::info::context::platform>(); }));
  EXPECT_TRUE(refused([&] { (void)queue.get_backend_info<sycl::info::device::version>(); }));
  EXPECT_TRUE(refused([&] { (void)sycl::event().get_backend_info<sycl::info::device::version>(); }));
}

TEST(native_objects, of_other_backends_are_refused) {
  try {
    const sycl::device device;
    sycl::get_native<sycl::backend::opencl>(device);
    FAIL() << "no error";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::backend_mismatch);
    EXPECT_NE(std::string(error.what()).find("opencl"), std::string::npos) << error.what();
  }
}

} // namespace
