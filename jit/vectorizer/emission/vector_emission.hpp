// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emission_core.hpp"
#include "lane_loops.hpp"
#include "vector_async_barriers.hpp"
#include "vector_atomics.hpp"
#include "vector_sub_groups.hpp"
#include "vectorizer/memory/memory_emission.hpp"
#include "vectorizer/memory/shuffled_accesses.hpp"

#include <llvm/ADT/PointerIntPair.h>

#include <map>

namespace falx::jit::simd {

/// Emits the vector form of instructions, one after the other, at the builder's position.
class vector_emission : public emission_core {
public:
  vector_emission(llvm::Function& work_item, llvm::Function& vector, const lane_shapes& shapes,
                  const shuffled_accesses& shuffled, const vector_request& request,
                  llvm::IRBuilder<>& builder)
      : emission_core(work_item, vector, shapes, request, builder), shuffled_(shuffled), loops_(*this),
        memory_(*this, loops_), sub_groups_(*this), atomics_(*this, loops_), async_barriers_(*this) {}

  /// The lanes that are active from here on. \p has_active_lane: there is one for sure.
  void enter(llvm::Value* mask, bool has_active_lane = false) {
    emission_core::enter(mask, has_active_lane);
    divisions_.clear();
  }
  void emit(llvm::Instruction& instruction);

private:
  /// What no other emitter takes.
  void emit_alone(llvm::Instruction& instruction);
  llvm::Value* emit_scalar(llvm::Instruction& instruction);
  llvm::Value* emit_exact_extension(llvm::CastInst& cast);
  llvm::Value* emit_vector(llvm::Instruction& instruction);
  llvm::Value* emit_address(llvm::GetElementPtrInst& address);
  /// vector_wrapping.cpp. \returns false if it is nothing of the kind.
  bool emit_unless_wrapping(llvm::Instruction& access);
  llvm::Value* no_lane_wraps(llvm::ArrayRef<const llvm::Instruction*> steps, llvm::Value* first,
                             std::uint64_t distance);
  /// vector_divisions.cpp
  struct divided {
    llvm::Value *quotient, *rest;
  };
  /// Dividend and divisor, and whether they are signed.
  using division_key = std::pair<const llvm::Value*, llvm::PointerIntPair<const llvm::Value*, 1, bool>>;
  llvm::Value* emit_division(llvm::BinaryOperator& division);
  /// \p scalar: what all lanes divide by, null if that varies.
  struct common_divisor {
    llvm::Value *vector, *scalar;
  };
  llvm::Value* divisor_of_active(llvm::Value* divisor);
  divided divide(const llvm::BinaryOperator& division);
  divided divide_near(const llvm::BinaryOperator& division, std::uint64_t width);
  llvm::Value* quotient_of_short(const llvm::BinaryOperator& division, llvm::Value* dividend,
                                 const common_divisor& divisor);
  divided divide_long(const llvm::BinaryOperator& division, llvm::Value* dividend,
                      const common_divisor& divisor);

  const shuffled_accesses& shuffled_;
  lane_loops loops_;
  memory_emission memory_;
  sub_group_emission sub_groups_;
  atomic_emission atomics_;
  async_barrier_emission async_barriers_;
  /// What this block has divided.
  std::map<division_key, divided> divisions_;
};

} // namespace falx::jit::simd
