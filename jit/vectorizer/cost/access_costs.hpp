// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Instructions.h>

namespace falx::jit::simd {

/// What accesses of vectors and the shuffles around them take on the target at hand: LLVM's reciprocal
/// throughputs. All lanes are taken for active, as they are in nearly all vectors, so that masks are
/// constants.
class access_costs {
public:
  explicit access_costs(const llvm::TargetTransformInfo& target) : target_(target) {}

  /// Elements of \p bytes that fill a register, at most \p lanes; and the most of which a vector that is
  /// shuffled may consist: LLVM splits it, and finds more than in parts that have been split before.
  unsigned in_register(std::uint64_t bytes, unsigned lanes) const;
  unsigned most_shuffled(std::uint64_t bytes, unsigned lanes) const;
  /// Vectors of \p length elements of \p bytes that stand side by side in a register, of \p lanes lanes; 1 if
  /// they are smaller than any register is.
  unsigned side_by_side(std::uint64_t bytes, unsigned length, unsigned lanes) const;
  /// The target has an instruction for vectors of \p length elements of the kind that \p access loads or
  /// stores, some of which are left out.
  bool has_masks(const llvm::Instruction& access, unsigned length) const;
  /// The target gathers or scatters \p lanes elements of \p type with an instruction.
  bool has_scattered(bool is_load, llvm::Type& type, llvm::Align alignment, unsigned lanes) const;
  /// Of a vector of \p count consecutive elements of the kind that \p access loads or stores. \p touched of
  /// them are accessed.
  double of_consecutive(const llvm::Instruction& access, unsigned count, unsigned touched) const;
  /// What \p access, of elements at known distances, takes more where each of \p lanes lanes may be left out.
  double of_mask(const llvm::Instruction& access, unsigned lanes) const;
  /// As shuffle_network::shuffle_cost has it, of vectors of \p type.
  double of_shuffle(llvm::FixedVectorType& type, llvm::ArrayRef<int> places, bool has_two) const;
  /// As many vectors of \p type become one, or one becomes so many.
  double of_parts(llvm::FixedVectorType& type, unsigned count) const;
  /// Of \p access by \p lanes lanes, each from an address of its own: with the target's instruction, or lane
  /// by lane.
  double of_scattered(const llvm::Instruction& access, unsigned lanes) const;
  /// Of taking addresses out of a vector of these, as code for a gather without an instruction does.
  double of_addresses(const llvm::Instruction& access, unsigned lanes) const;

private:
  const llvm::TargetTransformInfo& target_;
};

} // namespace falx::jit::simd
