// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string_view>

namespace falx {

/// Which instructions kernels may use.
struct cpu_target {
  /// In LLVM's spelling; empty: all that this machine has.
  std::string_view name;
  /// Level of the x86-64 psABI; empty for other architectures.
  std::string_view instruction_set;
  std::uint32_t vector_bytes = 16;
};

/// This machine's, or what the environment variable FALX_CPU names: for tests of what Falx makes for other
/// machines, and for results that are the same on several. Throws errc::invalid if it names none, or one
/// whose instructions this machine lacks.
cpu_target chosen_cpu_target();

} // namespace falx
