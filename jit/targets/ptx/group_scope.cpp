// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                         After:
//   %count = alloca i32                             @falx_group_variable = internal addrspace(3) global i32
//   store i32 0, ptr %count                           barrier
//   %old = atomicrmw add ptr %p, i32 1                br i1 %leader, label %once, label %all
//   call void @__falx_work_items_begin()            once:
//   %i = …                                            store i32 0, ptr @falx_group_variable
//   store i32 %i, ptr %count                          %o = atomicrmw add ptr %p, i32 1
//   call void @__falx_work_items_end()                store i32 %o, ptr addrspace(3) @falx_group_result
//   use(%old)                                         br label %all
//                                                   all:
//                                                     barrier
//                                                     %old = load i32, ptr addrspace(3) @falx_group_result
//                                                     barrier
//                                                     %i = …
//                                                     store i32 %i, ptr @falx_group_variable
//                                                     barrier
//                                                     use(%old)
//
// Code of the group is uniform, so all threads compute the same values and take the same branches in it. That
// holds for plain loads as well, as a barrier stands before and after each write; only atomic and volatile
// loads can differ, and are made by the leader. A variable that only the group's code writes has a copy per
// thread, and all copies are alike. One that work-items write, or whose address is stored or passed on, is
// shared.
//
// A variable would become a value before it could be shared: SROA sees through the closures that hold its
// address just when it sees that only loads and stores are left. Therefore stores of work-items to what may
// be the group's are made volatile in the first step, and no longer in the second.

#include "builtins.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "index_space.hpp"
#include "passes.hpp"
#include "pipeline/kernel_lookup.hpp"
#include "pipeline/nested_passes.hpp"
#include "shared_memory.hpp"
#include "work_item_regions.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace falx::jit {

/// Attribute of a kernel all of whose volatile stores were made so by pin_group_variables.
constexpr const char* PINNED = "falx-pinned";

/// Of the second step.
static bool is_work_item_variable(const AllocaInst& variable) {
  return any_of(variable.users(),
                [](const User* user) { return cast<Instruction>(user)->isLifetimeStartOrEnd(); });
}

static Value* written_address(Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    return store->getPointerOperand();
  if (auto* memory = dyn_cast<MemIntrinsic>(&instruction))
    return memory->getRawDest();
  return nullptr;
}

/// See the beginning of the file.
static void settle_lifetime(AllocaInst& variable, const work_item_regions& regions,
                            ArrayRef<Instruction*> region_begins) {
  const bool of_work_items = regions.is_used_by_work_items_only(variable);
  for (User* user : make_early_inc_range(variable.users()))
    if (auto* marker = cast<Instruction>(user); marker->isLifetimeStartOrEnd())
      marker->eraseFromParent();
  if (of_work_items)
    for (Instruction* begin : region_begins)
      IRBuilder<>(begin->getNextNode()).CreateLifetimeStart(&variable);
}

PreservedAnalyses pin_group_variables::run(Function& kernel, FunctionAnalysisManager&) {
  if (!is_kernel(kernel) || kernel_attributes::read(kernel).kind != kernel_kind::work_group)
    return PreservedAnalyses::all();
  const work_item_regions regions(kernel);
  LLVMContext& context = kernel.getContext();
  SmallVector<AllocaInst*, 16> variables;
  SmallVector<Instruction*, 4> region_begins;
  SmallPtrSet<const Value*, 16> of_work_items;
  bool has_volatile_stores = false;
  for (Instruction& instruction : instructions(kernel)) {
    has_volatile_stores |= written_address(instruction) != nullptr && instruction.isVolatile();
    if (work_item_marker(instruction) > 0)
      region_begins.push_back(&instruction);
    if (auto* variable = dyn_cast<AllocaInst>(&instruction)) {
      variables.push_back(variable);
      if (regions.is_used_by_work_items_only(*variable))
        of_work_items.insert(variable);
    }
  }
  for (Instruction& instruction : instructions(kernel)) {
    Value* address = written_address(instruction);
    if (address == nullptr || instruction.isVolatile() || !regions.is_work_item_code(instruction) ||
        of_work_items.contains(getUnderlyingObject(address, /*MaxLookup=*/0)))
      continue;
    if (auto* store = dyn_cast<StoreInst>(&instruction))
      store->setVolatile(true);
    else
      cast<MemIntrinsic>(instruction).setVolatile(ConstantInt::getTrue(context));
  }
  // Else they stay volatile, which costs a little speed.
  if (!has_volatile_stores)
    kernel.addFnAttr(PINNED);
  for (AllocaInst* variable : variables)
    if (variable->isStaticAlloca())
      settle_lifetime(*variable, regions, region_begins);
  return PreservedAnalyses::none();
}

