// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

namespace falx {

/// A backend that this Falx has, but that has no device on this machine.
struct absent_backend {
  const char* name;
  /// A sentence.
  const char* reason;
};

/// For tools that show what Falx sees of a machine. Texts live as long as the process.
void visit_absent_backends(void (*visit)(void* data, const absent_backend& each), void* data);

} // namespace falx
