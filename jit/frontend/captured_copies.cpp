// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for a function that takes a captured structure by value and looks into an array of it:
//   define void @kernel(ptr align 8 dereferenceable(440) %f) {
//     %copy = alloca %struct.layout, align 8
//     %layout = getelementptr i8, ptr %f, i64 8
//     call void @llvm.memcpy(ptr %copy, ptr %layout, i64 416)
//     %at = getelementptr i64, ptr %copy, i64 %i
//     %stride = load i64, ptr %at
// After:
//   define void @kernel(ptr align 8 dereferenceable(440) %f) {
//     %captured = getelementptr i8, ptr %f, i64 8
//     %at = getelementptr i64, ptr %captured, i64 %i
//     %stride = load i64, ptr %at
//
// What else is copied has become values (SROA): of private variables those are left in memory into which
// indices lead that are not known, and every work-item would write all of its copy to read a little of it.
// The object never changes (keep_captured_state_private), so a variable that nothing is written to but the
// copy is as good as the object. What is read before the copy is undefined, and may be the object's, too.
//
// InstCombine does that for memory that LLVM knows to be constant where its address is no instruction.

#include "passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// What is done to a private variable.
struct captured_copy {
  /// The only one that writes to it: a memcpy, or a store of what was loaded, as InstCombine makes of short
  /// ones.
  Instruction* copy = nullptr;
  SmallVector<Instruction*, 2> lifetimes;
};

/// False if \p use of a pointer into the variable may do more than read there, be the only copy to it, or
/// limit its lifetime. Notes the latter two in \p result, and in \p open what other pointers are computed.
bool follow(Use& use, const AllocaInst& variable, captured_copy& result, SmallVectorImpl<Value*>& open) {
  auto* const user = cast<Instruction>(use.getUser());
  if (isa<GetElementPtrInst, PHINode, SelectInst>(user)) {
    open.push_back(user);
    return true;
  }
  if (const auto* load = dyn_cast<LoadInst>(user))
    return load->isSimple();
  const auto is_only_copy = [&] {
    const bool is_first = result.copy == nullptr && use.get() == &variable;
    result.copy = user;
    return is_first;
  };
  if (const auto* copy = dyn_cast<MemCpyInst>(user)) {
    if (copy->isVolatile() || copy->getRawSource() == copy->getRawDest())
      return false;
    return copy->getRawSource() == use.get() || is_only_copy();
  }
  if (const auto* store = dyn_cast<StoreInst>(user)) {
    const auto* loaded = dyn_cast<LoadInst>(store->getValueOperand());
    return loaded != nullptr && loaded->isSimple() && store->isSimple() && is_only_copy();
  }
  if (user->isLifetimeStartOrEnd()) {
    result.lifetimes.push_back(user);
    return true;
  }
  return false;
}

std::optional<captured_copy> copy_to(AllocaInst& variable) {
  captured_copy result;
  SmallVector<Value*> open{&variable};
  SmallPtrSet<const Value*, 8> seen;
  while (!open.empty()) {
    Value* const pointer = open.pop_back_val();
    if (seen.insert(pointer).second &&
        !all_of(pointer->uses(), [&](Use& use) { return follow(use, variable, result, open); }))
      return std::nullopt;
  }
  return result.copy != nullptr ? std::optional(result) : std::nullopt;
}

/// And how many bytes it has; 0 if that is not known.
std::pair<const Value*, std::uint64_t> source_of(const Instruction& copy, const DataLayout& layout) {
  if (const auto* whole = dyn_cast<MemCpyInst>(&copy)) {
    const auto* length = dyn_cast<ConstantInt>(whole->getLength());
    return {whole->getRawSource(), length != nullptr ? length->getZExtValue() : 0};
  }
  const auto& loaded = *cast<LoadInst>(cast<StoreInst>(copy).getValueOperand());
  const TypeSize size = layout.getTypeStoreSize(loaded.getType());
  return {loaded.getPointerOperand(), size.isScalable() ? 0 : size.getFixedValue()};
}

/// Where in the function object the copy is from, if it is from there and of the whole variable.
std::optional<std::uint64_t> captured_offset(const Instruction& copy, const AllocaInst& variable,
                                             const Argument& object) {
  const DataLayout& layout = variable.getDataLayout();
  const auto [from, bytes] = source_of(copy, layout);
  APInt offset(layout.getIndexTypeSizeInBits(object.getType()), 0);
  const Value* const source = from->stripAndAccumulateConstantOffsets(layout, offset, false);
  if (source != &object || bytes == 0 || variable.getAllocationSize(layout) != TypeSize::getFixed(bytes) ||
      offset.isNegative())
    return std::nullopt;
  const std::uint64_t first = offset.getZExtValue();
  const Align known = commonAlignment(object.getParamAlign().valueOrOne(), first);
  return known >= variable.getAlign() ? std::optional(first) : std::nullopt;
}

bool forward(AllocaInst& variable, Argument& object) {
  const std::optional<captured_copy> found = copy_to(variable);
  if (!found || variable.getType() != object.getType())
    return false;
  const std::optional<std::uint64_t> offset = captured_offset(*found->copy, variable, object);
  if (!offset)
    return false;
  for (Instruction* lifetime : found->lifetimes)
    lifetime->eraseFromParent();
  found->copy->eraseFromParent();
  IRBuilder<> builder(&variable);
  Value* const captured =
      *offset != 0 ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &object, *offset, "captured")
                   : &object;
  variable.replaceAllUsesWith(captured);
  variable.eraseFromParent();
  return true;
}

} // namespace

void forward_captured_copies::change(Function& kernel, FunctionAnalysisManager&) {
  Argument& object = *kernel.getArg(0);
  SmallVector<AllocaInst*> variables;
  for (Instruction& instruction : instructions(kernel))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  // Of a copy there may be copies.
  std::size_t before = 0;
  do {
    before = variables.size();
    erase_if(variables, [&](AllocaInst* variable) { return forward(*variable, object); });
  } while (variables.size() != before);
}

} // namespace falx::jit
