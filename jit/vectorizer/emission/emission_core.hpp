// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lane_values.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cassert>

namespace falx::jit::simd {

/// What all that emits vector code has in common: where it goes, what became of values, which lanes are
/// active. Emitters see its public interface alone.
class emission_core {
public:
  emission_core(llvm::Function& work_item, llvm::Function& vector, const lane_shapes& shapes,
                const vector_request& request, llvm::IRBuilder<>& builder)
      : work_item_(work_item), vector_(vector), shapes_(shapes), request_(request), builder_(builder),
        values_(shapes, request.lanes, builder) {}

  llvm::Function& work_item() { return work_item_; }
  llvm::Function& function() { return vector_; }
  const lane_shapes& shapes() const { return shapes_; }
  const vector_request& request() const { return request_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  lane_values& values() { return values_; }
  /// The lanes that are active in this block.
  llvm::Value* mask() const { return mask_; }
  /// There is one for sure.
  bool has_active_lane() const { return has_active_lane_; }
  void enter(llvm::Value* mask, bool has_active_lane) {
    assert(mask != nullptr && is_mask(mask) && "a block's mask has a bit per lane");
    mask_ = mask;
    has_active_lane_ = has_active_lane;
    values_.leave_block();
  }

  /// An i1: is any of \p mask set?
  llvm::Value* any(llvm::Value* mask);
  /// One bit per lane, lane 0 lowest.
  llvm::Value* bits(llvm::Value* mask);
  /// Number of the first (last) active lane; what to do without one is the caller's business.
  llvm::Value* first_active();
  llvm::Value* last_active();
  /// A variable at the function's entry.
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
  /// A branch in the midst of a block. \p weights: null, or the metadata of a likely or unlikely one.
  /// \returns for each value that both sides make, the one that has been made.
  struct side {
    const char* name;
    llvm::function_ref<llvm::SmallVector<llvm::Value*, 2>()> emit;
  };
  llvm::SmallVector<llvm::Value*, 2> either(llvm::Value* condition, llvm::MDNode* weights, const side& yes,
                                            const side& no, const llvm::Twine& result = "");
  /// A block of the function.
  llvm::BasicBlock* block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(builder_.getContext(), name, &vector_);
  }
  /// Element of the vector form of \p original.
  llvm::Value* of_lane(const llvm::Value* original, llvm::Value* lane);
  /// \p original as \p lane has it, active or not: what varies is computed again from scalars, down to what
  /// has a scalar shape, or down to what is not \p made_again, of which an element is taken.
  llvm::Value* made_for_lane(const llvm::Value& original, unsigned lane,
                             bool (*made_again)(const llvm::Instruction&) = nullptr);

protected:
  bool is_mask(const llvm::Value* value) const {
    return value->getType() == llvm::FixedVectorType::get(builder_.getInt1Ty(), request_.lanes);
  }

  llvm::Function& work_item_;
  llvm::Function& vector_;
  const lane_shapes& shapes_;
  const vector_request& request_;
  llvm::IRBuilder<>& builder_;
  lane_values values_;
  llvm::Value* mask_ = nullptr;
  bool has_active_lane_ = false;
};

/// A kind of instructions, by way of the core.
class emitter {
protected:
  explicit emitter(emission_core& core)
      : core_(core), builder_(core.builder()), values_(core.values()), shapes_(core.shapes()),
        request_(core.request()) {}

  emission_core& core_;
  llvm::IRBuilder<>& builder_;
  lane_values& values_;
  const lane_shapes& shapes_;
  const vector_request& request_;
};

} // namespace falx::jit::simd
