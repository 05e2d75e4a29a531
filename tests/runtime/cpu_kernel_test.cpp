// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/cpu_kernel.hpp"
#include "kernels/kernel_cache.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

namespace fs = std::filesystem;
using falx::cpu_loaded_kernel;

/// Loads shared objects that the system's compiler makes, in place of the JIT's.
class cpu_kernel : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "falx-cpu-kernel-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root = pattern;
  }
  void TearDown() override { fs::remove_all(root); }

  /// A kernel whose sub-group size is \p mark, so that kernels can be told apart.
  std::vector<unsigned char> compile(unsigned mark, unsigned version = falx::cpu::CPU_ABI_VERSION,
                                     const char* symbol = falx::cpu::KERNEL_PROPERTIES_SYMBOL,
                                     std::size_t stack_bytes = 0) const {
    const fs::path source = root / "kernel.c", object = root / "kernel.so";
    std::ofstream(source) << "static void run(void) {}\n"
                          << "struct { unsigned version, size; unsigned long scratch, context; void "
                             "(*function)(void); unsigned "
                             "long stack, unbounded; void* lines; } "
                          << symbol << " = {" << version << ", " << mark << ", 3, 4, run, " << stack_bytes
                          << ", 0, 0};\n";
    const std::string command =
        "clang-22 -shared -fPIC -nostdlib '" + source.string() + "' -o '" + object.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::ifstream file(object, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static unsigned mark_of(const std::unique_ptr<falx::loaded_kernel>& kernel) {
    return dynamic_cast<cpu_loaded_kernel&>(*kernel).properties().sub_group_size;
  }
  /// The text of the exception that loading throws; empty if it does not.
  std::string error_of(const falx::kernel_binary& binary) {
    try {
      device.load(binary, {"kernel", "a kernel"});
    } catch (const sycl::exception& error) {
      EXPECT_EQ(error.code(), sycl::make_error_code(sycl::errc::build));
      return error.what();
    }
    return {};
  }

  /// The threads of a device live as long as the process.
  static falx::cpu_device& made_device() {
    static falx::cpu_device made;
    return made;
  }

  fs::path root;
  falx::cpu_device& device = made_device();
};

TEST_F(cpu_kernel, is_loaded_from_the_cache) {
  falx::kernel_cache cache((root / "cache").string(), 1 << 30);
  const falx::digest128 key{1, 2};
  cache.store(key, compile(8));
  const auto entry = cache.find(key);
  ASSERT_TRUE(entry);
  const auto kernel = device.load({.path = entry->path, .bytes = {}}, {"k", "a kernel"});
  EXPECT_EQ(mark_of(kernel), 8u);
  EXPECT_EQ(dynamic_cast<cpu_loaded_kernel&>(*kernel).properties().context_bytes_per_work_item, 4u);
}

TEST_F(cpu_kernel, is_never_of_an_exchanged_directory) {
  // A thread puts another directory in the place of the cache's parent and back, all the time.
  // What is there under the name of the entry has no checksum.
  const falx::digest128 key{1, 2};
  const fs::path ours = root / "ours", theirs = root / "theirs";
  const std::string name = key.hex();
  const fs::path file = fs::path(name.substr(0, 2)) / (name.substr(2) + std::string(falx::ENTRY_SUFFIX));
  ASSERT_TRUE(falx::kernel_cache(ours.string(), 1 << 30).store(key, compile(8)));
  fs::create_directories(theirs / file.parent_path());
  const std::vector<unsigned char> planted = compile(9);
  std::ofstream(theirs / file, std::ios::binary)
      .write(reinterpret_cast<const char*>(planted.data()), static_cast<std::streamsize>(planted.size()));
  for (const fs::path& path : {ours, theirs})
    fs::permissions(path, fs::perms::owner_all);
  fs::permissions((theirs / file).parent_path(), fs::perms::owner_all);
  fs::permissions(theirs / file, fs::perms::owner_read | fs::perms::owner_write);

  std::jthread swapper([&](const std::stop_token& stop) {
    while (!stop.stop_requested())
      ::renameat2(AT_FDCWD, ours.c_str(), AT_FDCWD, theirs.c_str(), RENAME_EXCHANGE);
  });
  unsigned loaded = 0;
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
       std::chrono::steady_clock::now() < end;) {
    falx::kernel_cache cache(ours.string(), 1 << 30);
    const auto entry = cache.find(key);
    if (!entry)
      continue;
    const auto kernel = device.load({.path = entry->path, .bytes = {}}, {"k", "a kernel"});
    ASSERT_EQ(mark_of(kernel), 8u) << "after " << loaded;
    const std::vector<unsigned char> bytes = cache.read(key);
    ASSERT_EQ(mark_of(device.load({.path = {}, .bytes = bytes}, {"k", "a kernel"})), 8u);
    ++loaded;
  }
  EXPECT_GT(loaded, 100u);
}

TEST_F(cpu_kernel, many_entries_of_many_caches_are_not_taken_for_each_other) {
  // All under one key, each in a cache that is closed before the next one is opened, so that file numbers
  // come back.
  constexpr unsigned COUNT = 8;
  std::vector<std::unique_ptr<falx::loaded_kernel>> kernels;
  for (unsigned mark = 1; mark <= COUNT; ++mark) {
    falx::kernel_cache cache((root / std::to_string(mark)).string(), 1 << 30);
    const auto entry = cache.store({1, mark % 2}, compile(mark));
    ASSERT_TRUE(entry);
    kernels.push_back(device.load({.path = entry->path, .bytes = {}}, {"k", "a kernel"}));
  }
  for (unsigned mark = 1; mark <= COUNT; ++mark)
    EXPECT_EQ(mark_of(kernels[mark - 1]), mark);
}

