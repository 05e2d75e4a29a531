// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <optional>
#include <string>

/// \file
/// Why the kernel cache cannot be used. The cache itself only finds that something does not work, and goes on
/// without (kernel_cache.hpp).

namespace falx {

/// Why an entry of \p bytes cannot be kept in the directory and what to do about it, as a sentence; nothing
/// if it can be. Tries: writes a file and removes it, if the directory is there, but does not make one.
std::optional<std::string> problem_of_cache(const std::string& directory, std::size_t bytes = 1 << 16);

/// Says so on standard error, the first time that this process calls it.
void report_cache_problem(const std::string& problem);

} // namespace falx
