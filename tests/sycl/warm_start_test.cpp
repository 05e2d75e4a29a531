// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process pays for a kernel that another one has compiled before.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>

namespace {

/// Runs one kernel; gives whether the process has the JIT, which LLVM is a part of, loaded then. Negative if
/// the kernel's result is wrong.
int llvm_is_loaded_after_a_kernel() {
  sycl::queue queue;
  int* const values = sycl::malloc_shared<int>(100, queue);
  queue.parallel_for(sycl::range<1>(100), [=](sycl::id<1> i) { values[i] = static_cast<int>(i[0]) * 3; })
      .wait();
  const bool right = values[99] == 297;
  sycl::free(values, queue);
  bool loaded = false;
  if (std::FILE* const maps = std::fopen("/proc/self/maps", "r")) {
    char line[4096];
    while (std::fgets(line, sizeof(line), maps) != nullptr)
      loaded = loaded || std::string(line).find("libfalx-jit.so") != std::string::npos;
    std::fclose(maps);
  }
  return right ? loaded : -1;
}

TEST(warm_start, loads_no_llvm) {
  // Processes of their own, which run this from its start, with the environment that it has now.
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  constexpr const char* NAME = "falx-warm-start-";
  const char* const chosen = std::getenv("FALX_CACHE_DIR");
  const bool is_child = chosen != nullptr && std::strstr(chosen, NAME) != nullptr;
  std::string directory = std::filesystem::temp_directory_path() / (std::string(NAME) + "XXXXXX");
  if (!is_child) {
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    setenv("FALX_CACHE_DIR", directory.c_str(), 1);
  }
  EXPECT_EXIT(std::_Exit(llvm_is_loaded_after_a_kernel() + 10), testing::ExitedWithCode(11), "")
      << "nothing is in the cache";
  EXPECT_EXIT(std::_Exit(llvm_is_loaded_after_a_kernel() + 10), testing::ExitedWithCode(10), "")
      << "the kernel is in the cache";
  if (!is_child)
    std::filesystem::remove_all(directory);
}

} // namespace
