// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What varies by itself is a work-item's index, the address of a private variable, and the result of an
// atomic or unknown call. A load of a uniform address is uniform: had another work-item stored there since
// the last barrier, the two would race. With atomics or fences in the kernel that no longer follows, and
// loads vary, but for those from the function object.

#include "uniformity.hpp"
#include "frontend/kernel_attributes.hpp"
#include "parallel_accesses.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassInstrumentation.h>

#include <memory>

using namespace llvm;

namespace falx::jit {

namespace {

/// The target whose threads are the work-items of a group.
class work_items final : public TargetTransformInfoImplCRTPBase<work_items> {
public:
  explicit work_items(const Function& work_item)
      : TargetTransformInfoImplCRTPBase(work_item.getDataLayout()), loads_vary_(synchronizes(work_item)) {}
  bool hasBranchDivergence(const Function*) const override { return true; }
  InstructionUniformity getInstructionUniformity(const Value* value) const override {
    return varies(*value) ? InstructionUniformity::NeverUniform : InstructionUniformity::Default;
  }

private:
  bool varies(const Value& value) const {
    if (const auto* argument = dyn_cast<Argument>(&value))
      return argument->getArgNo() < PARAMETER_COUNT && is_per_work_item(parameter(argument->getArgNo()));
    if (const auto* load = dyn_cast<LoadInst>(&value))
      return !load->isSimple() || (loads_vary_ && !load->hasMetadata(LLVMContext::MD_invariant_load));
    const auto* call = dyn_cast<CallInst>(&value);
    if (call == nullptr)
      return isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(value);
    const Function* callee = call->getCalledFunction();
    return !call->doesNotAccessMemory() ||
           (callee != nullptr && callee->getName().starts_with("__falx_sub_group_"));
  }

  bool loads_vary_;
};

} // namespace

uniformity::uniformity(Function& work_item) : work_item_(work_item) {
  analyses_.registerPass([] { return PassInstrumentationAnalysis(); });
  analyses_.registerPass([] { return DominatorTreeAnalysis(); });
  analyses_.registerPass([] { return PostDominatorTreeAnalysis(); });
  analyses_.registerPass([] { return CycleAnalysis(); });
  analyses_.registerPass([] {
    return TargetIRAnalysis(
        [](const Function& each) { return TargetTransformInfo(std::make_unique<work_items>(each)); });
  });
  analyses_.registerPass([] { return UniformityInfoAnalysis(); });
  info_ = &analyses_.getResult<UniformityInfoAnalysis>(work_item);
  for (const BasicBlock& block : work_item)
    if (info_->hasDivergentTerminator(block))
      branches_.insert(block.getTerminator());
}

/// What decides whether a block is reached is its iterated post-dominance frontier.
bool uniformity::is_reached_by_all(BasicBlock& block) {
  ReverseIDFCalculator frontier(analyses_.getResult<PostDominatorTreeAnalysis>(work_item_));
  const SmallPtrSet<BasicBlock*, 1> reached = {&block};
  frontier.setDefiningBlocks(reached);
  SmallVector<BasicBlock*> deciding;
  frontier.calculate(deciding);
  return none_of(deciding, [&](const BasicBlock* each) { return branches_.contains(each->getTerminator()); });
}

} // namespace falx::jit
