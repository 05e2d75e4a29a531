// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command_line.hpp"

#include <string>
#include <vector>

namespace falx::driver {

/// Adds a precompiled sycl/sycl.hpp to \p command, one of clang_command_line's, if that compiles sources
/// whose first directive includes that header, and nothing on the command line comes before it. There is one
/// for each set of options; the second command line that could use it makes it, as many sets are used once.
/// Whatever goes wrong, the command stays what it was, which is slower.
void use_precompiled_header(std::vector<std::string>& command, const installation& where);

} // namespace falx::driver
