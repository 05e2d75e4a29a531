// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cpu_target.hpp"

#include <cstdint>
#include <string>

namespace falx {

/// What this process can use of the machine's CPU: so many \p processors, and the instructions of \p target.
/// Kernels that demand no sub-group size get \p sub_group_size, or if that is 0, as many work-items as a
/// vector register holds 32-bit values.
device_description describe_cpu(const cpu_target& target, std::uint32_t sub_group_size = 0,
                                std::uint32_t processors = 1);

/// In MHz; 0 if nothing tells. Reads files.
std::uint32_t cpu_clock_frequency();

/// Names CPU model, instruction set and target, so that machine code made for one digest runs wherever the
/// digest is the same: part of cache keys.
std::string cpu_digest(const cpu_target& target);

} // namespace falx
