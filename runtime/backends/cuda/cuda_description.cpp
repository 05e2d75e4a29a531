// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_description.hpp"

#include "falx/device_architecture.hpp"
#include "jit/targets/ptx/ptx_abi.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>

namespace falx {
namespace {

using cuda::device_attribute;

constexpr std::uint32_t NVIDIA_VENDOR_ID = 0x10DE;

/// Processors that LLVM 22 knows. PTX for one runs on all later ones.
constexpr int PROCESSORS[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

/// CUDA versions and the PTX versions that came with them and LLVM 22 knows, the newest first.
struct ptx_version {
  int driver;
  unsigned ptx;
};
constexpr ptx_version PTX_VERSIONS[] = {{13000, 90}, {12090, 88}, {12080, 87}, {12070, 86}, {12050, 85},
                                        {12040, 84}, {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}};

/// The newest that the driver reads, times ten; 0 for drivers that Falx does not use.
unsigned ptx_version_of(int driver_version) noexcept {
  for (const ptx_version& version : PTX_VERSIONS)
    if (driver_version >= version.driver)
      return version.ptx;
  return 0;
}

/// For sycl_ext_intel_device_info: what the driver knows.
void describe_hardware(cuda::device_ordinal device, device_description& description) {
  char address[32] = "";
  if (cuda::api().cuDeviceGetPCIBusId(address, sizeof(address), device) == cuda::result::success)
    description.pci_address = address;
  if (cuda::uuid id; cuda::api().cuDeviceGetUuid(&id, device) == cuda::result::success)
    description.uuid = std::to_array(id.bytes);
  if (const int identity = cuda_attribute(device, device_attribute::pci_identity); identity != 0)
    description.device_id = static_cast<std::uint32_t>(identity) >> 16;
  if (const int clock = cuda_attribute(device, device_attribute::memory_clock_rate); clock > 0)
    description.memory_clock = static_cast<std::uint32_t>(clock / 1000);
  if (const int width = cuda_attribute(device, device_attribute::memory_bus_width); width > 0)
    description.memory_bus_width = static_cast<std::uint32_t>(width);
  description.reports_free_memory = true;
}

} // namespace

int cuda_attribute(cuda::device_ordinal device, device_attribute attribute) noexcept {
  int value = 0;
  cuda::api().cuDeviceGetAttribute(&value, attribute, device);
  return value;
}

device_description describe_cuda_device(cuda::device_ordinal device) {
  const auto number = [device](device_attribute attribute) {
    return static_cast<std::uint32_t>(std::max(cuda_attribute(device, attribute), 0));
  };
  device_description description;
  char name[256] = "";
  cuda::api().cuDeviceGetName(name, sizeof(name), device);
  std::size_t total = 0;
  cuda::api().cuDeviceTotalMem(&total, device);
  description.name = name;
  description.vendor = "NVIDIA Corporation";
  description.vendor_id = NVIDIA_VENDOR_ID;
  description.version = fmt::format("{}.{}", number(device_attribute::compute_capability_major),
                                    number(device_attribute::compute_capability_minor));
  description.architecture =
      nvidia_gpu_architecture(static_cast<unsigned>(number(device_attribute::compute_capability_major)) * 10 +
                              static_cast<unsigned>(number(device_attribute::compute_capability_minor)));
  description.driver_version = cuda::version_text(cuda::the_driver().version);
  description.is_gpu = true;
  description.compute_units = number(device_attribute::multiprocessor_count);
  description.max_work_item_sizes[0] = number(device_attribute::max_block_x);
  description.max_work_item_sizes[1] = number(device_attribute::max_block_y);
  description.max_work_item_sizes[2] = number(device_attribute::max_block_z);
  description.max_work_group_size = number(device_attribute::max_threads_per_block);
  // What goes beyond the limits of the other axes is launched as one axis (cuda_launch.cpp).
  description.max_work_groups = number(device_attribute::max_grid_x);
  description.sub_group_sizes = {number(device_attribute::warp_size)};
  description.global_memory = total;
  description.max_allocation = total;
  description.local_memory = std::max(number(device_attribute::shared_memory_per_block_optin),
                                      number(device_attribute::shared_memory_per_block));
  description.global_cache = number(device_attribute::l2_cache_bytes);
  description.cache_line = 128;
  description.max_parameter_bytes = ptx::max_function_bytes(ptx_version_of(cuda::the_driver().version));
  description.vector_bytes = 16; // the widest load of one work-item
  description.has_fp16 = true;   // since sm_53, and Falx begins with sm_70
  description.has_async_barrier = cuda_attribute(device, device_attribute::compute_capability_major) >= 8;
  description.unified_memory = number(device_attribute::integrated) != 0;
  description.usm_system = number(device_attribute::pageable_memory_access) != 0;
  description.usm_atomic_shared = number(device_attribute::concurrent_managed_access) != 0;
  description.usm_atomic_host = number(device_attribute::host_native_atomics) != 0;
  description.error_correction = number(device_attribute::ecc_enabled) != 0;
  describe_hardware(device, description);
  return description;
}

cuda_limits limits_of_cuda_device(cuda::device_ordinal device) noexcept {
  const auto number = [device](device_attribute attribute) {
    return static_cast<std::uint32_t>(std::max(cuda_attribute(device, attribute), 0));
  };
  cuda_limits limits;
  limits.major = cuda_attribute(device, device_attribute::compute_capability_major);
  limits.minor = cuda_attribute(device, device_attribute::compute_capability_minor);
  limits.max_threads_per_block = number(device_attribute::max_threads_per_block);
  limits.max_grid[0] = number(device_attribute::max_grid_x);
  limits.max_grid[1] = number(device_attribute::max_grid_y);
  limits.max_grid[2] = number(device_attribute::max_grid_z);
  limits.shared_per_block = number(device_attribute::shared_memory_per_block);
  limits.shared_per_block_optin = std::max<std::uint64_t>(
      number(device_attribute::shared_memory_per_block_optin), limits.shared_per_block);
  limits.threads_per_processor = number(device_attribute::threads_per_processor);
  limits.registers_per_processor = number(device_attribute::registers_per_processor);
  limits.max_pitch = number(device_attribute::max_pitch);
  limits.texture_alignment = number(device_attribute::texture_alignment);
  limits.texture_pitch_alignment = number(device_attribute::texture_pitch_alignment);
  limits.max_texture_width = number(device_attribute::max_linear_texture_width);
  limits.max_texture_height = number(device_attribute::max_linear_texture_height);
  limits.max_texture_pitch = number(device_attribute::max_linear_texture_pitch);
  limits.concurrent_managed_access = number(device_attribute::concurrent_managed_access) != 0;
  limits.managed_memory = number(device_attribute::managed_memory) != 0;
  limits.pageable_memory_access = number(device_attribute::pageable_memory_access) != 0;
  limits.memory_pools = number(device_attribute::memory_pools_supported) != 0;
  return limits;
}

std::uint64_t groups_at_once(const cuda_limits& limits, std::uint64_t threads,
                             std::uint64_t registers) noexcept {
  constexpr std::uint64_t PORTION = 8; // in which the hardware hands out the registers of a thread
  const std::uint64_t portions = std::max((registers + PORTION - 1) / PORTION, std::uint64_t{1});
  return std::min(limits.threads_per_processor / threads,
                  limits.registers_per_processor / (threads * portions * PORTION));
}

std::string ptx_processor(int major, int minor) {
  int newest = PROCESSORS[0];
  for (int processor : PROCESSORS)
    if (processor <= 10 * major + minor)
      newest = processor;
  return fmt::format("sm_{}", newest);
}

bool is_ptx_processor(std::string_view name) {
  return std::ranges::any_of(PROCESSORS,
                             [&](int processor) { return name == fmt::format("sm_{}", processor); });
}

std::string ptx_processor_names() {
  constexpr std::size_t LAST = std::size(PROCESSORS) - 1;
  return fmt::format("sm_{} or sm_{}", fmt::join(PROCESSORS, PROCESSORS + LAST, ", sm_"), PROCESSORS[LAST]);
}

unsigned suitability_of_ptx(std::string_view code, std::string_view processor) noexcept {
  const auto number = [](std::string_view name) {
    unsigned value = 0;
    const std::size_t digits = name.find('_') + 1;
    std::from_chars(name.data() + digits, name.data() + name.size(), value);
    return value;
  };
  return number(code) <= number(processor) ? number(code) : 0;
}

std::string ptx_feature(int driver_version) {
  const unsigned version = ptx_version_of(driver_version);
  return version != 0 ? fmt::format("+ptx{}", version) : std::string();
}

} // namespace falx
