// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

/// \file
/// The part of the CUDA driver's binary interface that Falx uses, in our own words, so that building needs no
/// CUDA toolkit. Numbers and layouts are those of CUDA 12.0 and later.

namespace falx::cuda {

using device_ordinal = int;
using device_pointer = std::uint64_t;
using context_handle = struct context_object*;
using module_handle = struct module_object*;
using function_handle = struct function_object*;
using stream_handle = struct stream_object*;
using event_handle = struct event_object*;
using pool_handle = struct pool_object*;
using link_handle = struct link_object*;
using array_handle = struct array_object*;
using texture_handle = std::uint64_t;

/// Results that Falx tells apart; all others are only shown.
enum class result : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  not_initialized = 3,
  deinitialized = 4,
  no_device = 100,
  invalid_context = 201,
  no_binary_for_gpu = 209,
  ecc_uncorrectable = 214,
  invalid_ptx = 218,
  nvlink_uncorrectable = 220,
  unsupported_ptx_version = 222,
  contained = 226,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  context_is_destroyed = 709,
  assertion = 710,
  hardware_stack_error = 714,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  invalid_program_counter = 718,
  launch_failed = 719,
  tensor_memory_leak = 721,
  not_supported = 801,
  external_device = 911,
  unknown = 999,
};

enum class device_attribute : int {
  max_threads_per_block = 1,
  max_block_x = 2,
  max_block_y = 3,
  max_block_z = 4,
  max_grid_x = 5,
  max_grid_y = 6,
  max_grid_z = 7,
  shared_memory_per_block = 8,
  warp_size = 10,
  max_pitch = 11,
  texture_alignment = 14,
  clock_rate = 13, // in kHz
  multiprocessor_count = 16,
  integrated = 18,
  compute_mode = 20,
  ecc_enabled = 32,
  pci_bus_id = 33,
  pci_device_id = 34,
  memory_clock_rate = 36, // in kHz
  memory_bus_width = 37,  // in bits
  l2_cache_bytes = 38,
  pci_domain_id = 50,
  texture_pitch_alignment = 51,
  max_linear_texture_width = 70,
  max_linear_texture_height = 71,
  max_linear_texture_pitch = 72,
  compute_capability_major = 75,
  compute_capability_minor = 76,
  managed_memory = 83,
  host_native_atomics = 86,
  pageable_memory_access = 88,
  concurrent_managed_access = 89,
  shared_memory_per_block_optin = 97,
  threads_per_processor = 39,
  registers_per_processor = 82,
  memory_pools_supported = 115,
  pci_identity = 139, // device << 16 | vendor
};

enum class peer_attribute : int { native_atomics = 3 };

enum class function_attribute : int {
  max_threads_per_block = 0,
  shared_bytes = 1,
  local_bytes = 3,
  registers = 4,
  ptx_target = 5, // 90 of code for sm_90, the driver's PTX_VERSION
  max_dynamic_shared_bytes = 8,
};

enum class launch_attribute_id : int { programmatic_stream_serialization = 6 };

/// A number, as far as Falx uses attributes; others have more.
struct alignas(8) launch_attribute {
  launch_attribute_id id;
  char padding[4];
  int value;
  char unused[60];
};
static_assert(sizeof(launch_attribute) == 72);

struct launch_configuration {
  unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z;
  unsigned shared_bytes;
  stream_handle stream;
  launch_attribute* attributes;
  unsigned attribute_count;
};
static_assert(sizeof(launch_configuration) == 56);

enum class jit_option : int {
  info_log_buffer = 3,
  info_log_bytes = 4,
  error_log_buffer = 5,
  error_log_bytes = 6,
};

enum class jit_input : int { cubin = 0, ptx = 1 };

constexpr unsigned STREAM_NON_BLOCKING = 1;
/// What the program may say instead of a stream.
constexpr std::uintptr_t NULL_STREAM = 0, LEGACY_STREAM = 1, PER_THREAD_STREAM = 2;
constexpr unsigned EVENT_BLOCKING_SYNC = 1, EVENT_DISABLE_TIMING = 2;
constexpr unsigned HOST_ALLOC_PORTABLE = 1, HOST_ALLOC_DEVICE_MAP = 2;
constexpr unsigned MANAGED_ATTACH_GLOBAL = 1;
/// CU_MEM_ADVISE_SET_ACCESSED_BY.
constexpr int ADVISE_ACCESSED_BY = 5;
constexpr device_ordinal CPU_DEVICE = -1;

