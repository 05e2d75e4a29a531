// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/cache.hpp"
#include "kernels/ahead_compiler.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/jit_loader.hpp"
#include "kernels/kernel_state.hpp"
#include "offload_image.hpp"
#include "process/idle_threads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// \file
/// Which kernels of an image idle processors compile before they are launched, over a JIT of the test's own.

namespace {

/// What the JIT of the test saw, and what it waits for.
struct seen_requests {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> names;
  /// Compilations of this kernel on other threads wait until it is another one.
  std::string held;
  std::thread::id launching_thread = std::this_thread::get_id();
} seen;

bool is_set_up = [] { return ::setenv("FALX_CACHE", "off", 1) == 0; }();

std::string named(const falx::jit::request& request) {
  const auto& local = request.config.local_range;
  return std::string(request.kernel) + (local[0] != 0 ? " " + std::to_string(local[0]) : "");
}

} // namespace

namespace falx {

jit::response jit_compile(const jit::request& request) {
  std::unique_lock lock(seen.mutex);
  seen.names.push_back(named(request));
  seen.changed.notify_all();
  if (std::this_thread::get_id() != seen.launching_thread)
    seen.changed.wait(lock, [&] { return seen.held != request.kernel; });
  jit::response response;
  response.ok = true;
  const std::string code = std::to_string(request.images[0].bytes.size()) + " bytes, " + named(request);
  response.binary.assign(code.begin(), code.end());
  return response;
}

/// Also where other programs keep the machine busy.
bool is_processor_idle() noexcept {
  return true;
}

std::string_view jit_identity() {
  return "the JIT of the test";
}

} // namespace falx

namespace {

using namespace falx;

struct text_kernel final : loaded_kernel {
  explicit text_kernel(std::string the_code) : code(std::move(the_code)) {}
  std::string code;
};

struct test_device final : backend_device {
  test_device() {
    facts.name = "Test Device";
    facts.max_work_group_size = facts.max_work_item_sizes[0] = 1024;
  }
  const device_description& description() const noexcept override { return facts; }
  std::string_view jit_target() const noexcept override { return "test"; }
  bool compiles_ahead() const noexcept override { return true; }
  std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, const kernel_names&) override {
    return std::make_unique<text_kernel>(std::string(binary.bytes.begin(), binary.bytes.end()));
  }
  void* allocate(usm_kind, std::size_t, std::size_t) override { return nullptr; }
  void free(usm_kind, void*) noexcept override {}
  void enqueue(command_view&, const operation&, std::span<const handle<command_view>>) override {}
  bool can_order_after(const command_view&) const noexcept override { return false; }
  device_description facts;
} device;

image::kernel_metadata kernel_of(const std::string& name, kernel_kind kind = kernel_kind::single_task) {
  image::kernel_metadata kernel;
  kernel.name = kernel.pretty_name = name;
  kernel.kind = static_cast<std::uint32_t>(kind);
  kernel.function_size = 8;
  return kernel;
}

/// A program with these kernels, in the order in which they appear in its source.
class program {
public:
  explicit program(const std::vector<image::kernel_metadata>& kernels, std::size_t size = 8)
      : bytes_(image(kernels, size)) {
    falx_register_image(&registration_);
    for (const image::kernel_metadata& kernel : kernels)
      names_.push_back(kernel.name);
    for (const std::string& name : names_)
      descriptors_.push_back({name.c_str(), &registration_, nullptr, nullptr});
  }
  ~program() { falx_unregister_image(&registration_); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  /// The code that a launch runs.
  std::string launch(std::size_t index, std::size_t local = 1) {
    kernel_state& kernel = state_of(descriptors_[index]);
    const launch_geometry geometry{
        static_cast<kernel_kind>(kernel.metadata().kind), 1, {local * 2, 1, 1}, {local, 1, 1}, {0, 0, 0}};
    return static_cast<text_kernel&>(
               kernel.load(device, configuration_of(kernel.metadata(), geometry, device)))
        .code;
  }

private:
  static std::vector<unsigned char> image(const std::vector<image::kernel_metadata>& kernels,
                                          std::size_t size) {
    static int number = 0;
    test::offload_image image;
    image.bitcode = "BC\xC0\xDE" + std::string(size - 4, 'x');
    std::string sha256 = std::to_string(++number);
    image["falx.sha256"] = std::string(64 - sha256.size(), '0') + sha256;
    for (const image::kernel_metadata& kernel : kernels)
      image["falx.kernels"] += image::format_kernel_line(kernel) + '\n';
    return image.bytes();
  }

  const std::vector<unsigned char> bytes_;
  image_registration registration_ = test::registration_of(bytes_);
  std::vector<std::string> names_;
  std::deque<kernel_descriptor> descriptors_;
};

class launch_forecast_test : public testing::Test {
protected:
  void SetUp() override {
    if (most_idle_threads() == 0)
      GTEST_SKIP() << "one processor is never idle";
    for (unsigned i = 0; i < ahead_compiler::LONGEST_PAUSE; ++i)
      ahead_compiler::instance().room(); // after the test in which a processor is busy
    const std::lock_guard lock(seen.mutex);
    seen.names.clear();
    seen.held.clear();
  }
  void TearDown() override { hold(""); }

