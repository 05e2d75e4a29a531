// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every block, in the order of control/linearization, by vector_emission. Masks and values that flow along
// edges that are no longer edges go through variables, which are promoted at the end: a block's mask is the
// union of what its edges bring, a value is picked by mask if lanes meet. Variables of blocks in a loop are
// emptied when an iteration begins.

#include "function_emission.hpp"
#include "pipeline/invariants.hpp"
#include "vector_emission.hpp"
#include "vectorizer/control/whole_vectors.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <cassert>
#include <memory>

using namespace llvm;

namespace falx::jit::simd {

namespace {

class function_emission {
public:
  function_emission(Function& work_item, const prepared_function& prepared, const vector_request& request,
                    const shuffled_accesses& shuffled, const linearization& plan)
      : work_item_(work_item), request_(request), loops_(prepared.loops), graph_(prepared.graph),
        shapes_(prepared.shapes), shuffled_(shuffled), plan_(plan), builder_(work_item.getContext()) {}
  Function* run();

private:
  void create_function();
  void set_arguments();
  void create_blocks();
  Value* mask_of(const BasicBlock* block);
  Value* phi_value(const PHINode& phi, const BasicBlock* from);
  void begin(BasicBlock* block);
  void begin_loop(BasicBlock* header, const Loop& loop);
  void empty_variables(const Loop* loop);
  void load_phis(BasicBlock* block);
  void end(BasicBlock* block);
  void flow(BasicBlock* from, BasicBlock* to, Value* mask, bool is_all);
  void go_on(BasicBlock* from, ArrayRef<const BasicBlock*> leads_to);
  void end_iteration(BasicBlock* latch, Loop& loop);
  void note_order_of_leaving(const Loop& loop);
  void end_function(ReturnInst& end);
  BasicBlock* next_of(ArrayRef<unsigned> continuation) { return entries_[continuation.front()]; }

