// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "async_barriers.hpp"

#include <llvm/ADT/ArrayRef.h>
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
  /// It waits for all work-items of its sub-group that have not returned.
  sub_group,
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

/// The function that runs \p regions of \p work_item for a group, in which work-items wait for each other
/// (group_emission.cpp): each region for all work-items, one by one or as vectors, then the one that they
/// say. Values of \p uniform_types are the same for all and go from region to region as arguments and
/// results.
/// \p running is where the context keeps who has not returned; null if work-items only return together.
llvm::Function* emit_group_function(llvm::Function& work_item, llvm::ArrayRef<region> regions,
                                    llvm::ArrayRef<llvm::Type*> uniform_types, const context_slot* running);

/// The group function of a kernel whose work-items wait at different places (sub_group_scheduler.cpp): those
/// of a sub-group that are at the same place go through \p regions together, as far as they can. Regions
/// store what comes next.
llvm::Function* emit_sub_group_scheduler(llvm::Function& work_item, llvm::ArrayRef<region> regions,
                                         const scheduling& lists);

} // namespace falx::jit
