// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define void @f() noinline optnone "target-cpu"="x86-64" personality ptr @__gxx_personality_v0 {
//     %r = invoke float @g(float 1.0) to label %ok unwind label %landing
//   ok:
//     call void @__ubsan_handle_add_overflow(ptr @place, i64 %a, i64 %b)
//     %type = load i32, ptr getelementptr (<{ i32, i32 }>, ptr @h, i32 -1, i32 0), !nosanitize !0
//     %is.right = icmp eq i32 %type, 7                             ; true everywhere
//     call void @_ZSt20__throw_length_errorPKc(ptr @message)
//     unreachable
// After:
//   define void @f() {
//     %r = call float @g(float 1.0)
//     br label %ok
//   ok:
//     call void @__assert_fail(…)
//     unreachable
//
// The compiler cleans what it takes out of a translation unit; the JIT does not rely on it.

#include "device_code/cleaning.hpp"
#include "device_code/exceptions.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace falx::device_code {

/// Of sanitizers, also those that clang itself makes calls of, and of profiles: these watch the host side
/// only.
static bool is_host_instrumentation(const CallBase& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr)
    return false;
  switch (callee->getIntrinsicID()) {
  case Intrinsic::instrprof_increment:
  case Intrinsic::instrprof_increment_step:
  case Intrinsic::instrprof_cover:
  case Intrinsic::instrprof_timestamp:
  case Intrinsic::instrprof_value_profile:
    return true;
  default:
    return any_of(ArrayRef<StringRef>{"__ubsan_handle_", "__asan_", "__tsan_", "__sanitizer_cov_"},
                  [&](StringRef prefix) { return callee->getName().starts_with(prefix); });
  }
}

/// UndefinedBehaviorSanitizer compares what stands in front of a function that is called by its address with
/// what a function of that type would have there. In device code nothing does, and the function counts as one
/// whose address is taken.
static void remove_type_checks_of_functions(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    auto* load = dyn_cast<LoadInst>(&instruction);
    if (load == nullptr || !load->hasMetadata(LLVMContext::MD_nosanitize) ||
        !isa<Function>(getUnderlyingObject(load->getPointerOperand())))
      continue;
    for (User* user : make_early_inc_range(load->users()))
      if (auto* check = dyn_cast<ICmpInst>(user);
          check != nullptr && check->getPredicate() == CmpInst::ICMP_EQ)
        check->replaceAllUsesWith(ConstantInt::getTrue(check->getType()));
    load->replaceAllUsesWith(PoisonValue::get(load->getType()));
    load->eraseFromParent();
  }
}

void remove_exceptions_and_instrumentation(Function& function) {
  remove_type_checks_of_functions(function);
  // What comes after one that starts unwinding goes away with it.
  SmallVector<WeakVH> calls;
  for (Instruction& instruction : instructions(function))
    if (isa<CallBase>(&instruction))
      calls.emplace_back(&instruction);

  for (const WeakVH& handle : calls) {
    auto* call = cast_or_null<CallBase>(static_cast<Value*>(handle));
    if (call == nullptr)
      continue;
    if (auto* invoke = dyn_cast<InvokeInst>(call))
      call = changeToCall(invoke);
    const Function* callee = call->getCalledFunction();
    if (callee != nullptr && starts_unwinding(callee->getName())) {
      end_in_place_of(*call);
    } else if (is_host_instrumentation(*call)) {
      // A handler that does not return is followed by unreachable, so the check folds away with it.
      if (!call->use_empty())
        call->replaceAllUsesWith(PoisonValue::get(call->getType()));
      call->eraseFromParent();
    }
  }
  removeUnreachableBlocks(function);
  function.setPersonalityFn(nullptr);
}

void remove_host_attributes(Function& function) {
  static constexpr StringLiteral STRINGS[] = {
      "frame-pointer",
      "instrument-function-entry-inlined",
      "instrument-function-exit-inlined",
      "less-precise-fpmad",
      "min-legal-vector-width",
      "no-builtins",
      "no-jump-tables",
      "no-trapping-math",
      "patchable-function",
      "prefer-vector-width",
      "probe-stack",
      "split-stack",
      "stack-probe-size",
      "stack-protector-buffer-size",
      "target-cpu",
      "target-features",
      "tune-cpu",
      "xray-instruction-threshold",
      "zero-call-used-regs",
  };
  for (const StringRef name : STRINGS)
    function.removeFnAttr(name);
  static constexpr Attribute::AttrKind KINDS[] = {
      Attribute::FnRetThunkExtern,   Attribute::InlineHint,      Attribute::MinSize,
      Attribute::NoBuiltin,          Attribute::NoInline,        Attribute::NoRedZone,
      Attribute::NonLazyBind,        Attribute::OptimizeForSize, Attribute::OptimizeNone,
      Attribute::SafeStack,          Attribute::SanitizeAddress, Attribute::SanitizeHWAddress,
      Attribute::SanitizeMemTag,     Attribute::SanitizeMemory,  Attribute::SanitizeThread,
      Attribute::ShadowCallStack,    Attribute::StackProtect,    Attribute::StackProtectReq,
      Attribute::StackProtectStrong, Attribute::UWTable,
  };
  for (const Attribute::AttrKind kind : KINDS)
    function.removeFnAttr(kind);
  function.setGC({});
  function.setSection("");
}

} // namespace falx::device_code
