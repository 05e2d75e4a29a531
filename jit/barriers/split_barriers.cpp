// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Continuation-based barrier splitting. Every barrier starts a region: the blocks that can be reached from
// behind it without passing a barrier. A block may belong to several regions. Each region becomes a function
// that runs one work-item from its start to the next barrier and returns that barrier's number (or that of no
// region: the work-item has returned). The group function runs a region for all work-items, then the region
// that they named.
//
// Before:
//   define internal void @kernel.work_item(…) {
//     %i = …                         ; differs between work-items
//     br label %loop
//   loop:
//     %n = phi i32 [ 0, %entry ], [ %n.next, %loop ]
//     call void @__falx_work_group_barrier()
//     call void @use(i32 %i)
//     %n.next = add i32 %n, 1
//     %again = icmp ult i32 %n.next, %count
//     br i1 %again, label %loop, label %end
// After:
//   define internal { i32, i32 } @kernel.region.0(…)             ; entry, loop: returns { 1, 0 }
//   define internal { i32, i32 } @kernel.region.1(…, i32 %n) {   ; behind the barrier, then loop again
//     %i = load …, %context + offset * count + %linear * size
//     call void @use(i32 %i)
//     %n.next = add i32 %n, 1
//     …                                                          ; returns { 1, %n.next } or { 2, poison }
//   define internal void @kernel.group(…) {
//     for all work-items: { %next, %n } = @kernel.region.0(…)
//     br label %region.1
//   region.1:
//     for all work-items: { %next, %n.new } = @kernel.region.1(…, i32 %n)
//     switch i32 %next, label %done [ i32 1, label %region.1 ]
//
// Why it is right. A group function ends when the kernel does: each step of it runs all work-items from one
// barrier to the next one that they reach. What a region reads is there: if a value is not alive at any
// region start, no path from its definition to a use passes a barrier, so in every region that holds the use,
// each path from the region's start to the use passes the definition, as it did in the kernel. A value that
// is alive at a region start S is demoted to a slot that is written at its definition and, in the region of
// S, at the start; so each use is behind a write of the very value that the kernel's use would have seen. A
// definition that is alive at S dominates S, so every work-item that gets to S has written the slot.
// Promoting the slots in each region gives SSA form again.
//
// Uniform values are kept once per group. All work-items of a region read the value from before the region,
// and what they write takes effect behind the region's loop, as a work-item must not see what its successor
// wrote.
//
// A work-item that returns while others go on to a barrier breaks the rules of SYCL (§3.8.3.4), but programs
// do it and GPUs allow it. If some branch decides between returning and a barrier and is not proved uniform,
// a flag per work-item keeps those that returned out of later regions.
//
// Asynchronous barriers (async_barriers.cpp) let work-items wait at different places. Then each goes through
// the regions by itself, under work_item_scheduler, and every value is kept per work-item.

#include "falx/kernel.hpp"
#include "passes.hpp"
#include "pipeline/invariants.hpp"
#include "pipeline/pass_failures.hpp"
#include "region_values.hpp"
#include "regions.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/control/work_item_loops.hpp"
#include "vectorizer/emission/user_vectors.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <cassert>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// A live value after demotion: its slot in the work-item function, and where it waits between regions.
struct kept_value {
  live_value live;
  AllocaInst* slot = nullptr;
  /// keeping::rematerialised: what it is made of, which demotion leaves alone.
  Value* recipe = nullptr;
  /// keeping::varying.
  context_slot context;
  /// keeping::uniform: position among the extra parameters and results.
  unsigned position = 0;
};

class barrier_splitter {
public:
  barrier_splitter(Function& work_item, FunctionAnalysisManager& analyses)
      : work_item_(work_item), analyses_(analyses), attributes_(kernel_attributes::read(work_item)),
        context_(work_item.getContext()), layout_(work_item.getDataLayout()) {}
  barrier_splitter(const barrier_splitter&) = delete;
  barrier_splitter& operator=(const barrier_splitter&) = delete;
  Expected<Function*> run();

private:
  Error cut_at_barriers();
  void analyze();
  context_slot reserve(Type* type, Align alignment);
  unsigned end_number() const { return unsigned(starts_.size()); }

  Error form_regions();

