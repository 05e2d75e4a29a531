// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to all members of a structure alike need not be done to each member's vector. Before:
//   %0 = load <16 x float>, ptr %points                   ; x0 y0 z0 x1 …, and %1, %2 behind it
//   %x = shufflevector …                                  ; x0 x1 x2 …, likewise %y and %z
//   %x.half = fmul <16 x float> %x, splat (float 0.5)     ; likewise %y.half and %z.half
//   %3 = shufflevector <16 x float> %x.half, …            ; x0 y0 z0 x1 … again, and %4, %5
//   store <16 x float> %3, ptr %points
// After:
//   %3 = fmul <16 x float> %0, splat (float 0.5)
//   store <16 x float> %3, ptr %points
//
// Each lane of what is stored is followed through shuffles to the operation that computes it, and as long as
// those of all lanes are the same operation, to its operands, down to what lies as it is needed, is the same
// in all lanes, or comes out of one or two vectors by one shuffle. So as many operations as before do
// the same to the same elements, in other lanes. Taken are all stores of a block that share what is shuffled,
// if they have fewer instructions then. VectorCombine (foldShuffleToIdentity) does so for a single vector, of
// results that nobody else uses; a transposition has each result in several.

#include "vectorizer/passes.hpp"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <utility>
#include <vector>

using namespace llvm;

namespace falx::jit::simd {
namespace {

/// An element of a vector; null if it is poison.
using element = std::pair<Value*, int>;
using elements = std::vector<element>;

/// Operations that are followed from a group of stores, each once, and how deep that is at most.
constexpr std::size_t MOST_OPERATIONS = 64;

/// Makes vectors of elements that are computed alike, or counts what it would make.
class member_vectors {
public:
  /// The vector; null if it is not to be had so. What is made is inserted before \p place.
  Value* get(const elements& wanted, Instruction& place);
  /// Instructions that have been made.
  std::size_t made() const { return made_.size(); }
  /// As if there had not been any: nothing more is to be had.
  void take_back();

private:
  Value* of_one_place(const elements& wanted, Instruction& place);
  Value* of_operations(const elements& wanted, Instruction& place);
  Value* insert(Instruction* instruction, Instruction& place);

  std::map<elements, Value*> known_;
  std::vector<Instruction*> made_;
  std::size_t visited_ = 0;
};

} // namespace

/// Of the vector, behind shuffles.
static element source_of(Value* vector, int lane) {
  while (auto* shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
    const int from = shuffle->getMaskValue(unsigned(lane));
    if (from < 0)
      return {nullptr, 0};
    const int size = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
    vector = shuffle->getOperand(from < size ? 0 : 1);
    lane = from < size ? from : from - size;
  }
  if (isa<PoisonValue>(vector))
    return {nullptr, 0};
  return {vector, lane};
}

static elements sources_of(Value& vector) {
  elements result;
  for (unsigned lane = 0; lane < cast<FixedVectorType>(vector.getType())->getNumElements(); ++lane)
    result.push_back(source_of(&vector, int(lane)));
  return result;
}

/// The same is done, to other operands.
static bool are_alike(const Instruction& one, const Instruction& other) {
  if (one.getOpcode() != other.getOpcode() || one.getNumOperands() != other.getNumOperands())
    return false;
  const auto element_of = [](const Value& value) { return value.getType()->getScalarType(); };
  for (const auto& [left, right] : zip(one.operands(), other.operands()))
    if (element_of(*left) != element_of(*right))
      return false;
  if (element_of(one) != element_of(other))
    return false;
  if (const auto* compare = dyn_cast<CmpInst>(&one))
    return compare->getPredicate() == cast<CmpInst>(other).getPredicate();
  const auto *call = dyn_cast<IntrinsicInst>(&one), *another = dyn_cast<IntrinsicInst>(&other);
  return (call == nullptr) == (another == nullptr) &&
         (call == nullptr || call->getIntrinsicID() == another->getIntrinsicID());
}

/// It can be done to any lanes, each by itself. Functions are those of one type.
static bool is_of_elements(const Instruction& instruction) {
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction))
    return isTriviallyVectorizable(call->getIntrinsicID()) && !call->hasOperandBundles() &&
           isSafeToSpeculativelyExecute(call) &&
           all_of(call->args(), [&](const Use& argument) { return argument->getType() == call->getType(); });
  if (isa<CastInst>(instruction))
    return !isa<BitCastInst>(instruction);
  if (isa<SelectInst>(instruction))
    return instruction.getOperand(0)->getType()->isVectorTy();
  return isa<BinaryOperator, UnaryOperator, CmpInst>(instruction) &&
         isSafeToSpeculativelyExecute(&instruction);
}

