// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that runs in a handler of signals here allocates nothing, takes no lock and calls only what POSIX
// allows there: a fault may come at any place of any library. The handler changes nothing but errno, which it
// puts back.

#include "cpu_crash_report.hpp"

#include "diagnostics/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <string_view>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace falx {

thread_local constinit crash_context crash_context_of_thread [[gnu::tls_model("initial-exec")]];

namespace {

/// How the program handles a signal itself.
struct handled_signal {
  int number;
  const char* name;
  struct sigaction previous{};
  /// SA_RESETHAND: the previous handler has been called, and is to be called once.
  std::atomic<bool> is_spent{false};
};

constinit handled_signal handled_signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}};

/// A handler of the program's has returned from a fault in a kernel: it does something about faults, so that
/// they are no crashes.
constinit std::atomic<bool> program_resolves_faults{false};

/// Text that is written at once, so that threads do not mix their lines. What is too long is cut.
class report_line {
public:
  report_line& add(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), sizeof(text_) - 1 - length_);
    std::memcpy(text_ + length_, text.data(), length);
    length_ += length;
    return *this;
  }
  report_line& add(std::uint64_t number, unsigned base) noexcept {
    char digits[24];
    char* first = digits + sizeof(digits);
    do
      *--first = "0123456789abcdef"[number % base];
    while ((number /= base) != 0);
    return add({first, static_cast<std::size_t>(digits + sizeof(digits) - first)});
  }
  void write() noexcept {
    text_[length_++] = '\n';
    for (std::size_t written = 0; written < length_;) {
      const ssize_t count = ::write(STDERR_FILENO, text_ + written, length_ - written);
      if (count < 0 && errno != EINTR)
        return;
      written += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
  }

private:
  std::size_t length_ = 0;
  char text_[2048];
};

/// A part of a name that may be as long as the types in it; the end of the line is worth more.
std::string_view shortened(const char* name) noexcept {
  constexpr std::size_t LONGEST = 1000;
  return {name, ::strnlen(name, LONGEST)};
}

struct machine_state {
  std::uintptr_t instruction = 0;
  /// What it wanted with the address: "read", "written"; null if the processor does not tell.
  const char* access = nullptr;
};

machine_state state_of(const void* context) noexcept {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  constexpr long long PAGE_FAULT = 14, WRITE = 2; // Intel's manual, volume 3, 6.15
  const bool is_page_fault = machine.gregs[REG_TRAPNO] == PAGE_FAULT;
  const char* const access = (machine.gregs[REG_ERR] & WRITE) != 0 ? "wrote to" : "read";
  return {static_cast<std::uintptr_t>(machine.gregs[REG_RIP]), is_page_fault ? access : nullptr};
#else
  return {static_cast<std::uintptr_t>(machine.pc), nullptr};
#endif
}

const cpu::source_line* line_of(const cpu::kernel_properties& properties,
                                std::uintptr_t instruction) noexcept {
  if (properties.lines == nullptr)
    return nullptr;
  const auto code = static_cast<std::int64_t>(instruction) -
                    static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(properties.function));
  const cpu::source_line* const lines = properties.lines->lines();
  const cpu::source_line* const after =
      std::upper_bound(lines, lines + properties.lines->count, code,
                       [](std::int64_t at, const cpu::source_line& line) { return at < line.code; });
  return after == lines || after[-1].line == 0 ? nullptr : after - 1;
}

/// A fault is the thread's own doing; other signals are sent.
bool is_fault(const siginfo_t& info) noexcept {
  return info.si_code > 0;
}

bool is_in_guard(const guarded_stack& stack, const void* address) noexcept {
  return address >= stack.guard && address < stack.bottom;
}

void describe_access(report_line& line, const siginfo_t& info, const machine_state& machine) noexcept {
  constexpr std::uintptr_t FIRST_PAGE = 4096;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  if (info.si_code == SI_KERNEL) { // the processor tells no address then
    line.add("accessed an address that no memory can have, or one that is not aligned as its type demands");
    return;
  }
  line.add(machine.access != nullptr ? machine.access : "accessed").add(" address 0x").add(address, 16);
  if (info.si_signo == SIGBUS)
    line.add(info.si_code == BUS_ADRALN ? ", which is not aligned"
                                        : ", which is mapped, but to nothing (beyond the end of a file?)");
  else if (info.si_code == SEGV_ACCERR)
    line.add(", which is protected");
  else
    line.add(address < FIRST_PAGE ? ", which is not mapped (a null pointer?)" : ", which is not mapped");
}

