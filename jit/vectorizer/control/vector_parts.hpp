// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"
#include "vectorizer/cost/cost_model.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/SmallVector.h>

#include <cstdint>
#include <optional>

namespace falx::jit::simd {

/// The function of \p result that runs a vector of which only some lanes are active.
constexpr const char* MASKED_FORM = "falx-masked-form";

/// A quotient that the lanes of a part have in common, one more parameter of the function.
struct common_quotient {
  /// In the function: what is divided, a progression, and by what, which is uniform.
  llvm::Value *dividend, *divisor;
  bool is_signed;
  std::uint64_t stride;
};

/// A copy of a work-item function for lanes that agree on quotients.
struct parted_work_item {
  llvm::Function* function;
  llvm::SmallVector<common_quotient, 2> quotients;
};

/// Nothing if \p work_item, which prepare_for_lanes has seen, gains nothing by it. \p shapes and \p costs:
/// its own.
std::optional<parted_work_item> form_parted_work_item(llvm::Function& work_item, const lane_shapes& shapes,
                                                      const vector_request& request, const cost_model& costs);

/// Vector forms of a work-item function.
struct vector_forms {
  /// Of lanes that agree on quotients.
  llvm::Function* together = nullptr;
  /// Of all others; null if sub-groups have one.
  llvm::Function* whole = nullptr;
};

/// The function that runs a vector in parts.
llvm::Function* emit_vector_in_parts(const parted_work_item& parted, const vector_forms& forms,
                                     const vector_request& request, const llvm::TargetTransformInfo& target);

} // namespace falx::jit::simd
