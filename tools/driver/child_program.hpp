// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace falx::driver {

/// Descriptors of this process that become a program's standard streams; -1: as here.
struct program_streams {
  int input = -1, output = -1, errors = -1;
};

/// Starts the program that the first word names, which PATH may find. Nothing if it cannot be started.
std::optional<pid_t> start_program(std::vector<std::string> words, const program_streams& streams);

/// The status with which the program ends; nothing if a signal ends it.
std::optional<int> status_of(pid_t program);

/// Both; nothing if it cannot be started either.
std::optional<int> run_program(std::vector<std::string> words, const program_streams& streams = {});

} // namespace falx::driver
