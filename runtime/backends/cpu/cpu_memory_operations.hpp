// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/command_view.hpp"
#include "cpu_executor.hpp"

namespace falx {

/// Copies byte by byte in row-major order, as many bytes as the smaller box has. Results as for run_work.
bool run_copy(cpu_executor& executor, const copy_operation& copy, command_view& self,
              void (*done)(command_view& self) noexcept) noexcept;

/// Repeats the pattern over the box.
bool run_fill(cpu_executor& executor, const fill_operation& fill, command_view& self,
              void (*done)(command_view& self) noexcept) noexcept;

} // namespace falx
