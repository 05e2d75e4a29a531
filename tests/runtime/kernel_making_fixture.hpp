// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "adaptivity/launch_observer.hpp"
#include "falx/kernel.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/jit_loader.hpp"
#include "kernels/kernel_state.hpp"
#include "kernels/kernel_versions.hpp"
#include "kernels/preloaded_kernels.hpp"
#include "offload_image.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

/// \file
/// A program with a kernel, a JIT and a device of the test's own: the definitions of jit_compile and
/// jit_identity here take the place of libfalx's. For one file of a test program. What level of adaptivity it
/// has KERNEL_MAKING_ADAPTIVITY says, which is defined before.

namespace {

const std::thread::id launching_thread = std::this_thread::get_id();
int compilations = 0;
bool jit_fails = false;
std::string jit_build;
falx::jit::request last_request; // its views are of the program that made it
std::filesystem::path cache_directory;

/// Before the runtime looks at the environment.
const bool is_set_up = [] {
  cache_directory =
      std::filesystem::temp_directory_path() / ("falx_kernel_making_" + std::to_string(::getpid()));
  std::filesystem::remove_all(cache_directory);
  ::setenv("FALX_CACHE_DIR", cache_directory.c_str(), 1);
  ::setenv("FALX_ADAPTIVITY", KERNEL_MAKING_ADAPTIVITY, 1);
  std::atexit([] { std::filesystem::remove_all(cache_directory); });
  return true;
}();

std::string text(std::span<const unsigned char> bytes) {
  return {bytes.begin(), bytes.end()};
}

} // namespace

namespace falx {

jit::response jit_compile(const jit::request& request) {
  ++compilations;
  last_request = request;
  const std::string code = "portable " + std::string(request.kernel) + ' ' +
                           std::to_string(request.config.local_range[0]) + ' ' + std::string(request.cpu) +
                           ' ' + text(request.math_library.bytes) +
                           (request.config.sub_group_size_is_required ? " or nothing" : "") +
                           (request.keeps_results ? " that knows" : "");
  jit::response response;
  response.ok = !jit_fails;
  response.binary.assign(code.begin(), code.end());
  response.diagnostic = "it is too clever";
  return response;
}

std::string_view jit_identity() {
  return jit_build;
}

} // namespace falx

namespace {

using namespace falx;

struct text_kernel final : loaded_kernel {
  explicit text_kernel(std::string the_code) : code(std::move(the_code)) {}
  bool has_other_form() const noexcept override { return true; }
  void expect_other_form(std::unique_ptr<other_code> form) override { other = std::move(form); }
  std::string code;
  std::unique_ptr<other_code> other;
};

/// Assembles when it has a driver, and loads anything but what is damaged.
struct test_device final : backend_device {
  test_device() { facts.name = "Test Device"; }
  const device_description& description() const noexcept override { return facts; }
  std::string_view jit_target() const noexcept override { return "test"; }
  std::string_view jit_host() const noexcept override { return host; }
  std::string_view jit_cpu() const noexcept override { return cpu; }
  std::string_view jit_features() const noexcept override { return features; }
  jit::identified_bytes jit_math_library() const override { return {math, math_identity}; }
  std::span<const jit::shared_library> jit_libraries() const override { return libraries; }
  void specialize(const launch_geometry& geometry,
                  jit::configuration& configuration) const noexcept override {
    if (geometry.kind == kernel_kind::range)
      configuration.local_range[0] = 128;
    configuration.narrow_indices = geometry.global_range.x < (std::size_t{1} << 31);
  }
  std::string_view assembler_digest() const noexcept override { return driver; }
  std::vector<unsigned char> assemble(std::span<const unsigned char> code,
                                      const kernel_names& names) override {
    ++assemblies;
    if (assembler_fails)
      throw sycl::exception(sycl::errc::build, "the driver does not like it");
    EXPECT_EQ(names.pretty, "pretty k");
    std::string native = "native of " + text(code);
    return {native.begin(), native.end()};
  }
  bool times_learned_code() const noexcept override { return true; }
  std::vector<unsigned char> assemble_in_place_of(std::span<const unsigned char> own,
                                                  std::span<const unsigned char> code,
                                                  const kernel_names& names) override {
    EXPECT_NE(text(own), "") << "it is compared with that";
    return replaces ? assemble(code, names) : std::vector<unsigned char>();
  }
  std::vector<unsigned char> assemble_otherwise(std::span<const unsigned char> code,
                                                const kernel_names&) override {
    ++other_assemblies;
    if (assembler_fails)
      throw sycl::exception(sycl::errc::build, "the driver does not like it");
    std::string native = assembles_otherwise ? "other native of " + text(code) : std::string();
    return {native.begin(), native.end()};
  }
  bool call_when_ready(std::function<void()> when) override {
    ready = std::move(when);
    return has_context;
  }
  std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, const kernel_names&) override {
    EXPECT_TRUE(binary.path.empty()) << "it loads no files";
    const std::string code(binary.bytes.begin(), binary.bytes.end());
    const std::lock_guard lock(mutex);
    if (refuses) {
      ++refusals_;
      throw sycl::exception(sycl::errc::memory_allocation, "no room for it");
    }
    loads_.push_back(std::this_thread::get_id() == launching_thread ? "launch" : "ahead");
    return std::make_unique<text_kernel>(code);
  }
  void* allocate(usm_kind, std::size_t, std::size_t) override { return nullptr; }
  void free(usm_kind, void*) noexcept override {}
  void enqueue(command_view&, const operation&, std::span<const handle<command_view>>) override {}
  bool can_order_after(const command_view&) const noexcept override { return false; }

