// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/targets/cpu/cpu_abi.hpp"

#include <cstddef>

/// \file
/// Kernels on the CPU that touch memory which they may not touch end the process as any code does. Before
/// that happens a line on standard error says which kernel it was, and where (docs/debugging.md).

namespace falx {

/// Has faults in kernels reported from now on, unless FALX_CRASH_REPORT is off. Handlers that the program has
/// installed so far are called after the report; one that it installs later takes the place of ours. Throws
/// sycl::exception with errc::invalid if the variable has no meaning. Thread-safe; only the first call
/// counts.
void report_crashes();

/// What a report says of the kernel that a thread runs. Must live until the thread has run it.
struct running_kernel {
  const char* name = nullptr;
  const cpu::kernel_properties* properties = nullptr;
};

/// Stack that may overflow: nothing between \p guard and \p bottom can be accessed.
struct guarded_stack {
  const void* guard = nullptr;
  const void* bottom = nullptr;
  std::size_t bytes = 0;
};

/// What the calling thread is at. A handler of signals reads it, so it must never be allocated on first use.
struct crash_context {
  const running_kernel* kernel = nullptr;
  guarded_stack stack;
};
extern thread_local constinit crash_context crash_context_of_thread [[gnu::tls_model("initial-exec")]];

/// While one lives, the thread runs the kernel.
class running_kernel_scope {
public:
  explicit running_kernel_scope(const running_kernel& kernel) noexcept {
    crash_context_of_thread.kernel = &kernel;
  }
  ~running_kernel_scope() { crash_context_of_thread.kernel = nullptr; }
  running_kernel_scope(const running_kernel_scope&) = delete;
  running_kernel_scope& operator=(const running_kernel_scope&) = delete;
};

/// While one lives, the thread is on the stack.
class guarded_stack_scope {
public:
  explicit guarded_stack_scope(const guarded_stack& stack) noexcept { crash_context_of_thread.stack = stack; }
  ~guarded_stack_scope() { crash_context_of_thread.stack = {}; }
  guarded_stack_scope(const guarded_stack_scope&) = delete;
  guarded_stack_scope& operator=(const guarded_stack_scope&) = delete;
};

} // namespace falx
