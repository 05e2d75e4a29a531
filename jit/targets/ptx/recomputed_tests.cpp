// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for each element of a work-item:     After:
//   %i.1 = or i32 %i, 256                        %i.1 = or i32 %i, 256
//   %has.1 = icmp slt i32 %i.1, %n               %has.1 = icmp slt i32 %i.1, %n
//   br i1 %has.1, label %load.1, label %loop     br i1 %has.1, label %load.1, label %loop
//   …                                            …
// loop:                                        loop:
//   …                                            …
// behind:                                      behind:
//   br i1 %has.1, label %store.1, label %end     %again = call i32 asm "mov.b32 $0, $1;", "=r,r"(i32 %i)
//                                                %i.1.again = or i32 %again, 256
//                                                %has.1.again = icmp slt i32 %i.1.again, %n
//                                                br i1 %has.1.again, label %store.1, label %end
//
// What a kernel tests in front of a loop and once more behind it LLVM computes once. A multiprocessor has
// seven registers for results of tests, and the loop needs some; each further one takes a register of 32 bits
// as long as the loop runs, with which groups run beside each other no more. One register is enough to
// compute them all again. LLVM's code generator would find both to be the same, and so the number goes
// through an instruction that it does not know; the assembler removes it.

#include "code_generation.hpp"
#include "cost_model.hpp"
#include "passes.hpp"
#include "pipeline/replacements.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Pass.h>

#include <memory>
#include <utility>

using namespace llvm;

namespace falx::jit {
namespace {

/// Instructions from the numbers that live on to the result of a test.
constexpr unsigned MOST_STEPS = 4;

bool is_number(const Type& type) {
  return type.isIntegerTy(32) || type.isIntegerTy(64);
}

/// One instruction of the GPU: of numbers, a test of them, or what follows from tests.
bool is_cheap(const Instruction& instruction) {
  if (instruction.getType()->isIntegerTy(1) && !isa<ICmpInst>(instruction))
    return isa<BinaryOperator, SelectInst>(instruction);
  switch (instruction.getOpcode()) {
  case Instruction::ICmp:
    return is_number(*instruction.getOperand(0)->getType());
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return is_number(*instruction.getType()) &&
           any_of(instruction.operands(), [](const Value* operand) { return isa<ConstantInt>(operand); });
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
    return is_number(*instruction.getType()) && is_number(*instruction.getOperand(0)->getType());
  default:
    return false;
  }
}

/// What a launch hands over, at a known offset, can be read anywhere, without a register.
bool is_parameter(const Value& value) {
  const auto* load = dyn_cast<LoadInst>(&value);
  if (load == nullptr)
    return isa<Argument>(value);
  const Value* base = base_of(*load);
  const auto* argument = dyn_cast<Argument>(base);
  const auto* wrapped = dyn_cast<IntrinsicInst>(base); // by which code generation names it
  return (argument != nullptr && argument->hasByValAttr()) ||
         (wrapped != nullptr && wrapped->getIntrinsicID() == Intrinsic::nvvm_internal_addrspace_wrap);
}

BasicBlock* block_of(const Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  auto* phi = dyn_cast<PHINode>(user);
  return phi != nullptr ? phi->getIncomingBlock(use) : user->getParent();
}

/// A result of tests in front of a loop that nothing in it asks for.
struct test {
  Instruction* result;
  SmallVector<Use*> uses; ///< behind the loop
  /// What it is computed from that does not live on without it.
  SmallSetVector<Value*, 2> numbers;
};

class loop_passage {
public:
  loop_passage(const Loop& loop, const LoopInfo& loops, const DominatorTree& dominators)
      : loop_(loop), loops_(loops), dominators_(dominators) {}

  bool shorten();

private:
  bool is_before(const Instruction& instruction) const {
    return !loop_.contains(&instruction) && dominators_.dominates(instruction.getParent(), loop_.getHeader());
  }
  bool is_behind(const BasicBlock& block) const {
    return !loop_.contains(&block) && dominators_.dominates(loop_.getHeader(), &block);
  }
  /// Is it in a register while the loop runs, whatever becomes of the tests? As it was at the beginning.
  bool lives_on(const Value& value) const {
    const auto [place, is_new] = lives_on_.try_emplace(&value, false);
    if (is_new)
      place->second = any_of(value.uses(), [&](const Use& use) {
        const BasicBlock& block = *block_of(use);
        return loop_.contains(&block) || is_behind(block);
      });
    return place->second;
  }
  bool finds_numbers(Value& value, unsigned steps, test& of) const;
  /// Is the value, which \p of is computed from in so many steps, one of them or a number to begin with?
  bool is_step(const Instruction& value, unsigned steps, const Instruction& of) const {
    return &value == &of || (steps < MOST_STEPS && is_cheap(value) && !lives_on(value));
  }
  SmallVector<test> tests() const;
  Value* again(Value& value, unsigned steps, const Instruction& of, BasicBlock& block);

