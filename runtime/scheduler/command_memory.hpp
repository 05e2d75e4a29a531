// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace falx {

/// Memory for objects that one thread makes and another destroys, many times a second. Each thread keeps a
/// few freed blocks; full and empty threads trade them in batches. \p Size is the size of a block.
template <std::size_t Size>
struct recycled_memory {
  static void* allocate();
  static void free(void* block) noexcept;
};

constexpr std::size_t SMALL_BLOCK = 320;
constexpr std::size_t LARGE_BLOCK = 704;
extern template struct recycled_memory<SMALL_BLOCK>;
extern template struct recycled_memory<LARGE_BLOCK>;

} // namespace falx
