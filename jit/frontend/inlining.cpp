// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, with 1000 instructions in @digits:     After:
//   define void @kernel(ptr %f) {                  define void @digits(ptr %out) {
//     call void @item()                            define void @item() alwaysinline {
//     call void @digits(ptr %a)
//     call void @digits(ptr %b)
//   define void @item() {
//     %id = call i64 @__falx_global_id_x()
//
// The passes that follow need to see barriers and indices in the kernel itself, so what reaches a builtin has
// to be inlined; so does what takes or returns vectors, which lanes that call functions one by one cannot
// pass. For the rest it is a matter of cost. Inlined, it costs no call and lets work-item loops be
// vectorised; but thirteen times the conversion of a number to text took two seconds to compile.

#include "device_globals.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/kernel_lookup.hpp"
#include "scalar_simplification.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <vector>

using namespace llvm;

namespace falx::jit {

namespace {

class inlining_choice {
public:
  explicit inlining_choice(Module& module) : kernel_(*find_kernel(module)) {
    sort(module);
    find_builtin_users(module);
  }
  void apply(FunctionAnalysisManager& analyses);

private:
  void sort(Module& module);
  void find_builtin_users(Module& module);
  /// Whether the function cannot stay a function.
  bool has_to_be_inlined(const Function& function) const;
  void share_cold_functions();
  void count_copies();
  std::uint64_t size_with_callees(const Function& function);
  void simplify_copied(FunctionAnalysisManager& analyses);

  Function& kernel_;
  /// Callees first.
  std::vector<Function*> functions_;
  SmallPtrSet<const Function*, 16> recursive_;
  SmallPtrSet<const Function*, 16> uses_builtins_;
  /// How often a function would stand in the kernel if everything were inlined.
  DenseMap<const Function*, std::uint64_t> copies_;
  DenseMap<const Function*, std::uint64_t> sizes_;
  SmallPtrSet<const Function*, 16> shared_;
};

} // namespace

static Function* called_definition(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && !callee->isDeclaration() ? callee : nullptr;
}

static bool holds_vectors(const Type* type) {
  return type->isVectorTy() || any_of(type->subtypes(), holds_vectors);
}

bool inlining_choice::has_to_be_inlined(const Function& function) const {
  return uses_builtins_.contains(&function) || function.hasFnAttribute(Attribute::AlwaysInline) ||
         holds_vectors(function.getFunctionType());
}

void inlining_choice::sort(Module& module) {
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const CallGraphNode* node : *component)
      if (Function* function = node->getFunction(); function != nullptr && !function->isDeclaration()) {
        functions_.push_back(function);
        if (component.hasCycle())
          recursive_.insert(function);
      }
}

/// What calls a builtin or uses a device global, or calls or names a function that does.
void inlining_choice::find_builtin_users(Module& module) {
  SmallVector<const User*, 32> stack;
  SmallPtrSet<const User*, 32> seen;
  for (Function& function : module)
    if (function.isDeclaration() && function.getName().starts_with("__falx_"))
      append_range(stack, function.users());
  // Their addresses come with the kernel's function object.
  for (GlobalVariable& variable : module.globals())
    if (is_device_global(variable) || is_work_group_variable(variable))
      append_range(stack, variable.users());
  while (!stack.empty()) {
    const User* user = stack.pop_back_val();
    if (!seen.insert(user).second)
      continue;
    if (const auto* instruction = dyn_cast<Instruction>(user)) {
      if (uses_builtins_.insert(instruction->getFunction()).second)
        append_range(stack, instruction->getFunction()->users());
    } else {
      append_range(stack, user->users());
    }
  }
}

void inlining_choice::count_copies() {
  copies_[&kernel_] = 1;
  for (Function* caller : reverse(functions_)) {
    const std::uint64_t here = recursive_.contains(caller) ? 1 : copies_.lookup(caller);
    for (const Instruction& instruction : instructions(*caller))
      if (Function* callee = called_definition(instruction); callee != nullptr)
        copies_[callee] = SaturatingAdd(copies_[callee], here);
  }
}

/// Counts each shared callee as a call.
std::uint64_t inlining_choice::size_with_callees(const Function& function) {
  std::uint64_t size = 0;
  for (const Instruction& instruction : instructions(function)) {
    if (instruction.isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(instruction))
      continue;
    const Function* callee = called_definition(instruction);
    size = SaturatingAdd(size, callee != nullptr && !shared_.contains(callee) && !recursive_.contains(callee)
                                   ? sizes_.lookup(callee)
                                   : 1);
  }
  return size;
}

/// What keep_cold_functions has marked, as far as it can be called.
void inlining_choice::share_cold_functions() {
  for (Function* function : functions_) {
    if (!function->hasFnAttribute(Attribute::NoInline))
      continue;
    if (function == &kernel_ || has_to_be_inlined(*function))
      function->removeFnAttr(Attribute::NoInline);
    else
      shared_.insert(function);
  }
}

