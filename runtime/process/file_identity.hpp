// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace falx {

/// The GNU build id of an ELF file of this machine ("id" and its hex digits); if it has none, the file's size
/// and time of modification; empty if there is no such file.
std::string file_identity(const std::string& path);

} // namespace falx
