// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace falx::jit {

/// Functions of vectors (SLEEF), which are used where they are installed. The name says which version:
/// kernels from the cache get the same.
constexpr const char* VECTOR_MATH_LIBRARY = "libsleef.so.3";
/// What kernels for CPUs may be linked with, in the linker's order.
constexpr const char* CPU_LIBRARIES[] = {"libm.so.6", "libc.so.6", "libgcc_s.so.1", VECTOR_MATH_LIBRARY};

struct found_library {
  const char* name;
  std::string path;
};

/// Those of CPU_LIBRARIES that this machine has, and where the dynamic linker finds them; \p search_path is
/// what it read from LD_LIBRARY_PATH. Called by whoever makes a request: the JIT itself looks for nothing.
/// What is not in the process yet is not loaded if that can be helped, as a program with cached kernels may
/// do without it.
std::vector<found_library> find_cpu_libraries(std::string_view search_path = {});

} // namespace falx::jit
