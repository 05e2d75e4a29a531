// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <string>
#include <vector>

namespace falx {

/// A backend that this Falx has, but that has no device on this machine.
struct absent_backend {
  std::string name;
  /// A sentence.
  std::string reason;
};

/// For tools that show what Falx sees of a machine.
std::vector<absent_backend> absent_backends();

} // namespace falx
