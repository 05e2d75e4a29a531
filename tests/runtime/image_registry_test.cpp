// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels/image_registry.hpp"
#include "kernels/jit_loader.hpp"
#include "kernels/kernel_state.hpp"
#include "offload_image.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <thread>

/// \file
/// Image registry and kernel states over a JIT of the test's own: its definitions of jit_compile and
/// jit_identity take the place of libfalx's, as the dynamic linker finds the program's first.

namespace {

/// What the JIT of the test does and saw.
struct fake_jit {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> compiled;              // kernels
  std::vector<std::vector<std::string>> bitcodes; // of the images, per compilation
  int running = 0;
  int wait_for_running = 0; // compilations stay inside until so many are
  bool fail = false;
  bool timed_out = false;

  void reset() {
    compiled.clear();
    bitcodes.clear();
    running = wait_for_running = 0;
    fail = timed_out = false;
  }
} jit_seen;

} // namespace

namespace falx {

jit::response jit_compile(const jit::request& request) {
  std::unique_lock lock(jit_seen.mutex);
  jit_seen.compiled.emplace_back(request.kernel);
  std::vector<std::string>& bitcodes = jit_seen.bitcodes.emplace_back();
  for (const jit::identified_bytes& image : request.images)
    bitcodes.emplace_back(image.bytes.begin(), image.bytes.end());
  ++jit_seen.running;
  jit_seen.changed.notify_all();
  if (!jit_seen.changed.wait_for(lock, std::chrono::seconds(20),
                                 [] { return jit_seen.running >= jit_seen.wait_for_running; }))
    jit_seen.timed_out = true;
  jit::response response;
  response.ok = !jit_seen.fail;
  response.binary.assign({'c', 'o', 'd', 'e'});
  response.diagnostic = jit_seen.fail ? "it is too clever" : "";
  return response;
}

/// No identity: nothing may come from the kernel cache.
std::string_view jit_identity() {
  return {};
}

} // namespace falx

namespace {

using falx::image_registration;
using falx::kernel_descriptor;
using falx::test::offload_image;

struct fake_kernel : falx::loaded_kernel {
  explicit fake_kernel(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~fake_kernel() override { --alive_; }
  std::atomic<int>& alive_;
};

struct fake_device : falx::backend_device {
  fake_device() { facts.name = "Test Device"; }
  const falx::device_description& description() const noexcept override { return facts; }
  std::string_view jit_target() const noexcept override { return "test"; }
  void* allocate(falx::usm_kind, std::size_t, std::size_t) override { return nullptr; }
  void free(falx::usm_kind, void*) noexcept override {}
  std::unique_ptr<falx::loaded_kernel> load(const falx::kernel_binary& binary,
                                            const falx::kernel_names&) override {
    EXPECT_EQ(binary.bytes.size(), 4u);
    return std::make_unique<fake_kernel>(alive);
  }
  void enqueue(falx::command_view&, const falx::operation&,
               std::span<const falx::handle<falx::command_view>>) override {}
  bool can_order_after(const falx::command_view&) const noexcept override { return false; }

  falx::device_description facts;
  std::atomic<int> alive{0};
};

std::string kernel_line(const std::string& name) {
  falx::image::kernel_metadata kernel;
  kernel.name = name;
  kernel.function_size = 8;
  kernel.pretty_name = "pretty " + name;
  return falx::image::format_kernel_line(kernel) + '\n';
}

/// An image as a translation unit would have it, registered while the object lives.
class registered_image {
public:
  explicit registered_image(std::vector<unsigned char> bytes, std::uint64_t version = falx::INTERFACE_VERSION)
      : bytes_(std::move(bytes)), registration(falx::test::registration_of(bytes_, version)) {
    falx::falx_register_image(&registration);
  }
  registered_image(const std::string& bitcode, const std::string& kernels, const std::string& exports,
                   const std::string& imports)
      : registered_image(make(bitcode, kernels, exports, imports)) {}
  registered_image(const registered_image&) = delete;
  ~registered_image() { unregister(); }