static void unpin(Instruction& instruction) {
  if (auto* store = dyn_cast<StoreInst>(&instruction))
    store->setVolatile(false);
  else if (auto* memory = dyn_cast<MemIntrinsic>(&instruction))
    memory->setVolatile(ConstantInt::getFalse(instruction.getContext()));
}

namespace {

class group_scope_formation {
public:
  explicit group_scope_formation(Function& entry)
      : entry_(entry), attributes_(kernel_attributes::read(entry)), space_(entry, attributes_),
        regions_(entry) {}
  Error form();

private:
  Error find_shared_variables();
  bool is_dynamic_of_work_items(const AllocaInst& variable) const;
  bool is_written_by_work_items_or_escapes(AllocaInst& variable);
  bool stays_private(const Value* address) const;
  void share_variables();
  Error place_allocations();

  /// What happens once.
  bool is_effect(Instruction& instruction) const;
  void form_effects();
  void run_once(ArrayRef<Instruction*> effects);
  void barrier(IRBuilder<>& builder) {
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
  }

  Function& entry_;
  const kernel_attributes attributes_;
  index_space space_;
  work_item_regions regions_;
  SmallSetVector<AllocaInst*, 8> shared_;
  Value* leader_ = nullptr;
};

} // namespace

/// Is all that \p address may point to a variable of which each thread has its own?
bool group_scope_formation::stays_private(const Value* address) const {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(address, objects, nullptr, /*MaxLookup=*/0);
  return all_of(objects, [&](const Value* object) {
    const auto* variable = dyn_cast<AllocaInst>(object);
    return variable != nullptr && !shared_.contains(variable);
  });
}

bool group_scope_formation::is_written_by_work_items_or_escapes(AllocaInst& variable) {
  SmallVector<Value*, 8> pointers = {&variable};
  SmallPtrSet<Value*, 8> seen;
  while (!pointers.empty()) {
    Value* pointer = pointers.pop_back_val();
    if (!seen.insert(pointer).second)
      continue;
    for (User* user : pointer->users()) {
      auto* instruction = cast<Instruction>(user);
      const bool by_work_item = regions_.is_work_item_code(*instruction);
      if (isa<GetElementPtrInst, PHINode, SelectInst, AddrSpaceCastInst>(instruction))
        pointers.push_back(instruction);
      else if (isa<LoadInst, ICmpInst>(instruction) || instruction->isLifetimeStartOrEnd())
        continue;
      else if (auto* store = dyn_cast<StoreInst>(instruction)) {
        // Also if it may be a store to something else, which is then written once.
        if (by_work_item || store->getValueOperand() == pointer || store->isAtomic() ||
            !stays_private(store->getPointerOperand()))
          return true;
      } else if (auto* memory = dyn_cast<MemIntrinsic>(instruction)) {
        if (memory->getRawDest() == pointer && (by_work_item || !stays_private(pointer)))
          return true;
      } else {
        return true;
      }
    }
  }
  return false;
}

/// alloca() in the work-items' code.
bool group_scope_formation::is_dynamic_of_work_items(const AllocaInst& variable) const {
  return !variable.isStaticAlloca() && regions_.is_work_item_code(variable);
}

Error group_scope_formation::find_shared_variables() {
  SmallVector<AllocaInst*, 8> variables;
  for (Instruction& instruction : instructions(entry_))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && !is_work_item_variable(*variable) && !is_dynamic_of_work_items(*variable)) {
      if (!variable->isStaticAlloca())
        return failure("Kernel '" + kernel_name(entry_) +
                       "' has a variable of the work-group whose size is not known at compile time.");
      variables.push_back(variable);
    }
  // That one is shared may make others shared.
  for (bool progress = true; progress;) {
    progress = false;
    for (AllocaInst* variable : variables)
      if (!shared_.contains(variable) && is_written_by_work_items_or_escapes(*variable))
        progress = shared_.insert(variable);
  }
  return Error::success();
}

void group_scope_formation::share_variables() {
  for (AllocaInst* variable : shared_) {
    for (User* user : make_early_inc_range(variable->users()))
      if (auto* marker = cast<Instruction>(user); marker->isLifetimeStartOrEnd())
        marker->eraseFromParent();
    Type* type = variable->getAllocatedType();
    if (variable->isArrayAllocation())
      type = ArrayType::get(type, cast<ConstantInt>(variable->getArraySize())->getZExtValue());
    GlobalVariable* memory =
        create_shared(*entry_.getParent(), type, variable->getAlign(), "falx_group_variable");
    variable->replaceAllUsesWith(ConstantExpr::getAddrSpaceCast(memory, variable->getType()));
    variable->eraseFromParent();
  }
}

