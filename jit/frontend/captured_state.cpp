// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for struct K { mutable int left; float factors[512]; int* out; }:
//   define void @kernel(ptr align 8 dereferenceable(2064) %f) {
//     %left = load i32, ptr %f
//     %less = sub i32 %left, 1
//     store i32 %less, ptr %f
//     %factors = getelementptr %struct.K, ptr %f, i64 0, i32 1
//     %at = getelementptr [512 x float], ptr %factors, i64 0, i64 %i
//     %factor = load float, ptr %at
// After:
//   define void @kernel(ptr align 8 dereferenceable(2064) %f) {
//     %captured = alloca [4 x i8], align 8
//     call void @llvm.memcpy(ptr %captured, ptr %f, i64 4)
//     %left = load i32, ptr %captured
//     %less = sub i32 %left, 1
//     store i32 %less, ptr %captured
//     %factors = getelementptr %struct.K, ptr %f, i64 0, i32 1
//     %at = getelementptr [512 x float], ptr %factors, i64 0, i64 %i
//     %factor = load float, ptr %at
//
// A launch has one function object, which all work-items share, but each of them may write what it captured:
// mutable members, or any by const_cast. (SYCL 2020 §4.12.1 does not define what that does; libraries rely on
// what it does elsewhere, where each work-item has its object.) Accesses are to extents of the object. Those
// that overlap belong together; if one of them may be a write, the work-item gets a copy of their bytes, and
// they go there.
//
// Pointers are followed through steps, phis, selects and calls. How far one may go whose offset is not known
// is the language's to say: it stays within the array that it was computed for. Only the types of addresses
// tell that; else it may be anywhere in the object. Pointers that are passed to functions or stored in
// private variables are followed as well (pointer_flow). Where that is not possible, everything may be
// written.
//
// A group has one copy in hierarchical kernels, as their code runs once for a group: what that writes is like
// the variables of its scope, which the group shares (SYCL 2020 §3.8.2.1).

#include "builtin_calls.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "pointer_flow.hpp"
#include "scalar_simplification.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include <algorithm>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// Bytes of the function object, up to \p last without it.
struct extent {
  std::uint64_t first, last;
  bool operator==(const extent& other) const { return first == other.first && last == other.last; }
};

/// More than any object has: one is written or not, however large it is.
constexpr std::uint64_t UNKNOWN_SIZE = std::uint64_t{1} << 62;

/// Where a pointer into the object points, and what pointers computed from it stay within.
struct place {
  std::optional<std::uint64_t> offset;
  extent reach;
};

/// All that a kernel does with its function object.
class captured_state {
public:
  captured_state(Function& kernel, std::uint64_t size)
      : kernel_(kernel), layout_(kernel.getDataLayout()), object_{0, size != 0 ? size : UNKNOWN_SIZE} {}

  void follow();
  bool may_be_written() const { return !written_.empty(); }
  /// Gives back the copies.
  SmallVector<AllocaInst*, 2> copy();

private:
  /// Of a pointer with a known offset: what is accessed, or the pointer without one that is computed there.
  struct known_use {
    Use* use;
    std::uint64_t offset;
    extent accessed;
    Value* computed;
  };
  struct known_pointer {
    Value* pointer;
    place at;
  };

  void follow_use(Use& use, const place& at);
  void follow_call(Use& use, CallBase& call, const place& at);
  place step(const GetElementPtrInst& address, place at) const;
  void note_access(Use& use, const place& at, std::optional<std::uint64_t> size, bool writes);
  /// Of everything that \p at reaches.
  void note_any_access(Use& use, const place& at, extent accessed, bool writes);
  void note_computed(Use& use, const place& at, Instruction& computed);
  SmallVector<extent> extents_with_writes() const;

  Function& kernel_;
  const DataLayout& layout_;
  const extent object_;
  SmallVector<known_pointer> open_;
  SmallVector<Value*> open_without_offset_;
  SmallVector<known_use> uses_;
  /// Pointers without a known offset, and where they may point.
  MapVector<Value*, extent> reaches_;
  SmallVector<extent> accessed_;
  SmallVector<extent> written_;
};

} // namespace

