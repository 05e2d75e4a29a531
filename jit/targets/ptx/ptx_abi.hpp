// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// The contract between PTX of a kernel and runtime/backends/cuda. Axis order everywhere: x (fastest) first.
///
/// The module has one entry, ptx_entry_name(kernel), with two parameters: the function object by value, then
/// launch_arguments by value. Thread blocks are work-groups (nd_range, work_group); of kinds range and
/// single_task their extents are configuration::local_range, and work-items outside the range do nothing. A
/// local range that the configuration leaves at 0 is read from the launch. Dynamic shared memory is the
/// launch's local memory. Code may end with a line that says what the host computes for each launch, which is
/// a third parameter by value (derived_arguments_abi.hpp). Entries for waits_for_prerequisites begin with
/// griddepcontrol.wait.

namespace falx::ptx {

struct launch_arguments {
  std::uint64_t global_range[3];
  std::uint64_t global_offset[3];
};

/// How large a function object may be, by the version of PTX times ten: both parameters share what a launch
/// takes, 32764 bytes since PTX 8.1 (CUDA 12.1) and 4096 before.
constexpr std::size_t max_function_bytes(unsigned ptx_version) {
  const std::size_t both = ptx_version >= 81 ? 32764 : 4096;
  constexpr std::size_t alignment = alignof(launch_arguments); // of the second one, behind the first
  return (both - sizeof(launch_arguments)) / alignment * alignment;
}

/// Whether an entry for sm_\p sm waits for the grids before it in its stream before it accesses memory, so
/// that it may be launched while they end (PTX ISA, griddepcontrol).
constexpr bool waits_for_prerequisites(unsigned sm) {
  return sm >= 90;
}

/// The kernel's mangled name with what PTX does not allow in names replaced.
inline std::string ptx_entry_name(std::string_view kernel) {
  std::string name;
  for (const char c : kernel) {
    const bool allowed =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
    name += allowed ? c : '_';
  }
  return name;
}

} // namespace falx::ptx
