// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// What Falx reads of the environment, for tools that show it. docs/usage.md has the same table.

namespace falx {

/// An environment variable that Falx knows, and what it is in this process.
struct environment_variable {
  const char* name;
  /// "programs", "falx++", or what of Falx's own tests, benchmarks and build reads it.
  const char* read_by;
  /// Such as "on or off".
  const char* takes;
  /// What is taken if it is not set, in words or as it would be written.
  const char* unset;
  const char* meaning;
  bool is_set = false;
  /// Empty if it is not set.
  const char* value;
  /// Why the value is wrong and what would be right, as a sentence; empty if it is right.
  const char* problem;
};

/// Those of the table, in its order. Works whatever the environment holds. Texts live during the call.
void visit_environment_variables(void (*visit)(void* data, const environment_variable& each), void* data);

/// A sentence for each variable whose name begins with FALX_ but is none of Falx's.
void visit_unknown_environment_variables(void (*visit)(void* data, const char* sentence), void* data);

} // namespace falx
