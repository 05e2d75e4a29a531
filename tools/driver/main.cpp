// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// falx++: a C++ compiler that knows SYCL. It replaces itself by clang++ 22 with Falx's plugin, headers and
// runtime, so everything that clang++ can do, it can do.
#include "command_line.hpp"
#include "environment.hpp"
#include "options_of_gcc.hpp"
#include "precompiled_header.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace {

falx::driver::installation find_installation() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path prefix = self.parent_path().parent_path();
  falx::driver::installation where;
  where.clang = falx::driver::environment_variable("FALX_CLANGXX").value_or("");
  if (where.clang.empty())
    where.clang = FALX_CLANGXX;
  where.plugin = prefix / FALX_LIBDIR / "falx" / "falx-clang-plugin.so";
  where.include_directory = prefix / "include";
  where.library_directory = prefix / FALX_LIBDIR;
  where.program_directory = self.parent_path();
  return where;
}

/// FALX_PCH, which is on by default.
bool uses_precompiled_headers() {
  const std::string_view text = falx::driver::environment_variable("FALX_PCH").value_or("");
  return text != "off" && text != "0";
}

} // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  // As a compiler launcher (find_package(Falx) with another compiler): drop the launched compiler's name.
  const bool launches = arguments.size() >= 2 && arguments[0] == "--falx-launch";
  if (launches)
    arguments.erase(arguments.begin(), arguments.begin() + 2);

  const falx::driver::installation where = find_installation();
  if (access(where.plugin.c_str(), R_OK) != 0) {
    std::fprintf(stderr, "falx++: error: the compiler plugin '%s' is missing; reinstall Falx\n",
                 where.plugin.c_str());
    return 1;
  }
  std::vector<std::string> command;
  try {
    command = falx::driver::clang_command_line(arguments, where);
  } catch (const std::invalid_argument& mistake) {
    std::fprintf(stderr, "falx++: error: %s\n", mistake.what());
    return 1;
  }
  for (const std::string& warning : falx::driver::warnings(arguments))
    std::fprintf(stderr, "falx++: warning: %s\n", warning.c_str());
  if (launches)
    command = falx::driver::as_clang_accepts(std::move(command));
  if (uses_precompiled_headers() && falx::driver::allows_precompiled_header(arguments))
    falx::driver::use_precompiled_header(command, where);
  std::fputs(falx::driver::preface(arguments).c_str(), stdout);
  std::fflush(stdout);
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& word : command)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  std::fprintf(
      stderr,
      "falx++: error: cannot run '%s': %s; install clang-22 or set FALX_CLANGXX to a clang++ of version 22\n",
      pointers[0], std::strerror(errno));
  return 1;
}