/// Language rule: a step over elements of an array stays within it (C++ [expr.add]). Arrays in arrays are
/// one, as many a program goes through rows in one loop.
place captured_state::step(const GetElementPtrInst& address, place at) const {
  const place anywhere = {std::nullopt, object_};
  if (!at.offset)
    return at;
  auto offset = static_cast<std::int64_t>(*at.offset);
  const auto enter = [&](std::uint64_t bytes) {
    const auto first = static_cast<std::uint64_t>(offset);
    if (at.reach == object_ && offset >= 0 && bytes <= object_.last && first <= object_.last - bytes)
      at.reach = {first, first + bytes};
  };
  for (auto type = gep_type_begin(address), end = gep_type_end(address); type != end; ++type) {
    const auto* number = dyn_cast<ConstantInt>(type.getOperand());
    if (number == nullptr)
      return {std::nullopt, at.reach};
    if (StructType* structure = type.getStructTypeOrNull()) {
      const auto member = static_cast<unsigned>(number->getZExtValue());
      offset += static_cast<std::int64_t>(layout_.getStructLayout(structure)->getElementOffset(member));
    } else {
      const TypeSize stride = type.getSequentialElementStride(layout_);
      if (stride.isScalable())
        return anywhere;
      offset += number->getSExtValue() * static_cast<std::int64_t>(stride.getFixedValue());
    }
    // Of none or one element are those that go on behind their end.
    if (auto* array = dyn_cast<ArrayType>(type.getIndexedType());
        array != nullptr && array->getNumElements() > 1)
      enter(layout_.getTypeAllocSize(array));
  }
  if (offset < 0 || static_cast<std::uint64_t>(offset) > object_.last)
    return anywhere;
  at.offset = static_cast<std::uint64_t>(offset);
  if (*at.offset < at.reach.first || *at.offset > at.reach.last)
    at.reach = object_;
  return at;
}

void captured_state::note_any_access(Use& use, const place& at, extent accessed, bool writes) {
  if (accessed.first == accessed.last)
    return;
  if (at.offset)
    uses_.push_back({&use, *at.offset, accessed, nullptr});
  accessed_.push_back(accessed);
  if (writes)
    written_.push_back(accessed);
}

void captured_state::note_access(Use& use, const place& at, std::optional<std::uint64_t> size, bool writes) {
  if (!at.offset)
    return note_any_access(use, at, at.reach, writes);
  if (!size || *size > object_.last || *at.offset > object_.last - *size)
    return note_any_access(use, at, object_, writes);
  note_any_access(use, at, {*at.offset, *at.offset + *size}, writes);
}

void captured_state::note_computed(Use& use, const place& at, Instruction& computed) {
  if (at.offset)
    uses_.push_back({&use, *at.offset, at.reach, &computed});
  const auto [known, is_new] = reaches_.insert({&computed, at.reach});
  const extent both = {std::min(known->second.first, at.reach.first),
                       std::max(known->second.last, at.reach.last)};
  if (is_new || !(both == known->second))
    open_without_offset_.push_back(&computed);
  known->second = both;
}

void captured_state::follow_call(Use& use, CallBase& call, const place& at) {
  if (!call.isArgOperand(&use))
    return note_any_access(use, at, object_, true);
  const unsigned number = call.getArgOperandNo(&use);
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
      intrinsic != nullptr &&
      (intrinsic->isAssumeLikeIntrinsic() || intrinsic->getIntrinsicID() == Intrinsic::prefetch))
    return;
  if (const auto* memory = dyn_cast<MemIntrinsic>(&call)) {
    const auto* length = dyn_cast<ConstantInt>(memory->getLength());
    return note_access(use, at, length != nullptr ? std::optional(length->getZExtValue()) : std::nullopt,
                       /*writes=*/number == 0);
  }
  if (call.isByValArgument(number) || (call.onlyReadsMemory(number) && call.doesNotCapture(number)))
    return note_any_access(use, at, object_, false);
  pointer_flow flow(*kernel_.getParent());
  flow.pass(call, number);
  flow.follow();
  note_any_access(use, at, object_, flow.may_write());
  if (flow.is_returned())
    note_computed(use, {at.offset, object_}, call);
}

