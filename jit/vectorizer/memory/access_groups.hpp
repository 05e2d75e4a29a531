// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shapes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <memory>

namespace falx::jit::simd {

/// Loads, or stores, of members of one structure per lane, the structures of neighbouring lanes next to each
/// other; or of elements near each other, which lanes find by what their addresses are tabulated with. They
/// are done together: loads where the first one is, stores where the last one is.
struct access_group {
  struct member {
    llvm::Instruction* access = nullptr;
    /// Position in the structure, in elements.
    unsigned field = 0;
  };
  /// In the order of the program.
  llvm::SmallVector<member, 4> members;
  /// Bytes of each member.
  std::uint64_t element = 0;
  /// Elements of the structure; those without a member are not touched. If tabulated, from the first element
  /// that any member may touch to the last one.
  unsigned fields = 0;
  /// By lane, if tabulated: where member 0 of the structure is, in elements from the first one.
  llvm::SmallVector<unsigned, 0> starts;
  bool is_store = false;

  bool is_tabulated() const { return !starts.empty(); }
  /// Where all of them happen.
  const member& leader() const { return is_store ? members.back() : members.front(); }
};

/// Finds the groups of a function.
class access_groups {
public:
  access_groups(const llvm::Function& work_item, const lane_shapes& shapes, unsigned lanes);
  /// Null if \p access is on its own.
  const access_group* of(const llvm::Instruction* access) const { return groups_of_.lookup(access); }

private:
  llvm::SmallVector<std::unique_ptr<access_group>> groups_;
  llvm::DenseMap<const llvm::Instruction*, const access_group*> groups_of_;
};

} // namespace falx::jit::simd
