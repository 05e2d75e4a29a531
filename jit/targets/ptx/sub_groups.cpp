// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of sub-groups in ptx_builtins.c do not know. Before, with work-groups of 100:
//   %size = call i32 @__falx_sub_group_size()
//   %mask = call i32 @__falx_sub_group_mask()
// After, and %mask is -1 >> (32 - %size):
//   %before = mul nuw i32 (udiv i32 %thread, 32), 32
//   %size = call i32 @llvm.umin.i32(sub nuw i32 100, %before, i32 32)

#include "sub_groups.hpp"
#include "passes.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace llvm;

namespace falx::jit {

bool warp_functions::is_always_full() const {
  const std::uint32_t size = attributes_.group_size();
  return size != 0 && size % WARP_SIZE == 0;
}

Value* warp_functions::id(IRBuilder<>& builder) {
  return builder.CreateUDiv(space_.linear_thread(builder), builder.getInt32(WARP_SIZE));
}

Value* warp_functions::size(IRBuilder<>& builder) {
  Value* whole = builder.getInt32(WARP_SIZE);
  if (is_always_full())
    return whole;
  Value* before = builder.CreateNUWMul(id(builder), whole);
  Value* rest = builder.CreateNUWSub(space_.block_size(builder), before);
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, rest, whole);
}

/// Bit i is set if work-item i exists.
Value* warp_functions::mask(IRBuilder<>& builder) {
  if (is_always_full())
    return builder.getInt32(~0u);
  return builder.CreateLShr(builder.getInt32(~0u),
                            builder.CreateNUWSub(builder.getInt32(WARP_SIZE), size(builder)));
}

void warp_functions::barrier(IRBuilder<>& builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {mask(builder)});
}

void warp_functions::barrier_of(Value* members, IRBuilder<>& builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync,
                          {builder.CreateTrunc(members, builder.getInt32Ty())});
}

Value* warp_functions::value(StringRef what, IRBuilder<>& builder) {
  if (what == "local_id")
    return builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
  if (what == "size")
    return size(builder);
  if (what == "max_size")
    return builder.getInt32(WARP_SIZE);
  if (what == "id")
    return id(builder);
  if (what == "count") {
    Value* rounded = builder.CreateNUWAdd(space_.block_size(builder), builder.getInt32(WARP_SIZE - 1));
    return builder.CreateUDiv(rounded, builder.getInt32(WARP_SIZE));
  }
  if (what == "mask")
    return mask(builder);
  if (what == "is_full")
    return builder.getInt1(is_always_full());
  if (what == "in_step")
    return builder.getFalse();
  if (what == "reduces_members")
    return builder.getInt1(attributes_.sm >= 80);
  return nullptr;
}

} // namespace falx::jit
