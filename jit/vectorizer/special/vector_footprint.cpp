// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the vectors of a group access memory, relative to one pointer on which the group agrees. With 4 lanes
//   %high = and i32 %id, -2                             ; vector * 4, and 0 0 2 2
//   %low = add i32 %id, %high                           ; vector * 8, and 0 1 4 5
//   %low.at = getelementptr i32, ptr %keys, i32 %low    ; vector * 32, and 0 4 16 20
//   %key = load i32, ptr %low.at
//   %other.at = getelementptr i8, ptr %low.at, i64 8    ; vector * 32, and 8 12 24 28
//   %other = load i32, ptr %other.at
// a vector accesses 32 bytes, and the next one the next 32.
//
// Numbers are exact: one that might wrap, as a signed number of its width, is not known.

#include "vector_footprint.hpp"
#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

using namespace llvm;

namespace falx::jit::simd {

namespace {

/// vector * per_vector + of_lane[lane], where per_vector is not negative.
struct placed {
  std::int64_t per_vector = 0;
  SmallVector<std::int64_t, 16> of_lane;

  std::int64_t least() const { return *std::min_element(of_lane.begin(), of_lane.end()); }
  std::int64_t greatest() const { return *std::max_element(of_lane.begin(), of_lane.end()); }
  /// Bits below this power of two are those of of_lane.
  std::int64_t unit() const {
    return per_vector == 0 ? std::numeric_limits<std::int64_t>::max() : per_vector & -per_vector;
  }
};

/// Memory that has nothing in common with that of another kind.
enum class memory { local, scratch, context, captured, any };

/// Bytes of a vector's lanes.
struct access {
  memory kind = memory::any;
  bool is_store = false;
  /// What the bytes are relative to, on which the group agrees; null if it is not known which bytes.
  const Value* base = nullptr;
  /// From vector * per_vector + begin to vector * per_vector + end.
  std::int64_t per_vector = 0, begin = 0, end = 0;
};

class footprint {
public:
  footprint(const Function& work_item, unsigned lanes, unsigned work_items)
      : work_item_(work_item), layout_(work_item.getDataLayout()), lanes_(lanes),
        last_vector_(work_items / lanes - 1) {}
  bool is_apart();

private:
  access access_of(const Instruction& instruction);
  bool may_meet(const access& left, const access& right) const;
  const placed* number(const Value& value);
  std::optional<placed> compute(const Value& value);
  std::optional<placed> binary(const BinaryOperator& step);
  std::optional<placed> with_constant(const BinaryOperator& step, const placed& left, std::int64_t right);
  std::optional<placed> address(const Value& pointer, const Value*& base);
  std::optional<placed> if_exact(placed result, unsigned bits) const;
  std::int64_t greatest_of(const placed& number) const {
    return number.greatest() + number.per_vector * last_vector_;
  }
  template <class F>
  std::optional<placed> each_lane(std::int64_t per_vector, F of_lane) const {
    placed result;
    result.per_vector = per_vector;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      result.of_lane.push_back(of_lane(lane));
    return result;
  }

