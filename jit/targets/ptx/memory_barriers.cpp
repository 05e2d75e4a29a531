// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous barriers are the hardware's memory barriers. Before:
//   %token = call i64 @__falx_async_barrier_arrive(ptr %state)
//   call void @__falx_async_barrier_wait(ptr %state, i64 %token)
// After:
//   %shared = addrspacecast ptr %state to ptr addrspace(3)
//   %token = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) %shared)
//   br label %waiting
// waiting:
//   %complete = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) %shared, i64 %token)
//   br i1 %complete, label %behind, label %waiting
//
// From sm_90 on the instruction is mbarrier.try_wait, in which the hardware suspends the thread for a while.

#include "barriers/async_barriers.hpp"
#include "builtins.hpp"
#include "falx/kernel.hpp"
#include "frontend/builtin_calls.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <string>

using namespace llvm;

namespace falx::jit {

/// ptxas does not survive such an instruction.
static bool arrives_never(const CallInst& call) {
  const auto* count = call.arg_size() == 2 ? dyn_cast<ConstantInt>(call.getArgOperand(1)) : nullptr;
  return count != nullptr && count->isZero() && builtin_name(call).ends_with("_no_complete");
}

static Error check_support(const CallInst& call, const kernel_attributes& attributes) {
  const std::string kernel = ("Kernel '" + kernel_name(*call.getFunction()) + "'").str();
  if (kernel_kind(attributes.kind) != kernel_kind::nd_range)
    return failure(kernel + " uses an asynchronous barrier, at which work-items wait one by one; launch it "
                            "with parallel_for over an nd_range.");
  if (attributes.sm < 80)
    return make_error<not_supported>(kernel +
                                     " uses an asynchronous barrier, which needs compute capability 8.0; ask "
                                     "device::has(aspect::ext_oneapi_cuda_async_barrier) first.");
  if (arrives_never(call))
    return failure(kernel +
                   " calls arrive_no_complete or arrive_and_drop_no_complete of an asynchronous barrier "
                   "with a count of 0; the smallest that this device knows is 1.");
  return Error::success();
}

/// The instruction whose operands are the barrier and those of the builtin behind it.
static Intrinsic::ID plain_instruction(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("initialize", Intrinsic::nvvm_mbarrier_init_shared)
      .Case("invalidate", Intrinsic::nvvm_mbarrier_inval_shared)
      .Case("arrive", Intrinsic::nvvm_mbarrier_arrive_shared)
      .Case("arrive_and_drop", Intrinsic::nvvm_mbarrier_arrive_drop_shared)
      .Case("arrive_no_complete", Intrinsic::nvvm_mbarrier_arrive_noComplete_shared)
      .Case("arrive_and_drop_no_complete", Intrinsic::nvvm_mbarrier_arrive_drop_noComplete_shared)
      .Case("arrive_after_copies", Intrinsic::nvvm_cp_async_mbarrier_arrive_shared)
      .Case("arrive_after_copies_no_inc", Intrinsic::nvvm_cp_async_mbarrier_arrive_noinc_shared)
      .Case("test", Intrinsic::nvvm_mbarrier_test_wait_shared)
      .Default(Intrinsic::not_intrinsic);
}

static void emit_wait(CallInst& call, Value* barrier, const kernel_attributes& attributes) {
  BasicBlock* before = call.getParent();
  BasicBlock* behind = SplitBlock(before, call.getIterator());
  BasicBlock* waiting = BasicBlock::Create(call.getContext(), "waiting", call.getFunction(), behind);
  before->getTerminator()->setSuccessor(0, waiting);
  IRBuilder<> builder(waiting);
  const bool suspends = attributes.sm >= 90 && attributes.ptx >= 78;
  Value* complete = builder.CreateIntrinsic(suspends ? Intrinsic::nvvm_mbarrier_try_wait_scope_cta_space_cta
                                                     : Intrinsic::nvvm_mbarrier_test_wait_shared,
                                            {}, {barrier, call.getArgOperand(1)});
  builder.CreateCondBr(complete, behind, waiting);
}

Error expand_async_barrier(CallInst& call, const kernel_attributes& attributes) {
  if (Error error = check_support(call, attributes))
    return error;
  StringRef name = builtin_name(call);
  name.consume_front(ASYNC_BARRIER_BUILTIN);
  IRBuilder<> builder(&call);
  Value* barrier =
      builder.CreateAddrSpaceCast(call.getArgOperand(0), builder.getPtrTy(NVPTXAS::ADDRESS_SPACE_SHARED));
  Value* result = nullptr;
  if (name == "wait") {
    emit_wait(call, barrier, attributes);
  } else if (plain_instruction(name) == Intrinsic::not_intrinsic) {
    return unknown_builtin(call);
  } else {
    SmallVector<Value*, 2> operands = {barrier};
    append_range(operands, drop_begin(call.args()));
    result = builder.CreateIntrinsic(plain_instruction(name), {}, operands);
  }
  replace_builtin(call, call.getType()->isVoidTy() ? nullptr : result);
  return Error::success();
}

} // namespace falx::jit