void captured_state::follow_use(Use& use, const place& at) {
  auto* user = cast<Instruction>(use.getUser());
  const auto size_of = [&](const Type* type) -> std::optional<std::uint64_t> {
    const TypeSize size = layout_.getTypeStoreSize(const_cast<Type*>(type));
    return size.isScalable() ? std::nullopt : std::optional<std::uint64_t>(size.getFixedValue());
  };
  auto* store = dyn_cast<StoreInst>(user);
  if (auto* load = dyn_cast<LoadInst>(user)) {
    note_access(use, at, size_of(load->getType()), false);
  } else if (store != nullptr && use.getOperandNo() == StoreInst::getPointerOperandIndex()) {
    note_access(use, at, size_of(store->getValueOperand()->getType()), true);
  } else if (store != nullptr) {
    pointer_flow flow(*kernel_.getParent());
    flow.keep(*store);
    flow.follow();
    note_any_access(use, at, object_, flow.may_write());
  } else if (auto* update = dyn_cast<AtomicRMWInst>(user);
             update != nullptr && use.getOperandNo() == AtomicRMWInst::getPointerOperandIndex()) {
    note_access(use, at, size_of(update->getType()), true);
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user);
             exchange != nullptr && use.getOperandNo() == AtomicCmpXchgInst::getPointerOperandIndex()) {
    note_access(use, at, size_of(exchange->getNewValOperand()->getType()), true);
  } else if (auto* address = dyn_cast<GetElementPtrInst>(user);
             address != nullptr && address->getType()->isPointerTy()) {
    const place there = step(*address, at);
    if (there.offset)
      open_.push_back({address, there});
    else
      note_computed(use, {at.offset, there.reach}, *address);
  } else if (as_forwarding_builtin(*user) != nullptr && at.offset) {
    open_.push_back({user, at});
  } else if (isa<PHINode, FreezeInst>(user) || as_forwarding_builtin(*user) != nullptr ||
             (isa<SelectInst>(user) && user->getType()->isPointerTy())) {
    note_computed(use, at, *user);
  } else if (isa<ICmpInst>(user)) {
    // Both pointers are into the copy, or neither is. With null that does not matter.
    if (!isa<Constant>(user->getOperand(1 - use.getOperandNo())))
      note_any_access(use, at, at.reach, false);
  } else if (auto* call = dyn_cast<CallBase>(user)) {
    follow_call(use, *call, at);
  } else {
    note_any_access(use, at, object_, true);
  }
}

void captured_state::follow() {
  open_.push_back({kernel_.getArg(0), {0, object_}});
  while (!open_.empty() || !open_without_offset_.empty())
    if (!open_.empty()) {
      const known_pointer known = open_.pop_back_val();
      for (Use& use : known.pointer->uses())
        follow_use(use, known.at);
    } else {
      Value* pointer = open_without_offset_.pop_back_val();
      for (Use& use : pointer->uses())
        follow_use(use, {std::nullopt, reaches_.lookup(pointer)});
    }
}

/// Joins what overlaps, and keeps of that where something is written.
SmallVector<extent> captured_state::extents_with_writes() const {
  SmallVector<extent> all = accessed_;
  for (const auto& [pointer, reach] : reaches_)
    all.push_back(reach);
  llvm::sort(all, [](const extent& left, const extent& right) { return left.first < right.first; });
  SmallVector<extent> joined;
  for (const extent& next : all)
    if (!joined.empty() && next.first < joined.back().last)
      joined.back().last = std::max(joined.back().last, next.last);
    else
      joined.push_back(next);
  erase_if(joined, [&](const extent& whole) {
    return none_of(written_,
                   [&](const extent& part) { return part.first >= whole.first && part.last <= whole.last; });
  });
  return joined;
}

