// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before (%out was a restricted parameter of a function that has been inlined):
//   %v = load float, ptr addrspace(1) %in, !noalias !{!out}
//   store float %v, ptr addrspace(1) %out, !alias.scope !{!out}
// After:
//   %v = load float, ptr addrspace(1) %in, !noalias !{!out}, !invariant.load !{}
//   store float %v, ptr addrspace(1) %out, !alias.scope !{!out}
//
// Such a load is ld.global.nc, and the assembler, which knows nothing of scopes, starts it before the stores
// in front of it. What counts is what the program promises for all work-items together. That two addresses
// of one work-item differ says nothing of what its neighbours write, so only scopes are asked, and of these
// only the ones that a work-item enters once: in a loop, pointers may change places.

#include "passes.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ScopedNoAliasAA.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/AtomicOrdering.h>
#include <llvm/Support/NVPTXAddrSpace.h>

#include <optional>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// Is this the memory of a group or of a work-item?
bool is_not_global(const Value& pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == NVPTXAS::ADDRESS_SPACE_SHARED || space == NVPTXAS::ADDRESS_SPACE_LOCAL)
    return true;
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  return all_of(objects, [](const Value* object) { return isa<AllocaInst>(object); });
}

bool has_order(const Instruction& instruction) {
  if (isa<FenceInst>(instruction))
    return true;
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction)) {
    // Clang's built-in functions for CUDA.
    const StringRef name = Intrinsic::getBaseName(intrinsic->getIntrinsicID());
    return name.starts_with("llvm.nvvm.membar") || name.starts_with("llvm.nvvm.fence");
  }
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return isStrongerThanMonotonic(load->getOrdering());
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return isStrongerThanMonotonic(store->getOrdering());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&instruction))
    return isStrongerThanMonotonic(update->getOrdering());
  const auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction);
  return exchange != nullptr && isStrongerThanMonotonic(exchange->getMergedOrdering());
}

/// Where \p instruction writes: null if it writes to no memory of the program, nothing if that is not known.
std::optional<const Value*> written_place(const Instruction& instruction) {
  if (const auto* memory = dyn_cast<MemIntrinsic>(&instruction))
    return memory->getRawDest();
  if (const std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&instruction))
    return place->Ptr;
  // What keeps accesses in order around them (ptx_builtins.c).
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    if (const auto* assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
        assembly != nullptr && assembly->getAsmString().empty())
      return std::optional<const Value*>(nullptr);
  // Barriers, votes and shuffles; a lifetime's beginning.
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  const bool is_known =
      intrinsic != nullptr &&
      (intrinsic->isAssumeLikeIntrinsic() ||
       none_of(intrinsic->args(), [](const Use& each) { return each->getType()->isPtrOrPtrVectorTy(); }));
  return is_known ? std::optional<const Value*>(nullptr) : std::nullopt;
}

class constant_loads {
public:
  constant_loads(Function& kernel, FunctionAnalysisManager& analyses)
      : kernel_(kernel), aliases_(analyses.getResult<TargetLibraryAnalysis>(kernel)) {
    aliases_.addAAResult(scopes_);
    const CycleInfo& cycles = analyses.getResult<CycleAnalysis>(kernel);
    for (Instruction& instruction : instructions(kernel))
      if (const auto* entry = dyn_cast<NoAliasScopeDeclInst>(&instruction);
          entry != nullptr && cycles.getCycle(entry->getParent()) != nullptr)
        for (const MDOperand& scope : entry->getScopeList()->operands())
          entered_often_.insert(scope.get());
  }

  void mark() {
    if (!find_writes() || writes_.empty())
      return;
    for (Instruction& instruction : instructions(kernel_))
      if (auto* load = dyn_cast<LoadInst>(&instruction);
          load != nullptr && load->isSimple() && is_constant(*load))
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(kernel_.getContext(), {}));
  }

private:
  /// The scopes that an access is in, and those it is not in.
  using scope_lists = std::pair<MDNode*, MDNode*>;

  scope_lists scopes_of(const Instruction& access) const {
    const AAMDNodes nodes = access.getAAMetadata();
    if (nodes.NoAlias == nullptr || entered_often_.empty())
      return {nodes.Scope, nodes.NoAlias};
    SmallVector<Metadata*, 8> entered_once;
    for (const MDOperand& scope : nodes.NoAlias->operands())
      if (!entered_often_.contains(scope.get()))
        entered_once.push_back(scope.get());
    return {nodes.Scope, entered_once.empty() ? nullptr : MDNode::get(kernel_.getContext(), entered_once)};
  }

  /// False if they are not all known.
  bool find_writes() {
    for (const Instruction& instruction : instructions(kernel_)) {
      if (!instruction.mayWriteToMemory() && !has_order(instruction))
        continue;
      if (has_order(instruction))
        return false; // others' writes are waited for
      const std::optional<const Value*> place = written_place(instruction);
      if (!place)
        return false;
      if (*place != nullptr && !is_not_global(**place))
        writes_.insert(scopes_of(instruction));
    }
    return true;
  }

  bool is_constant(const LoadInst& load) {
    if (load.getPointerAddressSpace() != NVPTXAS::ADDRESS_SPACE_GLOBAL ||
        load.hasMetadata(LLVMContext::MD_invariant_load))
      return false;
    const auto place = [&](const scope_lists& scopes) {
      AAMDNodes nodes;
      nodes.Scope = scopes.first;
      nodes.NoAlias = scopes.second;
      return MemoryLocation::getBeforeOrAfter(load.getPointerOperand(), nodes);
    };
    const MemoryLocation read = place(scopes_of(load));
    return all_of(writes_, [&](const scope_lists& write) { return aliases_.isNoAlias(read, place(write)); });
  }

  Function& kernel_;
  ScopedNoAliasAAResult scopes_;
  AAResults aliases_;
  SmallPtrSet<const Metadata*, 8> entered_often_;
  SmallSetVector<scope_lists, 8> writes_;
};

} // namespace

void mark_constant_loads::change(Function& kernel, FunctionAnalysisManager& analyses) {
  constant_loads(kernel, analyses).mark();
}

} // namespace falx::jit
