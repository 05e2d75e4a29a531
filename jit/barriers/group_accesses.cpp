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
// a vector accesses 32 bytes, and the next one the next 32. Behind
//   %first = icmp ult i32 %id, 2
//   br i1 %first, label %then, label %end
// only the first vector, and of it two lanes, are in %then. The numbers are those of each work-item of the
// group, computed one by one, so any arithmetic on ids and constants will do.

#include "group_accesses.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <cassert>

using namespace llvm;

namespace falx::jit {

group_accesses::group_accesses(Function& work_item, const kernel_attributes& attributes)
    : work_item_(work_item), layout_(work_item.getDataLayout()), lanes_(attributes.lanes),
      range_{attributes.local_range[0], attributes.local_range[1], attributes.local_range[2]},
      work_items_(attributes.group_size()) {
  assert(attributes.knows_local_range() && "numbers are those of all work-items of a group");
  find_active();
}

std::optional<group_accesses::numbers> group_accesses::compute(const Value& value) {
  auto* type = dyn_cast<IntegerType>(value.getType());
  if (type == nullptr || type->getBitWidth() > 64)
    return std::nullopt;
  if (const auto* constant = dyn_cast<ConstantInt>(&value))
    return numbers(work_items_, ConstantInt::get(type, constant->getValue().getZExtValue()));
  numbers result;
  result.reserve(work_items_);
  if (const auto* argument = dyn_cast<Argument>(&value)) {
    const unsigned which = argument->getArgNo(), row = range_[0], plane = row * range_[1];
    for (unsigned item = 0; item < work_items_; ++item)
      if (which == unsigned(parameter::index_x))
        result.push_back(ConstantInt::get(type, item % row));
      else if (which == unsigned(parameter::index_y))
        result.push_back(ConstantInt::get(type, item % plane / row));
      else if (which == unsigned(parameter::index_z))
        result.push_back(ConstantInt::get(type, item / plane));
      else if (which == unsigned(parameter::linear))
        result.push_back(ConstantInt::get(type, item));
      else
        return std::nullopt;
    return result;
  }
  if (!isa<BinaryOperator, SExtInst, ZExtInst, TruncInst, ICmpInst, SelectInst>(value))
    return std::nullopt;
  const auto& step = cast<Instruction>(value);
  SmallVector<const numbers*, 3> operands;
  for (const Use& operand : step.operands()) {
    operands.push_back(numbers_of(*operand));
    if (operands.back() == nullptr)
      return std::nullopt;
  }
  for (unsigned item = 0; item < work_items_; ++item) {
    SmallVector<Constant*, 3> ours;
    for (const numbers* all : operands)
      ours.push_back((*all)[item]);
    auto* number = dyn_cast_or_null<ConstantInt>(ConstantFoldInstOperands(&step, ours, layout_));
    if (number == nullptr)
      return std::nullopt;
    result.push_back(number);
  }
  return result;
}

/// Null if they are not known.
const group_accesses::numbers* group_accesses::numbers_of(const Value& value) {
  auto found = numbers_.find(&value);
  if (found == numbers_.end()) {
    // A phi is not known, so there are no cycles.
    std::optional<numbers> result = compute(value);
    found = numbers_.try_emplace(&value, std::move(result)).first;
  }
  return found->second ? &*found->second : nullptr;
}

/// Those in \p from that go on to \p to.
BitVector group_accesses::active_along(const BasicBlock& from, const BasicBlock& to) {
  BitVector active = active_.lookup(&from);
  const auto* branch = dyn_cast<BranchInst>(from.getTerminator());
  if (branch == nullptr || branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
    return active;
  if (const numbers* condition = numbers_of(*branch->getCondition()))
    for (unsigned item = 0; item < work_items_; ++item)
      if ((*condition)[item]->isZero() == (branch->getSuccessor(0) == &to))
        active.reset(item);
  return active;
}

void group_accesses::find_active() {
  const ReversePostOrderTraversal<Function*> order(&work_item_);
  for (const BasicBlock* block : order)
    active_[block] = BitVector(work_items_, block->isEntryBlock());
  for (bool progress = true; progress;) {
    progress = false;
    for (const BasicBlock* block : order)
      for (const BasicBlock* next : successors(block)) {
        BitVector more = active_along(*block, *next);
        BitVector& known = active_[next];
        progress |= more.test(known);
        known |= more;
      }
  }
}

/// Wherever and by whichever work-item of the group it is computed.
static bool is_of_group(const Value& value, unsigned depth = 0) {
  constexpr unsigned MOST = 8;
  if (const auto* argument = dyn_cast<Argument>(&value))
    return !is_per_work_item(parameter(argument->getArgNo()));
  if (isa<Constant>(value))
    return true;
  const auto* step = dyn_cast<Instruction>(&value);
  const bool is_pure =
      step != nullptr && depth < MOST &&
      (isa<GetElementPtrInst, CastInst, BinaryOperator>(step) ||
       (isa<LoadInst>(step) && !step->isVolatile() && step->hasMetadata(LLVMContext::MD_invariant_load)));
  return is_pure && all_of(step->operands(), [&](const Use& use) { return is_of_group(*use, depth + 1); });
}

/// Pointers in the function object come from the host, which has none to the memory of a group.
group_accesses::memory group_accesses::kind_of(const Value& pointer) {
  const Value* object = getUnderlyingObject(&pointer, /*MaxLookup=*/0);
  const bool is_loaded = isa<LoadInst>(object) && is_of_group(*object);
  if (is_loaded)
    object = getUnderlyingObject(getLoadStorePointerOperand(object), 0);
  const auto* root = dyn_cast<Argument>(object);
  if (root == nullptr)
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

group_accesses::access group_accesses::access_of(const Instruction& instruction) {
  access result;
  result.is_store = instruction.mayWriteToMemory();
  const Value* pointer = getLoadStorePointerOperand(&instruction);
  if (pointer == nullptr || instruction.isAtomic() || instruction.isVolatile())
    return result;
  result.kind = kind_of(*pointer);
  const TypeSize size = layout_.getTypeStoreSize(getLoadStoreType(&instruction));
  const auto is_known = [&](const Value& part) { return numbers_of(part) != nullptr; };
  const simd::affine_form form = simd::affine_form_of(*pointer, layout_, {.is_leaf = is_known});
  if (size.isScalable() || !is_of_group(*form.base))
    return result;
  std::vector<std::uint64_t> offsets(work_items_, form.constant);
  for (const auto& [value, scale] : form.terms) {
    if (const numbers* ours = numbers_of(*value))
      for (unsigned item = 0; item < work_items_; ++item)
        offsets[item] += std::uint64_t((*ours)[item]->getSExtValue()) * scale;
    else if (is_of_group(*value))
      result.terms.push_back({value, scale});
    else
      return result;
  }
  sort(result.terms);
  const BitVector& active = active_[instruction.getParent()];
  result.vectors.resize(divideCeil(work_items_, lanes_));
  for (const unsigned item : active.set_bits()) {
    const auto begin = std::int64_t(offsets[item]), end = begin + std::int64_t(size.getFixedValue());
    if (!isInt<48>(begin))
      return result;
    bytes& all = result.vectors[item / lanes_];
    all = all == bytes() ? bytes{begin, end} : bytes{std::min(all.begin, begin), std::max(all.end, end)};
  }
  result.base = form.base;
  return result;
}

std::optional<unsigned> group_accesses::number_of(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  const auto* call = dyn_cast<CallInst>(&instruction);
  if (!instruction.mayReadOrWriteMemory() || instruction.hasMetadata(LLVMContext::MD_invariant_load) ||
      simd::is_order_of_lanes(instruction) || (call != nullptr && !simd::sub_group_builtin(*call).empty()) ||
      (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic()))
    return std::nullopt;
  if (const Value* pointer = getLoadStorePointerOperand(&instruction);
      pointer != nullptr && isa<AllocaInst>(getUnderlyingObject(pointer, 0)))
    return std::nullopt;
  const auto [known, is_new] = numbers_of_accesses_.try_emplace(&instruction, 0);
  if (is_new) {
    access ours = access_of(instruction);
    const auto same = llvm::find(accesses_, ours);
    known->second = unsigned(same - accesses_.begin());
    if (same == accesses_.end())
      accesses_.push_back(std::move(ours));
  }
  return known->second;
}

bool group_accesses::may_meet(const access& first, const access& second) const {
  if (work_items_ <= lanes_ || (!first.is_store && !second.is_store) ||
      (first.kind != second.kind && first.kind != memory::any && second.kind != memory::any))
    return false;
  if (first.base == nullptr || first.base != second.base || first.terms != second.terms)
    return true;
  struct touched {
    bytes where;
    std::size_t vector;
    bool is_first;
  };
  SmallVector<touched, 0> all;
  for (const bool is_first : {true, false})
    for (const auto& [vector, where] : enumerate((is_first ? first : second).vectors))
      if (where.begin != where.end)
        all.push_back({where, vector, is_first});
  sort(all, [](const touched& left, const touched& right) { return left.where.begin < right.where.begin; });
  for (auto each = all.begin(); each != all.end(); ++each)
    for (auto other = std::next(each); other != all.end() && other->where.begin < each->where.end; ++other)
      if (each->vector != other->vector && each->is_first != other->is_first)
        return true;
  return false;
}

bool group_accesses::is_by_most(unsigned number) const {
  const access& ours = accesses_[number];
  const auto busy = count_if(ours.vectors, [](const bytes& each) { return each.begin != each.end; });
  return ours.base == nullptr || 2 * std::size_t(busy) >= ours.vectors.size();
}

bool group_accesses::meet(unsigned first, unsigned second) {
  const auto [known, is_new] = meetings_.try_emplace(std::minmax(first, second), false);
  if (is_new)
    known->second = may_meet(accesses_[first], accesses_[second]);
  return known->second;
}

} // namespace falx::jit