  device_description facts;
  std::string driver, host = "host", cpu = "sm_1", features = "+this", math_identity = "math";
  std::vector<jit::shared_library> libraries = {{"libm.so.6", "/lib/libm.so.6", "id 1"}};
  std::vector<unsigned char> math{'m'};
  int assemblies = 0, other_assemblies = 0;
  bool assembler_fails = false, assembles_otherwise = true, refuses = false, replaces = true;
  /// Which it makes when the test calls the function.
  bool has_context = false;
  std::function<void()> ready;
  /// When each kernel was loaded.
  std::vector<std::string> loads() {
    const std::lock_guard lock(mutex);
    return loads_;
  }
  std::size_t attempts() {
    const std::lock_guard lock(mutex);
    return loads_.size() + refusals_;
  }

private:
  std::mutex mutex; // guards what follows
  std::vector<std::string> loads_;
  std::size_t refusals_ = 0;
};

/// What the kernel captures. The first number is specialised on, the second one is not.
struct captured {
  std::uint32_t specialized = 1, number = 2;
  void* pointer = nullptr;
};

/// A running program that has one kernel.
class program {
public:
  program() { falx_register_image(&registration_); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;
  ~program() { falx_unregister_image(&registration_); }

  kernel_state& kernel() { return state_of(descriptor_); }
  /// What a launch runs.
  text_kernel& kernel_of_launch(test_device& device, const captured& function, std::size_t range) {
    const launch_geometry geometry{kernel_kind::range, 1, {range, 1, 1}, {1, 1, 1}, {0, 0, 0}};
    const kernel_configuration configuration =
        configuration_of(kernel().metadata(), geometry, device, &function);
    return static_cast<text_kernel&>(
        kernel().load_learned(device, configuration, nullptr, &function, nullptr, geometry));
  }
  /// Its code.
  const std::string& launch(test_device& device, const captured& function, std::size_t range) {
    return kernel_of_launch(device, function, range).code;
  }

private:
  static std::vector<unsigned char> image() {
    image::kernel_metadata kernel;
    kernel.name = "k";
    kernel.kind = static_cast<std::uint32_t>(kernel_kind::range);
    kernel.function_size = sizeof(captured);
    kernel.specialized_parts = {{offsetof(captured, specialized), 4}};
    kernel.captured_values = {{offsetof(captured, number), 4}};
    kernel.captured_pointers = {offsetof(captured, pointer)};
    kernel.pretty_name = "pretty k";
    test::offload_image image;
    image.bitcode = "BC\xC0\xDE";
    image["falx.kernels"] = image::format_kernel_line(kernel) + '\n';
    return image.bytes();
  }

  const std::vector<unsigned char> bytes_ = image();
  image_registration registration_ = test::registration_of(bytes_);
  const kernel_descriptor descriptor_{"k", &registration_, nullptr, nullptr};
};

/// A program that starts, loads its kernel, and ends.
std::string run_program(test_device& device, const kernel_configuration& configuration = {}) {
  program running;
  return static_cast<text_kernel&>(running.kernel().load(device, configuration)).code;
}

class kernel_making : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::remove_all(cache_directory);
    compilations = 0;
    jit_fails = false;
    jit_build = "the JIT of the test";
  }
  static std::string error_of(test_device& device) {
    try {
      run_program(device);
    } catch (const sycl::exception& error) {
      return error.what();
    }
    return "none";
  }
  test_device device;
};

} // namespace
