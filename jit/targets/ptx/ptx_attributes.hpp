// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

namespace falx::jit {

/// What the passes of target ptx know about their kernel besides kernel_attributes, kept in the IR like
/// those: "falx-linear-grid", "falx-sm" and "falx-ptx".
struct ptx_attributes {
  kernel_attributes kernel;
  /// The grid's only axis is x, whatever the kernel's dimensions.
  bool linear_grid = false;
  /// Compute capability times ten.
  unsigned sm = 70;
  /// Version of PTX times ten.
  unsigned ptx = 63;

  static ptx_attributes read(const llvm::Function& kernel);
  void write(llvm::Function& kernel) const;

  bool has_groups() const;
  /// Work-items of a group; 0 if not known at compile time.
  std::uint32_t group_size() const;
};

/// Parameters of the kernel that form_ptx_entry makes: the function object and ptx::launch_arguments.
constexpr unsigned FUNCTION_OBJECT = 0, LAUNCH_ARGUMENTS = 1;
/// The largest work-group that any NVIDIA GPU runs.
constexpr std::uint32_t MAX_GROUP_SIZE = 1024;
/// Work-items of a sub-group.
constexpr std::uint32_t WARP_SIZE = 32;

} // namespace falx::jit
