// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lane_shape.hpp"
#include "uniformity.hpp"
#include "vectorizer/control/forward_graph.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>

#include <optional>
#include <set>

namespace falx::jit::simd {

/// Distance in bytes between one private variable's copies for neighbouring lanes.
std::int64_t private_stride(const llvm::AllocaInst& variable);

/// The shape of every value of a work-item function, and where lanes part. Optimistic: what is not shown to
/// vary is uniform, strided or tabulated.
class lane_shapes {
public:
  /// Of a prepared function.
  lane_shapes(llvm::Function& work_item, const forward_graph& graph, const llvm::LoopInfo& loops,
              unsigned lanes);
  /// The likely shapes, for costs, of a function in LCSSA form that is not prepared: lanes part where the
  /// work-items of a group do, numbers of 32 bits do not wrap, and rows are longer than vectors.
  lane_shapes(llvm::Function& work_item, const uniformity& uniform, const llvm::LoopInfo& loops,
              unsigned lanes);

  lane_shape operator[](const llvm::Value* value) const;
  const llvm::DataLayout& layout() const { return layout_; }
  /// Lanes may go different ways at the end of \p block.
  bool is_divergent(const llvm::BasicBlock* block) const { return divergent_.contains(block); }
  /// Lanes that come to \p block by different ways may meet there.
  bool is_join(const llvm::BasicBlock* block) const { return joins_.contains(block); }
  /// Lanes may leave \p loop in different iterations.
  bool is_divergent(const llvm::Loop* loop) const { return divergent_loops_.contains(loop); }

private:
  void propagate(llvm::Function& work_item, llvm::ArrayRef<llvm::BasicBlock*> order);
  void update(const llvm::Instruction& instruction);
  void part(const llvm::BasicBlock& block);
  lane_shape shape_of(const llvm::Instruction& instruction) const;
  lane_shape of_phi(const llvm::PHINode& phi) const;
  lane_shape of_binary(const llvm::BinaryOperator& binary) const;
  lane_shape of_integers(const llvm::BinaryOperator& binary, lane_shape left, lane_shape right) const;
  lane_shape of_bits(const llvm::BinaryOperator& binary, lane_shape left, lane_shape right) const;
  lane_shape of_mask(const llvm::BinaryOperator& binary, lane_shape bits, const llvm::Value& mask) const;
  lane_shape of_shift(lane_shape left, unsigned shift) const;
  lane_shape of_shifted_extension(const llvm::BinaryOperator& shift) const;
  lane_shape of_quotient(const llvm::BinaryOperator& binary, lane_shape left,
                         const llvm::ConstantInt& divisor) const;
  lane_shape of_likely_quotient(const llvm::BinaryOperator& binary, lane_shape left, lane_shape right) const;
  lane_shape with_offsets(llvm::function_ref<std::int64_t(unsigned)> offset_of, const lane_shape& rest) const;
  lane_shape in_width(lane_shape shape, const llvm::Type& type) const;
  lane_shape of_comparison(const llvm::ICmpInst& compare) const;
  lane_shape of_cast(const llvm::CastInst& cast) const;
  lane_shape of_address(const llvm::GetElementPtrInst& address) const;
  lane_shape of_call(const llvm::CallInst& call) const;
  lane_shape of_select(const llvm::SelectInst& select) const;
  lane_shape of_likely_choice(lane_shape one, lane_shape other) const;
  lane_shape otherwise(const llvm::Instruction& instruction) const;

  const llvm::DataLayout& layout_;
  /// Null: the likely shapes.
  const forward_graph* graph_;
  const llvm::LoopInfo& loops_;
  unsigned lanes_;
  llvm::DenseMap<const llvm::Value*, lane_shape> shapes_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> divergent_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 8> joins_;
  llvm::SmallPtrSet<const llvm::Loop*, 8> divergent_loops_;
  llvm::SetVector<const llvm::Instruction*> worklist_;
  bool undef_is_uniform_ = false;
  mutable std::set<lane_offsets> offsets_;
};

} // namespace falx::jit::simd
