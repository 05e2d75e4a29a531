// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   declare ptr @__falx_atomic_scope(ptr, i32)
//   declare void @__falx_fence(i32, i32)
//   declare float @__falx_native_cos_f32(float)
//   declare float @__falx_rsqrt_f32(float)
//   declare i1 @__falx_has_half_fma()
//     %object = call ptr @__falx_atomic_scope(ptr %p, i32 3)
//     %old = atomicrmw add ptr %object, i32 1 monotonic
// After:
//   define internal void @__falx_fence(i32 %order, i32 %scope) alwaysinline { a switch over both }
//   define internal float @__falx_native_cos_f32(float %0) alwaysinline {
//     %r = call afn float @llvm.cos.f32(float %0)
//     ret float %r
//   }
//   define internal float @__falx_rsqrt_f32(float %0) alwaysinline { 1 / llvm.sqrt(%0), !fpmath 2.0 }
//   define internal i1 @__falx_has_half_fma() alwaysinline { ret i1 false }
//     %old = atomicrmw add ptr %p, i32 1 monotonic
//
// A CPU has one scope: memory that two threads share is the whole system's. So the widest one stays.

#include "define_thread_builtins.hpp"
#include "builtin_body.hpp"
#include "vectorizer/special/estimate_roots.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/AtomicOrdering.h>

using namespace llvm;

