// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "falx/device_builtins.hpp"

#include <cstdio>
#include <cstdlib>

/// \file
/// The builtins of device code as host code finds them: index space, barriers and local memory only exist
/// inside a kernel, so each ends the program and says so.

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

// clang-format off
extern "C" {

std::size_t __falx_global_id_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_id_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_id_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_range_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_range_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_range_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_offset_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_offset_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_global_offset_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_id_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_id_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_id_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_range_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_range_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_local_range_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_id_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_id_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_id_z() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_range_x() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_range_y() noexcept { called_outside_kernel(__func__); }
std::size_t __falx_group_range_z() noexcept { called_outside_kernel(__func__); }
void __falx_work_group_barrier() noexcept { called_outside_kernel(__func__); }
void __falx_sub_group_barrier() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_local_id() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_size() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_max_size() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_id() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_count() noexcept { called_outside_kernel(__func__); }
std::uint32_t __falx_sub_group_shuffle_u32(std::uint32_t, std::uint32_t) noexcept { called_outside_kernel(__func__); }
std::uint64_t __falx_sub_group_shuffle_u64(std::uint64_t, std::uint32_t) noexcept { called_outside_kernel(__func__); }
std::uint64_t __falx_sub_group_ballot(bool) noexcept { called_outside_kernel(__func__); }
void* __falx_local_memory() noexcept { called_outside_kernel(__func__); }
void* __falx_group_scratch(std::size_t) noexcept { called_outside_kernel(__func__); }
void* __falx_work_group_alloc(std::size_t) noexcept { called_outside_kernel(__func__); }
const void* __falx_specialization_constant(const void*) noexcept { called_outside_kernel(__func__); }
}
// clang-format on
