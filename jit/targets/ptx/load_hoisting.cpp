// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   %x = load double, ptr addrspace(1) %a          %x = load double, ptr addrspace(1) %a
//   %p = fdiv double %x, %n                        %y = load double, ptr addrspace(1) %b
//   %y = load double, ptr addrspace(1) %b          %p = fdiv double %x, %n
//   %q = fdiv double %y, %n                        %q = fdiv double %y, %n
//
// The assembler's own code for a quotient, a root or a 64-bit integer division has a subroutine for rare
// arguments, and it moves no instruction across the jump: a load behind one is not under way before that is
// done, and the loads of a block wait for each other. A block has them before the first such operation, with
// what they need of integer arithmetic.
//
// What is loaded early keeps registers while it waits, so no more of it passes an operation than
// WAITING_REGISTERS, those included that were loaded before it and are used behind it.

#include "cost_model.hpp"
#include "passes.hpp"
#include "pipeline/replacements.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Support/NVPTXAddrSpace.h>

using namespace llvm;

namespace falx::jit {
namespace {

/// Does the assembler make a jump of it?
bool is_slow(const Instruction& instruction) {
  const Type& type = *instruction.getType();
  switch (instruction.getOpcode()) {
  case Instruction::FDiv:
    return type.isDoubleTy() || (type.isFloatTy() && !is_approximate(instruction));
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return type.isIntegerTy(64) && !isa<Constant>(instruction.getOperand(1));
  case Instruction::Call:
    if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
      return call->getIntrinsicID() == Intrinsic::sqrt &&
             (type.isDoubleTy() || (type.isFloatTy() && !is_approximate(*call)));
    return false;
  default:
    return false;
  }
}

/// May what is behind it be executed before it, as far as memory that it does not write is concerned?
bool can_be_passed(const Instruction& instruction) {
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return store->isSimple();
  return !instruction.mayWriteToMemory() && !instruction.isAtomic() && !instruction.isVolatile() &&
         isGuaranteedToTransferExecutionToSuccessor(&instruction);
}

/// Is \p value, in a kernel and as far as is looked, the same for all work-items of a group, or for those in
/// the same iterations of loops?
bool is_uniform(const Value& value, SmallPtrSetImpl<const Value*>& seen) {
  constexpr unsigned MOST = 32;
  if (isa<Constant>(value) || is_captured(value) || !seen.insert(&value).second)
    return true;
  if (const auto* call = dyn_cast<IntrinsicInst>(&value); call != nullptr && !isa<MinMaxIntrinsic>(call)) {
    const Intrinsic::ID id = call->getIntrinsicID();
    return id == Intrinsic::nvvm_read_ptx_sreg_ctaid_x || id == Intrinsic::nvvm_read_ptx_sreg_ctaid_y ||
           id == Intrinsic::nvvm_read_ptx_sreg_ctaid_z;
  }
  return seen.size() <= MOST &&
         isa<PHINode, GetElementPtrInst, CastInst, BinaryOperator, CmpInst, SelectInst, FreezeInst,
             MinMaxIntrinsic>(value) &&
         all_of(cast<User>(value).operand_values(),
                [&](const Value* operand) { return is_uniform(*operand, seen); });
}

/// Is it worth loading early? What the launch passes and local memory are near, and so is what all work-items
/// load, as other warps have loaded it before.
bool is_far(const LoadInst& load) {
  SmallPtrSet<const Value*, 32> seen;
  if (load.getFunction()->getCallingConv() == CallingConv::PTX_Kernel &&
      is_uniform(*load.getPointerOperand(), seen))
    return false;
  const unsigned space = load.getPointerAddressSpace();
  return load.isSimple() && (space == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
                             (space == NVPTXAS::ADDRESS_SPACE_GENERIC && !is_captured(load)));
}

/// Integer arithmetic, of which addresses are made, and what the launch passes.
bool is_of_addresses(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && is_captured(*load);
  return isa<GetElementPtrInst, CastInst, BinaryOperator, ICmpInst, SelectInst, MinMaxIntrinsic>(
             instruction) &&
         (instruction.getType()->isIntOrPtrTy()) && !is_slow(instruction) &&
         isSafeToSpeculativelyExecute(&instruction);
}

unsigned registers_of(const Instruction& instruction) {
  constexpr unsigned BITS = 32;
  const DataLayout& layout = instruction.getDataLayout();
  return static_cast<unsigned>(
      divideCeil(layout.getTypeSizeInBits(instruction.getType()).getFixedValue(), BITS));
}

/// One block, behind one slow operation.
class hoisting {
public:
  hoisting(Instruction& slow, AAResults& aliases) : slow_(slow), aliases_(aliases) {}

