// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/targets/cpu/cpu_abi.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Private variables of kernels are on the stack, those of all lanes of a vector at once: arrays of 400 KiB
/// take 6.4 MiB with 16 lanes. Threads' stacks are as large as the program, its user or oneTBB chose, so
/// kernels that take much have stacks of their own.

namespace falx {

/// Bytes of stack that the kernel has to be given; 0 if the thread's own will do.
std::size_t kernel_stack_bytes(const cpu::kernel_properties& properties) noexcept;

/// A stack with a guard page below it, mapped when it is needed. Memory that is not touched costs nothing.
class cpu_kernel_stack {
public:
  cpu_kernel_stack() = default;
  cpu_kernel_stack(const cpu_kernel_stack&) = delete;
  cpu_kernel_stack& operator=(const cpu_kernel_stack&) = delete;
  ~cpu_kernel_stack() { unmap(); }

  /// Throws std::bad_alloc if the system does not give so much memory.
  void reserve(std::size_t bytes);

  /// Calls the kernel function on the stack. \p may_overflow: so that this can be reported, the thread has a
  /// stack for signals meanwhile.
  void run(cpu::kernel_function function, const cpu::launch_arguments& launch, const std::uint64_t* begin,
           const std::uint64_t* end, cpu::worker_memory& worker, bool may_overflow) noexcept;

  /// The thread has nothing to do: lets the system have the memory back where it is much, at once or when it
  /// needs it.
  void give_back() noexcept;

private:
  void unmap() noexcept;

  /// From low to high addresses: guard, stack, signal stack.
  unsigned char* mapping_ = nullptr;
  std::size_t stack_bytes_ = 0;
  bool is_used_ = false;
};

} // namespace falx
