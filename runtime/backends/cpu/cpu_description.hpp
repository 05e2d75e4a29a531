// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"

#include <cstdint>
#include <string>

namespace falx {

/// What this process can use of the machine's CPU: the threads it may be scheduled on, not those there are.
device_description describe_cpu();

/// Number of hardware threads that the process may be scheduled on.
std::uint32_t cpu_thread_count();

/// In MHz; 0 if nothing tells. Reads files.
std::uint32_t cpu_clock_frequency();

/// Names CPU model and instruction set, so that machine code made for one digest runs wherever the digest is
/// the same: part of cache keys.
std::string cpu_digest();

} // namespace falx