  void unregister() {
    if (!std::exchange(gone_, true))
      falx::falx_unregister_image(&registration);
  }
  /// A descriptor that lives as long as the image, as it does in a program.
  const kernel_descriptor& kernel(const char* name) {
    return kernels_.emplace_back(kernel_descriptor{name, &registration, nullptr, nullptr});
  }

private:
  static std::vector<unsigned char> make(const std::string& bitcode, const std::string& kernels,
                                         const std::string& exports, const std::string& imports) {
    offload_image image;
    image.bitcode = "BC\xC0\xDE" + bitcode;
    image["falx.kernels"] = kernels;
    image["falx.exports"] = exports;
    image["falx.imports"] = imports;
    return image.bytes();
  }
  std::vector<unsigned char> bytes_;
  std::deque<kernel_descriptor> kernels_;
  bool gone_ = false;

public:
  image_registration registration;
};

/// Expects that \p call throws a sycl::exception with the code and all the words in its text.
template <class Call>
void expect_error(sycl::errc code, std::initializer_list<const char*> words, Call call) {
  try {
    call();
    ADD_FAILURE() << "no exception";
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::make_error_code(code)) << error.what();
    for (const char* word : words)
      EXPECT_NE(std::strstr(error.what(), word), nullptr) << "'" << word << "' is not in: " << error.what();
  }
}

class image_registry : public testing::Test {
protected:
  void SetUp() override { jit_seen.reset(); }
  falx::loaded_kernel& load(const kernel_descriptor& kernel, falx::kernel_configuration configuration = {}) {
    return falx::state_of(kernel).load(device, configuration);
  }
  fake_device device;
};

TEST_F(image_registry, registration_parses_nothing_and_first_use_does) {
  // In static storage, as the compiler places it: so the message can name the program.
  static const unsigned char bytes[] = {1, 2, 3};
  static image_registration damaged{
      falx::INTERFACE_VERSION, bytes, bytes + 3, nullptr, nullptr, nullptr, 0, nullptr, 0, nullptr, 0};
  falx::falx_register_image(&damaged);
  EXPECT_EQ(damaged.runtime_state, nullptr);
  static const kernel_descriptor kernel{"k", &damaged, nullptr, nullptr};
  expect_error(sycl::errc::invalid, {"image_registry_test", "damaged", "3 bytes"},
               [&] { falx::metadata_of(kernel); });
  falx::falx_unregister_image(&damaged);
  registered_image empty(std::vector<unsigned char>{});
  const kernel_descriptor& none = empty.kernel("k");
  expect_error(sycl::errc::invalid, {"damaged"}, [&] { falx::metadata_of(none); });
}

TEST_F(image_registry, image_of_another_compiler_version_names_the_remedy) {
  registered_image old(offload_image().bytes(), 77);
  const kernel_descriptor& kernel = old.kernel("k");
  expect_error(sycl::errc::kernel_not_supported, {"version 77", "recompile", "falx++"},
               [&] { falx::metadata_of(kernel); });
}

/// A program of another version must come to know it before it uses a class of another layout. In a process
/// of its own, as devices are looked for once.
TEST(image_registry_death_test, programs_of_another_version_are_told_when_they_look_for_devices) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(
      {
        registered_image old(offload_image().bytes(), 77);
        try {
          sycl::device::get_devices();
        } catch (const sycl::exception& error) {
          std::fputs(error.what(), stderr);
          std::exit(error.code() == sycl::errc::kernel_not_supported ? 3 : 4);
        }
      },
      testing::ExitedWithCode(3), "version 77 of Falx's interface.*recompile it with the falx\\+\\+");
}

TEST_F(image_registry, metadata_is_found_by_name) {
  registered_image image("", kernel_line("b") + kernel_line("c") + kernel_line("a"), "", "");
  const kernel_descriptor& kernel = image.kernel("c");
  EXPECT_EQ(falx::metadata_of(kernel).pretty_name, "pretty c");
  EXPECT_EQ(&falx::metadata_of(kernel), &falx::metadata_of(kernel));
  const kernel_descriptor& missing = image.kernel("_ZN4nope3fooEv");
  expect_error(sycl::errc::invalid, {"nope::foo", "no kernel"}, [&] { falx::metadata_of(missing); });
}

TEST_F(image_registry, imports_are_followed_from_image_to_image) {
  registered_image unrelated("unrelated", "", "_Z1uv", "");
  registered_image last("last", "", "_Z1gv", "_Z1fv"); // a cycle ends
  registered_image middle("middle", "", "_Z1fv", "_Z1gv");
  registered_image again("again", "", "_Z1fv", "");
  registered_image user("user", kernel_line("k"), "", "_Z1fv");
  const kernel_descriptor& kernel = user.kernel("k");
  load(kernel);
  ASSERT_EQ(jit_seen.bitcodes.size(), 1u);
  EXPECT_EQ(jit_seen.bitcodes[0],
            (std::vector<std::string>{"BC\xC0\xDEuser", "BC\xC0\xDEmiddle", "BC\xC0\xDElast"}));
}

