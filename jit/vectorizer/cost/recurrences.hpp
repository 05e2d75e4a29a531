// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace falx::jit::simd {

/// What the iterations of a loop wait for.
struct recurrence_query {
  /// Clocks from the instruction's operands to its result; nothing if it is not part of the iteration.
  llvm::function_ref<std::optional<double>(const llvm::Instruction&)> latency;
  /// The next iteration waits for this phi of the loop's header.
  llvm::function_ref<bool(const llvm::PHINode&)> is_waited_for;
  /// A phi behind \p block chooses by the block's condition, as a select does.
  llvm::function_ref<bool(const llvm::BasicBlock&)> is_chosen_after;
  /// The instruction is done for the lanes that are left: it waits for the ends of the iteration before.
  /// Null: none is.
  llvm::function_ref<bool(const llvm::Instruction&)> waits_for_lanes = nullptr;
};

/// Clocks from an iteration of \p loop to the next, of the slowest chain of values that goes around it. Only
/// blocks that are in no inner loop count; 0 if there is no such chain, or no single latch.
double slowest_recurrence(const llvm::Loop& loop, llvm::LoopInfo& loops, const recurrence_query& query);

} // namespace falx::jit::simd
