// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace falx::driver {

/// Where the parts of one Falx installation (or build tree: same layout) lie.
struct installation {
  std::string clang;
  std::string plugin;
  std::string include_directory;
  std::string library_directory;
  std::string program_directory;
};

/// Whether the next argument is the value of this one, of clang++.
bool takes_value(std::string_view option);

/// Turns what the user gave falx++ (without argv[0]) into the command line of clang++: options of other SYCL
/// implementations are taken out, the plugin, the headers and, where clang++ will link, the runtime are
/// added. Throws std::invalid_argument, with a sentence for the user, for what cannot work.
std::vector<std::string> clang_command_line(const std::vector<std::string>& arguments,
                                            const installation& where);

/// Sentences about options of other SYCL implementations that ask for what the user does not get. falx++
/// prints them; -Werror is clang++'s, and makes no errors of them.
std::vector<std::string> warnings(const std::vector<std::string>& arguments);

/// False with -fno-sycl-pch.
bool allows_precompiled_header(const std::vector<std::string>& arguments);

/// What falx++ prints of itself before clang++ answers --version or --help; empty for other command lines.
std::string preface(const std::vector<std::string>& arguments);

} // namespace falx::driver
