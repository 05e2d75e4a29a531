// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ValueHandle.h>

#include <cassert>

namespace falx::jit::simd {

/// \p type for each of \p lanes lanes; structures by element.
llvm::Type* widened(llvm::Type* type, unsigned lanes);

/// What became of the values of the work-item function: scalars for uniform, strided and tabulated ones (the
/// value of lane 0, active or not), vectors for the others.
class lane_values {
public:
  lane_values(const lane_shapes& shapes, unsigned lanes, llvm::IRBuilder<>& builder)
      : shapes_(shapes), lanes_(lanes), builder_(builder) {}

  void set(const llvm::Value* original, llvm::Value* ours) {
    assert(has_form_of(original, ours) && "what varies is a vector, everything else a scalar");
    ours_[original] = ours;
  }
  /// Of a value whose shape is scalar: the one of lane 0.
  llvm::Value* scalar(const llvm::Value* original) const;
  /// For all lanes; emitted at the builder's position if need be.
  llvm::Value* vector(const llvm::Value* original);
  /// \p base and what \p shape adds to it, for all lanes.
  llvm::Value* spread(llvm::Value* base, const lane_shape& shape);
  llvm::Value* splat(llvm::Value* scalar);
  /// By lane; vectors of structures, too.
  llvm::Value* select(llvm::Value* mask, llvm::Value* yes, llvm::Value* no);
  /// 0, 1, 2, ... of an integer type.
  llvm::Constant* lane_numbers(llvm::Type* element) const { return offsets(lane_shape::strided(1), element); }
  /// What \p shape adds to its base, for all lanes.
  llvm::Constant* offsets(const lane_shape& shape, llvm::Type* element) const;
  /// What vector() emitted is not valid elsewhere.
  void leave_block() { vectors_.clear(); }

private:
  /// Of \p ours: the type that the shape of \p original demands.
  bool has_form_of(const llvm::Value* original, const llvm::Value* ours) const;

  const lane_shapes& shapes_;
  unsigned lanes_;
  llvm::IRBuilder<>& builder_;
  llvm::DenseMap<const llvm::Value*, llvm::WeakTrackingVH> ours_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> vectors_;
};

} // namespace falx::jit::simd
