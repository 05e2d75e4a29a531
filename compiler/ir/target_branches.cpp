// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Functions that host and device share, with branches for one of them.
//
// Before, straight from Clang:
//
//   %on_device = call i1 @__falx_is_device()
//   %on_host = xor i1 %on_device, true
//   br i1 %on_host, label %host, label %after
//
// After, in device code (in host code the branch goes to %host):
//
//   br label %after
//
// What is copied to the device is decided before anything is folded, as the host's module stays whole: the
// blocks that a device cannot reach are found by evaluating conditions.
#include "target_branches.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include <optional>

namespace falx::compiler {

static constexpr llvm::StringLiteral QUERY = "__falx_is_device";

namespace {

/// What conditions are where __falx_is_device() is true, in one function.
class device_conditions {
public:
  explicit device_conditions(const llvm::Function& query) : query_(query) {}

  /// Null unless the query alone decides the value. \p live: the blocks that device code may come from.
  llvm::Constant* value_of(llvm::Value* value, const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& live,
                           unsigned depth = 0) const {
    if (auto* constant = llvm::dyn_cast<llvm::Constant>(value))
      return constant;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction == nullptr || depth > DEEPEST)
      return nullptr;
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(instruction))
      return call->getCalledOperand() == &query_ ? llvm::ConstantInt::getTrue(call->getType()) : nullptr;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction))
      return value_of_phi(*phi, live, depth);
    if (!llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst>(instruction))
      return nullptr;
    llvm::SmallVector<llvm::Constant*, 2> operands;
    for (llvm::Value* operand : instruction->operands()) {
      operands.push_back(value_of(operand, live, depth + 1));
      if (operands.back() == nullptr)
        return nullptr;
    }
    return llvm::ConstantFoldInstOperands(instruction, operands, instruction->getDataLayout());
  }

private:
  /// Of logical operators: one of its values is known because the block of the other is not reached, or
  /// because both are the same.
  llvm::Constant* value_of_phi(llvm::PHINode& phi, const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& live,
                               unsigned depth) const {
    llvm::Constant* common = nullptr;
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
      if (!live.contains(phi.getIncomingBlock(i)))
        continue;
      llvm::Constant* incoming = value_of(phi.getIncomingValue(i), live, depth + 1);
      if (incoming == nullptr || (common != nullptr && common != incoming))
        return nullptr;
      common = incoming;
    }
    return common;
  }

  static constexpr unsigned DEEPEST = 16;
  const llvm::Function& query_;
};

} // namespace

static llvm::BasicBlock* only_successor(const llvm::BasicBlock& block, const device_conditions& conditions,
                                        const llvm::SmallPtrSetImpl<const llvm::BasicBlock*>& live) {
  const auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (branch == nullptr || branch->isUnconditional())
    return nullptr;
  const auto* known =
      llvm::dyn_cast_or_null<llvm::ConstantInt>(conditions.value_of(branch->getCondition(), live));
  return known != nullptr ? branch->getSuccessor(known->isOne() ? 0 : 1) : nullptr;
}

void visit_device_blocks(const llvm::Function& function,
                         llvm::function_ref<void(const llvm::BasicBlock&)> visit) {
  const llvm::Function* query = function.getParent()->getFunction(QUERY);
  const bool has_query = query != nullptr && llvm::any_of(query->users(), [&](const llvm::User* user) {
                           const auto* call = llvm::dyn_cast<llvm::Instruction>(user);
                           return call != nullptr && call->getFunction() == &function;
                         });
  if (!has_query) {
    for (const llvm::BasicBlock& block : function)
      visit(block);
    return;
  }
  const device_conditions conditions(*query);
  // Until nothing changes: a block that turns out to be live may make a value unknown that was known without
  // it. Branches are only ever opened, so what has been found stays true.
  llvm::SmallPtrSet<const llvm::BasicBlock*, 32> live{&function.getEntryBlock()};
  for (bool grows = true; grows;) {
    grows = false;
    for (const llvm::BasicBlock& block : function) {
      if (!live.contains(&block))
        continue;
      if (const llvm::BasicBlock* chosen = only_successor(block, conditions, live)) {
        grows |= live.insert(chosen).second;
        continue;
      }
      for (const llvm::BasicBlock* successor : llvm::successors(&block))
        grows |= live.insert(successor).second;
    }
  }
  for (const llvm::BasicBlock& block : function)
    if (live.contains(&block))
      visit(block);
}

static void simplify(llvm::Function& function) {
  const llvm::DataLayout& layout = function.getDataLayout();
  for (bool changes = true; changes;) {
    changes = false;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        llvm::Constant* folded = nullptr;
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
          folded = llvm::dyn_cast_or_null<llvm::Constant>(phi->hasConstantValue());
        else if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst>(&instruction))
          folded = llvm::ConstantFoldInstruction(&instruction, layout);
        if (folded == nullptr)
          continue;
        instruction.replaceAllUsesWith(folded);
        instruction.eraseFromParent();
        changes = true;
      }
      changes |= llvm::ConstantFoldTerminator(&block);
    }
    changes |= llvm::removeUnreachableBlocks(function);
  }
}

bool fold_target_queries(llvm::Module& module, bool is_device) {
  llvm::Function* query = module.getFunction(QUERY);
  if (query == nullptr || !query->isDeclaration())
    return false;
  llvm::SetVector<llvm::Function*> functions;
  llvm::SmallVector<llvm::CallBase*> calls;
  for (llvm::User* user : query->users())
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(user);
        call != nullptr && call->getCalledOperand() == query)
      calls.push_back(call);
  for (llvm::CallBase* call : calls) {
    functions.insert(call->getFunction());
    call->replaceAllUsesWith(llvm::ConstantInt::getBool(call->getType(), is_device));
    // It is nothrow, so no invoke calls it.
    call->eraseFromParent();
  }
  for (llvm::Function* function : functions)
    simplify(*function);
  if (query->use_empty())
    query->eraseFromParent();
  return !calls.empty();
}

} // namespace falx::compiler
