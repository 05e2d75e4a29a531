// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <type_traits>

namespace sycl {

/// Optional features and kinds of devices (SYCL 2020 §4.6.4.5).
enum class aspect {
  cpu,
  gpu,
  accelerator,
  custom,
  emulated,
  host_debuggable,
  fp16,
  fp64,
  atomic64,
  image,
  online_compiler,
  online_linker,
  queue_profiling,
  usm_device_allocations,
  usm_host_allocations,
  usm_atomic_host_allocations,
  usm_shared_allocations,
  usm_atomic_shared_allocations,
  usm_system_allocations,
  // SYCL extension sycl_ext_intel_device_info.
  ext_intel_pci_address,
  ext_intel_device_info_uuid,
  ext_intel_device_id,
  ext_intel_free_memory,
  ext_intel_memory_clock_rate,
  ext_intel_memory_bus_width,
  ext_intel_max_mem_bandwidth,
  ext_intel_gpu_eu_simd_width,
  ext_intel_gpu_eu_count,
  ext_intel_gpu_slices,
  ext_intel_gpu_subslices_per_slice,
  ext_intel_gpu_eu_count_per_subslice,
  ext_intel_gpu_hw_threads_per_eu,
  // SYCL extension sycl_ext_oneapi_cuda_async_barrier.
  ext_oneapi_cuda_async_barrier,
  // SYCL extensions sycl_ext_oneapi_non_uniform_groups and sycl_ext_oneapi_tangle, by first and by later
  // names.
  ext_oneapi_ballot_group,
  ext_oneapi_fixed_size_group,
  ext_oneapi_opportunistic_group,
  ext_oneapi_tangle_group,
  ext_oneapi_fragment,
  ext_oneapi_chunk,
  ext_oneapi_tangle,
  // SYCL extension sycl_ext_oneapi_clock.
  ext_oneapi_clock_sub_group,
  ext_oneapi_clock_work_group,
  ext_oneapi_clock_device,
  // SYCL extension sycl_ext_oneapi_bfloat16_math_functions.
  ext_oneapi_bfloat16_math_functions,
  // SYCL extension sycl_ext_oneapi_composite_device.
  ext_oneapi_is_composite,
  ext_oneapi_is_component,
  // SYCL extension sycl_ext_oneapi_profiling_tag.
  ext_oneapi_queue_profiling_tag,
  // SYCL extension sycl_ext_oneapi_async_memory_alloc.
  ext_oneapi_async_memory_alloc,
  // SYCL extension sycl_ext_oneapi_assert.
  ext_oneapi_native_assert,
  // Proposed SYCL extension sycl_ext_oneapi_atomic16.
  ext_oneapi_atomic16
};

namespace detail {

/// True if some device that Falx can compile for has the aspect. Which devices a program meets is only known
/// when it runs, so this is the union over all backends.
constexpr bool some_device_may_have(aspect a) noexcept {
  switch (a) {
  case aspect::accelerator:
  case aspect::custom:
  case aspect::emulated:
  case aspect::ext_intel_gpu_eu_simd_width:
  case aspect::ext_intel_gpu_eu_count:
  case aspect::ext_intel_gpu_slices:
  case aspect::ext_intel_gpu_subslices_per_slice:
  case aspect::ext_intel_gpu_eu_count_per_subslice:
  case aspect::ext_intel_gpu_hw_threads_per_eu:
  case aspect::ext_oneapi_is_composite:
  case aspect::ext_oneapi_is_component:
    return false;
  default:
    return true;
  }
}

/// True if every device that Falx can compile for has the aspect: the kernels of one program are just-in-time
/// compiled for the CPU and for GPUs alike.
constexpr bool each_device_has(aspect a) noexcept {
  switch (a) {
  case aspect::image:
  case aspect::online_compiler:
  case aspect::online_linker:
  case aspect::queue_profiling:
  case aspect::usm_device_allocations:
  case aspect::usm_host_allocations:
  case aspect::ext_oneapi_ballot_group:
  case aspect::ext_oneapi_fixed_size_group:
  case aspect::ext_oneapi_opportunistic_group:
  case aspect::ext_oneapi_fragment:
  case aspect::ext_oneapi_chunk:
  case aspect::ext_oneapi_clock_sub_group:
  case aspect::ext_oneapi_clock_work_group:
  case aspect::ext_oneapi_clock_device:
  case aspect::ext_oneapi_bfloat16_math_functions:
  case aspect::ext_oneapi_queue_profiling_tag:
  case aspect::ext_oneapi_async_memory_alloc:
  case aspect::ext_oneapi_native_assert:
  case aspect::ext_oneapi_atomic16:
    return true;
  default:
    return false;
  }
}

} // namespace detail

/// Compile-time queries over all devices the program may run on (SYCL 2020 §4.6.4.6).
template <aspect Aspect>
struct any_device_has : std::bool_constant<detail::some_device_may_have(Aspect)> {};
template <aspect Aspect>
struct all_devices_have : std::bool_constant<detail::each_device_has(Aspect)> {};

template <aspect A>
inline constexpr bool any_device_has_v = any_device_has<A>::value;
template <aspect A>
inline constexpr bool all_devices_have_v = all_devices_have<A>::value;

} // namespace sycl