Value* member_vectors::insert(Instruction* instruction, Instruction& place) {
  instruction->insertBefore(place.getIterator());
  made_.push_back(instruction);
  return instruction;
}

/// They lie in one vector or two, or are constants.
Value* member_vectors::of_one_place(const elements& wanted, Instruction& place) {
  SmallSetVector<Value*, 3> vectors;
  bool is_in_order = true, are_constants = true;
  SmallVector<Constant*, 16> constants;
  for (const auto& [index, each] : enumerate(wanted)) {
    const auto [vector, lane] = each;
    is_in_order = is_in_order && (vector == nullptr || lane == int(index));
    const auto* constant = dyn_cast_or_null<Constant>(vector);
    Constant* value = constant != nullptr ? constant->getAggregateElement(unsigned(lane)) : nullptr;
    are_constants = are_constants && (vector == nullptr || value != nullptr);
    constants.push_back(value);
    if (vector != nullptr)
      vectors.insert(vector);
  }
  if (vectors.empty() || vectors.size() > 2)
    return nullptr;
  const auto* type = cast<FixedVectorType>(vectors[0]->getType());
  if (are_constants) {
    for (Constant*& constant : constants)
      if (constant == nullptr)
        constant = PoisonValue::get(type->getElementType());
    return ConstantVector::get(constants);
  }
  if (vectors.size() == 2 && vectors[0]->getType() != vectors[1]->getType())
    return nullptr;
  if (vectors.size() == 1 && is_in_order && type->getNumElements() == wanted.size())
    return vectors[0];
  SmallVector<int, 16> mask;
  for (const auto& [vector, lane] : wanted)
    mask.push_back(vector == nullptr      ? PoisonMaskElem
                   : vector == vectors[0] ? lane
                                          : lane + int(type->getNumElements()));
  Value* second = vectors.size() == 2 ? vectors[1] : PoisonValue::get(vectors[0]->getType());
  return insert(new ShuffleVectorInst(vectors[0], second, mask), place);
}

/// The same operation computes all of them.
Value* member_vectors::of_operations(const elements& wanted, Instruction& place) {
  SmallSetVector<Instruction*, 4> operations;
  for (const auto& [vector, lane] : wanted)
    if (vector != nullptr) {
      auto* operation = dyn_cast<Instruction>(vector);
      if (operation == nullptr || !is_of_elements(*operation))
        return nullptr;
      operations.insert(operation);
    }
  // Of one operation the result is shuffled.
  if (operations.size() < 2 || ++visited_ > MOST_OPERATIONS ||
      !all_of(operations, [&](const Instruction* each) { return are_alike(*operations[0], *each); }))
    return nullptr;
  Instruction* like = operations[0];
  const unsigned operands =
      isa<IntrinsicInst>(like) ? cast<IntrinsicInst>(like)->arg_size() : like->getNumOperands();
  SmallVector<Value*, 3> parts;
  for (unsigned operand = 0; operand < operands; ++operand) {
    elements needed;
    for (const auto& [vector, lane] : wanted)
      needed.push_back(vector == nullptr ? element(nullptr, 0)
                                         : source_of(cast<Instruction>(vector)->getOperand(operand), lane));
    Value* part = get(needed, place);
    if (part == nullptr)
      return nullptr;
    parts.push_back(part);
  }
  Type* result = FixedVectorType::get(like->getType()->getScalarType(), unsigned(wanted.size()));
  Instruction* made = nullptr;
  if (auto* call = dyn_cast<IntrinsicInst>(like)) {
    made = CallInst::Create(
        Intrinsic::getOrInsertDeclaration(call->getModule(), call->getIntrinsicID(), {result}), parts);
  } else if (auto* conversion = dyn_cast<CastInst>(like)) {
    made = CastInst::Create(conversion->getOpcode(), parts[0], result);
  } else {
    made = like->clone();
    made->dropUnknownNonDebugMetadata();
    for (const auto& [index, part] : enumerate(parts))
      made->setOperand(unsigned(index), part);
    made->mutateType(result);
  }
  made->copyIRFlags(like);
  MDNode* accuracy = like->getMetadata(LLVMContext::MD_fpmath);
  for (const Instruction* each : operations) {
    made->andIRFlags(each);
    accuracy = MDNode::getMostGenericFPMath(accuracy, each->getMetadata(LLVMContext::MD_fpmath));
  }
  made->setMetadata(LLVMContext::MD_fpmath, accuracy);
  made->setDebugLoc(like->getDebugLoc());
  return insert(made, place);
}

