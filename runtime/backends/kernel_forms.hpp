// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

/// \file
/// What backends that time two forms of a kernel have in common.

namespace falx {

/// Of timing the kernel's form and the other one.
enum class form_outcome : std::uint8_t { undecided, keeps, changes };

/// What trials of a kernel's forms came to in earlier processes.
struct form_history {
  form_outcome outcome = form_outcome::undecided;
  /// Nanoseconds that launches are known to have taken, in all of those processes, while it was undecided.
  std::uint64_t spent = 0;
};

/// Whether the other form runs that piece of that launch, by lot. Not every second one: work may be heavier
/// in every second row, and programs launch kernels in turn, on data that differ.
inline bool is_for_other_form(std::uint64_t launch, std::uint64_t piece) noexcept {
  constexpr std::uint64_t ODD = 0x9E3779B97F4A7C15;
  std::uint64_t hash = (launch * ODD ^ piece) * ODD;
  hash = (hash ^ hash >> 29) * ODD;
  return hash >> 63 != 0;
}

} // namespace falx
