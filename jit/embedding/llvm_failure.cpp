// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm_failure.hpp"

#include <llvm/Support/ErrorHandling.h>

#include <mutex>
#include <new>

/// \file
/// The one file of the JIT that is compiled with exceptions. LLVM's handlers of fatal errors must not return,
/// and its default ones end the program. An exception passes through LLVM's functions, which have unwind
/// tables, and leaves what they had begun: memory is lost, and locks stay taken.

namespace falx::jit {
namespace {

struct fatal_error {
  std::string reason;
};

[[noreturn]] void throw_fatal_error(void*, const char* reason, bool) {
  throw fatal_error{reason};
}

[[noreturn]] void throw_bad_alloc(void*, const char*, bool) {
  throw std::bad_alloc();
}

std::mutex state_mutex;
/// Why LLVM gave up first; empty if it never did.
std::string first_failure;

std::string remember(const char* reason) {
  const std::lock_guard lock(state_mutex);
  if (first_failure.empty())
    first_failure = reason;
  return reason;
}

} // namespace

std::string failure_of_llvm(llvm::function_ref<void()> work) {
  {
    const std::lock_guard lock(state_mutex);
    if (!first_failure.empty())
      return "the compiler gave up before, and cannot be used any more (" + first_failure +
             "); restart the program";
  }
  static std::once_flag installed;
  std::call_once(installed, [] {
    llvm::install_fatal_error_handler(&throw_fatal_error);
    llvm::install_bad_alloc_error_handler(&throw_bad_alloc);
  });
  try {
    work();
    return {};
  } catch (const fatal_error& error) {
    return remember(error.reason.c_str());
  } catch (const std::bad_alloc&) {
    return remember("out of memory; raise the limit of memory (ulimit -v, or the container's)");
  }
}

} // namespace falx::jit