Value* member_vectors::get(const elements& wanted, Instruction& place) {
  if (const auto known = known_.find(wanted); known != known_.end())
    return known->second;
  Value* result = of_operations(wanted, place);
  if (result == nullptr)
    result = of_one_place(wanted, place);
  return known_[wanted] = result;
}

void member_vectors::take_back() {
  for (Instruction* each : reverse(made_))
    each->eraseFromParent();
}

/// The vector that \p instruction stores, if it is shuffled.
static Use* shuffled_value(Instruction& instruction) {
  Use* value = nullptr;
  if (auto* store = dyn_cast<StoreInst>(&instruction); store != nullptr && store->isSimple())
    value = &store->getOperandUse(0);
  else if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
           call != nullptr && call->getIntrinsicID() == Intrinsic::masked_store)
    value = &call->getArgOperandUse(0);
  return value != nullptr && isa<ShuffleVectorInst>(*value) && isa<FixedVectorType>((*value)->getType())
             ? value
             : nullptr;
}

/// Instructions that nobody needs once \p stores store something else.
static std::size_t count_unused(ArrayRef<Use*> stores) {
  SmallPtrSet<const User*, 32> unused;
  SmallSetVector<Instruction*, 32> open;
  for (const Use* store : stores)
    open.insert(cast<Instruction>(store->get()));
  const auto needs = [&](const Use& use) {
    return !unused.contains(use.getUser()) && !is_contained(stores, &use);
  };
  std::size_t count = 0;
  while (!open.empty()) {
    Instruction* each = open.pop_back_val();
    if (unused.contains(each) || each->mayHaveSideEffects() || isa<PHINode>(each) ||
        any_of(each->uses(), needs))
      continue;
    unused.insert(each);
    count += each->mayReadFromMemory() ? 0 : 1;
    for (Value* operand : each->operands())
      if (auto* part = dyn_cast<Instruction>(operand); part != nullptr && part->getType()->isVectorTy())
        open.insert(part);
  }
  return count;
}

/// Stores of \p block, by what their shuffles share.
static std::vector<SmallVector<Use*, 4>> groups_of(BasicBlock& block) {
  EquivalenceClasses<const Value*> classes;
  SmallVector<Use*, 8> stores;
  for (Instruction& instruction : block)
    if (Use* value = shuffled_value(instruction)) {
      stores.push_back(value);
      for (const auto& [vector, lane] : sources_of(**value))
        if (vector != nullptr && !isa<Constant>(vector))
          classes.unionSets(value->get(), vector);
    }
  MapVector<const Value*, SmallVector<Use*, 4>> groups;
  for (Use* store : stores)
    if (const auto leader = classes.findLeader(store->get()); leader != classes.member_end())
      groups[*leader].push_back(store);
  std::vector<SmallVector<Use*, 4>> result;
  for (auto& [leader, members] : groups)
    result.push_back(std::move(members));
  return result;
}

static bool change(ArrayRef<Use*> stores) {
  member_vectors vectors;
  SmallVector<Value*, 4> values;
  for (Use* store : stores) {
    const elements wanted = sources_of(**store);
    Value* value = vectors.get(wanted, *cast<Instruction>(store->getUser()));
    if (value == nullptr || value->getType() != store->get()->getType()) {
      vectors.take_back();
      return false;
    }
    values.push_back(value);
  }
  const std::size_t made = vectors.made();
  if (made >= count_unused(stores)) {
    vectors.take_back();
    return false;
  }
  for (const auto& [store, value] : zip(stores, values)) {
    auto* before = cast<Instruction>(store->get());
    store->set(value);
    RecursivelyDeleteTriviallyDeadInstructions(before);
  }
  return true;
}

PreservedAnalyses compute_members_together::run(Function& function, FunctionAnalysisManager&) {
  bool changed = false;
  for (BasicBlock& block : function)
    for (const SmallVector<Use*, 4>& stores : groups_of(block))
      changed |= change(stores);
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses kept;
  kept.preserveSet<CFGAnalyses>();
  return kept;
}

} // namespace falx::jit::simd
