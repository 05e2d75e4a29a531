// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "lane_values.hpp"
#include "vectorizer/control/linearization.hpp"
#include "vectorizer/memory/shuffled_accesses.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/PointerIntPair.h>
#include <llvm/IR/IRBuilder.h>

#include <cassert>
#include <map>

namespace falx::jit::simd {

/// Emits the vector form of instructions, one after the other, at the builder's position.
class vector_emission {
public:
  vector_emission(llvm::Function& work_item, llvm::Function& vector, const lane_shapes& shapes,
                  const shuffled_accesses& shuffled, const vector_request& request,
                  llvm::IRBuilder<>& builder)
      : work_item_(work_item), vector_(vector), shapes_(shapes), shuffled_(shuffled), request_(request),
        builder_(builder), values_(shapes, request.lanes, builder) {}

  lane_values& values() { return values_; }
  /// The lanes that are active from here on. \p has_active_lane: there is one for sure.
  void enter(llvm::Value* mask, bool has_active_lane = false) {
    assert(mask != nullptr && is_mask(mask) && "a block's mask has a bit per lane");
    mask_ = mask;
    has_active_lane_ = has_active_lane;
    values_.leave_block();
    divisions_.clear();
  }
  void emit(llvm::Instruction& instruction);
  /// An i1: is any of \p mask set?
  llvm::Value* any(llvm::Value* mask);
  /// One bit per lane, lane 0 lowest.
  llvm::Value* bits(llvm::Value* mask);
  /// A variable at the function's entry.
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
  /// Element of the vector form of \p original.
  llvm::Value* of_lane(const llvm::Value* original, llvm::Value* lane);

private:
  bool is_mask(const llvm::Value* value) const {
    return value->getType() == llvm::FixedVectorType::get(builder_.getInt1Ty(), request_.lanes);
  }
  /// \p original as \p lane has it, active or not: what varies is computed again from scalars, down to what
  /// has a scalar shape, or down to what is not \p made_again, of which an element is taken.
  llvm::Value* made_for_lane(const llvm::Value& original, unsigned lane,
                             bool (*made_again)(const llvm::Instruction&) = nullptr);
  /// What does not belong to a group of accesses.
  void emit_alone(llvm::Instruction& instruction);
  llvm::Value* emit_scalar(llvm::Instruction& instruction);
  llvm::Value* emit_exact_extension(llvm::CastInst& cast);
  llvm::Value* emit_vector(llvm::Instruction& instruction);
  llvm::Value* emit_address(llvm::GetElementPtrInst& address);
  static void copy_access_metadata(const llvm::Instruction& from, llvm::Instruction& to);
  llvm::Value* emit_load(llvm::LoadInst& load);
  void emit_store(llvm::StoreInst& store);
  bool is_own_memory(const llvm::Value& pointer, llvm::Type& type) const;
  void emit_private_variable(llvm::AllocaInst& variable);
  /// vector_lanes.cpp: once per active lane. Only where all lanes may be active it is worth unrolling.
  void emit_lane_by_lane(llvm::Instruction& instruction, bool may_have_all_lanes = true);
  llvm::Value* spill(llvm::Value* vector);
  /// vector_wrapping.cpp. \returns false if it is nothing of the kind.
  bool emit_unless_wrapping(llvm::Instruction& access);
  /// vector_divisions.cpp
  struct divided {
    llvm::Value *quotient, *rest;
  };
  /// Dividend and divisor, and whether they are signed.
  using division_key = std::pair<const llvm::Value*, llvm::PointerIntPair<const llvm::Value*, 1, bool>>;
  llvm::Value* emit_division(llvm::BinaryOperator& division);
  divided divide(const llvm::BinaryOperator& division);
  divided divide_near(const llvm::BinaryOperator& division, std::uint64_t width);
  llvm::Value* quotient_of_long(bool is_signed, llvm::Value* dividend, llvm::Value* divisor);
  /// vector_lanes.cpp
  llvm::Value* divide_one_by_one(llvm::Instruction::BinaryOps operation, llvm::Value* dividend,
                                 llvm::Value* divisor);
  /// vector_prefetch.cpp
  void emit_prefetch(llvm::CallInst& prefetch);
  void prefetch_every_lane(llvm::CallInst& prefetch);
  /// vector_shuffles.cpp
  void emit_shuffled(const shuffled_access& access);
  llvm::SmallVector<llvm::Value*> masks_of(const shuffled_access& access, unsigned first);
  llvm::Value* lanes_of(llvm::Value* vector, unsigned first, unsigned count);
  /// vector_atomics.cpp
  void emit_combined(llvm::AtomicRMWInst& modification);
  llvm::Value* emit_combined_integers(llvm::AtomicRMWInst& modification);
  void emit_combined_sum(llvm::AtomicRMWInst& modification);
  /// vector_local_atomics.cpp
  void emit_local_counting(llvm::AtomicRMWInst& modification);
  /// vector_sub_groups.cpp
  llvm::Value* emit_sub_group_builtin(llvm::CallInst& call, llvm::StringRef name);
  llvm::Value* emit_shuffle(llvm::Value* value, llvm::Value* lanes);
  llvm::Value* emit_permutation(llvm::Value* value, llvm::Value* numbers);
  /// What changes nothing when it is combined: for <operation>_<type>, of which the first letter counts.
  static llvm::Constant* neutral_element(llvm::StringRef what, llvm::Type* element);
  llvm::Value* emit_reduction(llvm::StringRef what, llvm::Value* value);
  llvm::Value* first_active();
  llvm::Value* last_active();

  llvm::Function& work_item_;
  llvm::Function& vector_;
  const lane_shapes& shapes_;
  const shuffled_accesses& shuffled_;
  const vector_request& request_;
  llvm::IRBuilder<>& builder_;
  lane_values values_;
  llvm::Value* mask_ = nullptr;
  bool has_active_lane_ = false;
  /// What this block has divided.
  std::map<division_key, divided> divisions_;
  unsigned lane_loops_ = 0;
  unsigned local_countings_ = 0;
};

} // namespace falx::jit::simd