TEST_F(cpu_kernel, limit_on_file_size_is_an_error_with_a_remedy) {
  const std::vector<unsigned char> bytes = compile(8);
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(error_of({.path = {}, .bytes = bytes}).find("ulimit -f") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(cpu_kernel, kernels_in_memory_are_not_taken_for_each_other) {
  // File numbers come back, so that all of them could get one path, and the dynamic linker compares paths.
  std::vector<std::unique_ptr<falx::loaded_kernel>> kernels;
  for (unsigned mark = 1; mark <= 4; ++mark)
    kernels.push_back(device.load({.path = {}, .bytes = compile(mark)}, {"k", "a kernel"}));
  for (unsigned mark = 1; mark <= 4; ++mark)
    EXPECT_EQ(mark_of(kernels[mark - 1]), mark);
}

TEST_F(cpu_kernel, one_that_needs_more_stack_than_there_is_memory_is_not_supported) {
  constexpr std::size_t STACK = std::size_t{1} << 46;
  const auto bytes = compile(16, falx::cpu::CPU_ABI_VERSION, falx::cpu::KERNEL_PROPERTIES_SYMBOL, STACK);
  try {
    device.load({.path = {}, .bytes = bytes}, {"k", "a kernel"});
    FAIL();
  } catch (const sycl::exception& error) {
    EXPECT_EQ(error.code(), sycl::errc::kernel_not_supported) << error.what();
    EXPECT_NE(std::strstr(error.what(), "'a kernel' needs 7036874"), nullptr) << error.what();
    EXPECT_NE(std::strstr(error.what(), "16 work-items"), nullptr) << error.what();
  }
}

TEST_F(cpu_kernel, directory_without_execution_is_no_obstacle) {
  const std::vector<unsigned char> bytes = compile(8);
  const pid_t child = ::fork();
  if (child == 0) {
    if ((::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", root.c_str(), "tmpfs", MS_NOEXEC, "mode=0700") != 0)
      ::_exit(77);
    falx::kernel_cache cache((root / "cache").string(), 1 << 30);
    const auto entry = cache.store({1, 2}, bytes);
    const bool refused = entry && !error_of({.path = entry->path, .bytes = {}}).empty();
    ::_exit(refused && mark_of(device.load({.path = {}, .bytes = cache.read({1, 2})}, {"k", "k"})) == 8 ? 0
                                                                                                        : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "cannot mount here";
  EXPECT_EQ(status, 0);
}

TEST_F(cpu_kernel, what_cannot_be_loaded_is_an_error_with_the_kernels_name) {
  EXPECT_NE(error_of({.path = {}, .bytes = {'n', 'o'}}).find("'a kernel'"), std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = {}}).find("'a kernel'"), std::string::npos);
  EXPECT_NE(error_of({.path = "/no/such/file", .bytes = {}}).find("/no/such/file"), std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = compile(8, 99)}).find("version 99"), std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = compile(8, 1, "other")}).find("description"), std::string::npos);
}

/// Counts what is asked of it.
struct counted_code final : falx::other_code {
  counted_code(std::atomic<int>& the_requests, std::atomic<int>& the_takes, bool exists)
      : requests(the_requests), takes(the_takes), there_is(exists) {}
  void request() noexcept override { ++requests; }
  bool is_ready() noexcept override { return requests > 0; }
  std::unique_ptr<falx::loaded_kernel> take() noexcept override {
    ++takes;
    return there_is ? std::make_unique<cpu_loaded_kernel>(nullptr, best) : nullptr;
  }
  std::atomic<int>&requests, &takes;
  const bool there_is;
  static constexpr falx::cpu::kernel_properties best{.abi_version = falx::cpu::CPU_ABI_VERSION,
                                                     .sub_group_size = 2,
                                                     .scratch_bytes_per_work_item = 0,
                                                     .context_bytes_per_work_item = 0,
                                                     .function = nullptr};
};

/// Launches of a kernel of quick code, on several threads, until it has taken better code, or has had the
/// time.
void launch_for_long(bool there_is, std::size_t expected_size) {
  constexpr falx::cpu::kernel_properties QUICK{.abi_version = falx::cpu::CPU_ABI_VERSION,
                                               .sub_group_size = 1,
                                               .scratch_bytes_per_work_item = 0,
                                               .context_bytes_per_work_item = 0,
                                               .function = nullptr};
  std::atomic<int> requests{0}, takes{0};
  cpu_loaded_kernel kernel(nullptr, QUICK);
  kernel.learn_unit_cost(1000, 1);
  kernel.expect_better(std::make_unique<counted_code>(requests, takes, there_is));
  EXPECT_EQ(kernel.for_launch_of(1, 1).kernel->properties().sub_group_size, 1u);
  EXPECT_EQ(requests, 0) << "a microsecond is nothing";
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int launch = 0; launch < 10'000; ++launch)
          kernel.for_launch_of(10, 1);
      });
  }
  EXPECT_EQ(requests, 1);
  EXPECT_EQ(takes, 1);
  EXPECT_EQ(kernel.for_launch_of(10, 1).kernel->properties().sub_group_size, expected_size);
}

TEST(quick_code, a_kernel_that_runs_long_takes_better_code_once) {
  launch_for_long(true, 2);
}

TEST(quick_code, where_there_is_no_better_code_it_goes_on) {
  launch_for_long(false, 1);
}

} // namespace
