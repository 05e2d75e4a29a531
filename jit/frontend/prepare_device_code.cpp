// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define void @f() noinline optnone "target-cpu"="x86-64" personality ptr @__gxx_personality_v0 {
//     %r = invoke float @g(float 1.0) to label %ok unwind label %landing
//   ok:
//     %s = call float @sqrtf(float %r)
//     call void @_ZSt20__throw_length_errorPKc(ptr @message)
//     unreachable
// After:
//   define void @f() nounwind {
//     %r = call float @g(float 1.0)
//     br label %ok
//   ok:
//     %s = call float @sqrtf(float %r) memory(none) nounwind willreturn
//     call void @llvm.trap()
//     unreachable
//
// The compiler does much of this when it takes the device code out of a translation unit; the JIT does not
// rely on it.

#include "prepare_device_code.hpp"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace falx::jit {

/// What only made sense for the host's target or for an unoptimised build. Attributes that change what
/// floating-point operations mean stay.
static void drop_host_attributes(Function& function) {
  for (const char* key :
       {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "stack-protector-buffer-size",
        "min-legal-vector-width", "probe-stack", "stack-probe-size", "no-builtins", "no-trapping-math",
        "zero-call-used-regs", "split-stack", "no-jump-tables", "less-precise-fpmad"})
    function.removeFnAttr(key);
  for (Attribute::AttrKind kind :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::OptimizeForSize, Attribute::MinSize,
        Attribute::SanitizeAddress, Attribute::SanitizeThread, Attribute::SanitizeMemory,
        Attribute::SanitizeHWAddress, Attribute::SanitizeMemTag, Attribute::StackProtect,
        Attribute::StackProtectReq, Attribute::StackProtectStrong, Attribute::SafeStack, Attribute::UWTable,
        Attribute::InlineHint, Attribute::NoBuiltin})
    function.removeFnAttr(kind);
  function.setGC({});
  function.setSection("");
}

static void drop_exceptions(Function& function) {
  SmallVector<InvokeInst*, 8> invokes;
  for (BasicBlock& block : function)
    if (auto* invoke = dyn_cast<InvokeInst>(block.getTerminator()))
      invokes.push_back(invoke);
  for (InvokeInst* invoke : invokes)
    changeToCall(invoke);
  // Landing pads have lost their predecessors; blocks that only they reached go with them.
  if (!invokes.empty())
    removeUnreachableBlocks(function);
  function.setPersonalityFn(nullptr);
  function.addFnAttr(Attribute::NoUnwind);
}

static bool raises_exception(StringRef name) {
  return name.starts_with("__cxa_throw") || name.starts_with("__cxa_rethrow") ||
         name.starts_with("__cxa_bad_") || name == "__cxa_allocate_exception" ||
         name == "__cxa_pure_virtual" || name == "__clang_call_terminate" || name == "_ZSt9terminatev" ||
         name == "_Unwind_Resume" || name.starts_with("_ZSt21__glibcxx_assert_fail") ||
         (name.starts_with("_ZSt") && name.drop_front(4).ltrim("0123456789").starts_with("__throw_")) ||
         (name.starts_with("__ubsan_handle_") && name.ends_with("_abort"));
}

static bool is_sanitizer_report(StringRef name) {
  return (name.starts_with("__ubsan_handle_") && !name.ends_with("_abort")) || name.starts_with("__asan_") ||
         name.starts_with("__tsan_") || name.starts_with("__sanitizer_cov_");
}

/// Device code cannot throw (SYCL 2020 §5.4); what a library would throw ends the work-item.
static void trap_instead_of_throw(Function& thrower) {
  Function* trap = Intrinsic::getOrInsertDeclaration(thrower.getParent(), Intrinsic::trap);
  // Making one call unreachable deletes what follows it, which may be another call.
  SmallVector<WeakVH, 8> users(thrower.user_begin(), thrower.user_end());
  for (WeakVH& user : users) {
    auto* call = dyn_cast_or_null<CallBase>(static_cast<Value*>(user));
    if (call == nullptr || call->getCalledOperand() != &thrower)
      continue;
    CallInst::Create(trap, "", call->getIterator());
    changeToUnreachable(call);
  }
}

