// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.hpp"

#include <atomic>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

/// \file
/// The CUDA backend on the fake driver: what it says when something fails, and that nothing hangs then.

namespace {

using namespace falx;
using namespace falx::test;
using namespace std::chrono_literals;
using fake_cuda::result;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(cuda_errors, code_that_the_driver_refuses_is_a_build_error_with_its_log) {
  backend_device& device = gpus()[0]->backend();
  const std::string code = "BROKEN";
  const kernel_binary binary{.path = {}, .bytes = {code.begin(), code.end()}};
  for (const bool assemble : {false, true})
    try {
      if (assemble)
        device.assemble(binary.bytes, {"call", "the kernel"});
      else
        device.load(binary, {"call", "the kernel"});
      FAIL();
    } catch (const sycl::exception& error) {
      EXPECT_EQ(error.code(), sycl::errc::build);
      EXPECT_TRUE(contains(error.what(), "the kernel")) << error.what();
      EXPECT_TRUE(contains(error.what(), "ptxas error")) << error.what();
      EXPECT_TRUE(contains(error.what(), "CUDA_ERROR_INVALID_PTX")) << error.what();
    }
}

TEST(cuda_errors, code_without_the_kernel_is_a_build_error) {
  backend_device& device = gpus()[0]->backend();
  EXPECT_THROW(device.load({.path = {}, .bytes = {'F', 'A', 'K', 'E'}}, {"missing", "missing"}),
               sycl::exception);
  EXPECT_THROW(device.load({.path = {}, .bytes = {}}, {"call", "call"}), sycl::exception);
}

TEST(cuda_errors, a_failed_launch_completes_its_command_after_those_before_it) {
  const auto queue = make_gpu_queue(0, in_order());
  fake_driver().hold(true);
  const auto before = submit(*queue, [] {});
  fake_driver().fail("cuLaunchKernel", result::unknown);
  const auto failed = submit(*queue, [] { FAIL(); });
  const auto after = submit(*queue, [] {});
  EXPECT_FALSE(failed->is_complete());
  fake_driver().hold(false);
  after->wait();
  EXPECT_EQ(text_of_error(*before), "");
  EXPECT_EQ(text_of_error(*after), "");
  const std::string text = text_of_error(*failed);
  EXPECT_TRUE(contains(text, "launch")) << text;
  EXPECT_TRUE(contains(text, "call(pretty)")) << text;
  EXPECT_TRUE(contains(text, "CUDA_ERROR_OF_THE_FAKE")) << text;
}

TEST(cuda_errors, groups_that_do_not_fit_are_told_with_numbers) {
  const auto queue = make_gpu_queue(0, in_order());
  const auto nothing = [](const fake_cuda::launch&) { return result::success; };
  const auto text_of = [&](const launch_geometry& geometry, std::size_t local_memory) {
    const auto self = make_launch(*queue, nothing, geometry, local_memory);
    queue->submit(self, {});
    self->wait();
    return text_of_error(*self);
  };
  const launch_geometry large{kernel_kind::nd_range, 1, {2048, 1, 1}, {1024, 1, 1}, {0, 0, 0}};
  const std::string registers = text_of(large, 0);
  EXPECT_TRUE(contains(registers, "1024") && contains(registers, "512") && contains(registers, "100"))
      << registers;
  const launch_geometry fine{kernel_kind::nd_range, 1, {256, 1, 1}, {128, 1, 1}, {0, 0, 0}};
  EXPECT_EQ(text_of(fine, 100 << 10), "") << "the limit is raised";
  const std::string memory = text_of(fine, 300 << 10);
  EXPECT_TRUE(contains(memory, std::to_string(300 << 10)) && contains(memory, std::to_string(227 << 10)))
      << memory;
}

TEST(cuda_errors, private_memory_that_does_not_fit_is_told_with_numbers) {
  const auto queue = make_gpu_queue(0, in_order());
  const std::string code = "FAKE //uses 512 100 400000";
  const auto kernel =
      queue->device().backend().load({.path = {}, .bytes = {code.begin(), code.end()}}, {"call", "x"});
  const auto self = make_launch(*queue, [](const fake_cuda::launch&) { return result::success; });
  std::get<kernel_operation>(self->work()->what).kernel = kernel.get();
  fake_driver().fail("cuLaunchKernel", result::out_of_memory);
  queue->submit(self, {});
  self->wait();
  const std::string text = text_of_error(*self);
  EXPECT_TRUE(contains(text, "call(pretty)") && contains(text, "400000 bytes of private")) << text;
  ASSERT_TRUE(self->error());
  try {
    std::rethrow_exception(self->error());
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported);
  }
}

