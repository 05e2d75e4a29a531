// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "shuffled_access.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <memory>

namespace falx::jit::simd {

/// Finds the accesses of a function that are done as vectors of memory and shuffles: those for which that is
/// cheaper than an access per lane.
class shuffled_accesses {
public:
  /// \p is_whole: the lanes that are active in a block are those of the function.
  shuffled_accesses(const llvm::Function& work_item, const lane_shapes& shapes, const vector_request& request,
                    const access_costs& costs, llvm::function_ref<bool(const llvm::BasicBlock&)> is_whole);
  /// Null if \p access is none of them.
  const shuffled_access* of(const llvm::Instruction* access) const { return found_of_.lookup(access); }

private:
  llvm::SmallVector<std::unique_ptr<shuffled_access>> found_;
  llvm::DenseMap<const llvm::Instruction*, const shuffled_access*> found_of_;
};

} // namespace falx::jit::simd
