// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, on a processor without registers for masks:
//   loop:
//     %live = phi <16 x i1> [ splat (i1 true), %before ], [ %stay, %loop ]
//     …
//     %inside = fcmp ole <16 x float> %length, splat (float 4.0)
//     %stay = and <16 x i1> %live, %inside
//     %y = select <16 x i1> %stay, <16 x float> %next, <16 x float> %x
//     %none = icmp eq i16 (bitcast <16 x i1> %stay to i16), 0
//     br i1 %none, label %exit, label %loop
// After:
//   loop:
//     %live = phi <16 x i32> [ splat (i32 -1), %before ], [ %stay, %loop ]
//     …
//     %stay = and <16 x i32> %live, (sext <16 x i1> %inside to <16 x i32>)
//     %y = select <16 x i1> (icmp slt <16 x i32> %stay, 0), <16 x float> %next, <16 x float> %x
//     %some = or <8 x i32> (lanes 0 to 7 of %stay), (lanes 8 to 15 of %stay)
//     %none = icmp eq i8 (bitcast <8 x i1> (icmp slt <8 x i32> %some, 0) to i8), 0
//     br i1 %none, label %exit, label %loop
//
// A comparison leaves each lane's answer in as many bits as it compares, and a blend wants it in as many as
// it blends. Code generation, which sees a block at a time, gives a mask that another block needs the
// narrowest elements that fill a register: two vectors of 8 lanes become bytes, one becomes words. So each
// comparison is packed, and each blend unpacks again: some ten instructions an iteration
// (docs/decisions/0052).

#include "vectorizer/passes.hpp"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace falx::jit::simd {

static bool is_mask(const Value* value) {
  const auto* type = dyn_cast<FixedVectorType>(value->getType());
  return type != nullptr && type->getElementType()->isIntegerTy(1) && type->getNumElements() > 1;
}

/// Whether \p value is a mask made of masks lane by lane, so that it can have elements of any width.
static bool joins_masks(const Value* value) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (instruction == nullptr || !is_mask(value))
    return false;
  if (const auto* shuffle = dyn_cast<ShuffleVectorInst>(instruction))
    return is_mask(shuffle->getOperand(0));
  return isa<PHINode, SelectInst, FreezeInst>(instruction) || instruction->isBitwiseLogicOp();
}

/// How many times as often an instruction of a loop runs as one outside, for want of better knowledge.
constexpr double ITERATIONS = 8;
/// As many registers may hold a mask.
constexpr std::uint64_t MASK_REGISTERS = 4;

namespace {

/// Masks that have to have the same width, as each is made of others of them.
struct mask_family {
  SmallVector<Instruction*> members; // in reverse post-order
  bool crosses_blocks = false;
  /// What operations on 1, 2, 4 and 8 bytes make of their masks or take them for, by how often they run.
  std::array<double, 4> votes{};

  unsigned width() const { return 8u << (max_element(votes) - votes.begin()); }
};

class widening {
public:
  widening(Function& function, const LoopInfo& loops, const TargetTransformInfo& target)
      : function_(function), loops_(loops),
        register_bits_(
            target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue()) {}
  /// Whether anything has changed.
  bool run();

private:
  void vote(mask_family& family, const Instruction& at, const Type* type) const;
  void ask_users(mask_family& family, const Instruction& mask) const;
  std::vector<mask_family> find_families() const;
  bool pays(const mask_family& family) const;
  void widen(const mask_family& family);
  Value* wide(Value* mask, unsigned width);
  Value* make_wide(Instruction& mask, unsigned width);
  Value* narrow(Instruction& mask, Instruction& user);
  Value* emit_test(ICmpInst& test, Value* lanes) const;
  void replace_use(Use& use);

  Function& function_;
  const LoopInfo& loops_;
  const std::uint64_t register_bits_;
  /// Of the family at hand: what has lanes of its width, all zeros or all ones, for a mask.
  DenseMap<Value*, Value*> wide_;
  /// The mask of it again, in a block.
  DenseMap<std::pair<Instruction*, BasicBlock*>, Value*> narrow_;
};

} // namespace

void widening::vote(mask_family& family, const Instruction& at, const Type* type) const {
  const unsigned bits = at.getDataLayout().getTypeSizeInBits(type->getScalarType()).getFixedValue();
  if (bits >= 8 && bits <= 64 && isPowerOf2_32(bits))
    family.votes[Log2_32(bits / 8)] += std::pow(ITERATIONS, loops_.getLoopDepth(at.getParent()));
}

