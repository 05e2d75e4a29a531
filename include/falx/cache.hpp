// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

/// \file
/// The kernel cache as programs and tools may see it. It is steered by environment variables, read once:
///
///   FALX_CACHE=off    no cache; likewise an empty FALX_CACHE_DIR
///   FALX_CACHE_DIR    directory; default $XDG_CACHE_HOME/falx, then $HOME/.cache/falx
///   FALX_CACHE_SIZE   bytes that the cache may take, with an optional suffix K, M or G; default 1G

namespace falx {

/// Where compiled kernels are kept between runs; empty if nowhere.
std::string kernel_cache_directory();

/// How many kernels this process has compiled just in time. Zero says that every kernel came from the cache
/// and that neither libfalx-jit nor LLVM was loaded.
std::uint64_t jit_compilations() noexcept;

} // namespace falx