static bool is_inlined(const CallBase& call, Function& callee) {
  return call.getCalledFunction() == &callee && call.hasFnAttr(Attribute::AlwaysInline) &&
         !call.getAttributes().hasFnAttr(Attribute::NoInline);
}

static void inline_call(CallBase& call, Function& callee, FunctionAnalysisManager& analyses) {
  const auto assumptions = [&](Function& function) -> AssumptionCache& {
    return analyses.getResult<AssumptionAnalysis>(function);
  };
  InlineFunctionInfo information(assumptions);
  const bool is_restricted =
      any_of(callee.args(), [](const Argument& argument) { return argument.hasNoAliasAttr(); });
  AAResults* aliases = is_restricted ? &analyses.getResult<AAManager>(callee) : nullptr;
  InlineFunction(call, information, /*MergeAttributes=*/true, aliases, /*InsertLifetime=*/true);
}

/// Puts into the function what has to be inlined there.
static void inline_callees(Function& caller, FunctionAnalysisManager& analyses) {
  SmallVector<CallBase*, 8> calls;
  for (Instruction& instruction : instructions(caller))
    if (Function* callee = called_definition(instruction);
        callee != nullptr && is_inlined(cast<CallBase>(instruction), *callee))
      calls.push_back(cast<CallBase>(&instruction));
  for (CallBase* call : calls)
    if (isInlineViable(*call->getCalledFunction()).isSuccess())
      inline_call(*call, *call->getCalledFunction(), analyses);
}

/// Before a function is copied into a large kernel several times, it becomes what it can be by itself, so
/// that the passes over the kernel do not find the same things in each copy: loops over the elements of a
/// vector, and variables that they index. Callees come first.
void inlining_choice::simplify_copied(FunctionAnalysisManager& analyses) {
  FunctionPassManager passes, loops;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  loops.addPass(SROAPass(SROAOptions::ModifyCFG));
  loops.addPass(EarlyCSEPass());
  loops.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass(/*OptLevel=*/3)));
  loops.addPass(SROAPass(SROAOptions::ModifyCFG));
  loops.addPass(EarlyCSEPass());
  loops.addPass(remove_branches());
  for (Function* function : functions_) {
    if (function == &kernel_ || copies_.lookup(function) < 2 || recursive_.contains(function) ||
        uses_builtins_.contains(function))
      continue;
    inline_callees(*function, analyses);
    analyses.clear(*function, function->getName());
    (function->size() > 1 ? loops : passes).run(*function, analyses);
    analyses.clear(*function, function->getName());
  }
}

void inlining_choice::apply(FunctionAnalysisManager& analyses) {
  share_cold_functions();
  for (const Function* function : functions_)
    sizes_[function] = size_with_callees(*function);
  if (sizes_.lookup(&kernel_) > LARGE_KERNEL) {
    count_copies();
    for (const Function* function : functions_) {
      const std::uint64_t size = sizes_[function] = size_with_callees(*function);
      if (function != &kernel_ && !has_to_be_inlined(*function) && copies_.lookup(function) > 1 &&
          size >= LARGE_FUNCTION)
        shared_.insert(function);
    }
  }
  for (Function* function : functions_)
    if (function != &kernel_ && !shared_.contains(function))
      function->addFnAttr(Attribute::AlwaysInline);
  if (!copies_.empty())
    simplify_copied(analyses);
}

PreservedAnalyses keep_cold_functions::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : module)
    if (!function.isDeclaration() && function.hasFnAttribute(Attribute::Cold))
      function.addFnAttr(Attribute::NoInline);
  return PreservedAnalyses::none();
}

void choose_what_to_inline::change(Function& kernel, FunctionAnalysisManager& analyses) {
  kernel.removeFnAttr(Attribute::AlwaysInline);
  kernel.setLinkage(GlobalValue::ExternalLinkage);
  inlining_choice(*kernel.getParent()).apply(analyses);
}

/// The calls that have to be inlined, if \p callee can be.
static SmallSetVector<CallBase*, 16> calls_to_inline(Function& callee) {
  SmallSetVector<CallBase*, 16> calls;
  for (User* user : callee.users())
    if (auto* call = dyn_cast<CallBase>(user); call != nullptr && is_inlined(*call, callee))
      calls.insert(call);
  if (!calls.empty() && !isInlineViable(callee).isSuccess())
    calls.clear();
  return calls;
}

PreservedAnalyses inline_chosen::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  for (Function& function : make_early_inc_range(module)) {
    if (function.isDeclaration())
      continue;
    for (CallBase* call : calls_to_inline(function))
      inline_call(*call, function, functions);
    function.removeDeadConstantUsers();
    if (function.hasFnAttribute(Attribute::AlwaysInline) && function.isDefTriviallyDead()) {
      functions.clear(function, function.getName());
      function.eraseFromParent();
    }
  }
  return PreservedAnalyses::none();
}

} // namespace falx::jit