  Function& work_item_;
  FunctionAnalysisManager& analyses_;
  kernel_attributes attributes_;
  LLVMContext& context_;
  const DataLayout& layout_;
  SmallVector<BasicBlock*> starts_;
  /// Calls at the ends of blocks; the first one belongs to region 1.
  SmallVector<CallInst*> barriers_;
  /// Work-items go through the regions one by one, not all together.
  std::optional<scheduling> scheduling_;
  SmallVector<kept_value> values_;
  SmallVector<std::pair<AllocaInst*, context_slot>> variables_;
  SmallVector<const Instruction*> divergent_;
  SmallVector<Type*> uniform_types_;
  SmallVector<region> regions_;
  /// A flag per work-item, if some may return while others go on.
  std::optional<context_slot> running_;
  StructType* result_type_ = nullptr;

  friend class region_formation;
};

/// Turns a clone of the work-item function into one region.
class region_formation {
public:
  region_formation(barrier_splitter& splitter, unsigned number) : splitter_(splitter), number_(number) {}
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

  barrier_splitter& splitter_;
  unsigned number_;
  ValueToValueMapTy map_;
  region result_;
  /// Blocks that end the region, and the number that they return.
  DenseMap<const BasicBlock*, unsigned> returns_;
  BasicBlock* entry_ = nullptr;
  Value* count_ = nullptr;
};

} // namespace

/// i1 is kept as a byte, which vectorises.
static Type* stored_type(Type* type) {
  return type->isIntegerTy(1) ? Type::getInt8Ty(type->getContext()) : type;
}

context_slot barrier_splitter::reserve(Type* type, Align alignment) {
  return reserve_context(attributes_, layout_, type, alignment);
}

/// Nothing if a work-item goes on behind the call.
static std::optional<suspension> suspension_at(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  if (callee == nullptr)
    return std::nullopt;
  return StringSwitch<std::optional<suspension>>(callee->getName())
      .Case("__falx_work_group_barrier", suspension::group_barrier)
      .Case(SUSPEND_AT_WAIT, suspension::wait)
      .Case(SUSPEND_AND_YIELD, suspension::yield)
      .Default(std::nullopt);
}

/// Makes every barrier the last instruction but one of its block, and the block behind it a region's start.
Error barrier_splitter::cut_at_barriers() {
  SmallVector<CallInst*> calls;
  for (Instruction& instruction : instructions(work_item_)) {
    if (auto* call = dyn_cast<CallInst>(&instruction))
      if (suspension_at(*call))
        calls.push_back(call);
    if (auto* variable = dyn_cast<AllocaInst>(&instruction);
        variable != nullptr && !variable->isStaticAlloca())
      return failure(
          "Kernel '" + work_item_.getFnAttribute("falx-name").getValueAsString() +
          "' takes private memory by alloca() with a size that is not a constant, which kernels of "
          "work-groups cannot do: give it an array of constant size.");
  }
  starts_.push_back(&work_item_.getEntryBlock());
  for (CallInst* call : calls) {
    BasicBlock* behind = call->getParent()->splitBasicBlock(std::next(call->getIterator()), "behind.barrier");
    barriers_.push_back(call);
    starts_.push_back(behind);
  }
  assert(starts_.size() == barriers_.size() + 1 && "a region begins behind every barrier");
  return Error::success();
}

void barrier_splitter::analyze() {
  {
    DominatorTree dominators(work_item_);
    LoopInfo loops(dominators);
    for (Loop* loop : loops)
      formLCSSARecursively(*loop, dominators, &loops, nullptr);
  }
  const uniformity uniform(work_item_);
  divergent_.assign(uniform.divergent_branches().begin(), uniform.divergent_branches().end());

  const ArrayRef<BasicBlock*> behind_barriers = ArrayRef(starts_).drop_front();
  for (AllocaInst* variable : find_shared_variables(work_item_, behind_barriers)) {
    Type* type = ArrayType::get(variable->getAllocatedType(),
                                cast<ConstantInt>(variable->getArraySize())->getZExtValue());
    variables_.push_back({variable, reserve(type, variable->getAlign())});
  }
  SmallVector<live_value> values = find_live_values(work_item_, starts_, uniform);
  // Recipes first: demotion changes the operands that they are made of. They are where no region comes by.
  BasicBlock* recipes = BasicBlock::Create(context_, "recipes", &work_item_);
  IRBuilder<> builder(new UnreachableInst(context_, recipes));
  rematerialiser rematerialised(builder, rematerialiser::flags::kept);
  for (live_value& live : values) {
    // No value is the group's where work-items are at different points of the kernel.
    if (scheduling_ && live.how == live_value::keeping::uniform)
      live.how = live_value::keeping::varying;
    assert(!live.live_at.test(0) && "a value is used where the kernel has not made it");
    kept_value kept;
    if (live.how == live_value::keeping::rematerialised)
      kept.recipe = rematerialised.emit(*live.value);
    kept.live = std::move(live);
    values_.push_back(std::move(kept));
  }
  for (kept_value& kept : values_) {
    Type* type = kept.live.value->getType();
    if (kept.live.how == live_value::keeping::uniform) {
      kept.position = unsigned(uniform_types_.size());
      uniform_types_.push_back(type);
    } else if (kept.live.how == live_value::keeping::varying) {
      type = stored_type(type);
      kept.context = reserve(type, layout_.getABITypeAlign(type));
    }
    replaceDbgUsesWithUndef(kept.live.value);
    kept.slot = DemoteRegToStack(*kept.live.value, false, work_item_.getEntryBlock().begin());
  }
}

