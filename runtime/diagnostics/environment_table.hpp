// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "environment.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace falx {

/// Who reads a variable. All names are here, so that none is taken for a typing error.
enum class environment_reader {
  /// libfalx, in every SYCL program.
  programs,
  /// The compiler driver, for itself.
  driver,
  /// What builds and tests Falx or programs with it.
  development,
};

/// What Falx knows of a variable.
struct variable_description {
  std::string name;
  environment_reader reader = environment_reader::programs;
  /// As in "it takes on or off".
  std::string takes = {};
  /// The value that not being set is the same as, or words in parentheses.
  std::string unset = {};
  std::string meaning = {};
  /// Sets its members of the environment. Throws std::invalid_argument, with a sentence that says what is
  /// wrong. None if programs do not read it.
  std::function<void(std::string_view text, environment& to)> read = {};
  /// An empty value means something else than not being set.
  bool takes_nothing = false;
  /// It is not looked at if this variable is set.
  std::string_view yields_to = {};

  /// Whether unset is a value.
  bool has_default() const { return read && !unset.empty() && unset.front() != '('; }
};

/// All variables, those that users want most first.
std::span<const variable_description> environment_table();

/// Gives the value of a variable, or null.
using variable_lookup = std::function<const char*(const std::string& name)>;

/// Whether \p variable is set and counts.
bool is_effective(const variable_description& variable, const variable_lookup& lookup);

/// Why the value of the variable is wrong, as a sentence that names it and says what it takes; nothing if it
/// is right or does not count.
std::optional<std::string> problem_of(const variable_description& variable, const variable_lookup& lookup);

/// The environment as \p lookup has it. Members whose variables are wrong have their defaults; \p problems
/// gets a sentence for each.
environment read_environment(const variable_lookup& lookup, std::vector<std::string>& problems);

/// For a name that begins with FALX_ and is not in the table: a sentence that says so, with the name that was
/// probably meant. Nothing for others. \p definition is NAME=value or NAME.
std::optional<std::string> unknown_variable(std::string_view definition);

} // namespace falx