  bool run() {
    bool changes = false;
    unsigned waiting = count_waiting();
    SmallVector<LoadInst*> loads;
    for (Instruction* at = &slow_;
         at != nullptr && can_be_passed(*at) && position_.size() < HOISTING_DISTANCE;
         at = at->getNextNode()) {
      position_[at] = static_cast<unsigned>(position_.size());
      if (auto* load = dyn_cast<LoadInst>(at); load != nullptr && is_far(*load) && !is_written(*load))
        loads.push_back(load);
      if (isa<StoreInst>(at))
        stores_.push_back(at);
    }
    for (LoadInst* load : loads) {
      const unsigned registers = registers_of(*load);
      needed_.clear();
      if (waiting + registers > WAITING_REGISTERS || !collect(*load) || needed_.size() > HOISTED_INSTRUCTIONS)
        continue;
      // In the order in which they were.
      SmallVector<Instruction*> moved(needed_.getArrayRef());
      sort(moved, [&](const Instruction* a, const Instruction* b) { return position_[a] < position_[b]; });
      for (Instruction* instruction : moved) {
        instruction->moveBefore(slow_.getIterator());
        position_.erase(instruction);
      }
      waiting += registers;
      changes = true;
    }
    return changes;
  }

private:
  /// Registers of what the block has loaded by then, and uses later.
  unsigned count_waiting() const {
    unsigned registers = 0;
    for (const Instruction& before : make_range(slow_.getParent()->begin(), slow_.getIterator()))
      if (isa<LoadInst>(before) && any_of(before.users(), [&](const User* user) {
            const auto* its = cast<Instruction>(user);
            return its->getParent() != slow_.getParent() || isa<PHINode>(its) || slow_.comesBefore(its);
          }))
        registers += registers_of(before);
    return registers;
  }

  bool is_written(const LoadInst& load) const {
    if (load.hasMetadata(LLVMContext::MD_invariant_load))
      return false;
    const MemoryLocation place = MemoryLocation::get(&load);
    return any_of(stores_,
                  [&](const Instruction* store) { return isModSet(aliases_.getModRefInfo(store, place)); });
  }

  /// Collects \p instruction and what it needs that is behind the slow operation. False if that is not to be
  /// moved.
  bool collect(Instruction& instruction) {
    if (!position_.contains(&instruction) || needed_.contains(&instruction))
      return true;
    const auto* load = dyn_cast<LoadInst>(&instruction);
    // Other loads that stay, and what is made of them, are not waited for.
    const bool is_first = needed_.empty();
    if (!is_first && (!is_of_addresses(instruction) || (load != nullptr && is_written(*load))))
      return false;
    needed_.insert(&instruction);
    return needed_.size() <= HOISTED_INSTRUCTIONS && all_of(instruction.operands(), [&](Value* operand) {
             auto* its = dyn_cast<Instruction>(operand);
             return its == nullptr || collect(*its);
           });
  }

  Instruction& slow_;
  AAResults& aliases_;
  /// Of the slow operation and of what may be moved before it.
  DenseMap<const Instruction*, unsigned> position_;
  SmallVector<Instruction*> stores_;
  SmallSetVector<Instruction*, 8> needed_;
};

} // namespace

PreservedAnalyses hoist_loads::run(Function& function, FunctionAnalysisManager& manager) {
  SmallVector<Instruction*> slow_operations;
  for (BasicBlock& block : function)
    for (Instruction& instruction : block)
      if (is_slow(instruction))
        slow_operations.push_back(&instruction);
  if (slow_operations.empty())
    return PreservedAnalyses::all();
  AAResults& aliases = manager.getResult<AAManager>(function);
  bool changes = false;
  for (Instruction* slow : slow_operations)
    changes |= hoisting(*slow, aliases).run();
  return preserved_by_replacements(changes);
}

} // namespace falx::jit
