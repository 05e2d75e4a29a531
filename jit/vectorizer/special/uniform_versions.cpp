// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting networks, transforms and other butterflies compute with whom a work-item exchanges from bits of its
// id and a distance that is a power of two, and different in each step:
//   define internal { i32, … } @kernel.region.1(…, i64 %index.x, …, i64 %distance) {
//     %others = sub i64 0, %distance
//     %high = and i64 %index.x, %others
//     %at = add i64 %index.x, %high
//     %key.at = getelementptr i32, ptr %keys, i64 %at
//     %key = load i32, ptr %key.at
// Lanes' addresses are known relative to each other as soon as the distance is. So there are copies of the
// region for each power of two below the number of lanes, and one for multiples of that number, where lanes
// stay side by side. Which one runs is decided once for all vectors of the group:
//   define internal i32 @kernel.region.1.version(…, i64 %distance)
//
// In the copy for multiples, other values of which lanes' ids are masked are multiples, too.

#include "uniform_versions.hpp"
#include "frontend/kernel_attributes.hpp"
#include "joined_steps.hpp"
#include "pipeline/invariants.hpp"
#include "vectorizer/analysis/affine_form.hpp"
#include "vectorizer/analysis/rematerialisation.hpp"
#include "vectorizer/analysis/uniformity.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>
#include <optional>

using namespace llvm;

namespace falx::jit::simd {

/// Instructions up to which copies cost little to compile.
constexpr unsigned SMALL = 120;

namespace {

class version_search {
public:
  version_search(Function& region, const version_request& request)
      : region_(region), request_(request), lanes_(request.lanes), uniform_(region) {}
  uniform_versions run();

private:
  void visit(BinaryOperator& binary);
  bool can_be_known_before(Value& root) const;
  Function* make_copy(function_ref<void(Function&, ValueToValueMapTy&)> change);
  Function* copy_for(std::uint64_t distance);
  void join_steps_of_copies();
  void make_dispatcher();
  void make_copies();

