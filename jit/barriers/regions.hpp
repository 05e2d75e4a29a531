// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Function.h>

#include <set>

namespace falx::jit {

/// Why a work-item stops before a region.
enum class suspension {
  /// It waits for all work-items of the group that have not returned.
  group_barrier,
  /// It is on the list of an asynchronous barrier, whose last arrival makes it ready.
  wait,
  /// It lets others run first.
  yield,
};

/// What work-items do from one suspension to the next; split_barriers makes these.
struct region {
  /// A work-item function whose first result is the number of the region that comes next.
  llvm::Function* function = nullptr;
  /// Regions that it returns; the number of regions stands for the kernel's end.
  std::set<unsigned> next;
  bool some_may_return = false;
  /// What the work-item has come from; of no meaning for the first region.
  suspension behind = suspension::group_barrier;
};

} // namespace falx::jit
