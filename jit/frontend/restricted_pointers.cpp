// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                   After:
//   define void @kernel(ptr %f) "falx-restrict" {
//     %in = load ptr, ptr %f
//     %a8 = getelementptr i8, ptr %f, i64 8
//     %out = load ptr, ptr %a8
//     %v = load float, ptr %in                %v = load float, ptr %in, !invariant.load !{},
//                                                 !alias.scope !{!in}, !noalias !{!out}
//     store float %v, ptr %out                store float %v, ptr %out, !alias.scope !{!out}, !noalias !{!in}
//
// A scope stands for a place in the function object, however often the pointer is loaded from there. Where it
// is not the program that promises, but known that the pointers lead to different allocations, accesses
// through pointers from elsewhere get no scopes, and no load is called invariant here.

#include "passes.hpp"
#include "pipeline/nested_passes.hpp"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// A pointer in the function object.
struct captured_pointer {
  SmallVector<LoadInst*, 2> loads;
  bool is_written = false;
  MDNode* scope = nullptr;
};

/// By offset.
using captured_pointers = SmallMapVector<std::uint64_t, captured_pointer, 8>;

/// Loads of the function object, where it is known which bytes they read.
struct captured_loads {
  captured_pointers pointers;
  /// From and to which byte something else is read.
  SmallVector<std::pair<std::uint64_t, std::uint64_t>> others;
  /// Whether that is all that the kernel does with the function object.
  bool are_all = true;
};

captured_loads find_loads(Value& function_object, const DataLayout& layout) {
  captured_loads found;
  struct place {
    Value* pointer;
    std::uint64_t offset;
  };
  SmallVector<place> open = {{&function_object, 0}};
  while (!open.empty()) {
    const place at = open.pop_back_val();
    for (User* user : at.pointer->users()) {
      auto* load = dyn_cast<LoadInst>(user);
      auto* step = dyn_cast<GEPOperator>(user);
      APInt offset(64, at.offset);
      if (load != nullptr && load->isSimple() && load->getType()->isPointerTy())
        found.pointers[at.offset].loads.push_back(load);
      else if (load != nullptr && load->isSimple() && !layout.getTypeStoreSize(load->getType()).isScalable())
        found.others.emplace_back(at.offset,
                                  at.offset + layout.getTypeStoreSize(load->getType()).getFixedValue());
      else if (step != nullptr && step->getPointerOperand() == at.pointer && step->getType()->isPointerTy() &&
               step->accumulateConstantOffset(layout, offset))
        open.push_back({step, offset.getZExtValue()});
      else
        found.are_all = false;
    }
  }
  return found;
}

/// Those that are found in no other way than as pointers. None if the kernel does more with the function
/// object than to load from known places of it.
captured_pointers pointers_alone(captured_loads found, const DataLayout& layout) {
  if (!found.are_all)
    return {};
  const std::uint64_t size = layout.getPointerSize();
  captured_pointers& pointers = found.pointers;
  pointers.remove_if([&](const auto& entry) {
    const std::uint64_t offset = entry.first;
    const auto overlaps = [&](std::uint64_t first, std::uint64_t last) {
      return first < offset + size && offset < last;
    };
    return any_of(found.others, [&](const auto& bytes) { return overlaps(bytes.first, bytes.second); }) ||
           any_of(pointers, [&](const auto& other) {
             return other.first != offset && overlaps(other.first, other.first + size);
           });
  });
  return std::move(pointers);
}

/// May an access find \p pointer, or one computed from it, where getUnderlyingObjects does not: in memory, in
/// an integer, behind a call?
bool escapes(const LoadInst& pointer) {
  constexpr unsigned ALL_USES = std::numeric_limits<unsigned>::max();
  return capturesAnything(PointerMayBeCaptured(&pointer, /*ReturnCaptures=*/true,
                                               CaptureComponents::Provenance, capturesAnything, ALL_USES));
}

/// What an instruction accesses: places of the function object, and whether that is all it may access.
struct bases {
  SmallVector<captured_pointer*, 2> captured;
  bool has_other = false;
};

class restriction {
public:
  /// Whether accesses by other pointers than these are promised to be of other memory.
  enum class others { are_elsewhere, may_be_anywhere };

  restriction(Function& kernel, captured_pointers& pointers, others other_pointers)
      : kernel_(kernel), pointers_(pointers), others_(other_pointers) {
    for (auto& [offset, pointer] : pointers_)
      for (LoadInst* load : pointer.loads)
        by_load_[load] = &pointer;
  }

