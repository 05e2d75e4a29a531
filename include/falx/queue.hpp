// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// Queues and commands, as far as the headers know them.

namespace falx {

/// Behind sycl::queue.
class queue_state;
/// Behind sycl::event.
class command;

void retain(queue_state*) noexcept;
void release(queue_state*) noexcept;
void retain(command*) noexcept;
void release(command*) noexcept;

} // namespace falx
