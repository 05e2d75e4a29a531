// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "regions.hpp"
#include "work_item_context.hpp"

#include <llvm/ADT/ArrayRef.h>

namespace falx::jit {

/// The function that runs \p regions of \p work_item for a group, in which work-items wait for each other:
/// each region for all work-items, one by one or as vectors, then the one that they say. Values of \p
/// uniform_types are the same for all and go from region to region as arguments and results. \p running is
/// where the context keeps who has not returned; null if work-items only return together.
llvm::Function* emit_group_function(llvm::Function& work_item, llvm::ArrayRef<region> regions,
                                    llvm::ArrayRef<llvm::Type*> uniform_types, const context_slot* running);

} // namespace falx::jit