  void apply() {
    for (Instruction& instruction : instructions(kernel_))
      note_writes(instruction);
    MDBuilder builder(kernel_.getContext());
    MDNode* domain = builder.createAnonymousAliasScopeDomain(kernel_.getName());
    for (auto& [offset, pointer] : pointers_)
      pointer.scope = builder.createAnonymousAliasScope(domain);
    for (Instruction& instruction : instructions(kernel_))
      annotate(instruction);
  }

private:
  bases bases_of(const Value* pointer) {
    bases result;
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
    for (const Value* object : objects)
      if (captured_pointer* captured = by_load_.lookup(object); captured == nullptr)
        result.has_other = true;
      else if (!is_contained(result.captured, captured))
        result.captured.push_back(captured);
    return result;
  }

  void note_write(const Value* pointer) {
    for (captured_pointer* captured : bases_of(pointer).captured)
      captured->is_written = true;
  }

  /// Atomic loads count as writes: another work-item's store may come before them.
  void note_writes(const Instruction& instruction) {
    if (!instruction.mayWriteToMemory())
      return;
    if (const std::optional<MemoryLocation> place = MemoryLocation::getOrNone(&instruction))
      note_write(place->Ptr);
    else if (const auto* call = dyn_cast<CallBase>(&instruction))
      for (const auto& [number, operand] : enumerate(call->args()))
        if (operand->getType()->isPointerTy() && !call->onlyReadsMemory(unsigned(number)))
          note_write(operand);
  }

  /// Loads and stores say what they access and what they do not.
  void annotate(Instruction& instruction) {
    const Value* pointer = getLoadStorePointerOperand(&instruction);
    if (pointer == nullptr || instruction.isAtomic() || instruction.isVolatile() ||
        by_load_.contains(&instruction))
      return;
    const bases accessed = bases_of(pointer);
    SmallVector<Metadata*, 4> own, rest;
    for (auto& [offset, candidate] : pointers_)
      (is_contained(accessed.captured, &candidate) ? own : rest).push_back(candidate.scope);
    LLVMContext& context = kernel_.getContext();
    const auto add = [&](unsigned kind, ArrayRef<Metadata*> scopes) {
      if (!scopes.empty())
        instruction.setMetadata(
            kind, MDNode::concatenate(instruction.getMetadata(kind), MDNode::get(context, scopes)));
    };
    if (!accessed.has_other)
      add(LLVMContext::MD_alias_scope, own);
    if (others_ == others::may_be_anywhere) {
      if (!accessed.has_other && !own.empty())
        add(LLVMContext::MD_noalias, rest);
      return;
    }
    add(LLVMContext::MD_noalias, rest);
    if (isa<LoadInst>(instruction) && !accessed.has_other && !accessed.captured.empty() &&
        none_of(accessed.captured, [](const captured_pointer* captured) { return captured->is_written; }))
      instruction.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  }

  Function& kernel_;
  captured_pointers& pointers_;
  const others others_;
  DenseMap<const Value*, captured_pointer*> by_load_;
};

} // namespace

void declare_restricted_pointers::change(Function& kernel, FunctionAnalysisManager&) {
  const bool is_promised = kernel.hasFnAttribute("falx-restrict");
  if (!is_promised && disjoint_.empty())
    return;
  captured_loads loads = find_loads(*kernel.getArg(0), kernel.getDataLayout());
  if (is_promised) {
    captured_pointers pointers = pointers_alone(std::move(loads), kernel.getDataLayout());
    pointers.remove_if([](const auto& entry) {
      return any_of(entry.second.loads, [](LoadInst* load) { return escapes(*load); });
    });
    if (!pointers.empty())
      restriction(kernel, pointers, restriction::others::are_elsewhere).apply();
    return;
  }
  // No kernel writes to the function object (captured_state.cpp), so a load has what the launch put there,
  // whatever else reads it.
  loads.pointers.remove_if([&](const auto& entry) { return !is_contained(disjoint_, entry.first); });
  if (loads.pointers.size() > 1)
    restriction(kernel, loads.pointers, restriction::others::may_be_anywhere).apply();
}

void hoist_loop_accesses::change(Function& kernel, FunctionAnalysisManager& analyses) {
  const LoopInfo& loops = analyses.getResult<LoopAnalysis>(kernel);
  if (none_of(instructions(kernel), [&](const Instruction& each) {
        return isa<StoreInst>(each) && each.hasMetadata(LLVMContext::MD_alias_scope) &&
               loops.getLoopFor(each.getParent()) != nullptr;
      }))
    return;
  // A loop that tests at its end whether it goes on stores, once it is entered.
  LoopPassManager loop_passes;
  loop_passes.addPass(LoopRotatePass(/*EnableHeaderDuplication=*/true));
  loop_passes.addPass(LICMPass(LICMOptions()));
  FunctionPassManager passes;
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loop_passes), /*UseMemorySSA=*/true));
  run_nested(std::move(passes), kernel, analyses);
}

} // namespace falx::jit