TEST(cuda_errors, geometry_reaches_the_kernel) {
  const auto queue = make_gpu_queue(0, in_order());
  const auto launched = [&](const launch_geometry& geometry) {
    fake_cuda::launch seen{};
    const auto self = make_launch(
        *queue,
        [&](const fake_cuda::launch& launch) {
          seen = launch;
          return result::success;
        },
        geometry);
    queue->submit(self, {});
    self->wait();
    EXPECT_EQ(text_of_error(*self), "");
    return seen;
  };
  const auto check = [&](const launch_geometry& geometry) {
    jit::configuration configuration;
    queue->device().backend().specialize(geometry, configuration);
    const fake_cuda::launch seen = launched(geometry);
    const std::size_t range[3] = {geometry.global_range.x, geometry.global_range.y, geometry.global_range.z};
    std::size_t groups = 1, needed = 1;
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(seen.arguments.global_range[axis], range[axis]);
      if (geometry.kind == kernel_kind::range) {
        EXPECT_EQ(seen.block[axis], configuration.local_range[axis]);
      }
      groups *= seen.grid[axis];
      needed *= (range[axis] + seen.block[axis] - 1) / seen.block[axis];
    }
    EXPECT_EQ(groups, needed);
    EXPECT_EQ(configuration.linear_grid,
              seen.grid[1] == 1 && seen.grid[2] == 1 && range[1] / seen.block[1] > 65535);
    return configuration;
  };
  EXPECT_TRUE(check({kernel_kind::range, 1, {1000, 1, 1}, {1, 1, 1}, {0, 0, 0}}).narrow_indices);
  check({kernel_kind::range, 1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}});
  check({kernel_kind::range, 2, {1000, 1000, 1}, {1, 1, 1}, {5, 7, 0}});
  check({kernel_kind::range, 2, {3, 1000, 1}, {1, 1, 1}, {0, 0, 0}});
  check({kernel_kind::range, 2, {1000, 2, 1}, {1, 1, 1}, {0, 0, 0}});
  check({kernel_kind::range, 3, {100, 100, 100}, {1, 1, 1}, {0, 0, 0}});
  check({kernel_kind::range, 3, {2, 2, 1000}, {1, 1, 1}, {0, 0, 0}});
  EXPECT_TRUE(check({kernel_kind::range, 2, {2, 100'000'000, 1}, {1, 1, 1}, {0, 0, 0}}).linear_grid);
  EXPECT_FALSE(check({kernel_kind::range, 2, {1 << 16, 1 << 15, 1}, {1, 1, 1}, {0, 0, 0}}).narrow_indices);
  check({kernel_kind::nd_range, 3, {64, 8, 2}, {32, 4, 2}, {0, 0, 0}});
  EXPECT_TRUE(check({kernel_kind::nd_range, 2, {1, 100'000, 1}, {1, 1, 1}, {0, 0, 0}}).linear_grid);
}

/// In processes of their own, as a device that is lost stays lost.
class cuda_lost_device : public testing::Test {
protected:
  cuda_lost_device() { testing::GTEST_FLAG(death_test_style) = "threadsafe"; }
};

handle<command> submit_fault(queue_state& queue, const char* name, result fault = result::illegal_address) {
  handle<command> self =
      make_launch(queue, [fault](const fake_cuda::launch&) { return fault; }, SINGLE_TASK, 0, name);
  queue.submit(self, {});
  return self;
}

#define CHECK_OR_EXIT(condition)                                                                             \
  if (!(condition)) {                                                                                        \
    std::fprintf(stderr, "line %d: not so: %s\n", __LINE__, #condition);                                     \
    std::_Exit(1);                                                                                           \
  }

TEST_F(cuda_lost_device, all_its_commands_complete_and_name_the_kernel) {
  EXPECT_EXIT(
      {
        std::atomic<int> errors{0};
        const auto handler = [&](const sycl::exception_list& list) {
          errors += static_cast<int>(list.size());
        };
        const auto queue = make_gpu_queue(0, in_order(), handler);
        const auto second = make_gpu_queue(0, {}, handler);
        const auto other = make_gpu_queue(1, in_order());
        submit(*queue, [] {})->wait();
        fake_driver().hold(true);
        const auto guilty = submit_fault(*queue, "the_guilty_one(int)");
        const auto after = submit(*queue, [] { std::_Exit(2); });
        const auto elsewhere = submit(*second, [] {}, {after});
        fake_driver().hold(false);
        elsewhere->wait();
        guilty->wait();
        queue->wait();
        second->wait();
        CHECK_OR_EXIT(contains(text_of_error(*guilty), "the_guilty_one(int)"));
        CHECK_OR_EXIT(contains(text_of_error(*guilty), "CUDA_ERROR_ILLEGAL_ADDRESS"));
        CHECK_OR_EXIT(contains(text_of_error(*after), "the_guilty_one(int)"));
        CHECK_OR_EXIT(!text_of_error(*elsewhere).empty());
        const auto later = submit(*queue, [] { std::_Exit(2); });
        later->wait();
        CHECK_OR_EXIT(contains(text_of_error(*later), "lost to this process"));
        try {
          static_cast<void>(queue->device().backend().allocate(usm_kind::device, 100, 0));
          std::_Exit(3);
        } catch (const sycl::exception& error) {
          CHECK_OR_EXIT(error.code() == sycl::errc::runtime);
          CHECK_OR_EXIT(contains(error.what(), "lost to this process"));
        }
        bool ran = false;
        submit(*other, [&] { ran = true; })->wait();
        CHECK_OR_EXIT(ran);
        queue->throw_asynchronous();
        second->throw_asynchronous();
        CHECK_OR_EXIT(errors == 4);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(cuda_lost_device, commands_that_the_host_waits_for_complete) {
  EXPECT_EXIT(
      {
        const auto queue = make_gpu_queue(0, in_order());
        fake_driver().hold(true);
        const auto guilty = submit_fault(*queue, "guilty");
        std::atomic<bool> ran{false};
        submit(*queue, host_operation{[&] { ran = true; }}, {guilty});
        fake_driver().hold(false);
        while (!ran)
          std::this_thread::sleep_for(1ms);
        queue->wait();
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(cuda_lost_device, an_error_that_a_launch_reports_completes_everything) {
  EXPECT_EXIT(
      {
        const auto queue = make_gpu_queue(0, in_order());
        const auto guilty = submit_fault(*queue, "guilty");
        fake_driver().settle();
        const auto refused = submit(*queue, [] {});
        refused->wait();
        guilty->wait();
        CHECK_OR_EXIT(contains(text_of_error(*guilty), "guilty"));
        CHECK_OR_EXIT(contains(text_of_error(*refused), "CUDA_ERROR_ILLEGAL_ADDRESS"));
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(cuda_lost_device, a_failed_assertion_ends_the_program_whoever_handles_errors) {
  const auto fails = [](const auto& find) {
    const auto queue = make_gpu_queue(0, in_order(), [](const sycl::exception_list&) {});
    const auto guilty = submit_fault(*queue, "the_guilty_one(int)", result::assertion);
    find(*queue, *guilty);
    std::_Exit(0);
  };
  const auto by_abort = testing::KilledBySignal(SIGABRT);
  const char* const said = "falx: an assertion failed on device '.*', in kernel 'the_guilty_one\\(int\\)'";
  EXPECT_EXIT(fails([](queue_state&, command& guilty) { guilty.wait(); }), by_abort, said);
  EXPECT_EXIT(fails([](queue_state& queue, command&) { queue.wait(); }), by_abort, said);
  EXPECT_EXIT(fails([](queue_state& queue, command&) {
                fake_driver().settle();
                submit(queue, [] {})->wait();
              }),
              by_abort, said);
}

TEST_F(cuda_lost_device, children_of_fork_are_told) {
  EXPECT_EXIT(
      {
        const auto queue = make_gpu_queue(0, in_order());
        submit(*queue, [] {})->wait();
        const pid_t child = fork();
        if (child == 0) {
          const auto self = submit(*queue, [] {});
          self->wait();
          const bool told = contains(text_of_error(*self), "fork");
          std::_Exit(told ? 0 : 1);
        }
        int status = 0;
        waitpid(child, &status, 0);
        CHECK_OR_EXIT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        submit(*queue, [] {})->wait();
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

class cuda_discovery : public cuda_lost_device {};

TEST_F(cuda_discovery, machines_without_a_driver_have_no_cuda_devices) {
  if (void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); driver != nullptr)
    GTEST_SKIP() << "this machine has a driver";
  EXPECT_EXIT(
      {
        unsetenv("FALX_CUDA_DRIVER");
        setenv("FALX_CUDA_TRACE", "1", 1);
        for (const handle<device_state>& device : all_devices())
          CHECK_OR_EXIT(device->platform().backend().name() == "cpu");
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "no CUDA devices.*libcuda.so.1");
}

TEST_F(cuda_discovery, a_library_that_is_named_but_is_no_driver_is_an_error) {
  const auto looks_for_devices = [](const char* library) {
    setenv("FALX_CUDA_DRIVER", library, 1);
    try {
      all_devices();
    } catch (const sycl::exception& error) {
      std::fprintf(stderr, "%s", error.what());
      std::_Exit(error.code() == sycl::errc::invalid ? 0 : 2);
    }
    std::_Exit(1);
  };
  EXPECT_EXIT(
      looks_for_devices("/nonexistent/libcuda.so.1"), testing::ExitedWithCode(0),
      "variable FALX_CUDA_DRIVER=/nonexistent/libcuda.so.1 is wrong: there is no such file; it takes");
  EXPECT_EXIT(looks_for_devices("libno_such_library.so"), testing::ExitedWithCode(0),
              "variable FALX_CUDA_DRIVER=libno_such_library.so is wrong: .*cannot open.*; it takes");
  EXPECT_EXIT(looks_for_devices("/proc/self/exe"), testing::ExitedWithCode(0),
              "variable FALX_CUDA_DRIVER=/proc/self/exe is wrong: .*; it takes");
  EXPECT_EXIT(looks_for_devices("libm.so.6"), testing::ExitedWithCode(0),
              "variable FALX_CUDA_DRIVER=libm.so.6 is wrong: it has no function cuInit; it takes");
}

TEST_F(cuda_discovery, old_drivers_are_not_used) {
  EXPECT_EXIT(
      {
        setenv("FAKE_CUDA_VERSION", "11080", 1);
        setenv("FALX_CUDA_TRACE", "1", 1);
        CHECK_OR_EXIT(gpus().empty());
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "supports CUDA 11.8, Falx needs 12.0");
}

TEST_F(cuda_discovery, no_device_is_no_error) {
  EXPECT_EXIT(
      {
        setenv("FAKE_CUDA_DEVICES", "0", 1);
        CHECK_OR_EXIT(gpus().empty());
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(cuda_discovery, listing_devices_makes_no_context) {
  EXPECT_EXIT(
      {
        setenv("FAKE_CUDA_DEVICES", "3", 1);
        CHECK_OR_EXIT(gpus().size() == 3);
        const device_description& device = gpus()[0]->description();
        CHECK_OR_EXIT(device.name == "Fake GPU A" && device.is_gpu && !device.is_cpu);
        CHECK_OR_EXIT(device.version == "9.0" && device.driver_version == "13.0");
        CHECK_OR_EXIT(device.local_memory == 227 << 10 && device.max_work_group_size == 1024);
        CHECK_OR_EXIT(device.max_parameter_bytes == 32712);
        CHECK_OR_EXIT(gpus()[0]->backend().jit_cpu() == "sm_90");
        CHECK_OR_EXIT(gpus()[0]->backend().jit_features() == "+ptx90");
        CHECK_OR_EXIT(fake_driver().calls("cuDevicePrimaryCtxRetain") == 0);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(cuda_discovery, devices_are_ready_once_they_have_a_context) {
  EXPECT_EXIT(
      {
        backend_device& device = gpus()[0]->backend();
        int calls = 0;
        CHECK_OR_EXIT(device.call_when_ready([&] { ++calls; }));
        CHECK_OR_EXIT(calls == 0);
        for (int i = 0; i < 2; ++i)
          device.free(usm_kind::device, device.allocate(usm_kind::device, 64, 0));
        CHECK_OR_EXIT(calls == 1);
        CHECK_OR_EXIT(device.call_when_ready([&] { calls += 10; }));
        CHECK_OR_EXIT(calls == 11);
        std::_Exit(0);
      },
      testing::ExitedWithCode(0), "");
}

} // namespace