void widening::ask_users(mask_family& family, const Instruction& mask) const {
  family.crosses_blocks |= isa<PHINode>(mask);
  for (const User* user : mask.users()) {
    const auto& at = *cast<Instruction>(user);
    family.crosses_blocks |= at.getParent() != mask.getParent();
    if (isa<SelectInst>(at) && at.getOperand(0) == &mask && !is_mask(&at))
      vote(family, at, at.getType());
    else if (const auto* call = dyn_cast<IntrinsicInst>(&at))
      for (const Value* operand : call->args())
        if (!is_mask(operand) && operand->getType()->isVectorTy())
          vote(family, at, operand->getType());
  }
}

/// Whether it keeps lanes of their own width in no more registers than there are to spare.
bool widening::pays(const mask_family& family) const {
  std::uint64_t lanes = 0;
  for (const Instruction* mask : family.members)
    lanes = std::max<std::uint64_t>(lanes, cast<FixedVectorType>(mask->getType())->getNumElements());
  return family.crosses_blocks && *max_element(family.votes) > 0 &&
         lanes * family.width() <= MASK_REGISTERS * register_bits_;
}

std::vector<mask_family> widening::find_families() const {
  EquivalenceClasses<Instruction*> joined;
  SmallVector<Instruction*> masks;
  for (BasicBlock* block : ReversePostOrderTraversal(&function_))
    for (Instruction& instruction : *block)
      if (joins_masks(&instruction) || (isa<CmpInst>(instruction) && is_mask(&instruction))) {
        masks.push_back(&instruction);
        joined.insert(&instruction);
      }
  for (Instruction* mask : masks)
    if (joins_masks(mask))
      for (Value* operand : mask->operands())
        if (auto* member = dyn_cast<Instruction>(operand); member != nullptr && joined.contains(member))
          joined.unionSets(mask, member);
  MapVector<Instruction*, mask_family> families;
  for (Instruction* mask : masks) {
    mask_family& family = families[joined.getLeaderValue(mask)];
    family.members.push_back(mask);
    if (isa<CmpInst>(mask))
      vote(family, *mask, mask->getOperand(0)->getType());
    ask_users(family, *mask);
  }
  std::vector<mask_family> found;
  for (auto& [leader, family] : families)
    if (pays(family))
      found.push_back(std::move(family));
  return found;
}

/// \p mask with lanes of \p width bits, next to where it is made unless it is a member of a family.
Value* widening::wide(Value* mask, unsigned width) {
  IRBuilder<> builder(function_.getContext());
  auto* type = VectorType::get(builder.getIntNTy(width), cast<VectorType>(mask->getType()));
  if (auto* constant = dyn_cast<Constant>(mask))
    return ConstantFoldCastOperand(Instruction::SExt, constant, type, function_.getDataLayout());
  Value*& known = wide_[mask];
  if (known == nullptr) {
    builder.SetInsertPoint(isa<Instruction>(mask) ? *cast<Instruction>(mask)->getInsertionPointAfterDef()
                                                  : function_.getEntryBlock().getFirstInsertionPt());
    known = builder.CreateSExt(mask, type, mask->getName() + ".wide");
  }
  return known;
}

/// A member of a family that is not a phi; those before it are there.
Value* widening::make_wide(Instruction& mask, unsigned width) {
  if (isa<CmpInst>(mask))
    return wide(&mask, width);
  IRBuilder<> builder(&mask);
  const auto operand = [&](unsigned which) { return wide(mask.getOperand(which), width); };
  const std::string name = (mask.getName() + ".wide").str();
  if (isa<FreezeInst>(mask))
    return builder.CreateFreeze(operand(0), name);
  if (auto* shuffle = dyn_cast<ShuffleVectorInst>(&mask))
    return builder.CreateShuffleVector(operand(0), operand(1), shuffle->getShuffleMask(), name);
  if (auto* select = dyn_cast<SelectInst>(&mask)) {
    Value* condition = select->getCondition();
    if (!is_mask(condition))
      return builder.CreateSelect(condition, operand(1), operand(2), name);
    if (match(select->getFalseValue(), m_Zero()))
      return builder.CreateAnd(operand(0), builder.CreateFreeze(operand(1)), name);
    if (match(select->getTrueValue(), m_AllOnes()))
      return builder.CreateOr(operand(0), builder.CreateFreeze(operand(2)), name);
    return builder.CreateSelect(builder.CreateIsNeg(operand(0)), operand(1), operand(2), name);
  }
  return builder.CreateBinOp(cast<BinaryOperator>(mask).getOpcode(), operand(0), operand(1), name);
}

