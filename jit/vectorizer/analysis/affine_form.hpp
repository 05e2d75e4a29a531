// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a value or an address depend on the lane? One question, put in these forms:
//
//   lane_shapes        what a value adds to lane 0's, for the lanes that are active: nothing, a multiple of
//                      the lane, a constant per lane, or unknown; and whether that sum wraps in its width
//   affine_form        what a value is a sum of: base + constant + Σ scale * term, modulo 2^64. With the
//                      distances of the terms from lane_shapes it answers for sums that have no shape:
//     shuffled_accesses  are two addresses the same but for a constant? How far is a lane's address from the
//                        next one's in a row of the work-group?
//     vector_wrapping    how far would it be, if one extension did not wrap?
//     gather_indices     is the vector of addresses one base, and an extended index of 32 bits?
//     group_accesses     which bytes of one object does each work-item of a group access?
//   uniformity         is a value the same for all work-items of a group? LLVM's UniformityInfo, for whole
//                      groups, before there are lanes. With it lane_shapes has likely shapes then, for costs:
//     loop_costs         which accesses are of elements side by side, which values do lanes share?
//     loops_in_step      does a group go through memory row by row?
//
// vectorize_function, lanes_loops and index_ranges ask nothing: they make the ids of lanes, and say in which
// range ids are. Where a value is needed for another lane, in a row, in another region or function, the
// rematerialiser makes it (rematerialisation.hpp).
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Value.h>

#include <cstdint>
#include <optional>

namespace falx::jit::simd {

/// A number of 64 bits, an address, or a vector of these as base + constant + Σ scale * term, modulo 2^64:
/// no matter what wraps.
struct affine_form {
  struct term {
    llvm::Value* value = nullptr;
    std::uint64_t scale = 0;
    bool operator==(const term&) const = default;
  };
  /// Of an address: what the rest is added to, in bytes. Null for a number.
  llvm::Value* base = nullptr;
  std::uint64_t constant = 0;
  /// Each value once, and no scale is 0. A term of fewer bits than 64 is extended with its sign.
  llvm::SmallVector<term, 4> terms;

  /// The two differ by a constant alone.
  bool has_terms_of(const affine_form& other) const;
  /// The sum of what \p of_value says of base and terms, times their scales; nothing if it does not know one
  /// of them, or says anything but 0 of a term that is extended, whose distances do not survive that in
  /// general.
  using distance = std::optional<std::uint64_t>;
  distance sum(llvm::function_ref<distance(const llvm::Value&)> of_value) const;
};

/// What is taken apart.
struct affine_reading {
  /// Stays a term (or the base) although it is a sum.
  llvm::function_ref<bool(const llvm::Value&)> is_leaf = {};
  /// Sums of 32 bits that do not wrap when they are extended with their sign are taken apart, too.
  bool takes_extended_sums = false;
};

affine_form affine_form_of(const llvm::Value& value, const llvm::DataLayout& layout,
                           const affine_reading& reading = {});

} // namespace falx::jit::simd