void report(const running_kernel& kernel, const handled_signal& signal, const siginfo_t& info,
            const machine_state& machine, const guarded_stack& stack) noexcept {
  report_line line;
  line.add("falx: kernel '").add(shortened(kernel.name)).add("' ");
  if (signal.number == SIGFPE)
    line.add("divided an integer by zero, or the smallest one by -1");
  else if (is_in_guard(stack, info.si_addr))
    line.add("used up its stack of ")
        .add(stack.bytes, 10)
        .add(" bytes: its functions call themselves too often");
  else
    describe_access(line, info, machine);
  line.add(" (").add(signal.name).add(")");
  if (const cpu::source_line* const where = line_of(*kernel.properties, machine.instruction))
    line.add(", in ")
        .add(shortened(reinterpret_cast<const char*>(kernel.properties->lines) + where->file))
        .add(":")
        .add(where->line, 10);
  else if (kernel.properties->lines == nullptr)
    line.add("; compile with -g to see the line");
  line.write();
}

/// As the system would have done without us: by default the fault happens again when the handler returns, and
/// ends the process. True if a handler of the program's was called.
bool call_previous(handled_signal& signal, siginfo_t& info, void* context) noexcept {
  const struct sigaction& previous = signal.previous;
  if (previous.sa_handler == SIG_IGN && !is_fault(info))
    return false;
  const bool calls_once = (static_cast<unsigned>(previous.sa_flags) & unsigned{SA_RESETHAND}) != 0;
  if (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN ||
      (calls_once && signal.is_spent.exchange(true))) {
    struct sigaction action{};
    action.sa_handler = SIG_DFL;
    ::sigaction(signal.number, &action, nullptr);
    if (!is_fault(info))
      ::raise(signal.number); // arrives when the handler returns
    return false;
  }
  if ((previous.sa_flags & SA_NODEFER) != 0) {
    sigset_t own;
    ::sigemptyset(&own);
    ::sigaddset(&own, signal.number);
    ::pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  }
  ::pthread_sigmask(SIG_BLOCK, &previous.sa_mask, nullptr); // returning puts the mask back
  if ((previous.sa_flags & SA_SIGINFO) != 0)
    previous.sa_sigaction(signal.number, &info, context);
  else
    previous.sa_handler(signal.number);
  return true;
}

void handle(int number, siginfo_t* info, void* context) noexcept {
  const int error = errno;
  handled_signal& signal =
      *std::ranges::find(handled_signals, number, [](const handled_signal& each) { return each.number; });
  // The program's handler may leave by siglongjmp: then the thread runs no kernel any more.
  const crash_context interrupted = std::exchange(crash_context_of_thread, {});
  const bool is_in_kernel = interrupted.kernel != nullptr && is_fault(*info);
  if (is_in_kernel && !program_resolves_faults.load(std::memory_order_relaxed))
    report(*interrupted.kernel, signal, *info, state_of(context), interrupted.stack);
  if (call_previous(signal, *info, context) && is_in_kernel)
    program_resolves_faults.store(true, std::memory_order_relaxed);
  crash_context_of_thread = interrupted;
  errno = error;
}

/// The handler must be there whenever a signal comes, also after the program has closed us.
void stay_loaded() noexcept {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&handle), &info) != 0 && info.dli_fname != nullptr)
    ::dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); // fails for what is never closed
}

void install() {
  if (!the_environment().reports_crashes)
    return;
  stay_loaded();
  for (handled_signal& signal : handled_signals) {
    ::sigaction(signal.number, nullptr, &signal.previous);
    struct sigaction action{};
    action.sa_sigaction = &handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (signal.previous.sa_flags & SA_RESTART);
    ::sigemptyset(&action.sa_mask);
    ::sigaction(signal.number, &action, nullptr);
  }
}

} // namespace

void report_crashes() {
  static std::once_flag installed;
  std::call_once(installed, &install);
}

} // namespace falx
