// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear_ids.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/bit.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace falx::jit::simd {

/// In 32 bits, as a group has fewer work-items.
void take_ids_from_linear_id(Function& work_item) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  const std::uint32_t* known = attributes.local_range;
  const bool is_known = known[0] != 0;
  IRBuilder<> builder(&*work_item.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type* narrow = builder.getInt32Ty();
  const auto own = [&](parameter which, unsigned axis) { return argument(work_item, on_axis(which, axis)); };
  Value* rest = builder.CreateTrunc(argument(work_item, parameter::linear), narrow);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const bool is_last = axis == 2 || (is_known && all_of(ArrayRef(known + axis + 1, known + 3),
                                                          [](std::uint32_t range) { return range == 1; }));
    Value *index = rest, *above = builder.getInt32(0);
    if (!is_last && isPowerOf2_32(known[axis])) {
      index = builder.CreateAnd(rest, known[axis] - 1);
      above = builder.CreateLShr(rest, Log2_32(known[axis]));
    } else if (!is_last) {
      Value* range = is_known ? builder.getInt32(known[axis])
                              : builder.CreateTrunc(own(parameter::local_range_x, axis), narrow);
      index = builder.CreateURem(rest, range);
      above = builder.CreateUDiv(rest, range);
    }
    Argument* id = own(parameter::index_x, axis);
    id->replaceAllUsesWith(builder.CreateZExt(index, id->getType()));
    rest = above;
  }
}

} // namespace falx::jit::simd
