// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __falx_global_id_x() of a kernel of kind nd_range whose local range is 64, with narrow indices:
//   %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
//   %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//   %base = mul nuw i32 %block, 64
//   %item = add nuw i32 %base, %thread
//   %offset = load i32, ptr %launch + 24, !invariant.load, !range [0, 2^31)    ; unless it is known to be 0
//   %id = add nuw i32 %item, %offset
//   %wide = zext nneg i32 %id to i64
//
// Without narrow indices the multiplication and what follows have 64 bits: a mad.wide.u32. The grid of kind
// range is rounded up to whole blocks, so an item may reach 2^31 there before it is found to be outside:
// hence no nsw.

#include "index_space.hpp"
#include "passes.hpp"
#include "ptx_abi.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

using namespace llvm;

namespace falx::jit {

/// \p x is that of axis x, behind which those of y and z come.
static Value* read_register(Intrinsic::ID x, unsigned axis, IRBuilder<>& builder) {
  static_assert(Intrinsic::nvvm_read_ptx_sreg_tid_z == Intrinsic::nvvm_read_ptx_sreg_tid_x + 2);
  return builder.CreateIntrinsic(Intrinsic::ID(x + axis), {});
}

Type* index_space::index_type(IRBuilder<>& builder) const {
  return attributes_.has_narrow_indices ? builder.getInt32Ty() : builder.getInt64Ty();
}

Value* index_space::widen(Value* value, IRBuilder<>& builder) const {
  Type* type = index_type(builder);
  return value->getType() == type ? value : builder.CreateZExt(value, type, "", /*IsNonNeg=*/true);
}

Value* index_space::thread(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis) || attributes_.local_range[axis] == 1)
    return builder.getInt32(0);
  return read_register(Intrinsic::nvvm_read_ptx_sreg_tid_x, axis, builder);
}

Value* index_space::block_extent(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis))
    return builder.getInt32(1);
  if (attributes_.group_size() != 0)
    return builder.getInt32(attributes_.local_range[axis]);
  return read_register(Intrinsic::nvvm_read_ptx_sreg_ntid_x, axis, builder);
}

Value* index_space::linear_thread(IRBuilder<>& builder) {
  Value* result = thread(attributes_.dimensions - 1, builder);
  for (unsigned axis = attributes_.dimensions - 1; axis-- > 0;)
    result = builder.CreateNUWAdd(builder.CreateNUWMul(result, block_extent(axis, builder)),
                                  thread(axis, builder));
  return result;
}

Value* index_space::block_size(IRBuilder<>& builder) {
  Value* result = block_extent(0, builder);
  for (unsigned axis = 1; axis < attributes_.dimensions; ++axis)
    result = builder.CreateNUWMul(result, block_extent(axis, builder));
  return result;
}

Value* index_space::launch_argument(std::size_t offset, unsigned axis, IRBuilder<>& builder) {
  Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), entry_.getArg(LAUNCH_ARGUMENTS),
                                                      offset + axis * sizeof(std::uint64_t));
  // With narrow indices the lower half, which comes first, is all.
  LoadInst* load = builder.CreateAlignedLoad(index_type(builder), address, Align(8));
  load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  if (attributes_.has_narrow_indices)
    load->setMetadata(
        LLVMContext::MD_range,
        MDBuilder(builder.getContext()).createRange(APInt(32, 0), APInt(32, std::uint64_t{1} << 31)));
  return load;
}

Value* index_space::global_range(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis) || attributes_.kind == kernel_kind::single_task)
    return ConstantInt::get(index_type(builder), 1);
  if (attributes_.knows_global_range())
    return ConstantInt::get(index_type(builder), attributes_.global_range[axis]);
  return launch_argument(offsetof(ptx::launch_arguments, global_range), axis, builder);
}

Value* index_space::global_offset(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis) || attributes_.has_no_offset || attributes_.kind == kernel_kind::single_task)
    return ConstantInt::get(index_type(builder), 0);
  return launch_argument(offsetof(ptx::launch_arguments, global_offset), axis, builder);
}

Value* index_space::block_count(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis))
    return ConstantInt::get(index_type(builder), 1);
  if (!attributes_.linear_grid)
    return widen(read_register(Intrinsic::nvvm_read_ptx_sreg_nctaid_x, axis, builder), builder);
  Value* items = global_range(axis, builder);
  Value* extent = widen(block_extent(axis, builder), builder);
  if (!attributes_.has_groups())
    items = builder.CreateNUWAdd(items, builder.CreateSub(extent, ConstantInt::get(extent->getType(), 1)));
  return builder.CreateUDiv(items, extent);
}

Value* index_space::block(unsigned axis, IRBuilder<>& builder) {
  if (!is_used(axis))
    return ConstantInt::get(index_type(builder), 0);
  if (!attributes_.linear_grid)
    return widen(read_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, axis, builder), builder);
  Value* linear = widen(read_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, 0, builder), builder);
  for (unsigned faster = 0; faster < axis; ++faster)
    linear = builder.CreateUDiv(linear, block_count(faster, builder));
  const bool is_slowest = axis + 1 == attributes_.dimensions;
  return is_slowest ? linear : builder.CreateURem(linear, block_count(axis, builder));
}

/// Without the launch's offset.
Value* index_space::item(unsigned axis, IRBuilder<>& builder) {
  Value* base = builder.CreateNUWMul(block(axis, builder), widen(block_extent(axis, builder), builder));
  return builder.CreateNUWAdd(base, widen(thread(axis, builder), builder));
}

Value* index_space::outside_of_range(IRBuilder<>& builder) {
  if (attributes_.has_groups())
    return nullptr;
  Value* outside = nullptr;
  for (unsigned axis = 0; axis < attributes_.dimensions; ++axis) {
    if (attributes_.kind == kernel_kind::single_task && attributes_.group_size() == 1)
      continue;
    if (attributes_.knows_global_range() && attributes_.group_size() != 0 &&
        attributes_.global_range[axis] % attributes_.local_range[axis] == 0)
      continue; // whole blocks
    Value* here = builder.CreateICmpUGE(item(axis, builder), global_range(axis, builder));
    outside = outside == nullptr ? here : builder.CreateOr(outside, here);
  }
  return outside;
}

Value* index_space::value(StringRef what, unsigned axis, IRBuilder<>& builder) {
  const bool is_task = attributes_.kind == kernel_kind::single_task;
  const bool has_items = attributes_.kind == kernel_kind::nd_range;
  const bool settled = !is_used(axis) || is_task;
  Value* result = nullptr;
  if (what == "global_id") {
    result = settled ? builder.getInt64(0)
                     : builder.CreateNUWAdd(item(axis, builder), global_offset(axis, builder));
  } else if (what == "global_range") {
    result = global_range(axis, builder);
  } else if (what == "global_offset") {
    result = global_offset(axis, builder);
  } else if (what == "local_id") {
    result = has_items ? thread(axis, builder) : builder.getInt64(0);
  } else if (what == "local_range") {
    result = attributes_.has_groups() ? block_extent(axis, builder) : builder.getInt64(1);
  } else if (what == "group_id") {
    result = attributes_.has_groups() ? block(axis, builder) : builder.getInt64(0);
  } else if (what == "group_range") {
    result = attributes_.has_groups() ? block_count(axis, builder) : builder.getInt64(1);
  } else if (what == "work_items_first") {
    result = thread(axis, builder);
  } else if (what == "work_items_step") {
    result = block_extent(axis, builder);
  } else {
    return nullptr;
  }
  return builder.CreateZExt(result, builder.getInt64Ty(), "", /*IsNonNeg=*/true);
}

} // namespace falx::jit