TEST_F(image_registry, missing_definition_is_named_until_it_is_there) {
  registered_image damaged({1, 2, 3});
  registered_image user("user", kernel_line("k"), "", "_Z7missingi");
  const kernel_descriptor& kernel = user.kernel("k");
  expect_error(sycl::errc::build, {"missing(int)", "SYCL_EXTERNAL", "damaged"}, [&] { load(kernel); });
  registered_image later("later", "", "_Z7missingi", "");
  load(kernel);
  EXPECT_EQ(jit_seen.bitcodes.at(0).size(), 2u);
}

TEST_F(image_registry, kernel_is_compiled_once_per_configuration) {
  registered_image image("", kernel_line("k"), "", "");
  const kernel_descriptor& kernel = image.kernel("k");
  std::vector<std::thread> threads;
  std::vector<falx::loaded_kernel*> found(8);
  for (falx::loaded_kernel*& result : found)
    threads.emplace_back([&] { result = &load(kernel); });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(jit_seen.compiled.size(), 1u);
  for (falx::loaded_kernel* result : found)
    EXPECT_EQ(result, found[0]);

  for (std::uint32_t extent = 1; extent <= 50; ++extent)
    EXPECT_NE(&load(kernel, {{.local_range = {extent, 1, 1}}}), found[0]);
  EXPECT_EQ(jit_seen.compiled.size(), 51u);
  for (std::uint32_t extent = 1; extent <= 50; ++extent)
    load(kernel, {{.local_range = {extent, 1, 1}}});
  EXPECT_EQ(&load(kernel), found[0]);
  EXPECT_EQ(jit_seen.compiled.size(), 51u);
  fake_device other;
  falx::state_of(kernel).load(other, {});
  EXPECT_EQ(jit_seen.compiled.size(), 52u);
  image.unregister();
  EXPECT_EQ(device.alive, 0);
}

TEST_F(image_registry, different_kernels_compile_at_the_same_time) {
  registered_image image("", kernel_line("a") + kernel_line("b"), "", "");
  const kernel_descriptor& a = image.kernel("a");
  const kernel_descriptor& b = image.kernel("b");
  jit_seen.wait_for_running = 2;
  std::thread first([&] { load(a); });
  std::thread second([&] { load(b); });
  first.join();
  second.join();
  EXPECT_FALSE(jit_seen.timed_out);
}

TEST_F(image_registry, failed_compilation_names_kernel_and_device) {
  registered_image image("", kernel_line("k"), "", "");
  const kernel_descriptor& kernel = image.kernel("k");
  jit_seen.fail = true;
  expect_error(sycl::errc::build, {"pretty k", "Test Device", "too clever"}, [&] { load(kernel); });
  jit_seen.fail = false;
  load(kernel);
}

