// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "async_barriers.hpp"
#include "regions.hpp"

#include <llvm/ADT/ArrayRef.h>

namespace falx::jit {

/// The group function of a kernel whose work-items wait at different places: each goes through \p regions by
/// itself, as far as it can. See the .cpp file for the scheme.
llvm::Function* emit_work_item_scheduler(llvm::Function& work_item, llvm::ArrayRef<region> regions,
                                         const scheduling& lists);

} // namespace falx::jit
