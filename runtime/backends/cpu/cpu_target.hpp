// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace falx {

/// Which instructions kernels may use.
struct cpu_target {
  /// In LLVM's spelling; empty: all that this machine has.
  std::string_view name;
  /// Level of the x86-64 psABI; empty for other architectures.
  std::string_view instruction_set;
  std::uint32_t vector_bytes = 16;

  bool operator==(const cpu_target&) const = default;
};

/// The instructions of the processor that FALX_CPU names: for tests of what Falx makes for other machines,
/// and for results that are the same on several. "native" is this machine. Throws std::invalid_argument, with
/// a sentence, if \p name is none of cpu_target_names, or one whose instructions this machine lacks.
cpu_target cpu_target_of(std::string_view name);

/// The same for code that another machine may run: nothing if \p name is none of cpu_target_names.
std::optional<cpu_target> known_cpu_target(std::string_view name);

/// How well code for the processor \p name suits this machine when kernels may use the instructions of \p
/// allowed: 0 if it may have others, and more for later processors.
unsigned suitability_of_cpu(std::string_view name, const cpu_target& allowed);

/// What cpu_target_of takes: "native, x86-64 or …".
std::string_view cpu_target_names();

} // namespace falx
