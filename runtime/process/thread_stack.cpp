// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_stack.hpp"

#include "sycl/exception.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <pthread.h>

namespace falx {
namespace {

/// What a larger stack is: as of a program's main thread.
constexpr std::size_t LARGE_STACK = std::size_t{8} << 20;

struct errand {
  const std::function<void()>& function;
  std::exception_ptr error = nullptr;
};

void* run_errand(void* argument) noexcept {
  errand& self = *static_cast<errand*>(argument);
  try {
    self.function();
  } catch (...) {
    self.error = std::current_exception();
  }
  return nullptr;
}

} // namespace

std::size_t stack_left() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0)
    return 0;
  void* lowest = nullptr;
  std::size_t size = 0;
  const int error = ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_destroy(&attributes);
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const auto bottom = reinterpret_cast<std::uintptr_t>(lowest);
  // Elsewhere: on a stack that the program has made itself.
  return error == 0 && here > bottom && here - bottom <= size ? here - bottom : 0;
}

void run_with_stack(std::size_t bytes, const std::function<void()>& function) {
  if (stack_left() >= bytes) {
    function();
    return;
  }
  errand the_errand{function};
  pthread_attr_t attributes;
  pthread_t thread{};
  int error = ::pthread_attr_init(&attributes);
  if (error == 0) {
    error = ::pthread_attr_setstacksize(&attributes, std::max(bytes, LARGE_STACK));
    if (error == 0)
      error = ::pthread_create(&thread, &attributes, &run_errand, &the_errand);
    ::pthread_attr_destroy(&attributes);
  }
  if (error != 0)
    throw sycl::exception(
        sycl::make_error_code(sycl::errc::runtime),
        fmt::format("the thread has {} bytes of stack left, where {} are needed, and a "
                    "thread with more cannot be started: {}; give the thread a larger stack",
                    stack_left(), bytes, std::strerror(error)));
  ::pthread_join(thread, nullptr);
  if (the_errand.error)
    std::rethrow_exception(the_errand.error);
}

} // namespace falx
