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
// A scope stands for a place in the function object, however often the pointer is loaded from there.

#include "passes.hpp"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <limits>
#include <optional>

using namespace llvm;

namespace falx::jit {
namespace {

/// A pointer in the function object.
struct captured_pointer {
  SmallVector<LoadInst*, 2> loads;
  bool is_written = false;
  MDNode* scope = nullptr;
};

/// By offset. None if the kernel does more with the function object than to load from known places of it.
using captured_pointers = SmallMapVector<std::uint64_t, captured_pointer, 8>;

captured_pointers find_pointers(Value& function_object, const DataLayout& layout) {
  captured_pointers found;
  SmallVector<std::pair<std::uint64_t, std::uint64_t>> other_bytes; // that are read as something else
  struct place {
    Value* pointer;
    std::uint64_t offset;
  };
  SmallVector<place> open = {{&function_object, 0}};
  while (!open.empty()) {
    const place at = open.pop_back_val();
    for (User* user : at.pointer->users()) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        const TypeSize size = layout.getTypeStoreSize(load->getType());
        if (size.isScalable() || !load->isSimple())
          return {};
        if (load->getType()->isPointerTy())
          found[at.offset].loads.push_back(load);
        else
          other_bytes.emplace_back(at.offset, at.offset + size.getFixedValue());
      } else if (auto* step = dyn_cast<GEPOperator>(user);
                 step != nullptr && step->getPointerOperand() == at.pointer) {
        APInt offset(64, at.offset);
        if (!step->getType()->isPointerTy() || !step->accumulateConstantOffset(layout, offset))
          return {};
        open.push_back({step, offset.getZExtValue()});
      } else {
        return {};
      }
    }
  }
  const std::uint64_t size = layout.getPointerSize();
  found.remove_if([&](const auto& entry) {
    const std::uint64_t offset = entry.first;
    const auto overlaps = [&](std::uint64_t first, std::uint64_t last) {
      return first < offset + size && offset < last;
    };
    return any_of(other_bytes, [&](const auto& bytes) { return overlaps(bytes.first, bytes.second); }) ||
           any_of(found, [&](const auto& other) {
             return other.first != offset && overlaps(other.first, other.first + size);
           });
  });
  return found;
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
  restriction(Function& kernel, captured_pointers& pointers) : kernel_(kernel), pointers_(pointers) {
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
    SmallVector<Metadata*, 4> own, others;
    for (auto& [offset, candidate] : pointers_)
      (is_contained(accessed.captured, &candidate) ? own : others).push_back(candidate.scope);
    LLVMContext& context = kernel_.getContext();
    const auto add = [&](unsigned kind, ArrayRef<Metadata*> scopes) {
      if (!scopes.empty())
        instruction.setMetadata(
            kind, MDNode::concatenate(instruction.getMetadata(kind), MDNode::get(context, scopes)));
    };
    if (!accessed.has_other)
      add(LLVMContext::MD_alias_scope, own);
    add(LLVMContext::MD_noalias, others);
    if (isa<LoadInst>(instruction) && !accessed.has_other && !accessed.captured.empty() &&
        none_of(accessed.captured, [](const captured_pointer* captured) { return captured->is_written; }))
      instruction.setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
  }

  Function& kernel_;
  captured_pointers& pointers_;
  DenseMap<const Value*, captured_pointer*> by_load_;
};

} // namespace

void declare_restricted_pointers::change(Function& kernel, FunctionAnalysisManager&) {
  if (!kernel.hasFnAttribute("falx-restrict"))
    return;
  captured_pointers pointers = find_pointers(*kernel.getArg(0), kernel.getDataLayout());
  pointers.remove_if([](const auto& entry) {
    return any_of(entry.second.loads, [](LoadInst* load) { return escapes(*load); });
  });
  if (!pointers.empty())
    restriction(kernel, pointers).apply();
}

} // namespace falx::jit
