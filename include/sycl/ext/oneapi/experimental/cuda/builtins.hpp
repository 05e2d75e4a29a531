// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// sycl_ext_oneapi_cuda_tex_cache_read: reading through the cache of data that a kernel does not write.

namespace sycl {
namespace detail {

using read_only_pair = std::uint32_t __attribute__((ext_vector_type(2)));
using read_only_quad = std::uint32_t __attribute__((ext_vector_type(4)));

// The JIT knows them by their assembler names; on GPUs the loads are ld.global.nc (native_functions.cpp).
#define FALX_READ_ONLY(type, suffix)                                                                         \
  inline type read_only(const type* pointer) noexcept __asm__("falx.read_only_" #suffix);                    \
  inline type read_only(const type* pointer) noexcept {                                                      \
    return *pointer;                                                                                         \
  }
FALX_READ_ONLY(std::uint8_t, u8)
FALX_READ_ONLY(std::uint16_t, u16)
FALX_READ_ONLY(std::uint32_t, u32)
FALX_READ_ONLY(std::uint64_t, u64)
FALX_READ_ONLY(read_only_pair, u32x2)
FALX_READ_ONLY(read_only_quad, u32x4)
#undef FALX_READ_ONLY

/// What as many bytes are read as.
template <class T>
constexpr auto read_only_type() {
  constexpr bool is_vector = !std::is_arithmetic_v<T>;
  if constexpr (sizeof(T) == 1)
    return std::uint8_t();
  else if constexpr (sizeof(T) == 2)
    return std::uint16_t();
  else if constexpr (sizeof(T) == 4)
    return std::uint32_t();
  else if constexpr (sizeof(T) == 8 && is_vector)
    return read_only_pair();
  else if constexpr (sizeof(T) == 8)
    return std::uint64_t();
  else
    return read_only_quad();
}

} // namespace detail

namespace ext::oneapi::experimental::cuda {

/// *ptr, which nothing writes while the kernel runs. T is a type of 1, 2, 4, 8 or 16 bytes, aligned to its
/// size: numbers and vectors of them.
template <class T>
inline T ldg(const T* ptr) {
  static_assert(std::is_trivially_copyable_v<T> && alignof(T) == sizeof(T) && sizeof(T) <= 16,
                "ldg reads numbers and vectors of up to 16 bytes");
  using type = decltype(sycl::detail::read_only_type<T>());
  return sycl::bit_cast<T>(sycl::detail::read_only(reinterpret_cast<const type*>(ptr)));
}

} // namespace ext::oneapi::experimental::cuda
} // namespace sycl