  Function& work_item_;
  const vector_request& request_;
  const LoopInfo& loops_;
  const forward_graph& graph_;
  const lane_shapes& shapes_;
  const shuffled_accesses& shuffled_;
  const linearization& plan_;
  IRBuilder<> builder_;
  Function* vector_ = nullptr;
  std::unique_ptr<vector_emission> emission_;
  Value* active_ = nullptr;
  /// By index of the original block: where control enters its form (the guard, if it has one), and the form.
  SmallVector<BasicBlock*> entries_, blocks_;
  /// Masks of blocks that own one: variables, or phis of loop headers.
  MapVector<const BasicBlock*, AllocaInst*> mask_variables_;
  DenseMap<const BasicBlock*, PHINode*> mask_phis_;
  MapVector<const PHINode*, AllocaInst*> phi_variables_;
  DenseMap<const PHINode*, PHINode*> header_phis_;
  DenseMap<const BasicBlock*, Value*> masks_;
  /// Loops that have a copy for whole vectors.
  SmallVector<emitted_loop> left_in_order_;
};

} // namespace

void function_emission::create_function() {
  SmallVector<Type*> parameters;
  for (Argument& each : drop_begin(work_item_.args(), PARAMETER_COUNT))
    parameters.push_back(each.getType());
  parameters.push_back(FixedVectorType::get(builder_.getInt1Ty(), request_.lanes));
  Type* result = work_item_.getReturnType();
  if (request_.end_number != ~0U) {
    SmallVector<Type*> fields(cast<StructType>(result)->elements());
    fields.push_back(builder_.getIntNTy(request_.lanes));
    result = StructType::get(builder_.getContext(), fields);
  }
  vector_ = create_work_item_function(work_item_, work_item_.getName() + ".lanes", result, parameters);
  vector_->setAttributes(vector_->getAttributes().addFnAttributes(
      builder_.getContext(), AttrBuilder(builder_.getContext(), work_item_.getAttributes().getFnAttrs())));
  vector_->setSubprogram(work_item_.getSubprogram());
  work_item_.setSubprogram(nullptr);
  active_ = vector_->getArg(vector_->arg_size() - 1);
  active_->setName("active");
}

void function_emission::set_arguments() {
  for (Argument& each : work_item_.args())
    emission_->values().set(&each, vector_->getArg(each.getArgNo()));
}

void function_emission::create_blocks() {
  LLVMContext& context = builder_.getContext();
  for (BasicBlock* block : graph_.order()) {
    BasicBlock* entry = nullptr;
    if (plan_[block].is_guarded)
      entry = BasicBlock::Create(context, block->getName() + ".any", vector_);
    BasicBlock* ours = BasicBlock::Create(context, block->getName(), vector_);
    blocks_.push_back(ours);
    entries_.push_back(entry != nullptr ? entry : ours);
    if (block == graph_.order().front() || loops_.isLoopHeader(block))
      continue;
    if (plan_.has_own_mask(block))
      mask_variables_[block] = emission_->variable(active_->getType(), block->getName() + ".mask");
    for (const PHINode& phi : block->phis()) {
      Type* type = shapes_[&phi].is_scalar() ? phi.getType() : widened(phi.getType(), request_.lanes);
      phi_variables_[&phi] = emission_->variable(type, phi.getName());
    }
  }
}

Value* function_emission::mask_of(const BasicBlock* block) {
  assert(masks_.contains(plan_[block].mask_owner) && "a mask is asked for before its block has run");
  return masks_.lookup(plan_[block].mask_owner);
}

Value* function_emission::phi_value(const PHINode& phi, const BasicBlock* from) {
  const Value* value = phi.getIncomingValueForBlock(from);
  return shapes_[&phi].is_scalar() ? emission_->values().scalar(value) : emission_->values().vector(value);
}

void function_emission::empty_variables(const Loop* loop) {
  for (BasicBlock* block : graph_.order()) {
    if (loops_.getLoopFor(block) != loop)
      continue;
    if (AllocaInst* mask = mask_variables_.lookup(block))
      builder_.CreateStore(Constant::getNullValue(mask->getAllocatedType()), mask);
    for (const PHINode& phi : block->phis())
      if (AllocaInst* variable = phi_variables_.lookup(&phi))
        builder_.CreateStore(PoisonValue::get(variable->getAllocatedType()), variable);
  }
}

void function_emission::begin_loop(BasicBlock* header, const Loop& loop) {
  const BasicBlock* before = loop.getLoopPreheader();
  assert(!plan_[header].is_guarded && "loops are guarded as a whole, before them");
  assert(pred_size(blocks_[graph_.index(header)]) == 1 && "a loop is entered from its preheader alone");
  BasicBlock* from = *pred_begin(blocks_[graph_.index(header)]);
  for (const PHINode& phi : header->phis()) {
    Type* type = shapes_[&phi].is_scalar() ? phi.getType() : widened(phi.getType(), request_.lanes);
    header_phis_[&phi] = builder_.CreatePHI(type, 2, phi.getName());
  }
  if (shapes_.is_divergent(&loop)) {
    PHINode* mask = builder_.CreatePHI(active_->getType(), 2, header->getName() + ".live");
    mask->addIncoming(mask_of(before), from);
    mask_phis_[header] = mask;
    masks_[header] = mask;
  }
  // The values that come in are made where control comes from.
  IRBuilder<>::InsertPointGuard here(builder_);
  builder_.SetInsertPoint(from->getTerminator());
  emission_->enter(mask_of(before));
  for (const PHINode& phi : header->phis()) {
    header_phis_[&phi]->addIncoming(phi_value(phi, before), from);
    emission_->values().set(&phi, header_phis_[&phi]);
  }
}

void function_emission::load_phis(BasicBlock* block) {
  for (const PHINode& phi : block->phis()) {
    AllocaInst* variable = phi_variables_.lookup(&phi);
    assert(variable != nullptr && "only phis of loop headers have no variable");
    emission_->values().set(&phi, builder_.CreateLoad(variable->getAllocatedType(), variable, phi.getName()));
  }
}

void function_emission::begin(BasicBlock* block) {
  const unsigned index = graph_.index(block);
  const Loop* loop = loops_.getLoopFor(block);
  const bool is_header = loops_.isLoopHeader(block);
  builder_.SetInsertPoint(entries_[index]);
  builder_.SetCurrentDebugLocation(block->getFirstNonPHIIt()->getDebugLoc());
  if (block == graph_.order().front()) {
    masks_[block] = active_;
    set_arguments();
    empty_variables(nullptr);
  } else if (is_header) {
    begin_loop(block, *loop);
    empty_variables(loop);
  } else if (AllocaInst* mask = mask_variables_.lookup(block)) {
    masks_[block] = builder_.CreateLoad(mask->getAllocatedType(), mask, block->getName() + ".mask");
  }
  if (plan_[block].is_guarded) {
    const SmallVector<unsigned> without = plan_.continuation(block, {});
    builder_.CreateCondBr(
        emission_->any(mask_of(block)), blocks_[index], next_of(without),
        plan_[block].is_unlikely ? MDBuilder(builder_.getContext()).createUnlikelyBranchWeights() : nullptr);
    builder_.SetInsertPoint(blocks_[index]);
  }
  emission_->enter(mask_of(block), !plan_[block].may_be_empty || plan_[block].is_guarded);
  if (!is_header)
    load_phis(block);
}

/// Brings the lanes in \p mask from one block to another: to be seen when control gets there.
/// \p is_all: there are such lanes, and none came or comes to \p to by another way.
void function_emission::flow(BasicBlock* from, BasicBlock* to, Value* mask, bool is_all) {
  // Out of a loop that lanes leave one after the other, each keeps the value that it left with.
  const Loop* loop = loops_.getLoopFor(from);
  const bool leaves_alone = loop != nullptr && !loop->contains(to) && shapes_.is_divergent(loop);
  const bool is_only_way = to->getSinglePredecessor() != nullptr && !leaves_alone;
  assert(plan_.has_own_mask(to) == (mask_variables_.lookup(to) != nullptr) &&
         "lanes would get lost on the way");
  if (AllocaInst* variable = mask_variables_.lookup(to)) {
    Value* all = mask;
    if (!is_only_way)
      all = builder_.CreateOr(builder_.CreateLoad(mask->getType(), variable), mask);
    builder_.CreateStore(all, variable);
  }
  for (const PHINode& phi : to->phis()) {
    AllocaInst* variable = phi_variables_.lookup(&phi);
    assert(variable != nullptr && "lanes come into a loop, and back, by the phis of its header");
    Value* value = phi_value(phi, from);
    Value* old = builder_.CreateLoad(variable->getAllocatedType(), variable);
    if (shapes_[&phi].is_scalar()) {
      if (!is_all && !is_only_way)
        value = builder_.CreateSelect(emission_->any(mask), value, old);
    } else if (!is_only_way && (!is_all || shapes_.is_join(to))) {
      value = emission_->values().select(mask, value, old);
    }
    builder_.CreateStore(value, variable);
  }
}

void function_emission::go_on(BasicBlock* from, ArrayRef<const BasicBlock*> leads_to) {
  builder_.CreateBr(next_of(plan_.continuation(from, leads_to)));
}

void function_emission::end_iteration(BasicBlock* latch, Loop& loop) {
  assert(latch->getSingleSuccessor() == loop.getHeader() &&
         "prepare_for_lanes lets no lanes leave at a latch");
  BasicBlock* header = blocks_[graph_.index(loop.getHeader())];
  for (const PHINode& phi : loop.getHeader()->phis())
    header_phis_[&phi]->addIncoming(phi_value(phi, latch), builder_.GetInsertBlock());
  PHINode* mask = mask_phis_.lookup(loop.getHeader());
  if (mask == nullptr) {
    builder_.CreateBr(header);
    return;
  }
  mask->addIncoming(mask_of(latch), builder_.GetInsertBlock());
  SmallVector<BasicBlock*, 2> exits;
  loop.getUniqueExitBlocks(exits);
  const SmallVector<const BasicBlock*, 2> targets(exits.begin(), exits.end());
  builder_.CreateCondBr(emission_->any(mask_of(latch)), header, next_of(plan_.continuation(latch, targets)));
}

/// All active lanes return the same, or, if asked to, say which go on: then what one of these returns.
void function_emission::end_function(ReturnInst& end) {
  Value* original = end.getReturnValue();
  if (original == nullptr) {
    builder_.CreateRetVoid();
    return;
  }
  Value* bits = emission_->bits(mask_of(end.getParent()));
  Value* chosen = bits;
  if (request_.end_number != ~0U) {
    Value* next = builder_.CreateExtractValue(emission_->values().vector(original), 0);
    Value* goes_on =
        builder_.CreateICmpNE(next, emission_->values().splat(builder_.getInt32(request_.end_number)));
    bits = emission_->bits(builder_.CreateLogicalAnd(mask_of(end.getParent()), goes_on));
    chosen = builder_.CreateSelect(builder_.CreateIsNotNull(bits), bits, chosen);
  }
  Value* lane = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, chosen, builder_.getTrue());
  Value* result = emission_->of_lane(original, lane);
  if (request_.end_number == ~0U) {
    builder_.CreateRet(result);
    return;
  }
  Value* with_lanes = PoisonValue::get(vector_->getReturnType());
  const unsigned fields = result->getType()->getStructNumElements();
  for (unsigned index = 0; index < fields; ++index)
    with_lanes = builder_.CreateInsertValue(with_lanes, builder_.CreateExtractValue(result, index), index);
  builder_.CreateRet(builder_.CreateInsertValue(with_lanes, bits, fields));
}

