// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

#include <cstdint>
#include <string>
#include <utility>

/// \file
/// What the passes know about the kernel they work on travels in the IR, as string attributes of the kernel's
/// function, so that each pass can be run alone on a .ll file.

namespace falx::jit {

/// Attributes "falx-kind", "falx-dimensions", "falx-local-range", "falx-global-range", "falx-scratch",
/// "falx-context" and so on.
struct kernel_attributes {
  kernel_kind kind = kernel_kind::single_task;
  std::uint32_t dimensions = 1;
  /// x fastest; all zero if not known at compile time.
  std::uint32_t local_range[3] = {0, 0, 0};
  /// The launch's work-items by axis; all zero if not known at compile time.
  std::uint64_t global_range[3] = {0, 0, 0};
  /// Bytes per work-item behind __falx_group_scratch.
  std::uint64_t scratch_bytes = 0;
  /// Bytes per work-item of values that live across barriers.
  std::uint64_t context_bytes = 0;
  /// Indices, ranges and offsets of the launch, and products of ranges, are below 2^31.
  bool has_narrow_indices = false;
  /// The launch's offset is zero.
  bool has_no_offset = false;
  /// Target cpu: work-items of a sub-group, and work-items that run as one vector, a multiple of it.
  std::uint32_t sub_group_size = 1;
  std::uint32_t lanes = 1;
  /// "avx512f", "avx2" or "sse4" if there are mathematical functions for vectors.
  std::string vector_math;
  /// Vectors can be added and so on in some lanes only, by one instruction: "falx-masked-operations".
  bool computes_under_masks = false;
  /// Target cpu: vectors and one work-item after the other are both possible, give the same results, and
  /// either may be faster: "falx-other-form".
  bool has_other_form = false;
  /// Target cpu: one work-item after the other, along whose rows LLVM makes vectors: "falx-row-vectors".
  bool has_row_vectors = false;
  /// The kernel calls __falx_work_group_alloc.
  bool allocates = false;
  /// Target ptx: the grid's only axis is x, whatever the kernel's dimensions: "falx-linear-grid".
  bool linear_grid = false;
  /// A number of falx/device_architecture.hpp, and a bit for each number of sycl::aspect that the device has.
  std::uint32_t architecture = 0;
  std::uint64_t aspects = 0;
  /// Target ptx: denormal floats are taken for 0: "falx-flushes-denormals".
  bool flushes_denormals = false;
  /// Target ptx: compute capability and version of PTX, each times ten.
  unsigned sm = 70, ptx = 63;

  bool knows_local_range() const { return local_range[0] != 0; }
  bool knows_global_range() const { return global_range[0] != 0; }
  /// Kinds nd_range and work_group, and those whose code is one work-item's of several, nd_range and range.
  bool has_groups() const { return kind == kernel_kind::nd_range || kind == kernel_kind::work_group; }
  bool has_items() const { return kind == kernel_kind::nd_range || kind == kernel_kind::range; }
  /// Work-items of a group; 0 if not known at compile time.
  std::uint32_t group_size() const { return local_range[0] * local_range[1] * local_range[2]; }

  static kernel_attributes read(const llvm::Function& kernel);
  void write(llvm::Function& kernel) const;
};

/// A failure with a sentence for response::diagnostic.
llvm::Error failure(const llvm::Twine& sentence);

/// The kernel uses an optional feature that the device does not have: response::not_supported.
class not_supported : public llvm::ErrorInfo<not_supported, llvm::StringError> {
public:
  static char ID;
  explicit not_supported(const llvm::Twine& sentence) : ErrorInfo(sentence, llvm::inconvertibleErrorCode()) {}
};

/// Parameters of a kernel's work-item function from lower_builtins on: everything a builtin can tell.
/// Pointers for function, memories and worker; 64-bit integers for the rest. Axis x first.
enum class parameter : unsigned {
  /// The kernel's function object.
  function = 0,
  /// nd_range: the local id; range: the work-item without the launch's offset; else 0.
  index_x,
  index_y,
  index_z,
  /// nd_range: the local linear id; else 0.
  linear,
  group_x,
  group_y,
  group_z,
  global_range_x,
  global_range_y,
  global_range_z,
  global_offset_x,
  global_offset_y,
  global_offset_z,
  local_range_x,
  local_range_y,
  local_range_z,
  group_range_x,
  group_range_y,
  group_range_z,
  local_memory,
  group_scratch,
  work_item_context,
  /// The falx::cpu::worker_memory.
  worker,
};
constexpr unsigned PARAMETER_COUNT = unsigned(parameter::worker) + 1;

inline parameter on_axis(parameter x_axis, unsigned axis) {
  return parameter(unsigned(x_axis) + axis);
}
llvm::Argument* argument(llvm::Function& work_item, parameter which);
/// Differs between the work-items of a group.
bool is_per_work_item(parameter which);
/// A new internal, always inlined work-item function void(ptr, i64…, ptr…) with named and attributed
/// parameters, derived from \p model, whose attributes about the function object it takes over. \p returns
/// and \p extra_parameters change the type.
llvm::Function* create_work_item_function(llvm::Function& model, const llvm::Twine& name,
                                          llvm::Type* returns = nullptr,
                                          llvm::ArrayRef<llvm::Type*> extra_parameters = {});

} // namespace falx::jit
