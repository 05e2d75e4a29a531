// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options_of_gcc.hpp"
#include "child_program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace falx::driver {

namespace {

// What the command writes to its standard error; empty when it cannot be run, which running it in earnest
// will tell.
std::string diagnostics_of(std::vector<std::string> command) {
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0)
    return {};
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    close(nowhere);
    return {};
  }
  const std::optional<pid_t> child = start_program(std::move(command), {nowhere, nowhere, pipe_ends[1]});
  close(nowhere);
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t size = 0; (size = read(pipe_ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(size));
  close(pipe_ends[0]);
  if (child)
    status_of(*child);
  return text;
}

} // namespace

std::vector<std::string> refused_options(const std::string& diagnostics) {
  static constexpr auto BEGINNINGS = std::to_array<std::string_view>(
      {"error: unknown argument: '", "error: unknown argument '", "error: unsupported option '"});
  std::vector<std::string> refused;
  std::string_view rest = diagnostics;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    for (std::string_view beginning : BEGINNINGS) {
      const std::size_t at = line.find(beginning);
      if (at == std::string_view::npos)
        continue;
      const std::string_view option = line.substr(at + beginning.size());
      refused.emplace_back(option.substr(0, option.find('\'')));
    }
  }
  return refused;
}

std::vector<std::string> as_clang_accepts(std::vector<std::string> command) {
  std::erase_if(command, [](const std::string& word) { return word.starts_with("-flto"); });
  std::vector<std::string> dry_run = command;
  dry_run.insert(dry_run.begin() + 1, "-###");
  const std::vector<std::string> refused = refused_options(diagnostics_of(std::move(dry_run)));
  std::erase_if(command, [&](const std::string& word) {
    return std::find(refused.begin(), refused.end(), word) != refused.end();
  });
  // Last, so that no -Werror makes errors of them.
  command.insert(command.end(), {"-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument",
                                 "-Wno-unused-command-line-argument"});
  return command;
}

} // namespace falx::driver
