// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "scheduler/command.hpp"

#include <exception>
#include <string>

namespace falx::test {

/// What a command failed with; empty if it did not.
inline std::string text_of_error(const command& self) {
  if (self.error() == nullptr)
    return {};
  try {
    std::rethrow_exception(self.error());
  } catch (const std::exception& error) {
    return error.what();
  }
}

} // namespace falx::test
