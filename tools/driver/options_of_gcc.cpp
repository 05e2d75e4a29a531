// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "options_of_gcc.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>

namespace falx::driver {

namespace {

// What the command writes to its standard error; empty when it cannot be run, which running it in earnest
// will tell.
std::string diagnostics_of(std::vector<std::string> command) {
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& word : command)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(pipe_ends[1]);
  std::string text;
  std::array<char, 4096> block;
  for (ssize_t size = 0; (size = read(pipe_ends[0], block.data(), block.size())) > 0;)
    text.append(block.data(), static_cast<std::size_t>(size));
  close(pipe_ends[0]);
  if (error == 0)
    waitpid(child, nullptr, 0);
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
