// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lane_shapes.hpp"
#include "divergence.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorizer/emission/sub_group_builtins.hpp"
#include "vectorizer/emission/vector_async_barriers.hpp"
#include "vectorizer/memory/interleaved_variables.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

std::int64_t private_stride(const AllocaInst& variable) {
  if (const std::uint64_t element = interleaved_element(variable))
    return std::int64_t(element);
  const DataLayout& layout = variable.getDataLayout();
  const std::uint64_t count = cast<ConstantInt>(variable.getArraySize())->getZExtValue();
  return std::int64_t(
      alignTo(count * layout.getTypeAllocSize(variable.getAllocatedType()), variable.getAlign()));
}

lane_shapes::lane_shapes(Function& work_item, const forward_graph& graph, const LoopInfo& loops,
                         unsigned lanes)
    : layout_(work_item.getDataLayout()), graph_(&graph), loops_(loops), lanes_(lanes) {
  propagate(work_item, graph.order());
}

/// Where phis choose by more than what lanes share, lanes meet: unless the header of a loop, which they come
/// to together.
lane_shapes::lane_shapes(Function& work_item, const uniformity& uniform, const LoopInfo& loops,
                         unsigned lanes)
    : layout_(work_item.getDataLayout()), graph_(nullptr), loops_(loops), lanes_(lanes) {
  for (const Instruction* branch : uniform.divergent_branches()) {
    divergent_.insert(branch->getParent());
    for (const Loop* loop = loops.getLoopFor(branch->getParent()); loop != nullptr;
         loop = loop->getParentLoop())
      if (loop->isLoopExiting(branch->getParent()))
        divergent_loops_.insert(loop);
  }
  const auto varies = [&](const PHINode& phi) { return !uniform.is_uniform(&phi); };
  ReversePostOrderTraversal<Function*> order(&work_item);
  for (BasicBlock* block : order) {
    const BasicBlock* before = block->getSinglePredecessor();
    const bool may_join =
        before == nullptr ? !loops.isLoopHeader(block) : is_divergent(loops.getLoopFor(before));
    if (may_join && any_of(block->phis(), varies))
      joins_.insert(block);
  }
  propagate(work_item, SmallVector<BasicBlock*>(order.begin(), order.end()));
}

void lane_shapes::propagate(Function& work_item, ArrayRef<BasicBlock*> order) {
  for (const Argument& each : work_item.args())
    shapes_[&each] = lane_shape::uniform();
  // Vectors begin at multiples of their size.
  shapes_[argument(work_item, parameter::index_x)] = shapes_[argument(work_item, parameter::linear)] =
      lane_shape::strided(1, true, true, Log2_32(lanes_));
  for (const BasicBlock* block : order)
    for (const Instruction& instruction : *block)
      worklist_.insert(&instruction);
  // In order first, then what changed.
  const SmallVector<const Instruction*> all = worklist_.takeVector();
  for (const Instruction* instruction : all)
    update(*instruction);
  while (!worklist_.empty())
    update(*worklist_.pop_back_val());
  // Phis of nothing but undefined values and each other are left.
  undef_is_uniform_ = true;
  for (const auto& [value, shape] : shapes_)
    if (shape.what == lane_shape::kind::undefined && isa<PHINode>(value))
      worklist_.insert(cast<PHINode>(value));
  while (!worklist_.empty())
    update(*worklist_.pop_back_val());
  assert(none_of(shapes_, [](const auto& each) { return each.second.what == lane_shape::kind::undefined; }) &&
         "a value has got no shape");
}

lane_shape lane_shapes::operator[](const Value* value) const {
  if (const auto* number = dyn_cast<ConstantInt>(value))
    return lane_shape::uniform(std::min(number->getValue().countr_zero(), 63U));
  if (isa<Constant, InlineAsm>(value))
    return lane_shape::uniform();
  return shapes_.lookup(value);
}

void lane_shapes::update(const Instruction& instruction) {
  if (const auto* branch = dyn_cast<BranchInst>(&instruction)) {
    if (graph_ != nullptr && branch->isConditional() && (*this)[branch->getCondition()].is_varying())
      part(*branch->getParent());
    return;
  }
  if (instruction.isTerminator())
    return;
  lane_shape& shape = shapes_[&instruction];
  const lane_shape latest = shape_of(instruction);
  if (latest == shape)
    return;
  assert(join(shape, latest) == latest && "a shape says more than it did before: the analysis need not end");
  shape = latest;
  for (const User* user : instruction.users())
    worklist_.insert(cast<Instruction>(user));
}

void lane_shapes::part(const BasicBlock& block) {
  if (!divergent_.insert(&block).second)
    return;
  const divergence found = divergence_of(block, *graph_, loops_);
  divergent_loops_.insert_range(found.loops);
  for (const BasicBlock* join : found.joins)
    if (joins_.insert(join).second)
      for (const PHINode& phi : join->phis())
        worklist_.insert(&phi);
}

