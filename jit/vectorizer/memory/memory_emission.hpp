// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "shuffled_access.hpp"
#include "vectorizer/emission/lane_loops.hpp"

namespace falx::jit::simd {

/// Emits what loads, stores, prefetches and private variables become.
class memory_emission : emitter {
public:
  memory_emission(emission_core& core, lane_loops& loops) : emitter(core), loops_(loops) {}

  /// A gather.
  llvm::Value* emit(llvm::LoadInst& load);
  /// A scatter, or what the last lane stores to the one address of all.
  void emit(llvm::StoreInst& store);
  /// What has been planned, for all members.
  void emit(const shuffled_access& access);
  void emit(llvm::AllocaInst& variable);
  /// vector_prefetch.cpp.
  void emit_prefetch(llvm::CallInst& prefetch);

private:
  /// Of one vector of memory.
  struct place {
    llvm::Value* address;
    llvm::Align alignment;
    llvm::Value* mask;
  };
  llvm::SmallVector<place> places_of(const shuffled_access& access, unsigned first);
  void emit_loads(const shuffled_access& access);
  void emit_stores(const shuffled_access& access);
  bool is_own_memory(const llvm::Value& pointer, llvm::Type& type) const;
  llvm::SmallVector<llvm::Value*> masks_of(const shuffled_access& access, unsigned first);
  llvm::Value* lanes_of(llvm::Value* vector, unsigned first, unsigned count);

  lane_loops& loops_;
  /// What is being emitted is of the lanes' own memory.
  bool is_own_ = false;
};

} // namespace falx::jit::simd
