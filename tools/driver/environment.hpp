// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdlib>
#include <optional>
#include <string_view>

namespace falx::driver {

/// A variable of the environment, as falx++ reads all that it reads; nothing if it is not set.
inline std::optional<std::string_view> environment_variable(const char* name) {
  const char* const value = ::secure_getenv(name);
  return value != nullptr ? std::optional<std::string_view>(value) : std::nullopt;
}

} // namespace falx::driver
