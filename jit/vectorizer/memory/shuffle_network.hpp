// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace falx::jit::simd {

/// An element of one of several vectors, by number; any value if \p vector is negative.
struct vector_element {
  int vector = -1;
  unsigned at = 0;
};
using wanted_vector = llvm::SmallVector<vector_element, 16>;

/// Shuffles of two vectors, or of one, that make the wanted vectors out of others. All have one length.
class shuffle_network {
public:
  /// What a shuffle with these places takes, by the target's costs. Places count through both vectors, -1 is
  /// any. \p has_two: of two vectors.
  using shuffle_cost = llvm::function_ref<double(llvm::ArrayRef<int> places, bool has_two)>;

  shuffle_network() = default;
  /// The cheapest that is found for \p wanted, of \p inputs vectors of \p length elements.
  shuffle_network(unsigned inputs, unsigned length, llvm::ArrayRef<wanted_vector> wanted, shuffle_cost cost);

  double cost() const { return cost_; }
  /// The wanted vectors, out of \p inputs. Each of these is \p together vectors side by side, which are
  /// shuffled in the same way.
  llvm::SmallVector<llvm::Value*> emit(llvm::IRBuilderBase& builder, llvm::ArrayRef<llvm::Value*> inputs,
                                       unsigned together = 1) const;
  /// \p places of a shuffle of vectors of \p length elements, for \p together of these side by side.
  static llvm::SmallVector<int, 16> side_by_side(llvm::ArrayRef<int> places, unsigned length,
                                                 unsigned together);

private:
  /// Of an input or of a step's result, which are counted behind the inputs; ANY for a vector of any values.
  using number = int;
  static constexpr number ANY = -1;
  struct step {
    number left = ANY, right = ANY;
    llvm::SmallVector<int, 16> places;
  };

  llvm::SmallVector<number> make(llvm::ArrayRef<number> sources, llvm::ArrayRef<wanted_vector> wanted,
                                 shuffle_cost cost);
  number pick(llvm::ArrayRef<number> sources, const wanted_vector& wanted, shuffle_cost cost);
  llvm::SmallVector<number> split_sources(llvm::ArrayRef<number> sources,
                                          llvm::ArrayRef<wanted_vector> wanted, shuffle_cost cost);
  llvm::SmallVector<number> split_wanted(llvm::ArrayRef<number> sources, llvm::ArrayRef<wanted_vector> wanted,
                                         shuffle_cost cost);
  llvm::SmallVector<number> exchange_bits(llvm::ArrayRef<number> sources,
                                          llvm::ArrayRef<wanted_vector> wanted, shuffle_cost cost);
  number shuffle(number left, number right, llvm::ArrayRef<int> places, shuffle_cost cost);
  bool can_split_sources(unsigned sources, llvm::ArrayRef<wanted_vector> wanted) const;
  bool can_split_wanted(unsigned sources, llvm::ArrayRef<wanted_vector> wanted) const;

  unsigned inputs_ = 0;
  unsigned length_ = 0;
  double cost_ = 0;
  llvm::SmallVector<step, 0> steps_;
  llvm::SmallVector<number> outputs_;
};

} // namespace falx::jit::simd