  const Function& work_item_;
  const DataLayout& layout_;
  unsigned lanes_;
  std::int64_t last_vector_;
  DenseMap<const Value*, std::optional<placed>> numbers_;
};

} // namespace

/// Numbers whose products with a size, and sums of these, are exact in 64 bits.
constexpr std::int64_t LARGEST = std::int64_t(1) << 40;

static bool is_small(std::int64_t number) {
  return number <= LARGEST && number >= -LARGEST;
}

/// Nothing if it may wrap in so many bits.
std::optional<placed> footprint::if_exact(placed result, unsigned bits) const {
  const std::int64_t least = result.least();
  if (result.per_vector < 0 || !is_small(result.per_vector) || !is_small(least) ||
      !is_small(result.greatest()))
    return std::nullopt;
  const std::int64_t limit = bits > 40 ? LARGEST : std::int64_t(1) << (bits - 1);
  // last_vector_ is below 2^20 or so.
  if (least < -limit || greatest_of(result) >= limit)
    return std::nullopt;
  return result;
}

std::optional<placed> footprint::with_constant(const BinaryOperator& step, const placed& left,
                                               std::int64_t right) {
  const std::int64_t unit = left.unit();
  const auto is_low = [&](std::int64_t bits) { return bits >= 0 && bits < unit; };
  const auto lane = [&](unsigned which) { return left.of_lane[which]; };
  switch (step.getOpcode()) {
  case Instruction::Mul:
    if (right < 0 || right > LARGEST >> 20)
      return std::nullopt;
    return each_lane(left.per_vector * right, [&](unsigned l) { return lane(l) * right; });
  case Instruction::Shl:
    if (right < 0 || right > 20)
      return std::nullopt;
    return each_lane(left.per_vector << right,
                     [&](unsigned l) { return lane(l) * (std::int64_t(1) << right); });
  case Instruction::LShr:
    // Of what is not negative the same as the arithmetic shift.
    if (left.least() < 0)
      return std::nullopt;
    [[fallthrough]];
  case Instruction::AShr:
    if (right < 0 || right > 40 || unit < std::int64_t(1) << right)
      return std::nullopt;
    return each_lane(left.per_vector >> right, [&](unsigned l) { return lane(l) >> right; });
  case Instruction::And:
    if (is_low(right))
      return each_lane(0, [&](unsigned l) { return lane(l) & right; });
    // Bits that no lane's number has may be anything.
    if (left.least() >= 0)
      right |= ~std::int64_t(std::bit_ceil(std::uint64_t(greatest_of(left)) + 1) - 1);
    if (is_low(~right))
      return each_lane(left.per_vector, [&](unsigned l) { return lane(l) & right; });
    return std::nullopt;
  case Instruction::Or:
    if (is_low(right))
      return each_lane(left.per_vector, [&](unsigned l) { return lane(l) | right; });
    return std::nullopt;
  case Instruction::Xor:
    if (is_low(right))
      return each_lane(left.per_vector, [&](unsigned l) { return lane(l) ^ right; });
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<placed> footprint::binary(const BinaryOperator& step) {
  const placed* left = number(*step.getOperand(0));
  const placed* right = left != nullptr ? number(*step.getOperand(1)) : nullptr;
  if (right == nullptr)
    return std::nullopt;
  left = number(*step.getOperand(0)); // the map may have grown
  const auto* disjoint = dyn_cast<PossiblyDisjointInst>(&step);
  if (step.getOpcode() == Instruction::Add || (disjoint != nullptr && disjoint->isDisjoint()))
    return each_lane(left->per_vector + right->per_vector,
                     [&](unsigned lane) { return left->of_lane[lane] + right->of_lane[lane]; });
  if (step.getOpcode() == Instruction::Sub)
    return each_lane(left->per_vector - right->per_vector,
                     [&](unsigned lane) { return left->of_lane[lane] - right->of_lane[lane]; });
  if (right->per_vector == 0 && all_equal(right->of_lane))
    return with_constant(step, *left, right->of_lane.front());
  return std::nullopt;
}

std::optional<placed> footprint::compute(const Value& value) {
  const unsigned bits = value.getType()->getIntegerBitWidth();
  if (const auto* constant = dyn_cast<ConstantInt>(&value)) {
    if (bits > 64 || !is_small(constant->getSExtValue()))
      return std::nullopt;
    return each_lane(0, [&](unsigned) { return constant->getSExtValue(); });
  }
  if (const auto* parameter_value = dyn_cast<Argument>(&value)) {
    const unsigned which = parameter_value->getArgNo();
    if (which == unsigned(parameter::index_x) || which == unsigned(parameter::linear))
      return each_lane(lanes_, [](unsigned lane) { return std::int64_t(lane); });
    if (which == unsigned(parameter::index_y) || which == unsigned(parameter::index_z))
      return each_lane(0, [](unsigned) { return 0; });
    return std::nullopt;
  }
  if (const auto* step = dyn_cast<BinaryOperator>(&value)) {
    std::optional<placed> result = binary(*step);
    return result ? if_exact(std::move(*result), bits) : std::nullopt;
  }
  if (!isa<SExtInst, ZExtInst, TruncInst>(value))
    return std::nullopt;
  const placed* narrow = number(*cast<CastInst>(value).getOperand(0));
  if (narrow == nullptr || (isa<ZExtInst>(value) && narrow->least() < 0))
    return std::nullopt;
  return if_exact(*narrow, bits);
}

/// Null if it is not known. Holds until the next call.
const placed* footprint::number(const Value& value) {
  auto found = numbers_.find(&value);
  if (found == numbers_.end()) {
    // A phi is not known, so there are no cycles.
    std::optional<placed> result = value.getType()->isIntegerTy() ? compute(value) : std::optional<placed>();
    found = numbers_.try_emplace(&value, std::move(result)).first;
  }
  return found->second ? &*found->second : nullptr;
}

std::optional<placed> footprint::address(const Value& pointer, const Value*& base) {
  base = &pointer;
  placed result;
  result.of_lane.assign(lanes_, 0);
  while (const auto* step = dyn_cast<GEPOperator>(base)) {
    SmallMapVector<Value*, APInt, 4> variable_offsets;
    APInt constant(64, 0);
    if (!step->collectOffset(layout_, 64, variable_offsets, constant))
      return std::nullopt;
    placed sum = result;
    bool is_known = is_small(constant.getSExtValue());
    for (std::int64_t& each : sum.of_lane)
      each += is_known ? constant.getSExtValue() : 0;
    for (const auto& [index, scale] : variable_offsets) {
      const placed* places = number(*index);
      const std::int64_t size = scale.getSExtValue();
      is_known &= places != nullptr && size >= 0 && size <= 1024;
      if (!is_known)
        break;
      sum.per_vector += places->per_vector * size;
      for (unsigned lane = 0; lane < lanes_; ++lane)
        sum.of_lane[lane] += places->of_lane[lane] * size;
    }
    // What cannot be told from the base belongs to it.
    if (!is_known)
      break;
    result = std::move(sum);
    base = step->getPointerOperand();
  }
  return if_exact(std::move(result), 64);
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
  if (pointer == nullptr)
    return result;
  result.kind = kind_of(*pointer);
  const TypeSize size = layout_.getTypeStoreSize(getLoadStoreType(&instruction));
  const Value* base = nullptr;
  const std::optional<placed> where = address(*pointer, base);
  if (!where || size.isScalable() || !is_small(std::int64_t(size.getKnownMinValue())) || !is_of_group(*base))
    return result;
  result.base = base;
  result.per_vector = where->per_vector;
  result.begin = where->least();
  result.end = where->greatest() + std::int64_t(size.getFixedValue());
  return result;
}

/// One vector writes what another one accesses.
bool footprint::may_meet(const access& left, const access& right) const {
  if (!left.is_store && !right.is_store)
    return false;
  if (left.kind != right.kind && left.kind != memory::any && right.kind != memory::any)
    return false;
  if (left.base == nullptr || right.base == nullptr || !is_same(*left.base, *right.base))
    return true;
  const auto end_of_all = [&](const access& each) { return each.end + each.per_vector * last_vector_; };
  if (end_of_all(left) <= right.begin || end_of_all(right) <= left.begin)
    return false;
  if (left.per_vector != right.per_vector || left.per_vector == 0)
    return true;
  // Vectors so far apart meet if above \p least and below \p most there is a multiple of per_vector.
  const std::int64_t least = right.begin - left.end, most = right.end - left.begin, step = left.per_vector;
  for (std::int64_t apart = std::max(least / step - 1, -last_vector_);
       apart <= last_vector_ && apart * step < most; ++apart)
    if (apart != 0 && apart * step > least)
      return true;
  return false;
}

bool footprint::is_apart() {
  SmallVector<access> accesses;
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
  for (unsigned first = 0; first < accesses.size(); ++first)
    for (unsigned second = first; second < accesses.size(); ++second)
      if (may_meet(accesses[first], accesses[second]))
        return false;
  return true;
}

bool vectors_keep_apart(const Function& work_item, unsigned lanes, unsigned work_items) {
  return footprint(work_item, lanes, work_items).is_apart();
}

} // namespace falx::jit::simd
