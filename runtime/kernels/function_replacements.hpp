// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/dynamic_functions.hpp"
#include "process/ref_counted.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace falx {

/// Which functions of device code are replaced by which. Never changes once a handle to it is shared.
class function_replacements final : public ref_counted {
public:
  struct replacement {
    const function_descriptor* function;
    /// Called one after the other.
    std::vector<const function_descriptor*> definitions;
  };

  function_replacements() = default;
  /// A copy with one more, or other, replacement.
  function_replacements(const function_replacements* before, replacement added);

  /// In the order in which they were made, each function once.
  const std::vector<replacement>& all() const noexcept { return replacements_; }
  /// Whether calls of the function that several translation units call \p symbol are replaced.
  bool replaces(std::string_view symbol) const noexcept;
  /// Tells replacements apart; not 0.
  const std::array<std::uint64_t, 2>& digest() const noexcept { return digest_; }

private:
  std::vector<replacement> replacements_;
  std::array<std::uint64_t, 2> digest_{1, 1};
};

} // namespace falx
