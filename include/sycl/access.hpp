// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// Enumerations and tags that say how memory is accessed (SYCL 2020 §4.7.6.2 to §4.7.6.5, §4.7.7.1).

namespace sycl {

/// SYCL 2020 §4.7.6.2. The last three are deprecated spellings of SYCL 1.2.1.
enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };

/// Where an accessor's data is used (SYCL 2020 §4.7.6.9 and, for the deprecated ones, §C).
enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  image,
  host_image,
  image_array,
  global_buffer = device
};

/// What an accessor has to know (AdaptiveCpp's ACPP_EXT_ACCESSOR_VARIANTS); the first two are SYCL's own and
/// know everything.
enum class accessor_variant {
  false_t,
  true_t,
  /// A placeholder for a part of the buffer.
  ranged_placeholder,
  /// Of a command group, for a part of the buffer.
  ranged,
  /// A placeholder for the whole buffer.
  unranged_placeholder,
  /// Of a command group, for the whole buffer.
  unranged,
  /// A pointer.
  raw
};

namespace access {

using mode = sycl::access_mode;
using target = sycl::target;

/// Deprecated: a placeholder is an accessor constructed without a handler, whatever false_t and true_t say.
using placeholder = accessor_variant;

/// SYCL 2020 §4.7.7.1. The last two, parts of the global space, are sycl_ext_intel_usm_address_spaces.
enum class address_space {
  global_space,
  local_space,
  constant_space,
  private_space,
  generic_space,
  ext_intel_global_device_space,
  ext_intel_global_host_space
};

/// Whether a multi_ptr hands out pointers that carry their address space in the type. Falx's device code uses
/// generic pointers and infers address spaces, so decorated pointers are plain pointers.
enum class decorated { no, yes, legacy };

/// Deprecated argument of nd_item::barrier and mem_fence; every Falx fence orders both spaces.
enum class fence_space { local_space, global_space, global_and_local };

} // namespace access

/// Short names of address spaces (SYCL 2020 §4.7.7.1).
using addrspace = access::address_space;
inline constexpr addrspace addrspace_global = addrspace::global_space;
inline constexpr addrspace addrspace_local = addrspace::local_space;
inline constexpr addrspace addrspace_private = addrspace::private_space;
inline constexpr addrspace addrspace_generic = addrspace::generic_space;

/// Type of the tags that let an accessor deduce its access mode (SYCL 2020 §4.7.6.4).
template <access_mode Mode>
struct mode_tag_t {
  explicit mode_tag_t() = default;
};
/// As mode_tag_t, and deduces the target as well.
template <access_mode Mode, target Target>
struct mode_target_tag_t {
  explicit mode_target_tag_t() = default;
};

/// As mode_tag_t, for accessor_variant::raw (AdaptiveCpp's).
template <access_mode Mode>
struct raw_tag_t {
  explicit raw_tag_t() = default;
};

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr raw_tag_t<access_mode::read> read_only_raw{};
inline constexpr raw_tag_t<access_mode::read_write> read_write_raw{};
inline constexpr raw_tag_t<access_mode::write> write_only_raw{};
/// Deprecated (SYCL 2020 §C.8): reads through the constant cache.
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant{};

} // namespace sycl