  Function& region_;
  const version_request& request_;
  unsigned lanes_;
  uniformity uniform_;
  /// The power of two, and what else there are multiples of.
  Value* distance_ = nullptr;
  SmallSetVector<Value*, 2> others_;
  uniform_versions result_;
  /// The distance from which on the last copy joins steps, and what must be multiples then; 0 if none does.
  std::uint64_t joined_from_ = 0;
};

} // namespace

/// A sum of more than one value and constants, which stays one.
static bool is_own_sum(const Value& value) {
  const auto* sum = dyn_cast<BinaryOperator>(&value);
  return sum != nullptr && (sum->getOpcode() == Instruction::Mul || sum->getOpcode() == Instruction::Shl ||
                            none_of(sum->operands(), [](const Use& part) { return isa<Constant>(part); }));
}

/// The id, extended, cut off, or in another vector of work-items.
static bool is_index(const Value& value, const uniformity& uniform, const DataLayout& layout) {
  affine_form form = affine_form_of(value, layout, {nullptr, true});
  erase_if(form.terms, [&](const affine_form::term& term) { return uniform.is_uniform(term.value); });
  if (form.terms.size() != 1 || form.terms.front().scale != 1)
    return false;
  const auto* index = dyn_cast<Argument>(form.terms.front().value);
  return index != nullptr && (index->getArgNo() == unsigned(parameter::index_x) ||
                              index->getArgNo() == unsigned(parameter::linear));
}

/// \p value becomes part of the address of an access.
static bool reaches_address(const Instruction& value) {
  SmallVector<const Instruction*> stack = {&value};
  SmallPtrSet<const Instruction*, 16> seen;
  while (!stack.empty()) {
    const Instruction* step = stack.pop_back_val();
    if (!seen.insert(step).second)
      continue;
    for (const User* user : step->users()) {
      if (getLoadStorePointerOperand(user) == step)
        return true;
      if (isa<BinaryOperator, CastInst, GetElementPtrInst>(user))
        stack.push_back(cast<Instruction>(user));
    }
  }
  return false;
}

/// It is computed, without side effects, from what work-items of the group agree on when the region begins.
bool version_search::can_be_known_before(Value& root) const {
  const unsigned width = root.getType()->isIntegerTy() ? root.getType()->getIntegerBitWidth() : 0;
  if (!uniform_.is_uniform(&root) || width < 16 || width > 64)
    return false;
  if (isa<Argument>(root))
    return true;
  const auto* instruction = dyn_cast<Instruction>(&root);
  return instruction != nullptr && can_rematerialise(*instruction, /*may_use_variables=*/false);
}

void version_search::visit(BinaryOperator& binary) {
  const bool is_and = binary.getOpcode() == Instruction::And;
  if (!is_and && binary.getOpcode() != Instruction::Xor)
    return;
  Value *bits = binary.getOperand(0), *mask = binary.getOperand(1);
  if (uniform_.is_uniform(bits))
    std::swap(bits, mask);
  if (uniform_.is_uniform(bits) || !uniform_.is_uniform(mask))
    return;
  const DataLayout& layout = region_.getDataLayout();
  const affine_form affine = affine_form_of(*mask, layout, {is_own_sum, /*is_of_low_bits=*/true});
  if (affine.terms.size() != 1 || !can_be_known_before(*affine.terms.front().value))
    return;
  const auto [root, sign] = affine.terms.front();
  assert((sign == 1 || sign + 1 == 0) && "products are terms");
  const std::uint64_t low = affine.constant & (lanes_ - 1);
  const bool is_itself = sign == 1 && low == 0;
  // distance - 1 and its complement, or the distance.
  const bool is_of_power = is_and ? (sign == 1 && low == lanes_ - 1) || (sign != 1 && low == 0) : is_itself;
  if (is_of_power && is_index(*bits, uniform_, layout) && reaches_address(binary)) {
    if (distance_ == nullptr)
      distance_ = root;
    else
      others_.insert(root);
  } else if (is_and && is_itself) {
    others_.insert(root);
  }
}

Function* version_search::make_copy(function_ref<void(Function&, ValueToValueMapTy&)> change) {
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&region_, map);
  change(*copy, map);
  return copy;
}

/// An instruction of the same value behind which all uses of it are.
static Instruction& as_instruction(Value& value, Function& function) {
  BasicBlock& entry = function.getEntryBlock();
  auto* instruction = dyn_cast<Instruction>(&value);
  const auto behind =
      instruction != nullptr ? std::next(instruction->getIterator()) : entry.getFirstInsertionPt();
  auto* same = BinaryOperator::CreateAdd(&value, ConstantInt::get(value.getType(), 0), "same", behind);
  value.replaceUsesWithIf(same, [&](const Use& use) { return use.getUser() != same; });
  return *same;
}

Function* version_search::copy_for(std::uint64_t distance) {
  return make_copy([&](Function& copy, ValueToValueMapTy& map) {
    Value& ours = *map.lookup(distance_);
    replaceAndRecursivelySimplify(&as_instruction(ours, copy), ConstantInt::get(ours.getType(), distance));
  });
}

void version_search::make_copies() {
  for (std::uint64_t power = 1; power < lanes_; power *= 2)
    result_.copies.push_back({copy_for(power)});
  assert(result_.copies.size() == Log2_32(lanes_) && "a copy for each power of two within a vector");
  result_.copies.push_back({make_copy([&](Function& copy, ValueToValueMapTy& map) {
    for (Value* each : others_) {
      Value& ours = *map.lookup(each);
      Instruction& same = as_instruction(ours, copy);
      IRBuilder<> builder(&same);
      Constant* multiples = ConstantInt::getSigned(ours.getType(), -std::int64_t(lanes_));
      same.replaceAllUsesWith(builder.CreateAnd(&ours, multiples, "multiple"));
      same.eraseFromParent();
    }
  })});
}