/// The call at the end of \p block at which a work-item is suspended, if there is one.
static CallInst* suspension_call(BasicBlock& block) {
  auto* call = dyn_cast_or_null<CallInst>(block.getTerminator()->getPrevNode());
  return call != nullptr && suspension_at(*call) ? call : nullptr;
}

/// Blocks from the region's start to the next barriers and the kernel's end.
SmallVector<BasicBlock*> region_formation::own_blocks() const {
  SmallVector<BasicBlock*> stack = {splitter_.starts_[number_]};
  SmallPtrSet<BasicBlock*, 16> found;
  while (!stack.empty()) {
    BasicBlock* block = stack.pop_back_val();
    if (found.insert(block).second && suspension_call(*block) == nullptr)
      append_range(stack, successors(block));
  }
  SmallVector<BasicBlock*> result;
  for (BasicBlock& block : splitter_.work_item_)
    if (found.contains(&block))
      result.push_back(&block);
  return result;
}

/// Copies the region's blocks, and of the variables those that they use. Jumps behind barriers lead to where
/// they led.
void region_formation::clone_blocks(const MetadataPredicate& is_shared) {
  Function& function = *result_.function;
  const bool has_debug_info = splitter_.work_item_.getSubprogram() != nullptr;
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
  Function& work_item = splitter_.work_item_;
  result_.function = create_work_item_function(
      work_item, work_item.getFnAttribute("falx-name").getValueAsString() + ".region." + Twine(number_),
      splitter_.result_type_, splitter_.uniform_types_);
  for (unsigned index = 0; index < PARAMETER_COUNT; ++index)
    map_[work_item.getArg(index)] = result_.function->getArg(index);
  entry_ = BasicBlock::Create(splitter_.context_, "region.entry", result_.function);
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
  for (const kept_value& value : splitter_.values_)
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
    count_ = context_count(builder, function, splitter_.attributes_);
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
  for (auto& [original, slot] : splitter_.variables_) {
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
  rematerialiser rematerialised(builder, rematerialiser::flags::kept, [&](Value& value) {
    return isa<Argument, AllocaInst>(value) ? static_cast<Value*>(map_.lookup(&value)) : nullptr;
  });
  for (const kept_value& value : splitter_.values_) {
    AllocaInst* slot = cloned(value.slot);
    if (slot == nullptr)
      continue;
    Type* type = slot->getAllocatedType();
    Instruction* initial_store = nullptr;
    assert(value.live.live_at.size() == splitter_.starts_.size() && "of another kernel");
    if (value.live.live_at.test(number_)) {
      Value* content = nullptr;
      switch (value.live.how) {
      case live_value::keeping::rematerialised:
        content = rematerialised.emit(*value.recipe);
        break;
      case live_value::keeping::uniform:
        content = result_.function->getArg(PARAMETER_COUNT + value.position);
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

/// Returns \p next and the uniform values that it needs.
void region_formation::emit_return(Instruction& before, unsigned next) {
  assert(next <= splitter_.end_number() && "there is no such region");
  assert(next != 0 && "no barrier leads back to the kernel's beginning");
  returns_[before.getParent()] = next;
  IRBuilder<> builder(&before);
  Value* result =
      builder.CreateInsertValue(PoisonValue::get(splitter_.result_type_), builder.getInt32(next), 0);
  for (const kept_value& value : splitter_.values_)
    if (value.live.how == live_value::keeping::uniform && next != splitter_.end_number() &&
        value.live.live_at.test(next)) {
      AllocaInst* slot = cloned(value.slot);
      result = builder.CreateInsertValue(result, builder.CreateLoad(slot->getAllocatedType(), slot),
                                         value.position + 1);
    }
  builder.CreateRet(result);
}

void region_formation::end_at_barriers_and_returns() {
  for (const auto& [index, original] : enumerate(splitter_.barriers_)) {
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
    emit_return(*end, splitter_.end_number());
    end->dropDbgRecords();
    end->eraseFromParent();
  }
}

/// Is there a divergent branch whose ways lead both to the kernel's end and to a barrier, and do not meet
/// before?
bool region_formation::work_items_may_part() const {
  const PostDominatorTree post_dominators(*result_.function);
  for (const Instruction* original : splitter_.divergent_) {
    const auto* branch = dyn_cast_or_null<Instruction>(static_cast<Value*>(map_.lookup(original)));
    if (branch == nullptr || branch->getParent() == nullptr)
      continue;
    const auto* node = post_dominators.getNode(branch->getParent());
    if (node == nullptr || node->getIDom() == nullptr || node->getIDom()->getBlock() != nullptr)
      continue;
    bool ends = false, goes_on = false;
    for (const BasicBlock* block : depth_first(branch->getParent()))
      if (const auto end = returns_.find(block); end != returns_.end())
        (end->second == splitter_.end_number() ? ends : goes_on) = true;
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
  builder.CreateBr(cloned(splitter_.starts_[number_]));
  end_at_barriers_and_returns();
  removeUnreachableBlocks(*result_.function);

  SmallVector<AllocaInst*> slots;
  for (const kept_value& value : splitter_.values_)
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

/// One function per region, in which work-items run together.
Error barrier_splitter::form_regions() {
  SmallVector<Type*> result_fields = {Type::getInt32Ty(context_)};
  append_range(result_fields, uniform_types_);
  result_type_ = StructType::get(context_, result_fields);
  for (unsigned number = 0; number < end_number(); ++number) {
    regions_.push_back(region_formation(*this, number).form());
    if (number != 0)
      regions_.back().behind = *suspension_at(*barriers_[number - 1]);
  }
  const bool some_may_return = any_of(regions_, [](const region& each) { return each.some_may_return; });
  if (some_may_return && !scheduling_)
    running_ = reserve(Type::getInt8Ty(context_), Align(1));
  attributes_.write(work_item_);
  for (const region& each : regions_)
    each.function->removeFnAttr("falx-kind");
  if (attributes_.lanes == 1)
    return Error::success();
  simd::vector_request request = simd::request_for(attributes_);
  if (some_may_return)
    request.end_number = end_number();
  for (region& each : regions_) {
    Expected<Function*> lanes = simd::vectorize(*each.function, request, analyses_);
    if (!lanes)
      return lanes.takeError();
    each.function = *lanes;
  }
  return Error::success();
}

Expected<Function*> barrier_splitter::run() {
  if (has_async_barriers(work_item_)) {
    if (attributes_.lanes != 1)
      return make_error<simd::not_vectorizable>("work-items wait at asynchronous barriers one by one");
    scheduling_ = reserve_scheduling(attributes_, work_item_);
    if (Error error = expand_async_barriers(work_item_, attributes_, *scheduling_))
      return error;
  }
  if (Error error = cut_at_barriers())
    return error;
  if (barriers_.empty() && !scheduling_)
    return form_work_item_loops(work_item_, analyses_);
  // A value that regions hand over is a number, or nobody takes it apart in structures.
  if (attributes_.lanes != 1)
    simd::take_vectors_apart(work_item_, analyses_);
  analyze();
  if (Error error = form_regions())
    return error;
  Function* group = scheduling_ ? emit_work_item_scheduler(work_item_, regions_, *scheduling_)
                                : emit_group_function(work_item_, regions_, uniform_types_,
                                                      running_ ? &*running_ : nullptr);

  assert(work_item_.use_empty() && "somebody else would call a function that is replaced");
  work_item_.eraseFromParent();
  assert(is_valid(*group) && "the group function is not valid");
  return group;
}

PreservedAnalyses split_barriers::run(Module& module, ModuleAnalysisManager& analyses) {
  return change_kernel(module, analyses,
                       [](Function& work_item, FunctionAnalysisManager& functions) -> Error {
                         if (kernel_attributes::read(work_item).kind != std::uint32_t(kernel_kind::nd_range))
                           return Error::success();
                         return barrier_splitter(work_item, functions).run().takeError();
                       });
}

} // namespace falx::jit