SmallVector<AllocaInst*, 2> captured_state::copy() {
  const SmallVector<extent> extents = extents_with_writes();
  Argument* object = kernel_.getArg(0);
  const Align alignment = kernel_.getParamAlign(0).valueOrOne();
  IRBuilder<> builder(kernel_.getContext());
  BasicBlock& entry = kernel_.getEntryBlock();
  builder.SetInsertPoint(&entry, entry.begin());
  SmallVector<AllocaInst*, 2> copies;
  for (const extent& part : extents) {
    Type* bytes = ArrayType::get(builder.getInt8Ty(), part.last - part.first);
    copies.push_back(builder.CreateAlloca(bytes, nullptr, "captured"));
    copies.back()->setAlignment(commonAlignment(alignment, part.first));
  }
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  const auto at_offset = [&](Value* base, std::uint64_t offset) {
    return offset == 0 ? base : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  };
  for (const auto& [part, copy] : zip(extents, copies))
    builder.CreateMemCpy(copy, copy->getAlign(), at_offset(object, part.first), copy->getAlign(),
                         part.last - part.first);
  DenseMap<std::pair<std::size_t, std::uint64_t>, Value*> addresses;
  for (const known_use& known : uses_) {
    const extent accessed = known.computed != nullptr ? reaches_.lookup(known.computed) : known.accessed;
    const auto* part = find_if(extents, [&](const extent& candidate) {
      return accessed.first >= candidate.first && accessed.last <= candidate.last;
    });
    if (part == extents.end())
      continue;
    const std::size_t number = std::size_t(part - extents.begin());
    Value*& address = addresses[{number, known.offset}];
    if (address == nullptr)
      address = at_offset(copies[number], known.offset - part->first);
    known.use->set(address);
  }
  return copies;
}

/// Nobody else sees \p copies. (PTX has no atomic operations on private memory.)
static void take_out_atomics(Function& kernel, ArrayRef<AllocaInst*> copies) {
  const auto is_private = [&](const Value* pointer) {
    SmallVector<const Value*, 4> objects;
    getUnderlyingObjects(pointer, objects, nullptr, /*MaxLookup=*/0);
    return all_of(objects, [&](const Value* object) { return is_contained(copies, object); });
  };
  for (Instruction& instruction : make_early_inc_range(instructions(kernel)))
    if (CallInst* call = as_forwarding_builtin(instruction);
        call != nullptr && is_private(call->getArgOperand(0)))
      replace_builtin(*call, call->getArgOperand(0));
  for (Instruction& instruction : make_early_inc_range(instructions(kernel))) {
    if (!instruction.isAtomic() || isa<FenceInst>(instruction) ||
        !is_private(MemoryLocation::get(&instruction).Ptr))
      continue;
    if (auto* update = dyn_cast<AtomicRMWInst>(&instruction))
      lowerAtomicRMWInst(update);
    else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      lowerAtomicCmpXchgInst(exchange);
    else if (auto* load = dyn_cast<LoadInst>(&instruction))
      load->setAtomic(AtomicOrdering::NotAtomic);
    else
      cast<StoreInst>(instruction).setAtomic(AtomicOrdering::NotAtomic);
  }
}

static Expected<bool> keep_private(Function& kernel) {
  const std::uint64_t size = kernel.getParamDereferenceableBytes(0);
  captured_state state(kernel, size);
  state.follow();
  if (!state.may_be_written())
    return false;
  if (size == 0)
    return failure("Kernel '" + kernel.getName() +
                   "' writes to its function object but does not say how large that is: its parameter has to "
                   "be a reference.");
  const SmallVector<AllocaInst*, 2> copies = state.copy();
  if (kernel_attributes::read(kernel).kind != kernel_kind::work_group)
    take_out_atomics(kernel, copies);
  return true;
}

PreservedAnalyses keep_captured_state_private::run(Module& module, ModuleAnalysisManager& analyses) {
  return simplify_if_changed(module, analyses, keep_private);
}

} // namespace falx::jit
