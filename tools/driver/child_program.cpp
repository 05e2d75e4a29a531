// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "child_program.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace falx::driver {

std::optional<pid_t> start_program(std::vector<std::string> words, const program_streams& streams) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words)
    pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const auto& [from, to] : {std::pair{streams.input, STDIN_FILENO},
                                 {streams.output, STDOUT_FILENO},
                                 {streams.errors, STDERR_FILENO}})
    if (from >= 0)
      ::posix_spawn_file_actions_adddup2(&actions, from, to);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? std::optional(child) : std::nullopt;
}

std::optional<int> status_of(pid_t program) {
  int status = 0;
  if (::waitpid(program, &status, 0) != program || !WIFEXITED(status))
    return std::nullopt;
  return WEXITSTATUS(status);
}

std::optional<int> run_program(std::vector<std::string> words, const program_streams& streams) {
  const std::optional<pid_t> program = start_program(std::move(words), streams);
  return program ? status_of(*program) : std::nullopt;
}

} // namespace falx::driver
