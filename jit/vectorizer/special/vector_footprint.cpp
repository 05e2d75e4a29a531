// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the vectors of a group access memory, relative to one pointer on which the group agrees. With 4 lanes
//   %high = and i32 %id, -2                             ; 0 0 2 2, 4 4 6 6, …
//   %low = add i32 %id, %high                           ; 0 1 4 5, 8 9 12 13, …
//   %low.at = getelementptr i32, ptr %keys, i32 %low    ; bytes 0 to 24, 32 to 56, …
//   %key = load i32, ptr %low.at
//   %other.at = getelementptr i8, ptr %low.at, i64 8    ; bytes 8 to 32, 40 to 64, …
//   %other = load i32, ptr %other.at
// a vector accesses 32 bytes, and the next one the next 32. Numbers are those of each work-item of the group.

#include "vector_footprint.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorizer/analysis/affine_form.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// By work-item.
using numbers = std::vector<APInt>;

/// Memory that has nothing in common with that of another kind.
enum class memory { local, scratch, context, captured, any };

struct access {
  memory kind = memory::any;
  bool is_store = false;
  std::uint64_t size = 0;
  /// What the bytes are relative to, on which the group agrees; null if it is not known which bytes.
  const Value* base = nullptr;
  /// By work-item, from there.
  std::vector<std::int64_t> offsets;
};

/// Of one vector.
struct touched_bytes {
  std::int64_t begin, end;
  unsigned vector;
  bool is_store;
};

class footprint {
public:
  footprint(const Function& work_item, unsigned lanes, unsigned work_items)
      : work_item_(work_item), layout_(work_item.getDataLayout()), lanes_(lanes), work_items_(work_items) {}
  bool is_apart();

private:
  access access_of(const Instruction& instruction);
  void add_bytes(const access& each, std::vector<touched_bytes>& all) const;
  const numbers* numbers_of(const Value& value);
  std::optional<numbers> compute(const Value& value);

  const Function& work_item_;
  const DataLayout& layout_;
  unsigned lanes_, work_items_;
  std::map<const Value*, std::optional<numbers>> numbers_;
};

} // namespace

/// Nothing if it is not known, or there is none.
static std::optional<APInt> folded(const Instruction& step, ArrayRef<APInt> operands) {
  const ConstantRange first(operands[0]);
  const auto* cast = dyn_cast<CastInst>(&step);
  const ConstantRange result = cast != nullptr
                                   ? first.castOp(cast->getOpcode(), cast->getType()->getIntegerBitWidth())
                                   : first.binaryOp(Instruction::BinaryOps(step.getOpcode()), operands[1]);
  return result.isSingleElement() ? std::optional(*result.getSingleElement()) : std::nullopt;
}

std::optional<numbers> footprint::compute(const Value& value) {
  if (!value.getType()->isIntegerTy() || value.getType()->getIntegerBitWidth() > 64)
    return std::nullopt;
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return numbers(work_items_, constant->getValue());
  numbers result;
  if (const auto* argument = dyn_cast<Argument>(&value)) {
    const unsigned which = argument->getArgNo();
    if (which == unsigned(parameter::index_y) || which == unsigned(parameter::index_z))
      return numbers(work_items_, APInt::getZero(bits));
    if (which != unsigned(parameter::index_x) && which != unsigned(parameter::linear))
      return std::nullopt;
    for (unsigned item = 0; item < work_items_; ++item)
      result.emplace_back(bits, item);
    return result;
  }
  if (!isa<BinaryOperator, SExtInst, ZExtInst, TruncInst>(value))
    return std::nullopt;
  const auto& step = cast<Instruction>(value);
  SmallVector<const numbers*, 2> operands;
  for (const Use& operand : step.operands())
    operands.push_back(numbers_of(*operand));
  if (is_contained(operands, nullptr))
    return std::nullopt;
  for (unsigned item = 0; item < work_items_; ++item) {
    SmallVector<APInt, 2> ours;
    for (const numbers* each : operands)
      ours.push_back((*each)[item]);
    std::optional<APInt> number = folded(step, ours);
    if (!number)
      return std::nullopt;
    result.push_back(std::move(*number));
  }
  return result;
}

/// Null if they are not known.
const numbers* footprint::numbers_of(const Value& value) {
  auto found = numbers_.find(&value);
  if (found == numbers_.end()) {
    // A phi is not known, so there are no cycles.
    std::optional<numbers> result = compute(value);
    found = numbers_.try_emplace(&value, std::move(result)).first;
  }
  return found->second ? &*found->second : nullptr;
}

/// Wherever and by whichever work-item of the group it is computed.
static bool is_of_group(const Value& value) {
  if (const auto* parameter_value = dyn_cast<Argument>(&value))
    return parameter_value->getArgNo() >= PARAMETER_COUNT ||
           !is_per_work_item(parameter(parameter_value->getArgNo()));
  if (isa<Constant>(value))
    return true;
  const auto* step = dyn_cast<Instruction>(&value);
  const bool is_pure =
      step != nullptr &&
      (isa<GetElementPtrInst, CastInst, BinaryOperator>(step) ||
       (isa<LoadInst>(step) && !step->isVolatile() && step->hasMetadata(LLVMContext::MD_invariant_load)));
  return is_pure && all_of(step->operands(), [](const Use& use) { return is_of_group(*use); });
}

