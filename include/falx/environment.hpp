// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <string>
#include <vector>

/// \file
/// What Falx reads of the environment, for tools that show it. docs/usage.md has the same table.

namespace falx {

/// An environment variable that Falx knows, and what it is in this process.
struct environment_variable {
  std::string name;
  /// "programs", "falx++", or what of Falx's own tests, benchmarks and build reads it.
  std::string read_by;
  /// Such as "on or off".
  std::string takes;
  /// What is taken if it is not set, in words or as it would be written.
  std::string unset;
  std::string meaning;
  bool is_set = false;
  /// Empty if it is not set.
  std::string value;
  /// Why the value is wrong and what would be right, as a sentence; empty if it is right.
  std::string problem;
};

/// Those of the table, in its order. Works whatever the environment holds.
std::vector<environment_variable> environment_variables();

/// A sentence for each variable whose name begins with FALX_ but is none of Falx's.
std::vector<std::string> unknown_environment_variables();

} // namespace falx
