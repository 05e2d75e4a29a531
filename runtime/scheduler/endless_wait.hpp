// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx {

class command;

/// For a thread that is about to sleep until \p until is complete, which may never be, as it waits for the
/// thread itself.
///
/// If the thread runs a host task that \p until waits for, or is, says so on standard error and returns true:
/// the wait is to be given up. At exit within a host task, destructors of buffers and the program's own wait
/// so. If the thread holds a host accessor that \p until waits for, which only another thread could destroy,
/// waits for a second, says so for each accessor once, and returns false.
bool is_endless_wait(const command& until) noexcept;

} // namespace falx