/// At the end of its header.
void function_emission::note_order_of_leaving(const Loop& loop) {
  BasicBlock* header = loop.getHeader();
  const ICmpInst* order = order_of_leaving(loop, shapes_);
  if (order == nullptr)
    return;
  auto& branch = cast<BranchInst>(*header->getTerminator());
  const bool stays = loop.contains(branch.getSuccessor(0));
  Value* all_stay = emit_all_stay(*emission_, *order, stays);
  if (all_stay == nullptr)
    return;
  const BasicBlock *body = branch.getSuccessor(stays ? 0 : 1), *exit = branch.getSuccessor(stays ? 1 : 0);
  emitted_loop left{blocks_[graph_.index(header)],
                    builder_.GetInsertBlock(),
                    mask_phis_.lookup(header),
                    all_stay,
                    mask_variables_.lookup(body),
                    mask_variables_.lookup(exit),
                    {}};
  for (const PHINode& phi : exit->phis())
    left.left_with.push_back(phi_variables_.lookup(&phi));
  if (left.live != nullptr && left.stay != nullptr)
    left_in_order_.push_back(left);
}

void function_emission::end(BasicBlock* block) {
  Instruction* terminator = block->getTerminator();
  builder_.SetCurrentDebugLocation(terminator->getDebugLoc());
  if (auto* end = dyn_cast<ReturnInst>(terminator))
    return end_function(*end);
  Loop* loop = loops_.getLoopFor(block);
  if (loop != nullptr && loop->getLoopLatch() == block)
    return end_iteration(block, *loop);

  auto& branch = cast<BranchInst>(*terminator);
  const SmallVector<const BasicBlock*, 2> immediate = plan_.immediate_successors(block);
  Value* mask = mask_of(block);
  const bool keeps_lanes = !plan_[block].may_be_empty;
  if (shapes_.is_divergent(block) && branch.getSuccessor(0) != branch.getSuccessor(1)) {
    Value* condition = emission_->values().vector(branch.getCondition());
    // Logical: the conditions of inactive lanes may be poison, which must not become part of a mask.
    flow(block, branch.getSuccessor(0), builder_.CreateLogicalAnd(mask, condition), false);
    flow(block, branch.getSuccessor(1), builder_.CreateLogicalAnd(mask, builder_.CreateNot(condition)),
         false);
    if (loop != nullptr && loop->getHeader() == block)
      note_order_of_leaving(*loop);
    return go_on(block, immediate);
  }
  const auto follow = [&](BasicBlock* target) {
    if (!loops_.isLoopHeader(target))
      flow(block, target, mask, keeps_lanes);
    SmallVector<const BasicBlock*, 1> leads_to;
    if (is_contained(immediate, target))
      leads_to.push_back(target);
    go_on(block, leads_to);
  };
  if (branch.isUnconditional() || branch.getSuccessor(0) == branch.getSuccessor(1))
    return follow(branch.getSuccessor(0));
  Value* condition = emission_->values().scalar(branch.getCondition());
  if (!keeps_lanes)
    condition = builder_.CreateFreeze(condition);
  BasicBlock* ways[2];
  for (BasicBlock*& way : ways)
    way = BasicBlock::Create(builder_.getContext(), block->getName() + ".way", vector_);
  builder_.CreateCondBr(condition, ways[0], ways[1], branch.getMetadata(LLVMContext::MD_prof));
  for (unsigned index = 0; index < 2; ++index) {
    builder_.SetInsertPoint(ways[index]);
    emission_->enter(mask);
    follow(branch.getSuccessor(index));
  }
}