  const Loop& loop_;
  const LoopInfo& loops_;
  const DominatorTree& dominators_;
  /// What has been computed again, by block.
  DenseMap<std::pair<BasicBlock*, Value*>, Value*> again_;
  /// What blocks began with.
  DenseMap<BasicBlock*, Instruction*> begin_;
  mutable DenseMap<const Value*, bool> lives_on_;
};

bool loop_passage::finds_numbers(Value& value, unsigned steps, test& of) const {
  if (isa<ConstantInt>(value) || is_parameter(value))
    return true;
  auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr)
    return false;
  if (is_step(*instruction, steps, *of.result))
    return all_of(instruction->operands(),
                  [&](Use& operand) { return finds_numbers(*operand, steps + 1, of); });
  if (!lives_on(*instruction))
    of.numbers.insert(instruction);
  return is_number(*instruction->getType());
}

SmallVector<test> loop_passage::tests() const {
  SmallVector<test> found;
  for (Instruction& instruction : instructions(*loop_.getHeader()->getParent())) {
    if (!instruction.getType()->isIntegerTy(1) || !is_cheap(instruction) || !is_before(instruction))
      continue;
    test candidate{&instruction, {}, {}};
    bool is_asked = false; // where it would be computed in vain, time after time
    for (Use& use : instruction.uses()) {
      BasicBlock& block = *block_of(use);
      const Loop* around = loops_.getLoopFor(&block);
      is_asked |= loop_.contains(&block);
      if (!is_behind(block))
        continue;
      is_asked |= around != nullptr && !around->contains(&instruction);
      candidate.uses.push_back(&use);
    }
    if (!is_asked && !candidate.uses.empty() && finds_numbers(instruction, 0, candidate))
      found.push_back(std::move(candidate));
  }
  return found;
}

/// \p value, computed at the beginning of \p block.
Value* loop_passage::again(Value& value, unsigned steps, const Instruction& of, BasicBlock& block) {
  auto* instruction = dyn_cast<Instruction>(&value);
  if (instruction == nullptr || is_parameter(value))
    return &value;
  if (Value* known = again_.lookup({&block, &value}))
    return known;
  Instruction* const begin = begin_.try_emplace(&block, &*block.getFirstInsertionPt()).first->second;
  Value* result = nullptr;
  if (is_step(*instruction, steps, of)) {
    SmallVector<Value*, 2> operands; // before there is a copy that uses them, too
    for (Value* operand : instruction->operands())
      operands.push_back(again(*operand, steps + 1, of, block));
    Instruction* copy = instruction->clone();
    for (const auto& [operand, value_again] : zip_equal(copy->operands(), operands))
      operand.set(value_again);
    copy->insertBefore(begin->getIterator());
    copy->setName(value.getName() + ".again");
    result = copy;
  } else {
    const bool is_wide = value.getType()->isIntegerTy(64);
    IRBuilder<> builder(begin);
    result = create_assembly(builder, value.getType(), is_wide ? "mov.b64 $0, $1;" : "mov.b32 $0, $1;",
                             is_wide ? "=l,l" : "=r,r", {&value}, value.getName() + ".again");
  }
  return again_[{&block, &value}] = result;
}

bool loop_passage::shorten() {
  SmallVector<test> candidates = tests();
  // A number of which one test alone is computed takes the place of that.
  DenseMap<Value*, unsigned> tests_of;
  for (const test& candidate : candidates)
    for (Value* number : candidate.numbers)
      ++tests_of[number];
  erase_if(candidates, [&](const test& candidate) {
    return any_of(candidate.numbers,
                  [&](Value* number) { return tests_of[number] <= words_of(*number->getType()); });
  });
  SmallSetVector<Value*, 4> numbers;
  for (const test& candidate : candidates)
    numbers.insert_range(candidate.numbers);
  unsigned cost = TESTS_BESIDE_LOOP;
  for (const Value* number : numbers)
    cost += words_of(*number->getType());
  if (candidates.size() <= cost)
    return false;
  for (const test& candidate : candidates)
    for (Use* use : candidate.uses)
      use->set(again(*candidate.result, 0, *candidate.result, *block_of(*use)));
  return true;
}

bool shorten_all(const LoopInfo& loops, const DominatorTree& dominators) {
  bool changes = false;
  for (const Loop* loop : loops.getLoopsInPreorder())
    changes |= loop_passage(*loop, loops, dominators).shorten();
  return changes;
}

/// Behind the code generator's passes that take constants out of indices, without which an index would seem
/// to live on with its neighbours.
struct recompute_tests_before_selection : FunctionPass {
  static char ID;

  recompute_tests_before_selection() : FunctionPass(ID) {}

  void getAnalysisUsage(AnalysisUsage& uses) const override {
    uses.addRequired<LoopInfoWrapperPass>();
    uses.addRequired<DominatorTreeWrapperPass>();
    uses.setPreservesCFG();
  }

  bool runOnFunction(Function&) override {
    return shorten_all(getAnalysis<LoopInfoWrapperPass>().getLoopInfo(),
                       getAnalysis<DominatorTreeWrapperPass>().getDomTree());
  }
};

char recompute_tests_before_selection::ID = 0;

} // namespace

PreservedAnalyses recompute_tests::run(Function& function, FunctionAnalysisManager& analyses) {
  return preserved_by_replacements(shorten_all(analyses.getResult<LoopAnalysis>(function),
                                               analyses.getResult<DominatorTreeAnalysis>(function)));
}

FunctionPass* create_test_recomputation() {
  return std::make_unique<recompute_tests_before_selection>().release();
}

} // namespace falx::jit
