// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "jit/request/request.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace falx {

/// Devices for which kernels are compiled ahead of time, which need not be here: backend_device::suitability
/// says which of a program's targets a device can run.
struct compiled_target {
  /// As users write it: "x86-64-v3", "sm_90"; "native" is this machine's CPU.
  std::string name;
  /// The request's members.
  std::string jit_target, cpu, host;
  /// Of kernels that demand none; 0 where the device has but one.
  std::uint32_t sub_group_size = 0;
};

/// Nothing if no backend has a target of that name.
std::optional<compiled_target> compiled_target_named(std::string_view name);
/// "native, x86-64, … or sm_121".
std::string compiled_target_names();

/// What launches of such kernels mostly have as jit::configuration::local_range, where the target chooses
/// work-groups, and always all zero, where they are not known.
std::vector<std::array<std::uint32_t, 3>> usual_local_ranges(const compiled_target& target, kernel_kind kind,
                                                             std::uint32_t dimensions);

/// Gives the request what of this machine the code is linked with. No part of the key under which programs
/// find the code: libraries that another machine lacks or has in other versions are the dynamic linker's to
/// refuse there.
void add_libraries_of(const compiled_target& target, jit::request& request);

} // namespace falx
