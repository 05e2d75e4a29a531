// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device_capabilities.hpp"
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "devices/sub_devices.hpp"
#include "falx/aspect_names.hpp"
#include "falx/image.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/oneapi/experimental/device_architecture.hpp"
#include "sycl/kernel_id.hpp"
#include "sycl/platform.hpp"
#include "sycl/range.hpp"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>

/// \file
/// Answers of sycl::device::get_info (SYCL 2020 §4.6.4.4), in the order of the specification. All follow from
/// the backend's device_description, so backends need to know nothing of SYCL.

namespace sycl {

using falx::aspect_name;
using falx::device_state;

namespace {

namespace queries = info::device;

constexpr std::uint32_t MAX_DIMENSIONS = 3;
/// What every backend passes to a kernel without ado.
constexpr std::uint32_t MAX_CONSTANT_ARGUMENTS = 128;
/// The same of images: the specification's minimum for reading, which is the greatest that it has.
constexpr std::uint32_t MAX_IMAGE_ARGUMENTS = 128;
/// Output of device code is collected per launch; the specification wants a megabyte at least.
constexpr std::size_t PRINTF_BUFFER_BYTES = std::size_t{1} << 20;

/// How many elements a natural vector register of the device holds.
std::uint32_t vector_width(const device_state& device, std::size_t element_bytes, bool supported = true) {
  if (!supported)
    return 0;
  return std::max<std::uint32_t>(1, device.description().vector_bytes /
                                        static_cast<std::uint32_t>(element_bytes));
}

[[noreturn]] void throw_only_in_opencl(const char* descriptor, const device_state& device) {
  throw exception(
      make_error_code(errc::invalid),
      fmt::format("info::device::{} is only defined for devices of backend opencl, and device '{}' is "
                  "of backend {}",
                  descriptor, device.description().name, device.platform().backend().name()));
}

info::device_type query(queries::device_type, const device_state& device) {
  if (device.description().is_cpu)
    return info::device_type::cpu;
  return device.description().is_gpu ? info::device_type::gpu : info::device_type::accelerator;
}

/// Descriptions count from the fastest-moving axis, SYCL from the slowest.
template <int Dimensions>
range<Dimensions> query(queries::max_work_item_sizes<Dimensions>, const device_state& device) {
  range<Dimensions> sizes;
  for (int i = 0; i < Dimensions; ++i)
    sizes[i] = device.description().max_work_item_sizes[Dimensions - 1 - i];
  return sizes;
}

std::uint32_t query(queries::max_num_sub_groups, const device_state& device) {
  const auto& sizes = device.description().sub_group_sizes;
  const std::size_t smallest = sizes.empty() ? 1 : *std::min_element(sizes.begin(), sizes.end());
  return static_cast<std::uint32_t>(
      std::max<std::size_t>(1, device.description().max_work_group_size / smallest));
}

info::global_mem_cache_type query(queries::global_mem_cache_type, const device_state& device) {
  return device.description().global_cache == 0 ? info::global_mem_cache_type::none
                                                : info::global_mem_cache_type::read_write;
}

/// On a CPU local memory is ordinary memory.
info::local_mem_type query(queries::local_mem_type, const device_state& device) {
  return device.description().is_cpu ? info::local_mem_type::global : info::local_mem_type::local;
}

std::vector<aspect> query(queries::aspects, const device_state& device) {
  std::vector<aspect> result;
  for (const aspect_name& each : falx::ASPECT_NAMES)
    if (device.has(each.value))
      result.push_back(each.value);
  return result;
}

platform query(queries::platform, const device_state& device) {
  return detail::internals::make<platform>(falx::handle<falx::platform_state>::share(&device.platform()));
}

device query(queries::parent_device, const device_state& device) {
  if (device.from().parent == nullptr)
    throw exception(
        make_error_code(errc::invalid),
        fmt::format("device '{}' is not a sub-device and has no parent device", device.description().name));
  return detail::internals::make<sycl::device>(falx::handle<falx::device_state>::share(device.from().parent));
}

std::vector<info::execution_capability> query(queries::execution_capabilities, const device_state& device) {
  throw_only_in_opencl("execution_capabilities", device);
}
std::string query(queries::profile, const device_state& device) {
  throw_only_in_opencl("profile", device);
}
bool query(queries::preferred_interop_user_sync, const device_state& device) {
  throw_only_in_opencl("preferred_interop_user_sync", device);
}

ext::oneapi::experimental::architecture query(ext::oneapi::experimental::info::device::architecture,
                                              const device_state& device) {
  return static_cast<ext::oneapi::experimental::architecture>(device.description().architecture);
}
std::uint32_t query(queries::reference_count, const device_state&) {
  return 1;
}
std::uint32_t query(queries::vendor_id, const device_state& device) {
  return device.description().vendor_id;
}
std::uint32_t query(queries::max_compute_units, const device_state& device) {
  return device.description().compute_units;
}
std::uint32_t query(queries::max_work_item_dimensions, const device_state&) {
  return MAX_DIMENSIONS;
}
std::size_t query(queries::max_work_group_size, const device_state& device) {
  return device.description().max_work_group_size;
}
std::vector<std::size_t> query(queries::sub_group_sizes, const device_state& device) {
  return device.description().sub_group_sizes;
}
std::uint32_t query(queries::preferred_vector_width_char, const device_state& device) {
  return vector_width(device, 1);
}
std::uint32_t query(queries::preferred_vector_width_short, const device_state& device) {
  return vector_width(device, 2);
}
std::uint32_t query(queries::preferred_vector_width_int, const device_state& device) {
  return vector_width(device, 4);
}
std::uint32_t query(queries::preferred_vector_width_long, const device_state& device) {
  return vector_width(device, 8);
}
std::uint32_t query(queries::preferred_vector_width_long_long, const device_state& device) {
  return vector_width(device, 8);
}
std::uint32_t query(queries::preferred_vector_width_float, const device_state& device) {
  return vector_width(device, 4);
}
std::uint32_t query(queries::preferred_vector_width_double, const device_state& device) {
  return vector_width(device, 8, device.description().has_fp64);
}
std::uint32_t query(queries::preferred_vector_width_half, const device_state& device) {
  return vector_width(device, 2, device.description().has_fp16);
}
std::uint32_t query(queries::native_vector_width_char, const device_state& device) {
  return vector_width(device, 1);
}
std::uint32_t query(queries::native_vector_width_short, const device_state& device) {
  return vector_width(device, 2);
}
std::uint32_t query(queries::native_vector_width_int, const device_state& device) {
  return vector_width(device, 4);
}
std::uint32_t query(queries::native_vector_width_long, const device_state& device) {
  return vector_width(device, 8);
}
std::uint32_t query(queries::native_vector_width_long_long, const device_state& device) {
  return vector_width(device, 8);
}
std::uint32_t query(queries::native_vector_width_float, const device_state& device) {
  return vector_width(device, 4);
}
std::uint32_t query(queries::native_vector_width_double, const device_state& device) {
  return vector_width(device, 8, device.description().has_fp64);
}
std::uint32_t query(queries::native_vector_width_half, const device_state& device) {
  return vector_width(device, 2, device.description().has_fp16);
}
std::uint32_t query(queries::max_clock_frequency, const device_state& device) {
  return device.backend().clock_frequency();
}
std::uint32_t query(queries::address_bits, const device_state&) {
  return sizeof(void*) * 8;
}
std::uint64_t query(queries::max_mem_alloc_size, const device_state& device) {
  return device.description().max_allocation;
}
bool query(queries::image_support, const device_state& device) {
  return device.has(aspect::image);
}
// Accessors of images, samplers included, are values that a kernel captures, limited as all that it captures.
std::uint32_t query(queries::max_read_image_args, const device_state&) {
  return MAX_IMAGE_ARGUMENTS;
}
std::uint32_t query(queries::max_write_image_args, const device_state&) {
  return MAX_IMAGE_ARGUMENTS;
}
std::uint32_t query(queries::max_samplers, const device_state&) {
  return MAX_IMAGE_ARGUMENTS;
}
std::size_t query(queries::image2d_max_height, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::image2d_max_width, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::image3d_max_height, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::image3d_max_width, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::image3d_max_depth, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::image_max_buffer_size, const device_state&) {
  return falx::LARGEST_IMAGE_EXTENT;
}
std::size_t query(queries::max_parameter_size, const device_state& device) {
  return device.description().max_parameter_bytes;
}
std::uint32_t query(queries::mem_base_addr_align, const device_state&) {
  return falx::MEM_BASE_ADDR_ALIGN_BITS;
}
std::vector<info::fp_config> query(queries::half_fp_config, const device_state& device) {
  return falx::half_capabilities(device.description());
}
std::vector<info::fp_config> query(queries::single_fp_config, const device_state&) {
  return falx::float_capabilities();
}
std::vector<info::fp_config> query(queries::double_fp_config, const device_state& device) {
  return falx::double_capabilities(device.description());
}
std::uint32_t query(queries::global_mem_cache_line_size, const device_state& device) {
  return device.description().cache_line;
}
std::uint64_t query(queries::global_mem_cache_size, const device_state& device) {
  return device.description().global_cache;
}
std::uint64_t query(queries::global_mem_size, const device_state& device) {
  return device.description().global_memory;
}
std::uint64_t query(queries::max_constant_buffer_size, const device_state& device) {
  return device.description().max_allocation;
}
std::uint32_t query(queries::max_constant_args, const device_state&) {
  return MAX_CONSTANT_ARGUMENTS;
}
std::uint64_t query(queries::local_mem_size, const device_state& device) {
  return device.description().local_memory;
}
bool query(queries::error_correction_support, const device_state& device) {
  return device.description().error_correction;
}
bool query(queries::host_unified_memory, const device_state& device) {
  return device.description().unified_memory;
}
std::vector<memory_order> query(queries::atomic_memory_order_capabilities, const device_state&) {
  return falx::atomic_memory_orders();
}
std::vector<memory_order> query(queries::atomic_fence_order_capabilities, const device_state&) {
  return falx::atomic_memory_orders();
}
std::vector<memory_scope> query(queries::atomic_memory_scope_capabilities, const device_state&) {
  return falx::atomic_memory_scopes();
}
std::vector<memory_scope> query(queries::atomic_fence_scope_capabilities, const device_state&) {
  return falx::fence_scopes();
}
std::size_t query(queries::profiling_timer_resolution, const device_state&) {
  return 1;
}
bool query(queries::is_endian_little, const device_state&) {
  return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}
bool query(queries::is_available, const device_state&) {
  return true;
}
bool query(queries::is_compiler_available, const device_state& device) {
  return device.has(aspect::online_compiler);
}
bool query(queries::is_linker_available, const device_state& device) {
  return device.has(aspect::online_linker);
}
bool query(queries::queue_profiling, const device_state& device) {
  return device.has(aspect::queue_profiling);
}
std::vector<std::string> query(queries::built_in_kernels, const device_state&) {
  return {};
}
std::vector<kernel_id> query(queries::built_in_kernel_ids, const device_state&) {
  return {};
}
std::string query(queries::name, const device_state& device) {
  return device.description().name;
}
std::string query(queries::vendor, const device_state& device) {
  return device.description().vendor;
}
std::string query(queries::driver_version, const device_state& device) {
  return device.description().driver_version;
}
std::string query(queries::version, const device_state& device) {
  return device.description().version;
}
std::string query(queries::backend_version, const device_state& device) {
  return device.description().driver_version;
}
std::vector<std::string> query(queries::extensions, const device_state& device) {
  return falx::extension_names(device.description());
}
std::size_t query(queries::printf_buffer_size, const device_state&) {
  return PRINTF_BUFFER_BYTES;
}
std::uint32_t query(queries::partition_max_sub_devices, const device_state& device) {
  return falx::partition_properties(device).empty() ? 0 : device.description().compute_units;
}
std::vector<info::partition_property> query(queries::partition_properties, const device_state& device) {
  return falx::partition_properties(device);
}
std::vector<info::partition_affinity_domain> query(queries::partition_affinity_domains,
                                                   const device_state& device) {
  return falx::affinity_domains(device);
}
info::partition_property query(queries::partition_type_property, const device_state& device) {
  return device.from().property;
}
info::partition_affinity_domain query(queries::partition_type_affinity_domain, const device_state& device) {
  return device.from().domain;
}

} // namespace

template <typename Param>
typename Param::return_type device::get_info() const {
  return query(Param(), *state_);
}

bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture arch) const {
  return get_info<ext::oneapi::experimental::info::device::architecture>() == arch;
}

bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category category) const {
  return falx::family_of_architecture(state_->description().architecture) ==
         static_cast<std::uint32_t>(category);
}

template queries::device_type::return_type device::get_info<queries::device_type>() const;
template ext::oneapi::experimental::architecture
device::get_info<ext::oneapi::experimental::info::device::architecture>() const;
template queries::reference_count::return_type device::get_info<queries::reference_count>() const;
template queries::vendor_id::return_type device::get_info<queries::vendor_id>() const;
template queries::max_compute_units::return_type device::get_info<queries::max_compute_units>() const;
template queries::max_work_item_dimensions::return_type
device::get_info<queries::max_work_item_dimensions>() const;
template queries::max_work_group_size::return_type device::get_info<queries::max_work_group_size>() const;
template queries::max_num_sub_groups::return_type device::get_info<queries::max_num_sub_groups>() const;
template queries::sub_group_sizes::return_type device::get_info<queries::sub_group_sizes>() const;
template queries::preferred_vector_width_char::return_type
device::get_info<queries::preferred_vector_width_char>() const;
template queries::preferred_vector_width_short::return_type
device::get_info<queries::preferred_vector_width_short>() const;
template queries::preferred_vector_width_int::return_type
device::get_info<queries::preferred_vector_width_int>() const;
template queries::preferred_vector_width_long::return_type
device::get_info<queries::preferred_vector_width_long>() const;
template queries::preferred_vector_width_long_long::return_type
device::get_info<queries::preferred_vector_width_long_long>() const;
template queries::preferred_vector_width_float::return_type
device::get_info<queries::preferred_vector_width_float>() const;
template queries::preferred_vector_width_double::return_type
device::get_info<queries::preferred_vector_width_double>() const;
template queries::preferred_vector_width_half::return_type
device::get_info<queries::preferred_vector_width_half>() const;
template queries::native_vector_width_char::return_type
device::get_info<queries::native_vector_width_char>() const;
template queries::native_vector_width_short::return_type
device::get_info<queries::native_vector_width_short>() const;
template queries::native_vector_width_int::return_type
device::get_info<queries::native_vector_width_int>() const;
template queries::native_vector_width_long::return_type
device::get_info<queries::native_vector_width_long>() const;
template queries::native_vector_width_long_long::return_type
device::get_info<queries::native_vector_width_long_long>() const;
template queries::native_vector_width_float::return_type
device::get_info<queries::native_vector_width_float>() const;
template queries::native_vector_width_double::return_type
device::get_info<queries::native_vector_width_double>() const;
template queries::native_vector_width_half::return_type
device::get_info<queries::native_vector_width_half>() const;
template queries::max_clock_frequency::return_type device::get_info<queries::max_clock_frequency>() const;
template queries::address_bits::return_type device::get_info<queries::address_bits>() const;
template queries::max_mem_alloc_size::return_type device::get_info<queries::max_mem_alloc_size>() const;
template queries::image_support::return_type device::get_info<queries::image_support>() const;
template queries::max_read_image_args::return_type device::get_info<queries::max_read_image_args>() const;
template queries::max_write_image_args::return_type device::get_info<queries::max_write_image_args>() const;
template queries::image2d_max_height::return_type device::get_info<queries::image2d_max_height>() const;
template queries::image2d_max_width::return_type device::get_info<queries::image2d_max_width>() const;
template queries::image3d_max_height::return_type device::get_info<queries::image3d_max_height>() const;
template queries::image3d_max_width::return_type device::get_info<queries::image3d_max_width>() const;
template queries::image3d_max_depth::return_type device::get_info<queries::image3d_max_depth>() const;
template queries::image_max_buffer_size::return_type device::get_info<queries::image_max_buffer_size>() const;
template queries::max_samplers::return_type device::get_info<queries::max_samplers>() const;
template queries::max_parameter_size::return_type device::get_info<queries::max_parameter_size>() const;
template queries::mem_base_addr_align::return_type device::get_info<queries::mem_base_addr_align>() const;
template queries::half_fp_config::return_type device::get_info<queries::half_fp_config>() const;
template queries::single_fp_config::return_type device::get_info<queries::single_fp_config>() const;
template queries::double_fp_config::return_type device::get_info<queries::double_fp_config>() const;
template queries::global_mem_cache_type::return_type device::get_info<queries::global_mem_cache_type>() const;
template queries::global_mem_cache_line_size::return_type
device::get_info<queries::global_mem_cache_line_size>() const;
template queries::global_mem_cache_size::return_type device::get_info<queries::global_mem_cache_size>() const;
template queries::global_mem_size::return_type device::get_info<queries::global_mem_size>() const;
template queries::max_constant_buffer_size::return_type
device::get_info<queries::max_constant_buffer_size>() const;
template queries::max_constant_args::return_type device::get_info<queries::max_constant_args>() const;
template queries::local_mem_type::return_type device::get_info<queries::local_mem_type>() const;
template queries::local_mem_size::return_type device::get_info<queries::local_mem_size>() const;
template queries::error_correction_support::return_type
device::get_info<queries::error_correction_support>() const;
template queries::host_unified_memory::return_type device::get_info<queries::host_unified_memory>() const;
template queries::atomic_memory_order_capabilities::return_type
device::get_info<queries::atomic_memory_order_capabilities>() const;
template queries::atomic_fence_order_capabilities::return_type
device::get_info<queries::atomic_fence_order_capabilities>() const;
template queries::atomic_memory_scope_capabilities::return_type
device::get_info<queries::atomic_memory_scope_capabilities>() const;
template queries::atomic_fence_scope_capabilities::return_type
device::get_info<queries::atomic_fence_scope_capabilities>() const;
template queries::profiling_timer_resolution::return_type
device::get_info<queries::profiling_timer_resolution>() const;
template queries::is_endian_little::return_type device::get_info<queries::is_endian_little>() const;
template queries::is_available::return_type device::get_info<queries::is_available>() const;
template queries::is_compiler_available::return_type device::get_info<queries::is_compiler_available>() const;
template queries::is_linker_available::return_type device::get_info<queries::is_linker_available>() const;
template queries::execution_capabilities::return_type
device::get_info<queries::execution_capabilities>() const;
template queries::queue_profiling::return_type device::get_info<queries::queue_profiling>() const;
template queries::built_in_kernels::return_type device::get_info<queries::built_in_kernels>() const;
template queries::built_in_kernel_ids::return_type device::get_info<queries::built_in_kernel_ids>() const;
template queries::platform::return_type device::get_info<queries::platform>() const;
template queries::name::return_type device::get_info<queries::name>() const;
template queries::vendor::return_type device::get_info<queries::vendor>() const;
template queries::driver_version::return_type device::get_info<queries::driver_version>() const;
template queries::profile::return_type device::get_info<queries::profile>() const;
template queries::version::return_type device::get_info<queries::version>() const;
template queries::backend_version::return_type device::get_info<queries::backend_version>() const;
template queries::aspects::return_type device::get_info<queries::aspects>() const;
template queries::extensions::return_type device::get_info<queries::extensions>() const;
template queries::printf_buffer_size::return_type device::get_info<queries::printf_buffer_size>() const;
template queries::preferred_interop_user_sync::return_type
device::get_info<queries::preferred_interop_user_sync>() const;
template queries::parent_device::return_type device::get_info<queries::parent_device>() const;
template queries::partition_max_sub_devices::return_type
device::get_info<queries::partition_max_sub_devices>() const;
template queries::partition_properties::return_type device::get_info<queries::partition_properties>() const;
template queries::partition_affinity_domains::return_type
device::get_info<queries::partition_affinity_domains>() const;
template queries::partition_type_property::return_type
device::get_info<queries::partition_type_property>() const;
template queries::partition_type_affinity_domain::return_type
device::get_info<queries::partition_type_affinity_domain>() const;
template range<1> device::get_info<queries::max_work_item_sizes<1>>() const;
template range<2> device::get_info<queries::max_work_item_sizes<2>>() const;
template range<3> device::get_info<queries::max_work_item_sizes<3>>() const;

} // namespace sycl