/// Sizes that depend on the local range are constants once that is one, and the loop over its axes is
/// unrolled.
static void fold_sizes(Function& entry, FunctionAnalysisManager& analyses) {
  FunctionPassManager passes;
  passes.addPass(InstCombinePass());
  passes.addPass(createFunctionToLoopPassAdaptor(LoopFullUnrollPass()));
  passes.addPass(SROAPass(SROAOptions::PreserveCFG));
  passes.addPass(InstCombinePass());
  run_nested(std::move(passes), entry, analyses);
}

Error group_scope_formation::place_allocations() {
  Function* allocate = entry_.getParent()->getFunction("__falx_work_group_alloc");
  if (allocate == nullptr)
    return Error::success();
  for (User* user : make_early_inc_range(allocate->users())) {
    auto* call = cast<CallInst>(user);
    const auto* bytes = dyn_cast<ConstantInt>(call->getArgOperand(0));
    if (bytes == nullptr)
      return failure("Kernel '" + kernel_name(entry_) +
                     "' has private_memory in work-groups whose size is not known at compile time.");
    replace_by_shared(*call, bytes->getZExtValue(), Align(64), "falx_private_memory");
  }
  return Error::success();
}

bool group_scope_formation::is_effect(Instruction& instruction) const {
  if (work_item_marker(instruction) != 0 || instruction.isLifetimeStartOrEnd() ||
      regions_.is_work_item_code(instruction))
    return false;
  if (instruction.isAtomic() && !isa<FenceInst>(instruction))
    return true;
  if (auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile();
  if (Value* address = written_address(instruction))
    return !stays_private(address);
  if (isa<IntrinsicInst>(instruction) || isa<FenceInst>(instruction))
    return false;
  const auto* call = dyn_cast<CallInst>(&instruction);
  return call != nullptr && !call->onlyReadsMemory();
}

/// \p effects stand in one block; between them are no reads.
void group_scope_formation::run_once(ArrayRef<Instruction*> effects) {
  Instruction* last = effects.back();
  BasicBlock* before = last->getParent();
  BasicBlock* once = SplitBlock(before, last);
  BasicBlock* all = SplitBlock(once, last->getNextNode());
  for (Instruction* effect : effects.drop_back())
    effect->moveBefore(last->getIterator());
  IRBuilder<> builder(before->getTerminator());
  barrier(builder);
  builder.CreateCondBr(leader_, once, all);
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(all, all->getFirstInsertionPt());
  barrier(builder);
  if (last->use_empty())
    return;
  GlobalVariable* result =
      create_shared(*entry_.getParent(), last->getType(),
                    entry_.getDataLayout().getABITypeAlign(last->getType()), "falx_group_result");
  Value* everywhere = builder.CreateLoad(last->getType(), result);
  last->replaceAllUsesWith(everywhere);
  new StoreInst(last, result, once->getTerminator()->getIterator());
}

void group_scope_formation::form_effects() {
  // Blocks are split on the way; regions_ is asked before.
  SmallVector<SmallVector<Instruction*, 4>, 16> runs;
  for (BasicBlock& block : entry_) {
    SmallVector<Instruction*, 4> run;
    const auto end_run = [&] {
      if (!run.empty())
        runs.push_back(run);
      run.clear();
    };
    for (Instruction& instruction : block) {
      if (is_effect(instruction)) {
        run.push_back(&instruction);
        // A result is handed out at once.
        if (!instruction.getType()->isVoidTy())
          end_run();
      } else if (instruction.mayReadOrWriteMemory() || instruction.isTerminator()) {
        end_run();
      }
    }
  }
  for (const SmallVector<Instruction*, 4>& run : runs)
    run_once(run);
}

Error group_scope_formation::form() {
  if (Error error = place_allocations())
    return error;
  const bool alone = attributes_.group_size() == 1;
  if (!alone) {
    if (Error error = find_shared_variables())
      return error;
    IRBuilder<> builder(&entry_.getEntryBlock(), entry_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    leader_ = builder.CreateICmpEQ(space_.linear_thread(builder), builder.getInt32(0));
    // Before variables move, as what is written is asked by variable.
    form_effects();
    share_variables();
  }
  SmallVector<Instruction*, 8> markers;
  for (Instruction& instruction : instructions(entry_)) {
    if (entry_.hasFnAttribute(PINNED))
      unpin(instruction);
    if (work_item_marker(instruction) != 0)
      markers.push_back(&instruction);
  }
  for (Instruction* marker : markers) {
    IRBuilder<> builder(marker);
    if (!alone && builtin_name(*marker) != "work_items_end_unordered")
      barrier(builder);
    marker->eraseFromParent();
  }
  return Error::success();
}

Error form_group_scope(Function& entry, FunctionAnalysisManager& analyses) {
  if (const Function* allocate = entry.getParent()->getFunction("__falx_work_group_alloc");
      allocate != nullptr && !allocate->use_empty())
    fold_sizes(entry, analyses);
  return group_scope_formation(entry).form();
}

} // namespace falx::jit
