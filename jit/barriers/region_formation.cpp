// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a region is, and why it is right, stands at the top of split_barriers.cpp. Before, with %n in %n.slot
// as it is alive behind the barrier:
//   loop:
//     %n.next = add i32 (load %n.slot), 1
//     store i32 %n.next, ptr %n.slot
//     call void @__falx_work_group_barrier()
//     br label %behind.barrier
// After, where another barrier leads, and %n is uniform:
//   define internal { i32, i32 } @kernel.region.0(…, i32 %n) {
//     %n.next = add i32 %n, 1
//     ret { i32, i32 } { 1, %n.next }

#include "region_formation.hpp"
#include "pipeline/invariants.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

namespace {

/// Turns a clone of the work-item function into one region.
class region_formation {
public:
  region_formation(const cut_kernel& kernel, unsigned number) : kernel_(kernel), number_(number) {}
  region form();

private:
  SmallVector<BasicBlock*> own_blocks() const;
  void clone_blocks(const MetadataPredicate& is_shared);
  void clone_variable(AllocaInst& variable);
  void clone();
  Value* address(IRBuilder<>& builder, const context_slot& slot);
  void place_variables(IRBuilder<>& builder);
  void fill_slots(IRBuilder<>& builder);
  void keep_definitions(const kept_value& value, AllocaInst& slot, const Instruction* initial_store);
  void end_at_barriers_and_returns();
  void emit_return(Instruction& before, unsigned next);
  bool work_items_may_part() const;
  template <class T>
  T* cloned(const T* original) {
    return cast_or_null<T>(static_cast<Value*>(map_.lookup(original)));
  }

  const cut_kernel& kernel_;
  unsigned number_;
  ValueToValueMapTy map_;
  region result_;
  /// Blocks that end the region, and the number that they return.
  DenseMap<const BasicBlock*, unsigned> returns_;
  BasicBlock* entry_ = nullptr;
  Value* count_ = nullptr;
};

} // namespace

Type* stored_type(Type* type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

std::optional<suspension> suspension_at(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr)
    return std::nullopt;
  return StringSwitch<std::optional<suspension>>(callee->getName())
      .Case("__falx_work_group_barrier", suspension::group_barrier)
      .Case(SUSPEND_AT_WAIT, suspension::wait)
      .Case(SUSPEND_AND_YIELD, suspension::yield)
      .Case(SUSPEND_FOR_SUB_GROUP, suspension::sub_group)
      .Default(std::nullopt);
}

/// The call at the end of \p block at which a work-item is suspended, if there is one.
static CallInst* suspension_call(BasicBlock& block) {
  auto* call = dyn_cast_or_null<CallInst>(block.getTerminator()->getPrevNode());
  return call != nullptr && suspension_at(*call) ? call : nullptr;
}

/// Blocks from the region's start to the next barriers and the kernel's end.
SmallVector<BasicBlock*> region_formation::own_blocks() const {
  SmallVector<BasicBlock*> stack = {kernel_.starts[number_]};
  SmallPtrSet<BasicBlock*, 16> found;
  while (!stack.empty()) {
    BasicBlock* block = stack.pop_back_val();
    if (found.insert(block).second && suspension_call(*block) == nullptr)
      append_range(stack, successors(block));
  }
  SmallVector<BasicBlock*> result;
  for (BasicBlock& block : kernel_.work_item)
    if (found.contains(&block))
      result.push_back(&block);
  return result;
}

