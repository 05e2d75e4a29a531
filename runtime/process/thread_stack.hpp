// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>

namespace falx {

/// Bytes that the calling thread's stack has left; a guess that is too small where it is unknown.
std::size_t stack_left() noexcept;

/// Runs the function and returns when it is done: on this thread, or on one with a larger stack if less than
/// \p bytes are left here. Throws what the function throws, and sycl::exception with errc::runtime if there
/// is no such thread.
void run_with_stack(std::size_t bytes, const std::function<void()>& function);

} // namespace falx
