// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>

namespace falx {

class command;
class command_view;
struct host_operation;

/// Behind command_view::run_host_task.
void run_host_task(command& self, const host_operation& task,
                   void (*done)(command_view& self, std::exception_ptr error) noexcept) noexcept;

/// Declared by a thread around a wait for a command. If the thread runs a host task, another may take its
/// place.
class blocked_host_task {
public:
  blocked_host_task() noexcept;
  ~blocked_host_task();
  blocked_host_task(const blocked_host_task&) = delete;
  blocked_host_task& operator=(const blocked_host_task&) = delete;
};

} // namespace falx
