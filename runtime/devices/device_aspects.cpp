// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_aspects.hpp"

#include "falx/aspect_names.hpp"

#include <iterator>

namespace falx {

bool has_aspect(const device_description& device, sycl::aspect feature) noexcept {
  switch (feature) {
  case sycl::aspect::cpu:
    return device.is_cpu;
  case sycl::aspect::gpu:
    return device.is_gpu;
  case sycl::aspect::accelerator:
    return !device.is_cpu && !device.is_gpu;
  case sycl::aspect::custom:
  case sycl::aspect::emulated:
    return false;
  case sycl::aspect::fp16:
    return device.has_fp16;
  case sycl::aspect::fp64:
    return device.has_fp64;
  case sycl::aspect::atomic64:
    return device.has_atomic64;
  // Kernels on the CPU are functions of this process, which any debugger steps into.
  case sycl::aspect::host_debuggable:
    return device.is_cpu;
  // Kernels read images as memory.
  case sycl::aspect::image:
  case sycl::aspect::online_compiler:
  case sycl::aspect::online_linker:
  case sycl::aspect::queue_profiling:
  case sycl::aspect::usm_device_allocations:
  case sycl::aspect::usm_host_allocations:
  case sycl::aspect::usm_shared_allocations:
  case sycl::aspect::ext_oneapi_clock_sub_group:
  case sycl::aspect::ext_oneapi_clock_work_group:
  case sycl::aspect::ext_oneapi_clock_device:
  case sycl::aspect::ext_oneapi_bfloat16_math_functions:
  case sycl::aspect::ext_oneapi_queue_profiling_tag:
  case sycl::aspect::ext_oneapi_async_memory_alloc:
  case sycl::aspect::ext_oneapi_native_assert:
  case sycl::aspect::ext_oneapi_atomic16:
    return true;
  case sycl::aspect::usm_atomic_host_allocations:
    return device.usm_atomic_host;
  case sycl::aspect::usm_atomic_shared_allocations:
    return device.usm_atomic_shared;
  case sycl::aspect::usm_system_allocations:
    return device.usm_system;
  case sycl::aspect::ext_intel_pci_address:
    return !device.pci_address.empty();
  case sycl::aspect::ext_intel_device_info_uuid:
    return device.uuid.has_value();
  case sycl::aspect::ext_intel_device_id:
    return device.device_id.has_value();
  case sycl::aspect::ext_intel_free_memory:
    return device.reports_free_memory;
  case sycl::aspect::ext_intel_memory_clock_rate:
    return device.memory_clock.has_value();
  case sycl::aspect::ext_intel_memory_bus_width:
    return device.memory_bus_width.has_value();
  case sycl::aspect::ext_intel_max_mem_bandwidth:
    return device.memory_clock.has_value() && device.memory_bus_width.has_value();
  case sycl::aspect::ext_oneapi_cuda_async_barrier:
    return device.has_async_barrier;
  case sycl::aspect::ext_oneapi_ballot_group:
  case sycl::aspect::ext_oneapi_fixed_size_group:
  case sycl::aspect::ext_oneapi_opportunistic_group:
  case sycl::aspect::ext_oneapi_fragment:
  case sycl::aspect::ext_oneapi_chunk:
    return true;
  // A vector's lanes that take one way do so together. Threads of a warp need not, and nothing tells which of
  // them are still to come.
  case sycl::aspect::ext_oneapi_tangle_group:
  case sycl::aspect::ext_oneapi_tangle:
    return device.is_cpu;
  // Parts of Intel's GPUs.
  case sycl::aspect::ext_intel_gpu_eu_simd_width:
  case sycl::aspect::ext_intel_gpu_eu_count:
  case sycl::aspect::ext_intel_gpu_slices:
  case sycl::aspect::ext_intel_gpu_subslices_per_slice:
  case sycl::aspect::ext_intel_gpu_eu_count_per_subslice:
  case sycl::aspect::ext_intel_gpu_hw_threads_per_eu:
  // No device is made of others.
  case sycl::aspect::ext_oneapi_is_composite:
  case sycl::aspect::ext_oneapi_is_component:
    return false;
  }
  return false;
}

std::uint64_t aspects_of(const device_description& device) noexcept {
  static_assert(std::size(ASPECT_NAMES) <= 64);
  std::uint64_t aspects = 0;
  for (const aspect_name& each : ASPECT_NAMES)
    aspects |= std::uint64_t{has_aspect(device, each.value)} << unsigned(each.value);
  return aspects;
}

} // namespace falx
