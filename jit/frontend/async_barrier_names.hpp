// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringRef.h>

#include <cstdint>

namespace falx::jit {

/// What builtin_name is of the builtins of asynchronous barriers.
constexpr llvm::StringLiteral ASYNC_BARRIER_BUILTIN = "async_barrier_";

/// Functions of targets/cpu/cpu_builtins.ll. Calls at which a work-item is suspended, after expansion:
constexpr llvm::StringLiteral SUSPEND_AT_WAIT = "falx.suspend.wait";
constexpr llvm::StringLiteral SUSPEND_AND_YIELD = "falx.suspend.yield";
constexpr llvm::StringLiteral SUSPEND_FOR_SUB_GROUP = "falx.suspend.sub_group";
/// i64 token (ptr state, i64 arrivals, i64 dropped, …)
constexpr llvm::StringLiteral COUNT_ARRIVALS = "falx.async_barrier.count";
/// i1 over (ptr state, i64 token, ptr nodes, i32 self, i64 lane): if not, the lane waits from here on.
constexpr llvm::StringLiteral ENTER_WAIT = "falx.async_barrier.enter";
/// void (ptr state, ptr nodes, i32 self, i64 lanes): lanes of a sub-group, self among them, wait.
constexpr llvm::StringLiteral ENLIST = "falx.async_barrier.enlist";
/// The bits of a state and of a token that are its cycle.
constexpr std::uint64_t CYCLE_BITS = 0x000FFF0000000000;
/// void (ptr sub_groups, ptr ready, i32 number, i64 lanes): lanes of a sub-group can run.
constexpr llvm::StringLiteral SCHEDULE = "falx.schedule";

} // namespace falx::jit
