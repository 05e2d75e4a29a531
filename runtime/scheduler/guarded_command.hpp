// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"

#include <span>

namespace falx {

class command;
class queue_state;
struct requirement;

/// For a command that uses buffers with property::buffer::use_mutex (SYCL 2020 §4.7.2.3 and §4.7.5): gives
/// the one to be submitted in its place, which runs on the host. When all that it depends on is complete, it
/// locks the mutexes, has the device run \p inner, which is not submitted yet, brings what that wrote to the
/// user's memory, and unlocks. Between commands the user's memory is thus where the contents are, and what
/// the application does there under the mutex is what the next command sees.
///
/// \p inner was made for \p place. Of the buffers with a mutex, \p requirements become such of the host's
/// memory.
handle<command> guard(handle<command> inner, queue_state& place, std::span<requirement> requirements);

} // namespace falx
