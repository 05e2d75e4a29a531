// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <exception>

namespace falx {

class command;
struct host_operation;

/// Runs a host task (SYCL 2020 §4.10) on a thread of its own kind. Host tasks may block, on each other as
/// well, so they take no thread away from kernels, and a thread more is started when all are busy. \p done is
/// called with what the task threw, or why there is no thread for it, or null, and has to complete \p self.
void run_host_task(command& self, const host_operation& task,
                   void (*done)(command& self, std::exception_ptr error) noexcept) noexcept;

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
