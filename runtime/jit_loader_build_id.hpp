// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace falx {

/// The GNU build id of an ELF file of this machine ("id" and its hex digits); if it has none, the file's size
/// and time of modification; empty if there is no such file.
std::string file_identity(const std::string& path);

/// The library whose name begins with \p name among those that the ELF file needs itself: the path at which
/// the dynamic linker is going to find it, as far as the search path in the environment, the file's own and
/// the system's default directories say; empty if it is not there. Nothing if the file needs no such library.
std::optional<std::string> needed_library(const std::string& path, std::string_view name);

} // namespace falx
