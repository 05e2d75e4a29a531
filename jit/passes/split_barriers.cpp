// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "split_barriers.hpp"
#include "kernel_attributes.hpp"
#include "work_item_loops.hpp"
using namespace llvm;
namespace falx::jit {
Expected<Function*> form_group_function(Function& work_item) {
  if (Function* barrier = work_item.getParent()->getFunction("__falx_work_group_barrier");
      barrier && !barrier->use_empty())
    return failure("Kernel '" + work_item.getName() + "' uses work-group barriers, which are not split yet.");
  return form_work_item_loops(work_item);
}
} // namespace falx::jit
