// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

namespace falx {

class command_group;

/// Has \p action called with \p data when the command group's command has finished, before anybody who waits
/// for it is told. Actions run in the order they were added, on any thread, and must not throw or wait. If
/// the command group is never submitted (its function threw), the actions run as well, so that they can free
/// \p data.
void add_completion_action(command_group& group, void (*action)(void*), void* data);

} // namespace falx