lane_shape lane_shapes::shape_of(const Instruction& instruction) const {
  if (const auto* phi = dyn_cast<PHINode>(&instruction))
    return of_phi(*phi);
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
    return isa<ConstantInt>(variable->getArraySize())
               ? lane_shape::strided(private_stride(*variable), true, true)
               : lane_shape::varying();
  if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return of_address(*address);
  if (const auto* binary = dyn_cast<BinaryOperator>(&instruction))
    return of_binary(*binary);
  if (const auto* cast = dyn_cast<CastInst>(&instruction))
    return of_cast(*cast);
  if (const auto* compare = dyn_cast<ICmpInst>(&instruction))
    return of_comparison(*compare);
  if (const auto* call = dyn_cast<CallInst>(&instruction))
    return of_call(*call);
  if (const auto* select = dyn_cast<SelectInst>(&instruction))
    return of_select(*select);
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return lane_shape::varying();
  if (const auto* load = dyn_cast<LoadInst>(&instruction); load != nullptr && load->isVolatile())
    return lane_shape::varying();
  return otherwise(instruction);
}

/// A function of its operands: uniform if these are.
lane_shape lane_shapes::otherwise(const Instruction& instruction) const {
  for (const Value* operand : instruction.operands()) {
    const lane_shape shape = (*this)[operand];
    if (shape.what == lane_shape::kind::undefined)
      return {};
    if (!shape.is_uniform())
      return lane_shape::varying();
  }
  return lane_shape::uniform();
}

lane_shape lane_shapes::of_phi(const PHINode& phi) const {
  lane_shape result;
  for (const Value* incoming : phi.incoming_values())
    if (incoming != &phi && !isa<UndefValue>(incoming))
      result = join(result, (*this)[incoming]);
  if (result.what == lane_shape::kind::undefined && undef_is_uniform_)
    return lane_shape::uniform();
  if (!result.is_scalar() || !is_join(phi.getParent()))
    return result;
  // Lanes that come by different ways bring different values, unless all are the same. The same value that a
  // divergent loop computed in different iterations is not.
  const Value* same = phi.getIncomingValue(0);
  for (const Value* incoming : phi.incoming_values())
    if (incoming != same)
      return lane_shape::varying();
  const auto* definition = dyn_cast<Instruction>(same);
  const Loop* inside = definition != nullptr ? loops_.getLoopFor(definition->getParent()) : nullptr;
  return inside != nullptr && !inside->contains(phi.getParent()) ? lane_shape::varying() : result;
}

lane_shape lane_shapes::of_address(const GetElementPtrInst& address) const {
  const lane_shape base = (*this)[address.getPointerOperand()];
  if (base.what == lane_shape::kind::undefined)
    return {};
  bool is_scalar = base.is_scalar();
  SmallVector<std::pair<lane_shape, std::uint64_t>, 2> parts = {{base, 1}};
  const DataLayout& layout = address.getDataLayout();
  for (auto step = gep_type_begin(address); step != gep_type_end(address); ++step) {
    const lane_shape index = (*this)[step.getOperand()];
    if (index.what == lane_shape::kind::undefined)
      return {};
    if (index.is_uniform())
      continue;
    // Narrower indices are extended: what they differ by does not survive that in general.
    is_scalar = is_scalar && index.is_scalar() && !step.isStruct() &&
                step.getOperand()->getType()->getScalarSizeInBits() ==
                    layout.getIndexTypeSizeInBits(address.getType());
    if (is_scalar)
      parts.push_back({index, step.getSequentialElementStride(layout).getFixedValue()});
  }
  if (!is_scalar)
    return lane_shape::varying();
  return with_offsets(
      [&](unsigned lane) {
        std::uint64_t offset = 0;
        for (const auto& [shape, size] : parts)
          offset += std::uint64_t(shape.offset_of(lane)) * size;
        return std::int64_t(offset);
      },
      lane_shape::strided(1));
}

lane_shape lane_shapes::of_select(const SelectInst& select) const {
  const lane_shape condition = (*this)[select.getCondition()];
  if (condition.what == lane_shape::kind::undefined || condition.is_uniform())
    return join((*this)[select.getTrueValue()], (*this)[select.getFalseValue()]);
  return of_likely_choice((*this)[select.getTrueValue()], (*this)[select.getFalseValue()]);
}

/// Of neighbours of elements, where there are none something else that all lanes share: which few lanes need
/// (control/boundary_tests.cpp).
lane_shape lane_shapes::of_likely_choice(lane_shape one, lane_shape other) const {
  if (one.what == lane_shape::kind::undefined || other.what == lane_shape::kind::undefined)
    return {};
  if (graph_ == nullptr && one.is_uniform() != other.is_uniform())
    return one.is_uniform() ? other : one;
  return lane_shape::varying();
}

lane_shape lane_shapes::of_call(const CallInst& call) const {
  if (const std::optional<lane_shape> shape = shape_of_sub_group_builtin(call, *this))
    return *shape;
  if (const std::optional<lane_shape> shape = shape_of_async_barrier_call(call, *this))
    return *shape;
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (intrinsic != nullptr && intrinsic->isAssumeLikeIntrinsic() && call.getType()->isVoidTy())
    return lane_shape::uniform();
  if (!call.doesNotAccessMemory())
    return lane_shape::varying();
  const lane_shape shape = otherwise(call);
  return shape.is_varying() && isa<MinMaxIntrinsic>(call)
             ? of_likely_choice((*this)[call.getArgOperand(0)], (*this)[call.getArgOperand(1)])
             : shape;
}

} // namespace falx::jit::simd