/// Computed in the same way, if is_of_group.
static bool is_same(const Value& left, const Value& right) {
  if (&left == &right)
    return true;
  const auto *ours = dyn_cast<Instruction>(&left), *theirs = dyn_cast<Instruction>(&right);
  if (ours == nullptr || theirs == nullptr || !ours->isSameOperationAs(theirs))
    return false;
  return all_of(zip(ours->operands(), theirs->operands()),
                [](const auto& pair) { return is_same(*std::get<0>(pair), *std::get<1>(pair)); });
}

/// Pointers in the function object come from the host, which has none to the memory of a group.
static memory kind_of(const Value& pointer) {
  const Value* object = getUnderlyingObject(&pointer, /*MaxLookup=*/0);
  const bool is_loaded = isa<LoadInst>(object) && is_of_group(*object);
  if (is_loaded)
    object = getUnderlyingObject(getLoadStorePointerOperand(object), 0);
  const auto* root = dyn_cast<Argument>(object);
  if (root == nullptr || root->getArgNo() >= PARAMETER_COUNT)
    return memory::any;
  switch (parameter(root->getArgNo())) {
  case parameter::function:
    return is_loaded ? memory::captured : memory::any;
  case parameter::local_memory:
    return is_loaded ? memory::any : memory::local;
  case parameter::group_scratch:
    return is_loaded ? memory::any : memory::scratch;
  case parameter::work_item_context:
    return is_loaded ? memory::any : memory::context;
  default:
    return memory::any;
  }
}

access footprint::access_of(const Instruction& instruction) {
  access result;
  result.is_store = instruction.mayWriteToMemory();
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  result.kind = kind_of(*pointer);
  const TypeSize size = layout_.getTypeStoreSize(getLoadStoreType(&instruction));
  // What cannot be told from the base belongs to it.
  const auto is_leaf = [&](const Value& part) {
    const auto* address = dyn_cast<GEPOperator>(&part);
    return address == nullptr ||
           any_of(address->indices(), [&](const Use& index) { return numbers_of(*index) == nullptr; });
  };
  const affine_form form = affine_form_of(*pointer, layout_, {is_leaf});
  if (size.isScalable() || !is_of_group(*form.base))
    return result;
  result.size = size.getFixedValue();
  for (unsigned item = 0; item < work_items_; ++item) {
    std::uint64_t offset = form.constant;
    for (const auto& [value, scale] : form.terms)
      offset += std::uint64_t((*numbers_of(*value))[item].getSExtValue()) * scale;
    result.offsets.push_back(std::int64_t(offset));
    if (!isInt<48>(result.offsets.back()))
      return result;
  }
  result.base = form.base;
  return result;
}

void footprint::add_bytes(const access& each, std::vector<touched_bytes>& all) const {
  for (unsigned first = 0; first < work_items_; first += lanes_) {
    const auto [least, most] = std::ranges::minmax(ArrayRef(each.offsets).slice(first, lanes_));
    all.push_back({least, most + std::int64_t(each.size), first / lanes_, each.is_store});
  }
}

/// One vector writes what another one accesses.
static bool any_meet(std::vector<touched_bytes> all) {
  sort(all, [](const touched_bytes& left, const touched_bytes& right) { return left.begin < right.begin; });
  for (auto each = all.begin(); each != all.end(); ++each)
    for (auto other = std::next(each); other != all.end() && other->begin < each->end; ++other)
      if (each->vector != other->vector && (each->is_store || other->is_store))
        return true;
  return false;
}

bool footprint::is_apart() {
  SmallVector<access, 0> accesses;
  for (const Instruction& each : instructions(work_item_)) {
    if (!each.mayReadOrWriteMemory() || each.hasMetadata(LLVMContext::MD_invariant_load) ||
        isa<AssumeInst>(each) || each.isLifetimeStartOrEnd())
      continue;
    const Value* pointer = getLoadStorePointerOperand(&each);
    if (pointer == nullptr || each.isAtomic() || each.isVolatile())
      return false;
    if (!isa<AllocaInst>(getUnderlyingObject(pointer, 0)))
      accesses.push_back(access_of(each));
  }
  for (auto each = accesses.begin(); each != accesses.end(); ++each) {
    std::vector<touched_bytes> of_base;
    for (auto other = accesses.begin(); other != accesses.end(); ++other) {
      if ((!each->is_store && !other->is_store) ||
          (each->kind != other->kind && each->kind != memory::any && other->kind != memory::any))
        continue;
      if (each->base == nullptr || other->base == nullptr || !is_same(*each->base, *other->base))
        return false;
      add_bytes(*other, of_base);
    }
    if (each->is_store && any_meet(std::move(of_base)))
      return false;
  }
  return true;
}

bool vectors_keep_apart(const Function& work_item, unsigned lanes, unsigned work_items) {
  return footprint(work_item, lanes, work_items).is_apart();
}

} // namespace falx::jit::simd