/// Copies the region's blocks, and of the variables those that they use. Jumps behind barriers lead to where
/// they led.
void region_formation::clone_blocks(const MetadataPredicate& is_shared) {
  Function& function = *result_.function;
  const bool has_debug_info = kernel_.work_item.getSubprogram() != nullptr;
  const RemapFlags flags = RF_IgnoreMissingLocals | (has_debug_info ? RF_None : RF_NoModuleLevelChanges);
  SmallVector<BasicBlock*> blocks;
  for (BasicBlock* block : own_blocks()) {
    blocks.push_back(CloneBasicBlock(block, map_, "", &function));
    map_[block] = blocks.back();
  }
  for (BasicBlock* block : blocks) {
    for (PHINode& phi : block->phis())
      phi.removeIncomingValueIf(
          [&](unsigned index) { return map_.find(phi.getIncomingBlock(index)) == map_.end(); }, false);
    for (Instruction& instruction : *block) {
      for (Value* operand : instruction.operands())
        if (isa<AllocaInst>(operand))
          clone_variable(*cast<AllocaInst>(operand));
      RemapDbgRecordRange(function.getParent(), instruction.getDbgRecordRange(), map_, flags, nullptr,
                          nullptr, &is_shared);
      RemapInstruction(&instruction, map_, flags, nullptr, nullptr, &is_shared);
    }
    for (PHINode& phi : make_early_inc_range(block->phis()))
      if (phi.getNumIncomingValues() == 1) {
        phi.replaceAllUsesWith(phi.getIncomingValue(0));
        phi.eraseFromParent();
      }
  }
}

void region_formation::clone_variable(AllocaInst& variable) {
  if (map_.find(&variable) != map_.end())
    return;
  Instruction* copy = variable.clone();
  copy->setName(variable.getName());
  copy->insertInto(entry_, entry_->end());
  map_[&variable] = copy;
}

void region_formation::clone() {
  Function& work_item = kernel_.work_item;
  result_.function = create_work_item_function(
      work_item, work_item.getFnAttribute("falx-name").getValueAsString() + ".region." + Twine(number_),
      kernel_.result_type, kernel_.uniform_types);
  for (unsigned index = 0; index < PARAMETER_COUNT; ++index)
    map_[work_item.getArg(index)] = result_.function->getArg(index);
  entry_ = BasicBlock::Create(kernel_.work_item.getContext(), "region.entry", result_.function);
  // A subprogram describes one function; all else that describes the kernel serves all of them.
  const DISubprogram* subprogram = work_item.getSubprogram();
  const MetadataPredicate is_shared = [&](const Metadata* each) {
    const auto* variable = dyn_cast<DILocalVariable>(each);
    const auto* scope = dyn_cast<DILocalScope>(variable != nullptr ? variable->getScope() : each);
    return scope != nullptr ? scope->getSubprogram() != subprogram : isa<DIType, DICompileUnit>(each);
  };
  CloneFunctionAttributesInto(result_.function, &work_item, map_, /*ModuleLevelChanges=*/false);
  CloneFunctionMetadataInto(*result_.function, work_item, map_, RF_None, nullptr, nullptr, &is_shared);
  clone_blocks(is_shared);
  // What values are made of may be addresses of variables, too.
  SmallPtrSet<const AllocaInst*, 32> slots;
  for (const kept_value& value : kernel_.values)
    if (slots.insert(value.slot).second && value.live.how == live_value::keeping::uniform)
      clone_variable(*value.slot);
  for (Instruction& instruction : instructions(work_item))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable != nullptr && !slots.contains(variable))
      clone_variable(*variable);
}

/// Where this work-item's element is.
Value* region_formation::address(IRBuilder<>& builder, const context_slot& slot) {
  Function& function = *result_.function;
  if (count_ == nullptr)
    count_ = context_count(builder, function, kernel_.attributes);
  Value* array = context_array(builder, function, count_, slot);
  Value* linear = argument(function, parameter::linear);
  return builder.CreateInBoundsGEP(ArrayType::get(builder.getInt8Ty(), slot.size), array, linear, "slot");
}

/// Private variables go to the region's entry, those that other regions share to the context.
void region_formation::place_variables(IRBuilder<>& builder) {
  SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : instructions(*result_.function))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  for (AllocaInst* variable : variables)
    variable->moveBefore(*entry_, entry_->end());
  for (auto& [original, slot] : kernel_.variables) {
    AllocaInst* variable = cloned(original);
    if (variable == nullptr)
      continue;
    for (User* user : make_early_inc_range(variable->users()))
      if (auto* intrinsic = dyn_cast<IntrinsicInst>(user);
          intrinsic != nullptr && intrinsic->isLifetimeStartOrEnd())
        intrinsic->eraseFromParent();
    Value* place = address(builder, slot);
    variable->replaceAllUsesWith(place);
    variable->eraseFromParent();
    map_[original] = place;
  }
}

