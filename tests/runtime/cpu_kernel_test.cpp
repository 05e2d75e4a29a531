// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends/cpu/cpu_device.hpp"
#include "backends/cpu/cpu_kernel.hpp"
#include "kernel_cache.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

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
                                     const char* symbol = falx::cpu::KERNEL_PROPERTIES_SYMBOL) const {
    const fs::path source = root / "kernel.c", object = root / "kernel.so";
    std::ofstream(source)
        << "struct { unsigned version, size; unsigned long scratch, context; void* function; } " << symbol
        << " = {" << version << ", " << mark << ", 3, 4, 0};\n";
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

  fs::path root;
  falx::cpu_device device;
};

TEST_F(cpu_kernel, is_loaded_from_the_cache) {
  const falx::kernel_cache cache((root / "cache").string(), 1 << 30);
  const falx::digest128 key{1, 2};
  cache.store(key, compile(8));
  const auto entry = cache.find(key);
  ASSERT_TRUE(entry);
  const auto kernel = device.load({.path = entry->path, .bytes = {}, .size = entry->size}, {"k", "a kernel"});
  EXPECT_EQ(mark_of(kernel), 8u);
  EXPECT_EQ(dynamic_cast<cpu_loaded_kernel&>(*kernel).properties().context_bytes_per_work_item, 4u);
}

TEST_F(cpu_kernel, kernels_in_memory_are_not_taken_for_each_other) {
  // File numbers come back, so that all of them could get one path, and the dynamic linker compares paths.
  std::vector<std::unique_ptr<falx::loaded_kernel>> kernels;
  for (unsigned mark = 1; mark <= 4; ++mark)
    kernels.push_back(device.load({.path = {}, .bytes = compile(mark), .size = 0}, {"k", "a kernel"}));
  for (unsigned mark = 1; mark <= 4; ++mark)
    EXPECT_EQ(mark_of(kernels[mark - 1]), mark);
}

TEST_F(cpu_kernel, directory_without_execution_is_no_obstacle) {
  const std::vector<unsigned char> bytes = compile(8);
  const pid_t child = ::fork();
  if (child == 0) {
    if ((::unshare(CLONE_NEWNS) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) ||
        ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", root.c_str(), "tmpfs", MS_NOEXEC, "mode=0700") != 0)
      ::_exit(77);
    const falx::kernel_cache cache((root / "cache").string(), 1 << 30);
    const auto entry = cache.store({1, 2}, bytes);
    ::_exit(entry && mark_of(device.load({.path = entry->path, .bytes = {}, .size = entry->size},
                                         {"k", "k"})) == 8
                ? 0
                : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
    GTEST_SKIP() << "cannot mount here";
  EXPECT_EQ(status, 0);
}

TEST_F(cpu_kernel, what_cannot_be_loaded_is_an_error_with_the_kernels_name) {
  EXPECT_NE(error_of({.path = {}, .bytes = {'n', 'o'}, .size = 0}).find("'a kernel'"), std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = {}, .size = 0}).find("'a kernel'"), std::string::npos);
  EXPECT_NE(error_of({.path = "/no/such/file", .bytes = {}, .size = 5}).find("/no/such/file"),
            std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = compile(8, 99), .size = 0}).find("version 99"), std::string::npos);
  EXPECT_NE(error_of({.path = {}, .bytes = compile(8, 1, "other"), .size = 0}).find("description"),
            std::string::npos);
}

} // namespace
