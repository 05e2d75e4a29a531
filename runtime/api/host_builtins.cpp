// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>

/// \file
/// The builtins of device code as host code finds them. Index space, barriers, sub-groups and local memory
/// only exist inside a kernel, so each of their builtins ends the program and says so; atomic scopes, fences,
/// prefetches and native math work.

namespace {

[[noreturn]] void called_outside_kernel(const char* builtin) {
  std::fprintf(
      stderr,
      "falx: %s was called outside a kernel; functions that ask for work-items, groups, barriers or local "
      "memory may only be called by kernels that falx++ compiled\n",
      builtin);
  std::abort();
}

} // namespace

extern "C" {
#define FALX_BUILTIN(kind, result, name, parameters)                                                         \
  result __falx_##name parameters noexcept {                                                                 \
    called_outside_kernel("__falx_" #name);                                                                  \
  }
#define FALX_HOST_BUILTIN(...)
#include "falx/device_builtins.def"
}

extern "C" {

bool __falx_is_device() noexcept {
  return false;
}

bool __falx_lies_in_address_space(const void*, std::uint32_t) noexcept {
  return true;
}

void* __falx_atomic_scope(const volatile void* object, std::uint32_t) noexcept {
  return const_cast<void*>(object);
}

void __falx_fence(int order, std::uint32_t scope) noexcept {
  constexpr std::uint32_t work_item = 0; // sycl::memory_scope
  if (scope == work_item)
    std::atomic_signal_fence(std::memory_order_seq_cst);
  else
    std::atomic_thread_fence(static_cast<std::memory_order>(order));
}

float __falx_rsqrt_f32(float x) noexcept {
  return 1.0f / std::sqrt(x);
}
double __falx_rsqrt_f64(double x) noexcept {
  return 1.0 / std::sqrt(x);
}
bool __falx_has_half_fma() noexcept {
  return false;
}

void __falx_prefetch(const void* object, std::uint32_t level, bool nontemporal) noexcept {
  // The builtin wants constants.
  if (nontemporal)
    __builtin_prefetch(object, 0, 0);
  else if (level == 1)
    __builtin_prefetch(object, 0, 3);
  else if (level == 2)
    __builtin_prefetch(object, 0, 2);
  else
    __builtin_prefetch(object, 0, 1);
}
std::size_t __falx_cache_line_bytes() noexcept {
  return 64;
}

float __falx_native_cos_f32(float x) noexcept {
  return std::cos(x);
}
float __falx_native_exp_f32(float x) noexcept {
  return std::exp(x);
}
float __falx_native_exp2_f32(float x) noexcept {
  return std::exp2(x);
}
float __falx_native_exp10_f32(float x) noexcept {
  return __builtin_exp10f(x);
}
float __falx_native_log_f32(float x) noexcept {
  return std::log(x);
}
float __falx_native_log2_f32(float x) noexcept {
  return std::log2(x);
}
float __falx_native_log10_f32(float x) noexcept {
  return std::log10(x);
}
float __falx_native_recip_f32(float x) noexcept {
  return 1.0f / x;
}
float __falx_native_rsqrt_f32(float x) noexcept {
  return 1.0f / std::sqrt(x);
}
float __falx_native_sin_f32(float x) noexcept {
  return std::sin(x);
}
float __falx_native_sqrt_f32(float x) noexcept {
  return std::sqrt(x);
}
float __falx_native_tan_f32(float x) noexcept {
  return std::tan(x);
}
float __falx_native_divide_f32(float x, float y) noexcept {
  return x / y;
}
float __falx_native_powr_f32(float x, float y) noexcept {
  return std::pow(x, y);
}
}