/// Before the jump, and the barrier if there is one.
static Instruction& end_of(BasicBlock& block) {
  CallInst* call = suspension_call(block);
  return call != nullptr ? *call : *block.getTerminator();
}

/// A value that varies is written to its context slot in every block that defines it: at the end, where no
/// store stands between loads that become one.
void region_formation::keep_definitions(const kept_value& value, AllocaInst& slot,
                                        const Instruction* initial_store) {
  SmallVector<StoreInst*, 2> definitions;
  for (User* user : slot.users())
    if (auto* store = dyn_cast<StoreInst>(user); store != nullptr && store != initial_store)
      definitions.push_back(store);
  if (definitions.empty())
    return;
  IRBuilder<> builder(entry_);
  Value* place = address(builder, value.context);
  for (StoreInst* store : definitions) {
    builder.SetInsertPoint(&end_of(*store->getParent()));
    Value* kept = store->getValueOperand();
    if (Type* type = stored_type(kept->getType()); type != kept->getType())
      kept = builder.CreateZExt(kept, type);
    builder.CreateAlignedStore(kept, place, value.context.alignment);
  }
}

/// Gives every live value's slot its content at the region's start.
void region_formation::fill_slots(IRBuilder<>& builder) {
  const auto of_group = [&](const kept_value& value) {
    return result_.function->getArg(PARAMETER_COUNT + value.position);
  };
  DenseMap<const Value*, Value*> of_slots;
  for (const kept_value& value : kernel_.values)
    if (value.live.how == live_value::keeping::uniform)
      of_slots[value.slot] = of_group(value);
  rematerialiser rematerialised(builder, rematerialiser::flags::kept, [&](Value& value) {
    if (const auto* load = dyn_cast<LoadInst>(&value))
      return of_slots.lookup(load->getPointerOperand());
    return isa<Argument, AllocaInst>(value) ? static_cast<Value*>(map_.lookup(&value)) : nullptr;
  });
  for (const kept_value& value : kernel_.values) {
    AllocaInst* slot = cloned(value.slot);
    if (slot == nullptr)
      continue;
    Type* type = slot->getAllocatedType();
    Instruction* initial_store = nullptr;
    assert(value.live.live_at.size() == kernel_.starts.size() && "of another kernel");
    if (value.live.live_at.test(number_)) {
      Value* content = nullptr;
      switch (value.live.how) {
      case live_value::keeping::rematerialised:
        content = rematerialised.emit(*value.expression);
        break;
      case live_value::keeping::uniform:
        content = of_group(value);
        break;
      case live_value::keeping::varying:
        content = builder.CreateAlignedLoad(stored_type(type), address(builder, value.context),
                                            value.context.alignment);
        if (content->getType() != type)
          content = builder.CreateTrunc(content, type);
        break;
      }
      initial_store = builder.CreateStore(content, slot);
    }
    if (value.live.how == live_value::keeping::varying)
      keep_definitions(value, *slot, initial_store);
  }
}

/// Returns \p next and the uniform values that it needs. Where each work-item keeps what comes next, nobody
/// reads the result.
void region_formation::emit_return(Instruction& before, unsigned next) {
  assert(next <= kernel_.end_number() && "there is no such region");
  assert(next != 0 && "no barrier leads back to the kernel's beginning");
  returns_[before.getParent()] = next;
  IRBuilder<> builder(&before);
  if (kernel_.resume) {
    IRBuilder<> at_entry(entry_->getTerminator());
    builder.CreateAlignedStore(builder.getInt32(next), address(at_entry, *kernel_.resume),
                               kernel_.resume->alignment);
    builder.CreateRet(Constant::getNullValue(kernel_.result_type));
    return;
  }
  Value* result = builder.CreateInsertValue(PoisonValue::get(kernel_.result_type), builder.getInt32(next), 0);
  for (const kept_value& value : kernel_.values)
    if (value.live.how == live_value::keeping::uniform && next != kernel_.end_number() &&
        value.live.live_at.test(next)) {
      AllocaInst* slot = cloned(value.slot);
      result = builder.CreateInsertValue(result, builder.CreateLoad(slot->getAllocatedType(), slot),
                                         value.position + 1);
    }
  builder.CreateRet(result);
}

