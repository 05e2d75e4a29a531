// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cpu_kernel_stack.hpp"

#include "cpu_crash_report.hpp"
#include "cpu_worker_memory.hpp"

#include <csignal>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define FALX_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FALX_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef FALX_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

// Calls function(launch, begin, end, worker) with the stack pointer at top, a multiple of 16. Debuggers and
// profilers see the caller's frames behind the kernel's.
extern "C" void falx_call_on_stack(const falx::cpu::launch_arguments* launch, const std::uint64_t* begin,
                                   const std::uint64_t* end, falx::cpu::worker_memory* worker,
                                   falx::cpu::kernel_function function, void* top);

#if defined(__x86_64__)
asm(R"(
  .text
  .p2align 4
  .globl falx_call_on_stack
  .hidden falx_call_on_stack
  .type falx_call_on_stack, @function
falx_call_on_stack:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  movq %r9, %rsp
  callq *%r8
  movq %rbp, %rsp
  popq %rbp
  .cfi_def_cfa %rsp, 8
  retq
  .cfi_endproc
  .size falx_call_on_stack, . - falx_call_on_stack
)");
#elif defined(__aarch64__)
asm(R"(
  .text
  .p2align 2
  .globl falx_call_on_stack
  .hidden falx_call_on_stack
  .type falx_call_on_stack, @function
falx_call_on_stack:
  .cfi_startproc
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset w29, -16
  .cfi_offset w30, -8
  mov x29, sp
  .cfi_def_cfa w29, 16
  mov sp, x5
  blr x4
  mov sp, x29
  .cfi_def_cfa sp, 16
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  ret
  .cfi_endproc
  .size falx_call_on_stack, . - falx_call_on_stack
)");
#else
#error "falx_call_on_stack is not written for this processor"
#endif

namespace falx {
namespace {

/// Threads may have stacks as small as some tens of KiB, of which the runtime takes a few.
constexpr std::size_t LARGEST_ON_THREADS = std::size_t{16} << 10;
/// For functions of libraries and of the runtime that kernels call, and for handlers of signals.
constexpr std::size_t OF_CALLEES = std::size_t{64} << 10;
/// Where functions call themselves: what programs have on Linux.
constexpr std::size_t OF_RECURSION = std::size_t{8} << 20;
/// No frame that is not checked is larger than what kernel_properties counts, so a page would do.
constexpr std::size_t GUARD_BYTES = std::size_t{64} << 10;
constexpr std::size_t SIGNAL_STACK_BYTES = std::size_t{64} << 10;

std::size_t mapping_bytes(std::size_t stack_bytes) noexcept {
  return GUARD_BYTES + stack_bytes + SIGNAL_STACK_BYTES;
}

/// Gives a thread that has no stack for signals one.
class lent_signal_stack {
public:
  explicit lent_signal_stack(void* memory) noexcept {
    stack_t now{};
    if (::sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
      return;
    stack_t mine{};
    mine.ss_sp = memory;
    mine.ss_size = SIGNAL_STACK_BYTES;
    is_lent_ = ::sigaltstack(&mine, nullptr) == 0;
  }
  lent_signal_stack(const lent_signal_stack&) = delete;
  lent_signal_stack& operator=(const lent_signal_stack&) = delete;
  ~lent_signal_stack() {
    if (!is_lent_)
      return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }

private:
  bool is_lent_ = false;
};

/// Tells AddressSanitizer that the thread is on another stack.
class announced_stack {
public:
#ifdef FALX_ADDRESS_SANITIZER
  announced_stack(const void* bottom, std::size_t bytes) noexcept {
    __sanitizer_start_switch_fiber(&fake_stack_, bottom, bytes);
    __sanitizer_finish_switch_fiber(nullptr, &thread_bottom_, &thread_bytes_);
  }
  ~announced_stack() {
    __sanitizer_start_switch_fiber(nullptr, thread_bottom_, thread_bytes_);
    __sanitizer_finish_switch_fiber(fake_stack_, nullptr, nullptr);
  }
  announced_stack(const announced_stack&) = delete;
  announced_stack& operator=(const announced_stack&) = delete;

private:
  void* fake_stack_ = nullptr;
  const void* thread_bottom_ = nullptr;
  std::size_t thread_bytes_ = 0;
#else
  announced_stack(const void*, std::size_t) noexcept {}
#endif
};

} // namespace

std::size_t kernel_stack_bytes(const cpu::kernel_properties& properties) noexcept {
  if (properties.has_unbounded_stack == 0 && properties.stack_bytes <= LARGEST_ON_THREADS)
    return 0;
  const std::size_t bytes =
      properties.stack_bytes + OF_CALLEES + (properties.has_unbounded_stack != 0 ? OF_RECURSION : 0);
  return (bytes + GUARD_BYTES - 1) / GUARD_BYTES * GUARD_BYTES;
}

void cpu_kernel_stack::reserve(std::size_t bytes) {
  if (bytes <= stack_bytes_)
    return;
  unmap();
  if (bytes > std::numeric_limits<std::size_t>::max() / 2)
    throw std::bad_alloc();
  void* const memory = ::mmap(nullptr, mapping_bytes(bytes), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  if (::mprotect(memory, GUARD_BYTES, PROT_NONE) != 0) {
    ::munmap(memory, mapping_bytes(bytes));
    throw std::bad_alloc();
  }
  mapping_ = static_cast<unsigned char*>(memory);
  stack_bytes_ = bytes;
}

void cpu_kernel_stack::run(cpu::kernel_function function, const cpu::launch_arguments& launch,
                           const std::uint64_t* begin, const std::uint64_t* end, cpu::worker_memory& worker,
                           bool may_overflow) noexcept {
  is_used_ = true;
  unsigned char* const bottom = mapping_ + GUARD_BYTES;
  unsigned char* const top = bottom + stack_bytes_;
  worker.stack_top = top;
  const announced_stack announced(bottom, stack_bytes_);
  if (!may_overflow) {
    falx_call_on_stack(&launch, begin, end, &worker, function, top);
    return;
  }
  const lent_signal_stack signal_stack(top);
  const guarded_stack_scope guarded({mapping_, bottom, stack_bytes_});
  falx_call_on_stack(&launch, begin, end, &worker, function, top);
}

void cpu_kernel_stack::give_back() noexcept {
  if (stack_bytes_ <= WORKER_MEMORY_ALWAYS_KEPT || !std::exchange(is_used_, false))
    return;
  if (stack_bytes_ > WORKER_MEMORY_KEPT) {
    unmap();
    return;
  }
  // Costs no page faults later, unless the system did need the memory. Where it cannot be done, it stays
  // ours.
  ::madvise(mapping_ + GUARD_BYTES, stack_bytes_, MADV_FREE);
}

void cpu_kernel_stack::unmap() noexcept {
  if (mapping_ != nullptr)
    ::munmap(mapping_, mapping_bytes(stack_bytes_));
  mapping_ = nullptr;
  stack_bytes_ = 0;
}

} // namespace falx