/// One more copy, if steps at distances within a vector follow each other.
void version_search::join_steps_of_copies() {
  auto* distance = dyn_cast<Argument>(distance_);
  SmallVector<Argument*, 2> others;
  for (Value* each : others_)
    if (each != distance_)
      others.push_back(dyn_cast<Argument>(each));
  if (request_.results == nullptr || request_.work_items == 0 || distance == nullptr ||
      is_contained(others, nullptr))
    return;
  Function* next_to_vector = nullptr;
  const auto for_distance = [&](std::uint64_t power) -> Function& {
    if (power < lanes_)
      return *result_.copies[Log2_64(power)].function;
    if (next_to_vector == nullptr)
      next_to_vector = copy_for(power);
    return *next_to_vector;
  };
  const joined_steps joined = join_steps({region_, *request_.results, request_.number, lanes_,
                                          request_.work_items, *distance, others, for_distance});
  if (next_to_vector != nullptr)
    next_to_vector->eraseFromParent();
  if (joined.function == nullptr)
    return;
  joined_from_ = joined.first;
  result_.copies.push_back({joined.function, joined.steps, joined.results});
}

void version_search::make_dispatcher() {
  FunctionType* type =
      FunctionType::get(Type::getInt32Ty(region_.getContext()), region_.getFunctionType()->params(), false);
  Function* dispatcher =
      Function::Create(type, Function::InternalLinkage, region_.getName() + ".version", region_.getParent());
  dispatcher->addFnAttr(Attribute::AlwaysInline);
  dispatcher->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(region_.getContext(), "entry", dispatcher));
  rematerialiser rematerialised(builder, rematerialiser::flags::dropped, [&](Value& value) -> Value* {
    const auto* parameter = dyn_cast<Argument>(&value);
    return parameter != nullptr ? dispatcher->getArg(parameter->getArgNo()) : nullptr;
  });
  const unsigned powers = Log2_32(lanes_), all = unsigned(result_.copies.size());
  const auto are_multiples_of = [&](unsigned count, bool with_distance) {
    Value* result = nullptr;
    for (Value* each : others_)
      if (with_distance || each != distance_) {
        Value* rest = builder.CreateAnd(rematerialised.emit(*each), std::uint64_t(count - 1));
        Value* is_multiple = builder.CreateIsNull(rest);
        result = result == nullptr ? is_multiple : builder.CreateAnd(result, is_multiple);
      }
    return result;
  };
  Value* version =
      builder.CreateSelect(are_multiples_of(lanes_, true), builder.getInt32(powers), builder.getInt32(all));
  Value* distance = rematerialised.emit(*distance_);
  const auto is_distance = [&](std::uint64_t power) {
    return builder.CreateICmpEQ(distance, ConstantInt::get(distance->getType(), power));
  };
  for (unsigned log = 0; log < powers; ++log)
    version = builder.CreateSelect(is_distance(std::uint64_t(1) << log), builder.getInt32(log), version);
  if (joined_from_ != 0) {
    Value *is_first = is_distance(joined_from_), *are_multiples = are_multiples_of(2 * lanes_, false);
    if (are_multiples != nullptr)
      is_first = builder.CreateAnd(is_first, are_multiples);
    version = builder.CreateSelect(is_first, builder.getInt32(all - 1), version);
  }
  // A value that the region computes but may not use can be poison; then any copy will do.
  builder.CreateRet(builder.CreateFreeze(version));
  assert(is_valid(*dispatcher) && "the choice is not valid");
  result_.dispatcher = dispatcher;
}

uniform_versions version_search::run() {
  for (Instruction& instruction : instructions(region_))
    if (auto* binary = dyn_cast<BinaryOperator>(&instruction))
      visit(*binary);
  if (distance_ == nullptr)
    return {};
  others_.insert(distance_);
  make_copies();
  join_steps_of_copies();
  make_dispatcher();
  return std::move(result_);
}

uniform_versions make_uniform_versions(Function& region, const version_request& request) {
  if (!isPowerOf2_32(request.lanes) || request.lanes == 1 || region.getInstructionCount() > SMALL)
    return {};
  return version_search(region, request).run();
}

} // namespace falx::jit::simd
