// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cpu_executor.hpp"

namespace falx {

/// Does the command's work, if it is not host work. True if the work is done; false if other threads are
/// still at it, the last of which will call \p done. Does not complete the command.
bool run_work(cpu_executor& executor, command_view& self, void (*done)(command_view& self) noexcept) noexcept;

} // namespace falx