TEST_F(image_registry, unregistering_waits_for_use_and_forgets_kernels) {
  registered_image image("", kernel_line("k"), "_Z1fv", "");
  const kernel_descriptor& kernel = image.kernel("k");
  load(kernel);
  EXPECT_EQ(device.alive, 1);
  falx::kernel_use use(kernel);
  falx::kernel_use moved = std::move(use);
  std::atomic<bool> gone{false};
  std::thread closing([&] {
    image.unregister();
    gone = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(gone);
  EXPECT_EQ(device.alive, 1);
  moved = falx::kernel_use();
  closing.join();
  EXPECT_EQ(device.alive, 0);
  EXPECT_EQ(kernel.runtime_state, nullptr);
  EXPECT_EQ(image.registration.runtime_state, nullptr);

  registered_image user("user", kernel_line("u"), "", "_Z1fv");
  const kernel_descriptor& other = user.kernel("u");
  expect_error(sycl::errc::build, {"f()"}, [&] { load(other); });
}

TEST_F(image_registry, many_uses_and_unregistrations_race_safely) {
  for (int round = 0; round < 50; ++round) {
    registered_image image("", kernel_line("k"), "", "");
    const kernel_descriptor& kernel = image.kernel("k");
    load(kernel);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([use = falx::kernel_use(kernel)] { std::this_thread::yield(); });
    image.unregister();
    EXPECT_EQ(device.alive, 0);
    for (std::thread& thread : threads)
      thread.join();
  }
}

TEST_F(image_registry, lists_each_named_kernel_once_while_its_image_is_registered) {
  static const falx::kernel_name one{}, two{};
  const std::size_t before = falx::all_kernel_names().size();
  registered_image first("", kernel_line("a"), "", ""), second("", kernel_line("a"), "", "");
  // Two entries of one name, and a descriptor that both images list but that belongs to the first.
  const kernel_descriptor a{"a", &first.registration, nullptr, &one};
  const kernel_descriptor b{"b", &first.registration, nullptr, &one};
  const kernel_descriptor c{"c", &second.registration, nullptr, &two};
  const kernel_descriptor unnamed{"d", &second.registration, nullptr, nullptr};
  const kernel_descriptor* const of_first[] = {&a, &b};
  const kernel_descriptor* const of_second[] = {&a, &c, &unnamed};
  first.registration.kernels = of_first;
  first.registration.kernel_count = 2;
  second.registration.kernels = of_second;
  second.registration.kernel_count = 3;
  EXPECT_EQ(falx::all_kernel_names().size(), before + 2);
  EXPECT_EQ(falx::kernels_named(&one), (std::vector<const kernel_descriptor*>{&a, &b}));
  EXPECT_EQ(falx::kernels_named(&two), (std::vector<const kernel_descriptor*>{&c}));
  first.unregister();
  EXPECT_TRUE(falx::kernels_named(&one).empty());
}

TEST_F(image_registry, constants_of_image_and_program_must_agree) {
  offload_image image;
  image["falx.kernels"] = kernel_line("k");
  image["falx.constants"] = "id\t4\t0\tk\n";
  registered_image without_table(image.bytes());
  expect_error(sycl::errc::invalid, {"damaged", "specialization constants"},
               [&] { falx::metadata_of(without_table.kernel("k")); });
}

TEST_F(image_registry, device_globals_of_image_and_program_must_agree) {
  offload_image image;
  image["falx.kernels"] = kernel_line("k");
  image["falx.globals"] = "g\t4\t4\t0\t0\tk\n";
  registered_image without_table(image.bytes());
  expect_error(sycl::errc::invalid, {"damaged", "device globals"},
               [&] { falx::metadata_of(without_table.kernel("k")); });
}

TEST_F(image_registry, counts_the_images_that_use_a_device_global) {
  static const int variable = 0, other = 0;
  const void* const table[] = {&other, &variable};
  const auto make = [](const char* lines) {
    offload_image image;
    image["falx.kernels"] = kernel_line("k");
    image["falx.globals"] = lines;
    return image.bytes();
  };
  registered_image defines(make("_Z5other\t4\t4\t0\t0\n_ZL8variable\t4\t4\t0\t0\n"));
  registered_image uses(make("_Z5other\t4\t4\t0\t1\n_ZL8variable\t4\t4\t0\t0\tk\n"));
  for (registered_image* image : {&defines, &uses}) {
    image->registration.device_globals = table;
    image->registration.device_global_count = 2;
  }
  EXPECT_EQ(falx::uses_of_device_global(&variable).users, 1u);
  EXPECT_EQ(falx::uses_of_device_global(&variable).name, "variable");
  EXPECT_EQ(falx::uses_of_device_global(&variable).image.image(), &falx::state_of(defines.registration));
  EXPECT_EQ(falx::uses_of_device_global(&other).users, 1u);
  uses.unregister();
  EXPECT_EQ(falx::uses_of_device_global(&variable).users, 0u);
  defines.unregister();
  EXPECT_EQ(falx::uses_of_device_global(&variable).image.image(), nullptr);
  EXPECT_EQ(falx::uses_of_device_global(&variable).name, "");
}

TEST(kernel_descriptor_of, says_that_the_file_needs_falxpp) {
  const auto call = [](const char* text) {
    return [text] { falx::falx_kernel_descriptor_of(nullptr, text); };
  };
  const sycl::errc code = sycl::errc::kernel_not_supported;
  expect_error(code, {"kernel 'my::kernel<1, 2>'", "compile this file with falx++"},
               call("void launch() [Name = my::kernel<1, 2>, Kind = 1, Function = f]"));
  expect_error(
      code, {"kernel '(lambda at a.cpp:1:2)'"},
      call(
          "void launch() [Name = sycl::detail::unnamed_kernel, Kind = 1, Function = (lambda at a.cpp:1:2)]"));
  expect_error(
      code, {"kernel 'main()::<lambda(int, int)>'"},
      call("void launch() [with Name = sycl::detail::unnamed_kernel; F = main()::<lambda(int, int)>]"));
  expect_error(code, {"kernel 'plain name'"}, call("plain name"));
}

} // namespace