/// The mask that \p mask was, in the block of \p user, where code generation sees what it is made of.
Value* widening::narrow(Instruction& mask, Instruction& user) {
  Value*& known = narrow_[{&mask, user.getParent()}];
  if (known == nullptr) {
    Value* lanes = wide_.lookup(&mask);
    const auto* origin = dyn_cast<Instruction>(lanes);
    const bool is_here =
        origin != nullptr && origin->getParent() == user.getParent() && !isa<PHINode>(origin);
    IRBuilder<> builder(user.getParent(), is_here ? std::next(cast<Instruction>(lanes)->getIterator())
                                                  : user.getParent()->getFirstInsertionPt());
    known = builder.CreateIsNeg(lanes, mask.getName());
  }
  return known;
}

/// Whether \p user asks of all lanes of a mask, as a number, whether there is any or whether all are there.
static bool is_test(const User* user) {
  return isa<ICmpInst>(user) && cast<ICmpInst>(user)->isEquality() &&
         match(user->getOperand(1), m_CombineOr(m_Zero(), m_AllOnes()));
}

Value* widening::emit_test(ICmpInst& test, Value* lanes) const {
  const bool any = match(test.getOperand(1), m_Zero());
  IRBuilder<> builder(&test);
  const auto count = [&] { return cast<FixedVectorType>(lanes->getType())->getNumElements(); };
  // Halves are joined until they fit a register.
  while (lanes->getType()->getPrimitiveSizeInBits() > register_bits_ && count() % 2 == 0) {
    const unsigned half = count() / 2;
    Value* low = builder.CreateShuffleVector(lanes, createSequentialMask(0, half, 0));
    Value* high = builder.CreateShuffleVector(lanes, createSequentialMask(half, half, 0));
    lanes = any ? builder.CreateOr(low, high) : builder.CreateAnd(low, high);
  }
  Value* bits = builder.CreateBitCast(builder.CreateIsNeg(lanes), builder.getIntNTy(count()));
  return builder.CreateICmp(test.getPredicate(), bits,
                            any ? Constant::getNullValue(bits->getType())
                                : Constant::getAllOnesValue(bits->getType()));
}

/// A use by what is not of the family.
void widening::replace_use(Use& use) {
  auto& user = *cast<Instruction>(use.getUser());
  auto& mask = *cast<Instruction>(use.get());
  Value* lanes = wide_.lookup(&mask);
  if (isa<SExtInst>(user) && user.getType() == lanes->getType()) {
    if (&user != lanes)
      user.replaceAllUsesWith(lanes);
  } else if (isa<BitCastInst>(user) && user.getType()->isIntegerTy() && !user.use_empty() &&
             all_of(user.users(), is_test)) {
    for (User* test : make_early_inc_range(user.users())) {
      test->replaceAllUsesWith(emit_test(*cast<ICmpInst>(test), lanes));
      cast<Instruction>(test)->eraseFromParent();
    }
  } else if (!isa<CmpInst>(mask) || mask.getParent() != user.getParent()) // else it serves as it is
    use.set(narrow(mask, user));
}

void widening::widen(const mask_family& family) {
  wide_.clear(); // masks of no family may have other widths in others
  narrow_.clear();
  const unsigned width = family.width();
  const SmallPtrSet<const User*, 16> members(family.members.begin(), family.members.end());
  for (Instruction* mask : family.members)
    if (auto* phi = dyn_cast<PHINode>(mask))
      wide_[phi] = PHINode::Create(
          VectorType::get(IntegerType::get(function_.getContext(), width), cast<VectorType>(phi->getType())),
          phi->getNumIncomingValues(), phi->getName() + ".wide", phi->getIterator());
  for (Instruction* mask : family.members)
    if (!isa<PHINode>(mask))
      wide_[mask] = make_wide(*mask, width);
  for (Instruction* mask : family.members)
    if (auto* phi = dyn_cast<PHINode>(mask))
      for (const auto& [value, from] : zip(phi->incoming_values(), phi->blocks()))
        cast<PHINode>(wide_[phi])->addIncoming(wide(value, width), from);
  for (Instruction* mask : family.members)
    for (Use& use : make_early_inc_range(mask->uses()))
      if (!members.contains(use.getUser()))
        replace_use(use);
  for (Instruction* mask : family.members)
    if (!isa<CmpInst>(mask)) {
      mask->replaceAllUsesWith(PoisonValue::get(mask->getType()));
      mask->eraseFromParent();
    }
}

bool widening::run() {
  const std::vector<mask_family> families = find_families();
  for (const mask_family& family : families)
    widen(family);
  return !families.empty();
}

PreservedAnalyses widen_masks::run(Function& function, FunctionAnalysisManager& analyses) {
  widening masks(function, analyses.getResult<LoopAnalysis>(function),
                 analyses.getResult<TargetIRAnalysis>(function));
  if (!masks.run())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace falx::jit::simd