Function* function_emission::run() {
  create_function();
  BasicBlock* entry = BasicBlock::Create(builder_.getContext(), "entry", vector_);
  emission_ = std::make_unique<vector_emission>(work_item_, *vector_, shapes_, shuffled_, request_, builder_);
  create_blocks();
  IRBuilder<>(entry).CreateBr(blocks_.front());
  for (BasicBlock* block : graph_.order()) {
    begin(block);
    for (Instruction& instruction : *block)
      if (!isa<PHINode>(instruction) && !instruction.isTerminator())
        emission_->emit(instruction);
    end(block);
  }
  assert(all_of(entries_, [](const BasicBlock* each) { return !pred_empty(each); }) &&
         "a block of the kernel would never run");
  assert(all_of(header_phis_,
                [](const auto& each) {
                  return each.second->getNumIncomingValues() == pred_size(each.second->getParent());
                }) &&
         "control comes to a loop's header from elsewhere than values do");
  removeUnreachableBlocks(*vector_);
  run_whole_vectors_first(*vector_, left_in_order_);
  SmallVector<AllocaInst*> masks, values;
  for (const auto& [block, variable] : mask_variables_)
    masks.push_back(variable);
  for (const auto& [phi, variable] : phi_variables_)
    values.push_back(variable);
  assert(
      all_of(concat<AllocaInst*>(masks, values), [](AllocaInst* each) { return isAllocaPromotable(each); }) &&
      "variables of masks and phis are loaded and stored, nothing else");
  DominatorTree dominators(*vector_);
  PromoteMemToReg(values, dominators);
  // A way around a block brings no lanes from there. Other blocks use its mask, so on that way it must be the
  // zero that restoring dominance makes of its load: what the variable holds may be the mask of a block
  // before.
  restore_dominance(*vector_);
  PromoteMemToReg(masks, dominators);
  assert(is_valid(*vector_) && "the vector function is not valid");
  return vector_;
}

Function* emit_vector_function(Function& work_item, const prepared_function& prepared,
                               const vector_request& request, const shuffled_accesses& shuffled,
                               const linearization& plan) {
  return function_emission(work_item, prepared, request, shuffled, plan).run();
}

} // namespace falx::jit::simd