  static void hold(const std::string& kernel) {
    const std::lock_guard lock(seen.mutex);
    seen.held = kernel;
    seen.changed.notify_all();
  }
  /// Whether the JIT gets the request within what loaded machines need.
  static bool comes(const std::string& name) {
    std::unique_lock lock(seen.mutex);
    return seen.changed.wait_for(lock, std::chrono::seconds(60),
                                 [&] { return std::ranges::find(seen.names, name) != seen.names.end(); });
  }
  static std::vector<std::string> names() {
    const std::lock_guard lock(seen.mutex);
    return seen.names;
  }
};

TEST_F(launch_forecast_test, kernels_are_compiled_in_the_order_of_appearance) {
  program running({kernel_of("zero"), kernel_of("three"), kernel_of("two"), kernel_of("one")});
  EXPECT_EQ(running.launch(1), "8 bytes, three");
  ASSERT_TRUE(comes("two"));
  // One thread or several: the first one is the next.
  EXPECT_EQ(names()[1], "two");
}

TEST_F(launch_forecast_test, launches_use_what_was_compiled_ahead) {
  program running({kernel_of("first"), kernel_of("second")});
  const std::uint64_t counted = jit_compilations(), used = kernels_compiled_ahead().used;
  running.launch(0);
  ASSERT_TRUE(comes("second"));
  EXPECT_EQ(running.launch(1), "8 bytes, second");
  EXPECT_EQ(jit_compilations() - counted, 2u) << "whoever compiles it, it counts once";
  // Twice if the launch came before the idle thread got to the end, and would not get on.
  const auto times = static_cast<std::uint64_t>(std::ranges::count(names(), "second"));
  EXPECT_EQ(times + (kernels_compiled_ahead().used - used), 2u);
}

TEST_F(launch_forecast_test, a_launch_does_not_wait_for_a_compilation_that_gets_no_processor) {
  program running({kernel_of("begin"), kernel_of("stuck")});
  hold("stuck");
  running.launch(0);
  ASSERT_TRUE(comes("stuck"));
  EXPECT_EQ(running.launch(1), "8 bytes, stuck");
}

TEST_F(launch_forecast_test, an_image_may_go_while_its_kernels_are_compiled) {
  hold("late");
  {
    program running({kernel_of("early"), kernel_of("late")}, 1000);
    running.launch(0);
    ASSERT_TRUE(comes("late"));
  }
  hold("");
}

TEST_F(launch_forecast_test, work_groups_are_taken_to_be_like_the_latest) {
  image::kernel_metadata demanding = kernel_of("demanding", kernel_kind::nd_range);
  demanding.reqd_work_group_size = {32};
  program running({kernel_of("task"), kernel_of("before", kernel_kind::nd_range),
                   kernel_of("after", kernel_kind::nd_range), demanding});
  running.launch(0);
  ASSERT_TRUE(comes("demanding 32"));
  EXPECT_EQ(std::ranges::count(names(), "after 16"), 0) << "nothing is known of it yet";
  EXPECT_EQ(running.launch(1, 16), "8 bytes, before 16");
  EXPECT_TRUE(comes("after 16"));
}

TEST_F(launch_forecast_test, what_is_compiled_for_captured_values_is_not_forecast) {
  image::kernel_metadata captures = kernel_of("captures");
  captures.specialized_parts = {{0, 4}};
  program running({kernel_of("plain"), captures, kernel_of("last")});
  running.launch(0);
  ASSERT_TRUE(comes("last"));
  EXPECT_EQ(std::ranges::count(names(), "captures"), 0);
}

TEST_F(launch_forecast_test, few_kernels_are_compiled_in_vain) {
  std::vector<image::kernel_metadata> kernels;
  for (int i = 0; i < 100; ++i)
    kernels.push_back(kernel_of("kernel" + std::to_string(i)));
  program running(kernels);
  const std::uint64_t used = kernels_compiled_ahead().used;
  for (int i = 0; i < 5; ++i)
    running.launch(0);
  running.launch(99);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_LE(names().size(), 2 + ahead_compiler::MOST_UNUSED + 2 * used);
}

} // namespace