enum class pointer_attribute : int { memory_type = 2 };

enum class memory_type : unsigned { host = 1, device = 2, array = 3, unified = 4 };

enum class location_type : int { invalid = 0, device = 1, host = 2 };
struct memory_location {
  location_type type = location_type::invalid;
  int id = 0;
};

constexpr int ALLOCATION_PINNED = 1;
/// Attributes of a pool: std::uint64_t, in bytes.
constexpr int POOL_RELEASE_THRESHOLD = 4, POOL_RESERVED = 5, POOL_USED = 7;
constexpr int ACCESS_READ_WRITE = 3;

struct pool_properties {
  int allocation_type = ALLOCATION_PINNED;
  int handle_types = 0;
  memory_location location;
  void* security_attributes = nullptr;
  std::size_t max_size = 0;
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};
static_assert(sizeof(pool_properties) == 88);

struct access_descriptor {
  memory_location location;
  int flags = ACCESS_READ_WRITE;
};
static_assert(sizeof(access_descriptor) == 12);

/// One side of a copy of rows.
struct copy_2d {
  std::size_t source_x_bytes = 0, source_y = 0;
  memory_type source_type = memory_type::unified;
  const void* source_host = nullptr;
  device_pointer source_device = 0;
  array_handle source_array = nullptr;
  std::size_t source_pitch = 0;
  std::size_t destination_x_bytes = 0, destination_y = 0;
  memory_type destination_type = memory_type::unified;
  void* destination_host = nullptr;
  device_pointer destination_device = 0;
  array_handle destination_array = nullptr;
  std::size_t destination_pitch = 0;
  std::size_t width_bytes = 0, height = 0;
};
static_assert(sizeof(copy_2d) == 128);

struct copy_3d {
  std::size_t source_x_bytes = 0, source_y = 0, source_z = 0, source_lod = 0;
  memory_type source_type = memory_type::unified;
  const void* source_host = nullptr;
  device_pointer source_device = 0;
  array_handle source_array = nullptr;
  void* source_reserved = nullptr;
  std::size_t source_pitch = 0, source_height = 0;
  std::size_t destination_x_bytes = 0, destination_y = 0, destination_z = 0, destination_lod = 0;
  memory_type destination_type = memory_type::unified;
  void* destination_host = nullptr;
  device_pointer destination_device = 0;
  array_handle destination_array = nullptr;
  void* destination_reserved = nullptr;
  std::size_t destination_pitch = 0, destination_height = 0;
  std::size_t width_bytes = 0, height = 0, depth = 0;
};
static_assert(sizeof(copy_3d) == 200);

enum class array_format : unsigned { unsigned_8 = 0x01, unsigned_16 = 0x02, half = 0x10, single = 0x20 };
enum class texture_address : int { wrap = 0, clamp = 1, mirror = 2, border = 3 };
enum class texture_filter : int { point = 0, linear = 1 };
constexpr unsigned TEXTURE_NORMALIZED_COORDINATES = 2;

/// CUDA_RESOURCE_DESC of rows in device memory (CU_RESOURCE_TYPE_PITCH2D).
struct texture_resource {
  int type = 3;
  device_pointer memory = 0;
  array_format format = array_format::single;
  unsigned channels = 4;
  std::size_t width = 0, height = 0, pitch_bytes = 0;
  unsigned char reserved[88] = {};
  unsigned flags = 0;
};
static_assert(sizeof(texture_resource) == 144 && offsetof(texture_resource, memory) == 8 &&
              offsetof(texture_resource, flags) == 136);

/// CUDA_TEXTURE_DESC. Integers are read as fractions of their largest value.
struct texture_sampler {
  texture_address address[3] = {};
  texture_filter filter = texture_filter::point;
  unsigned flags = 0;
  unsigned max_anisotropy = 0;
  texture_filter mipmap_filter = texture_filter::point;
  float mipmap_level_bias = 0, min_mipmap_level = 0, max_mipmap_level = 0;
  float border_color[4] = {};
  int reserved[12] = {};
};
static_assert(sizeof(texture_sampler) == 104);

struct uuid {
  unsigned char bytes[16];
};

} // namespace falx::cuda