namespace falx::jit {

/// Number of sycl::memory_scope::work_item.
static constexpr std::uint64_t WORK_ITEM_SCOPE = 0;

static void forward_atomic_objects(Function& atomic_scope) {
  for (User* user : make_early_inc_range(atomic_scope.users()))
    if (auto* call = dyn_cast<CallInst>(user);
        call != nullptr && call->getCalledFunction() == &atomic_scope) {
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
}

/// After inlining, order and scope are constants nearly always, and one fence remains. Orders are numbers of
/// C's memory_order; consume is acquire.
static void define_fence(Function& fence) {
  LLVMContext& context = fence.getContext();
  IRBuilder<> builder = begin_builtin_body(fence);
  const auto block = [&](const char* name) { return BasicBlock::Create(context, name, &fence); };
  BasicBlock* compiler_only = block("work.item");
  BasicBlock* others = block("others");
  BasicBlock* done = block("done");
  builder.CreateCondBr(builder.CreateICmpEQ(fence.getArg(1), builder.getInt32(WORK_ITEM_SCOPE)),
                       compiler_only, others);
  builder.SetInsertPoint(compiler_only);
  builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  builder.CreateBr(done);

  const auto fence_of = [&](AtomicOrdering order, const char* name) {
    BasicBlock* target = block(name);
    builder.SetInsertPoint(target);
    builder.CreateFence(order);
    builder.CreateBr(done);
    return target;
  };
  BasicBlock* acquire = fence_of(AtomicOrdering::Acquire, "acquire");
  BasicBlock* release = fence_of(AtomicOrdering::Release, "release");
  BasicBlock* acquire_release = fence_of(AtomicOrdering::AcquireRelease, "acq_rel");
  BasicBlock* strongest = fence_of(AtomicOrdering::SequentiallyConsistent, "seq_cst");
  builder.SetInsertPoint(others);
  SwitchInst* by_order = builder.CreateSwitch(fence.getArg(0), strongest, 5);
  const auto add = [&](AtomicOrderingCABI order, BasicBlock* target) {
    by_order->addCase(builder.getInt32(std::uint32_t(order)), target);
  };
  add(AtomicOrderingCABI::relaxed, done);
  add(AtomicOrderingCABI::consume, acquire);
  add(AtomicOrderingCABI::acquire, acquire);
  add(AtomicOrderingCABI::release, release);
  add(AtomicOrderingCABI::acq_rel, acquire_release);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
}

template <Intrinsic::ID Id>
static Value* one_argument(IRBuilder<>& builder, Function& native) {
  return builder.CreateUnaryIntrinsic(Id, native.getArg(0));
}
static Value* divide(IRBuilder<>& builder, Function& native) {
  return builder.CreateFDiv(native.getArg(0), native.getArg(1));
}
static Value* power(IRBuilder<>& builder, Function& native) {
  return builder.CreateBinaryIntrinsic(Intrinsic::pow, native.getArg(0), native.getArg(1));
}
static Value* reciprocal(IRBuilder<>& builder, Function& native) {
  return builder.CreateFDiv(ConstantFP::get(native.getReturnType(), 1.0), native.getArg(0));
}
static Value* reciprocal_root(IRBuilder<>& builder, Function& native) {
  Value* root = one_argument<Intrinsic::sqrt>(builder, native);
  return builder.CreateFDiv(ConstantFP::get(native.getReturnType(), 1.0), root);
}

using native_body = Value* (*)(IRBuilder<>&, Function&);

/// Functions that this Falx does not know are left to lower_builtins, which reports them.
static void define_native_function(StringRef name, Function& native) {
  const native_body body = StringSwitch<native_body>(name)
                               .Case("cos", one_argument<Intrinsic::cos>)
                               .Case("divide", divide)
                               .Case("exp", one_argument<Intrinsic::exp>)
                               .Case("exp2", one_argument<Intrinsic::exp2>)
                               .Case("exp10", one_argument<Intrinsic::exp10>)
                               .Case("log", one_argument<Intrinsic::log>)
                               .Case("log2", one_argument<Intrinsic::log2>)
                               .Case("log10", one_argument<Intrinsic::log10>)
                               .Case("powr", power)
                               .Case("recip", reciprocal)
                               .Case("rsqrt", reciprocal_root)
                               .Case("sin", one_argument<Intrinsic::sin>)
                               .Case("sqrt", one_argument<Intrinsic::sqrt>)
                               .Case("tan", one_argument<Intrinsic::tan>)
                               .Default(nullptr);
  if (body == nullptr)
    return;
  IRBuilder<> builder = begin_builtin_body(native);
  // Division and roots may be estimated, and functions approximated; values keep their meaning otherwise.
  FastMathFlags loose;
  loose.setAllowReciprocal();
  loose.setApproxFunc();
  builder.setFastMathFlags(loose);
  builder.CreateRet(body(builder, native));
}

static void define_reciprocal_root(Function& function) {
  IRBuilder<> builder = begin_builtin_body(function);
  builder.CreateRet(emit_reciprocal_root(builder, function.getArg(0)));
}

/// For a builtin that asks for something only other devices have.
static void answer_no(Function& function) {
  begin_builtin_body(function).CreateRet(ConstantInt::getFalse(function.getReturnType()));
}

/// It is complete when the next instruction runs.
static void define_async_copy(Function& function) {
  IRBuilder<> builder = begin_builtin_body(function);
  builder.CreateMemCpy(function.getArg(0), Align(4), function.getArg(1), Align(4), function.getArg(2));
  builder.CreateRetVoid();
}

PreservedAnalyses define_thread_builtins::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    if (!function.isDeclaration() || !name.consume_front("__falx_"))
      continue;
    if (name == "atomic_scope") {
      forward_atomic_objects(function);
      if (function.use_empty())
        function.eraseFromParent();
    } else if (name == "fence") {
      define_fence(function);
    } else if (name == "rsqrt_f32" || name == "rsqrt_f64") {
      define_reciprocal_root(function);
    } else if (name == "has_half_fma" || name == "has_async_copies") {
      // LLVM makes fma of halves from fma of floats, which rounds twice.
      answer_no(function);
    } else if (name == "async_copy") {
      define_async_copy(function);
    } else if (name == "wait_for_async_copies") {
      begin_builtin_body(function).CreateRetVoid();
    } else if (name.consume_front("native_") && name.consume_back("_f32")) {
      define_native_function(name, function);
    }
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