void region_formation::end_at_barriers_and_returns() {
  for (const auto& [index, original] : enumerate(kernel_.barriers)) {
    const unsigned behind = unsigned(index) + 1;
    CallInst* barrier = cloned(original);
    if (barrier == nullptr)
      continue;
    Instruction* jump = barrier->getParent()->getTerminator();
    assert(barrier->getNextNode() == jump && jump->getNumSuccessors() == 1 &&
           "cut_at_barriers cuts behind it");
    emit_return(*barrier, behind);
    // Nothing follows that records of variables could move to.
    for (Instruction* gone : {jump, static_cast<Instruction*>(barrier)}) {
      gone->dropDbgRecords();
      gone->eraseFromParent();
    }
  }
  SmallVector<ReturnInst*, 4> returns;
  for (BasicBlock& block : *result_.function)
    if (auto* end = dyn_cast<ReturnInst>(block.getTerminator());
        end != nullptr && end->getReturnValue() == nullptr)
      returns.push_back(end);
  for (ReturnInst* end : returns) {
    emit_return(*end, kernel_.end_number());
    end->dropDbgRecords();
    end->eraseFromParent();
  }
}

/// Is there a divergent branch whose ways lead both to the kernel's end and to a barrier, and do not meet
/// before?
bool region_formation::work_items_may_part() const {
  const PostDominatorTree post_dominators(*result_.function);
  for (const Instruction* original : kernel_.divergent) {
    const auto* branch = dyn_cast_or_null<Instruction>(static_cast<Value*>(map_.lookup(original)));
    if (branch == nullptr || branch->getParent() == nullptr)
      continue;
    const auto* node = post_dominators.getNode(branch->getParent());
    if (node == nullptr || node->getIDom() == nullptr || node->getIDom()->getBlock() != nullptr)
      continue;
    bool ends = false, goes_on = false;
    for (const BasicBlock* block : depth_first(branch->getParent()))
      if (const auto end = returns_.find(block); end != returns_.end())
        (end->second == kernel_.end_number() ? ends : goes_on) = true;
    if (ends && goes_on)
      return true;
  }
  return false;
}

region region_formation::form() {
  clone();
  IRBuilder<> builder(entry_);
  place_variables(builder);
  fill_slots(builder);
  builder.SetInsertPoint(entry_);
  builder.CreateBr(cloned(kernel_.starts[number_]));
  end_at_barriers_and_returns();
  removeUnreachableBlocks(*result_.function);

  SmallVector<AllocaInst*> slots;
  for (const kept_value& value : kernel_.values)
    if (AllocaInst* slot = cloned(value.slot))
      slots.push_back(slot);
  assert(all_of(slots, [](AllocaInst* each) { return isAllocaPromotable(each); }) &&
         "slots are loaded and stored, nothing else");
  DominatorTree dominators(*result_.function);
  PromoteMemToReg(slots, dominators);
  assert(never_calls(*result_.function, "__falx_work_group_barrier") && "a region ends at its barriers");
  assert(is_valid(*result_.function) && "the region is not valid");
  for (const BasicBlock& block : *result_.function)
    if (const auto end = returns_.find(&block); end != returns_.end())
      result_.next.insert(end->second);
  result_.some_may_return = work_items_may_part();
  return std::move(result_);
}

region form_region(const cut_kernel& kernel, unsigned number) {
  return region_formation(kernel, number).form();
}

} // namespace falx::jit