static void drop_calls(Function& callee) {
  for (User* user : make_early_inc_range(callee.users())) {
    auto* call = dyn_cast<CallInst>(user);
    if (call == nullptr || call->getCalledFunction() != &callee)
      continue;
    if (!call->use_empty())
      call->replaceAllUsesWith(PoisonValue::get(call->getType()));
    call->eraseFromParent();
  }
}

/// Functions of <math.h> without pointer parameters. On a device they do not set errno (SYCL 2020 §4.17.5).
static bool is_pure_math(StringRef name) {
  static const StringSet<> NAMES = {
      "acos",      "acosh",      "asin",  "asinh",     "atan",   "atan2",  "atanh",     "cbrt",
      "ceil",      "copysign",   "cos",   "cosh",      "erf",    "erfc",   "exp",       "exp10",
      "exp2",      "expm1",      "fabs",  "fdim",      "floor",  "fma",    "fmax",      "fmin",
      "fmod",      "hypot",      "ilogb", "ldexp",     "lgamma", "llrint", "llround",   "log",
      "log10",     "log1p",      "log2",  "logb",      "lrint",  "lround", "nan",       "nearbyint",
      "nextafter", "nexttoward", "pow",   "remainder", "rint",   "round",  "roundeven", "scalbln",
      "scalbn",    "sin",        "sinh",  "sqrt",      "tan",    "tanh",   "tgamma",    "trunc"};
  return NAMES.contains(name) ||
         ((name.ends_with("f") || name.ends_with("l")) && NAMES.contains(name.drop_back()));
}

/// The same with results through pointers.
static bool is_math_with_results(StringRef name) {
  static const StringSet<> NAMES = {"frexp", "modf", "remquo", "sincos", "lgamma_r"};
  if (name == "lgammaf_r" || name == "lgammal_r")
    return true;
  return NAMES.contains(name) ||
         ((name.ends_with("f") || name.ends_with("l")) && NAMES.contains(name.drop_back()));
}

/// Without this clang's math-errno behaviour would keep sqrtf a call and every math call inside its loop.
static void describe_math(Function& function) {
  const bool pure = is_pure_math(function.getName());
  if (!pure && !is_math_with_results(function.getName()))
    return;
  function.setMemoryEffects(pure ? MemoryEffects::none() : MemoryEffects::argMemOnly(ModRefInfo::Mod));
  for (Attribute::AttrKind kind : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoFree,
                                   Attribute::NoSync, Attribute::NoCallback})
    function.addFnAttr(kind);
}

/// Do work-items execute the builtin together?
static bool is_convergent(StringRef builtin) {
  return builtin.ends_with("_barrier") || builtin == "work_items_begin" || builtin == "group_local_memory" ||
         builtin.starts_with("work_items_end") || builtin.starts_with("sub_group_shuffle_") ||
         builtin.starts_with("sub_group_reduce_") || builtin == "sub_group_any" ||
         builtin == "sub_group_all" || builtin == "sub_group_ballot";
}

static void describe_builtins(Function& function) {
  if (!function.getName().starts_with("__falx_"))
    return;
  function.addFnAttr(Attribute::NoUnwind);
  if (is_convergent(function.getName().drop_front(StringRef("__falx_").size())))
    function.addFnAttr(Attribute::Convergent);
}

/// Attributes of call sites repeat or contradict those of functions; the functions' count. Attributes of
/// parameters and results stay.
static void drop_call_site_attributes(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction)) {
      call->removeFnAttr(Attribute::NoInline);
      call->removeFnAttr(Attribute::NoBuiltin);
      if (Function* callee = call->getCalledFunction(); callee != nullptr && !callee->isDeclaration())
        call->setCallingConv(callee->getCallingConv());
    }
}

void prepare_device_code(Module& module) {
  for (Function& function : module) {
    if (function.isIntrinsic())
      continue;
    drop_host_attributes(function);
    if (function.isDeclaration()) {
      describe_math(function);
      describe_builtins(function);
      continue;
    }
    drop_exceptions(function);
    drop_call_site_attributes(function);
  }
  for (Function& function : make_early_inc_range(module)) {
    if (raises_exception(function.getName()))
      trap_instead_of_throw(function);
    else if (is_sanitizer_report(function.getName()))
      drop_calls(function);
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  }
  for (Function& function : module)
    if (!function.isDeclaration())
      removeUnreachableBlocks(function);
}

} // namespace falx::jit
