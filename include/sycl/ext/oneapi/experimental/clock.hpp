// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

/// \file
/// sycl_ext_oneapi_clock: clocks that work-items can read.

namespace sycl {
namespace detail {

// The JIT knows them by their assembler names: on GPUs each multiprocessor counts its cycles, and one timer
// is the device's (native_functions.cpp). CPUs have one counter that all processors share.
inline std::uint64_t group_clock() noexcept __asm__("falx.group_clock");
inline std::uint64_t device_clock() noexcept __asm__("falx.device_clock");

inline std::uint64_t device_clock() noexcept {
#if defined(__aarch64__)
  return __builtin_readsteadycounter(); // user programs may not read the counter of cycles
#else
  return __builtin_readcyclecounter();
#endif
}
inline std::uint64_t group_clock() noexcept {
  return device_clock();
}

} // namespace detail

namespace ext::oneapi::experimental {

/// The work-items that read one and the same clock.
enum class clock_scope { sub_group, work_group, device };

/// A counter that only grows, in no particular unit; it may wrap around.
template <clock_scope scope>
inline std::uint64_t clock() {
  if constexpr (scope == clock_scope::device)
    return sycl::detail::device_clock();
  else
    return sycl::detail::group_clock();
}

/// The same, by the document's first form.
inline std::uint64_t clock(clock_scope scope) {
  return scope == clock_scope::device ? sycl::detail::device_clock() : sycl::detail::group_clock();
}

} // namespace ext::oneapi::experimental
} // namespace sycl
