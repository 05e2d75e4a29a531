// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

namespace falx::driver {

/// A command line of clang++ (with clang++ itself first) that was written for GCC, without what clang++ would
/// refuse: options that only GCC has. Clang itself is asked which these are. Warnings that only GCC has are
/// not warned about. Optimisation when linking is left out, too: GCC links, and does not read Clang's
/// intermediate code, while objects of both can be linked.
std::vector<std::string> as_clang_accepts(std::vector<std::string> command);

/// The options that clang++ calls unknown or unsupported in what it wrote to its standard error.
std::vector<std::string> refused_options(const std::string& diagnostics);

} // namespace falx::driver
