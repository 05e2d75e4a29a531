// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"

#include <fmt/format.h>

/// \file
/// Answers of sycl::device::get_info for sycl_ext_intel_device_info.

namespace sycl {

using falx::device_state;

namespace {

namespace queries = ext::intel::info::device;

[[noreturn]] void does_not_know(const device_state& device, const char* name) {
  throw exception(errc::feature_not_supported,
                  fmt::format("device '{}' does not know its {}; ask device::has(aspect::ext_intel_{}) first",
                              device.description().name, name, name));
}

void require(const device_state& device, aspect feature, const char* name) {
  if (!device.has(feature))
    does_not_know(device, name);
}

int query(queries::max_compute_queue_indices, const device_state&) {
  return 1;
}
std::uint32_t query(queries::device_id, const device_state& device) {
  require(device, aspect::ext_intel_device_id, "device_id");
  return *device.description().device_id;
}
std::array<unsigned char, 16> query(queries::uuid, const device_state& device) {
  require(device, aspect::ext_intel_device_info_uuid, "device_info_uuid");
  return *device.description().uuid;
}
std::string query(queries::pci_address, const device_state& device) {
  require(device, aspect::ext_intel_pci_address, "pci_address");
  return device.description().pci_address;
}
std::uint64_t query(queries::free_memory, const device_state& device) {
  require(device, aspect::ext_intel_free_memory, "free_memory");
  return device.backend().free_memory();
}
std::uint32_t query(queries::memory_clock_rate, const device_state& device) {
  require(device, aspect::ext_intel_memory_clock_rate, "memory_clock_rate");
  return *device.description().memory_clock;
}
std::uint32_t query(queries::memory_bus_width, const device_state& device) {
  require(device, aspect::ext_intel_memory_bus_width, "memory_bus_width");
  return *device.description().memory_bus_width;
}
/// Memory of all GPUs transfers twice per clock.
std::uint64_t query(queries::max_mem_bandwidth, const device_state& device) {
  require(device, aspect::ext_intel_max_mem_bandwidth, "max_mem_bandwidth");
  return std::uint64_t{*device.description().memory_clock} * 1'000'000 * 2 *
         *device.description().memory_bus_width / 8;
}

/// What only Intel's GPUs have: no device knows it, as its aspect says.
std::uint32_t query(queries::gpu_eu_simd_width, const device_state& device) {
  does_not_know(device, "gpu_eu_simd_width");
}
std::uint32_t query(queries::gpu_eu_count, const device_state& device) {
  does_not_know(device, "gpu_eu_count");
}
std::uint32_t query(queries::gpu_slices, const device_state& device) {
  does_not_know(device, "gpu_slices");
}
std::uint32_t query(queries::gpu_subslices_per_slice, const device_state& device) {
  does_not_know(device, "gpu_subslices_per_slice");
}
std::uint32_t query(queries::gpu_eu_count_per_subslice, const device_state& device) {
  does_not_know(device, "gpu_eu_count_per_subslice");
}
std::uint32_t query(queries::gpu_hw_threads_per_eu, const device_state& device) {
  does_not_know(device, "gpu_hw_threads_per_eu");
}

} // namespace

template <typename Param>
typename Param::return_type device::get_info() const {
  return query(Param(), *state_);
}

template int device::get_info<queries::max_compute_queue_indices>() const;
template std::uint32_t device::get_info<queries::device_id>() const;
template std::array<unsigned char, 16> device::get_info<queries::uuid>() const;
template std::string device::get_info<queries::pci_address>() const;
template std::uint64_t device::get_info<queries::free_memory>() const;
template std::uint32_t device::get_info<queries::memory_clock_rate>() const;
template std::uint32_t device::get_info<queries::memory_bus_width>() const;
template std::uint64_t device::get_info<queries::max_mem_bandwidth>() const;
template std::uint32_t device::get_info<queries::gpu_eu_simd_width>() const;
template std::uint32_t device::get_info<queries::gpu_eu_count>() const;
template std::uint32_t device::get_info<queries::gpu_slices>() const;
template std::uint32_t device::get_info<queries::gpu_subslices_per_slice>() const;
template std::uint32_t device::get_info<queries::gpu_eu_count_per_subslice>() const;
template std::uint32_t device::get_info<queries::gpu_hw_threads_per_eu>() const;

} // namespace sycl
