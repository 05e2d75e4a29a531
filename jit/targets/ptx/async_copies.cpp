// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @__falx_async_copy(ptr %local, ptr %global, i32 4)
//   call void @__falx_wait_for_async_copies()
// After:
//   %to = addrspacecast ptr %local to ptr addrspace(3)
//   %from = addrspacecast ptr %global to ptr addrspace(1)
//   call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to, ptr addrspace(1) %from)
//   call void @llvm.nvvm.cp.async.wait.all()
//
// Where there are no such instructions the calls stand in code that is not reached: a copy is a copy.

#include "builtins.hpp"
#include "falx/kernel.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/NVPTXAddrSpace.h>

using namespace llvm;

namespace falx::jit {

bool has_async_copies(const kernel_attributes& attributes) {
  return attributes.sm >= 80 && kernel_kind(attributes.kind) == kernel_kind::nd_range;
}

void emit_async_copy(StringRef name, CallInst& call, IRBuilder<>& builder,
                     const kernel_attributes& attributes) {
  const bool is_async = has_async_copies(attributes);
  if (name == "wait_for_async_copies") {
    if (is_async)
      builder.CreateIntrinsic(Intrinsic::nvvm_cp_async_wait_all, {});
    return;
  }
  Value *local = call.getArgOperand(0), *global = call.getArgOperand(1), *bytes = call.getArgOperand(2);
  const auto* size = dyn_cast<ConstantInt>(bytes);
  const std::uint64_t part = size != nullptr ? size->getZExtValue() : 0;
  if (!is_async || (part != 4 && part != 8 && part != 16)) {
    builder.CreateMemCpy(local, Align(4), global, Align(4), bytes);
    return;
  }
  // Sixteen bytes at once need not pass through the first level of the cache, where they would be of no use.
  const Intrinsic::ID instruction = part == 4   ? Intrinsic::nvvm_cp_async_ca_shared_global_4
                                    : part == 8 ? Intrinsic::nvvm_cp_async_ca_shared_global_8
                                                : Intrinsic::nvvm_cp_async_cg_shared_global_16;
  const auto in = [&](Value* pointer, unsigned space) {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy(space));
  };
  builder.CreateIntrinsic(
      instruction, {}, {in(local, NVPTXAS::ADDRESS_SPACE_SHARED), in(global, NVPTXAS::ADDRESS_SPACE_GLOBAL)});
}

} // namespace falx::jit
