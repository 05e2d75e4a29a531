// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Error.h>

#include <string>

namespace falx::jit::simd {

/// How the lanes of a vector function lie in the index space.
enum class lane_layout {
  /// Consecutive along x, with equal y and z.
  row,
  /// Consecutive linear ids, whatever x, y and z these have.
  linear,
};

struct vector_request {
  unsigned lanes = 1;
  /// Work-items of a sub-group; a divisor of lanes. Only functions without sub-group builtins may have more
  /// lanes.
  unsigned sub_group_size = 1;
  lane_layout layout = lane_layout::row;
  /// Layout linear: work-items of a row, if a vector holds several whole ones; else 0.
  unsigned columns = 0;
  /// As for find_vector_math; empty if there are no mathematical functions for vectors.
  std::string vector_math;
  bool computes_under_masks = false;
  /// cost_model::permuted_elements
  unsigned permuted_elements = 1;
  /// cost_model::converts_unsigned
  bool converts_unsigned = false;
  /// Of a region: the result's element 0 may differ between lanes. Lanes that return this number are not
  /// among those that the function's last result, an integer with a bit per lane, names.
  unsigned end_number = ~0U;
  /// What runs once, for what is left of a row, is not worth several forms.
  bool may_run_in_parts = true;
  /// Of lanes that are several sub-groups: the vector form of one; null if there is none. For kind range.
  llvm::Function* sub_group_form = nullptr;
};

/// For a kernel of kind range or nd_range whose attributes name the lanes.
vector_request request_for(const kernel_attributes& attributes);

/// For lane_layout::linear: computes a work-item's local ids from its linear id, in 32 bits, as a group has
/// fewer work-items. Rows of 8 in vectors of 16 are then what lane_shapes knows of the linear id's low bits.
void take_ids_from_linear_id(llvm::Function& work_item);

/// The function has a form that vectors cannot have yet; the text says which.
class not_vectorizable : public llvm::ErrorInfo<not_vectorizable, llvm::StringError> {
public:
  static char ID;
  explicit not_vectorizable(const llvm::Twine& sentence)
      : ErrorInfo(sentence, llvm::inconvertibleErrorCode()) {}
};

/// The function is to run one work-item after the other, though it may have a vector form.
class one_by_one_is_chosen : public llvm::ErrorInfo<one_by_one_is_chosen, llvm::StringError> {
public:
  static char ID;
  one_by_one_is_chosen(bool has_other_form, bool has_row_vectors)
      : ErrorInfo("one work-item runs after the other", llvm::inconvertibleErrorCode()),
        has_other_form_(has_other_form), has_row_vectors_(has_row_vectors) {}
  /// As kernel_attributes has them.
  bool has_other_form() const { return has_other_form_; }
  bool has_row_vectors() const { return has_row_vectors_; }

private:
  bool has_other_form_;
  bool has_row_vectors_;
};

/// Makes a function that runs a work-item function for several consecutive work-items at once. It takes the
/// work-item function's parameters for the first lane, then <lanes x i1>, the active lanes, of which there
/// must be one. Consumes \p work_item, also if it fails.
llvm::Expected<llvm::Function*> vectorize(llvm::Function& work_item, const vector_request& request,
                                          llvm::FunctionAnalysisManager& analyses);

/// vectorize for the kernel alone, as tests look at it.
struct vectorize_kernel : kernel_pass<vectorize_kernel> {
  llvm::Error change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit::simd
