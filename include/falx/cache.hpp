// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

/// \file
/// The kernel cache as programs and tools may see it. FALX_CACHE, FALX_CACHE_DIR and FALX_CACHE_SIZE steer it
/// (docs/usage.md, "Environment").

namespace falx {

/// What there is to say of the kernel cache. Texts live during the call that gives them.
struct kernel_cache_description {
  /// Where compiled kernels are kept between runs; empty if nowhere.
  const char* directory;
  /// Why kernels are not kept though they should be, and what to do about it, as a sentence; empty if they
  /// are, or if the environment switches the cache off.
  const char* problem;
};

/// Looks at the directory as it is now and tries to write there.
void describe_kernel_cache(void (*take)(void* data, const kernel_cache_description& description), void* data);

/// How many kernels this process has compiled just in time. Zero says that every kernel came from the cache
/// and that neither libfalx-jit nor LLVM was loaded.
std::uint64_t jit_compilations() noexcept;

/// How many kernels idle processors have compiled before they were launched (FALX_AHEAD), and how many of
/// these have been launched since, which jit_compilations() counts, too.
struct compilations_ahead {
  std::uint64_t made, used;
};
compilations_ahead kernels_compiled_ahead() noexcept;

} // namespace falx
