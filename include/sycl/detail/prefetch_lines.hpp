// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// From bytes to the cache lines that hold them.

namespace sycl::detail {

/// Which level of the cache, 1 to 4, and whether the data will not be used again.
struct prefetch_target {
  std::uint32_t level = 1;
  bool nontemporal = false;
};

/// Prefetches all lines that hold one of the bytes. What is aligned to \p alignment, a power of two, and not
/// larger lies in one line. Takes the last byte instead of rounding addresses, so that work-items with
/// neighbouring addresses still have neighbouring ones.
inline void prefetch_lines(const void* object, std::size_t bytes, std::size_t alignment,
                           prefetch_target target) {
  const char* first = static_cast<const char*>(object);
  const std::size_t line = __falx_cache_line_bytes();
  for (std::size_t offset = 0; offset < bytes; offset += line)
    __falx_prefetch(first + offset, target.level, target.nontemporal);
  if (bytes > 1 && (bytes > alignment || bytes > line))
    __falx_prefetch(first + bytes - 1, target.level, target.nontemporal);
}

/// The lines number \p self, \p self + \p step, …: the share of one of \p step work-items.
inline void prefetch_share_of_lines(const void* object, std::size_t bytes, std::size_t self, std::size_t step,
                                    prefetch_target target) {
  if (bytes == 0)
    return;
  const std::size_t line = __falx_cache_line_bytes();
  const std::size_t skipped = reinterpret_cast<std::uintptr_t>(object) % line;
  const char* first = static_cast<const char*>(object) - skipped;
  const std::size_t lines = (skipped + bytes - 1) / line + 1;
  for (std::size_t index = self; index < lines; index += step)
    __falx_prefetch(first + index * line, target.level, target.nontemporal);
}

} // namespace sycl::detail
