// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/aspect.hpp"
#include "sycl/info/enums.hpp"
#include "sycl/memory_enums.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// \file
/// Descriptors for device::get_info (SYCL 2020 §4.6.4.4). Sizes are in bytes unless a comment says otherwise.

namespace sycl {
class platform;
class device;
class kernel_id;
template <int Dimensions>
class range;
template <int Dimensions>
class id;
} // namespace sycl

namespace sycl::info::device {

struct device_type {
  using return_type = info::device_type;
};
struct vendor_id {
  using return_type = std::uint32_t;
};
struct max_compute_units {
  using return_type = std::uint32_t;
};
struct max_work_item_dimensions {
  using return_type = std::uint32_t;
};
/// In the order of a sycl::range: the fastest-moving dimension last.
template <int Dimensions = 3>
struct max_work_item_sizes {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "work-groups have 1, 2 or 3 dimensions");
  using return_type = range<Dimensions>;
};
struct max_work_group_size {
  using return_type = std::size_t;
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
};
struct sub_group_sizes {
  using return_type = std::vector<std::size_t>;
};
/// Numbers of elements; 0 for types that the device does not support.
struct preferred_vector_width_char {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_short {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_int {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_long {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_long_long {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_float {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_double {
  using return_type = std::uint32_t;
};
struct preferred_vector_width_half {
  using return_type = std::uint32_t;
};
struct native_vector_width_char {
  using return_type = std::uint32_t;
};
struct native_vector_width_short {
  using return_type = std::uint32_t;
};
struct native_vector_width_int {
  using return_type = std::uint32_t;
};
struct native_vector_width_long {
  using return_type = std::uint32_t;
};
struct native_vector_width_long_long {
  using return_type = std::uint32_t;
};
struct native_vector_width_float {
  using return_type = std::uint32_t;
};
struct native_vector_width_double {
  using return_type = std::uint32_t;
};
struct native_vector_width_half {
  using return_type = std::uint32_t;
};
/// In MHz.
struct max_clock_frequency {
  using return_type = std::uint32_t;
};
struct address_bits {
  using return_type = std::uint32_t;
};
struct max_mem_alloc_size {
  using return_type = std::uint64_t;
};
/// Deprecated: ask device::has for aspect::image.
struct image_support {
  using return_type = bool;
};
struct max_read_image_args {
  using return_type = std::uint32_t;
};
struct max_write_image_args {
  using return_type = std::uint32_t;
};
struct image2d_max_height {
  using return_type = std::size_t;
};
struct image2d_max_width {
  using return_type = std::size_t;
};
struct image3d_max_height {
  using return_type = std::size_t;
};
struct image3d_max_width {
  using return_type = std::size_t;
};
struct image3d_max_depth {
  using return_type = std::size_t;
};
struct image_max_buffer_size {
  using return_type = std::size_t;
};
struct max_samplers {
  using return_type = std::uint32_t;
};
struct max_parameter_size {
  using return_type = std::size_t;
};
/// In bits.
struct mem_base_addr_align {
  using return_type = std::uint32_t;
};
struct half_fp_config {
  using return_type = std::vector<info::fp_config>;
};
struct single_fp_config {
  using return_type = std::vector<info::fp_config>;
};
struct double_fp_config {
  using return_type = std::vector<info::fp_config>;
};
struct global_mem_cache_type {
  using return_type = info::global_mem_cache_type;
};
struct global_mem_cache_line_size {
  using return_type = std::uint32_t;
};
struct global_mem_cache_size {
  using return_type = std::uint64_t;
};
struct global_mem_size {
  using return_type = std::uint64_t;
};
/// Deprecated.
struct max_constant_buffer_size {
  using return_type = std::uint64_t;
};
/// Deprecated.
struct max_constant_args {
  using return_type = std::uint32_t;
};
struct local_mem_type {
  using return_type = info::local_mem_type;
};
struct local_mem_size {
  using return_type = std::uint64_t;
};
struct error_correction_support {
  using return_type = bool;
};
/// Deprecated.
struct host_unified_memory {
  using return_type = bool;
};
struct atomic_memory_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_fence_order_capabilities {
  using return_type = std::vector<memory_order>;
};
struct atomic_memory_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
struct atomic_fence_scope_capabilities {
  using return_type = std::vector<memory_scope>;
};
/// In nanoseconds.
struct profiling_timer_resolution {
  using return_type = std::size_t;
};
/// Deprecated.
struct is_endian_little {
  using return_type = bool;
};
struct is_available {
  using return_type = bool;
};
/// Deprecated: ask device::has for aspect::online_compiler.
struct is_compiler_available {
  using return_type = bool;
};
/// Deprecated: ask device::has for aspect::online_linker.
struct is_linker_available {
  using return_type = bool;
};
/// Deprecated; OpenCL devices only, others throw errc::invalid.
struct execution_capabilities {
  using return_type = std::vector<info::execution_capability>;
};
/// Deprecated: ask device::has for aspect::queue_profiling.
struct queue_profiling {
  using return_type = bool;
};
/// Deprecated: ask for built_in_kernel_ids.
struct built_in_kernels {
  using return_type = std::vector<std::string>;
};
struct built_in_kernel_ids {
  using return_type = std::vector<kernel_id>;
};
struct platform {
  using return_type = sycl::platform;
};
struct name {
  using return_type = std::string;
};
struct vendor {
  using return_type = std::string;
};
struct driver_version {
  using return_type = std::string;
};
/// Deprecated; OpenCL devices only, others throw errc::invalid.
struct profile {
  using return_type = std::string;
};
struct version {
  using return_type = std::string;
};
struct backend_version {
  using return_type = std::string;
};
struct aspects {
  using return_type = std::vector<aspect>;
};
/// Not in SYCL 2020, but in SYCL 1.2.1 and DPC++: 1, as devices are there until the program ends.
struct reference_count {
  using return_type = std::uint32_t;
};
/// Deprecated: ask for aspects.
struct extensions {
  using return_type = std::vector<std::string>;
};
/// Deprecated.
struct printf_buffer_size {
  using return_type = std::size_t;
};
/// Deprecated; OpenCL devices only, others throw errc::invalid.
struct preferred_interop_user_sync {
  using return_type = bool;
};
/// Throws errc::invalid for a device that is not a sub-device.
struct parent_device {
  using return_type = sycl::device;
};
struct partition_max_sub_devices {
  using return_type = std::uint32_t;
};
struct partition_properties {
  using return_type = std::vector<info::partition_property>;
};
struct partition_affinity_domains {
  using return_type = std::vector<info::partition_affinity_domain>;
};
struct partition_type_property {
  using return_type = info::partition_property;
};
struct partition_type_affinity_domain {
  using return_type = info::partition_affinity_domain;
};

} // namespace sycl::info::device
