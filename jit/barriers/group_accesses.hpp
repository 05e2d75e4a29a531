// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace falx::jit {

/// Which bytes of memory the vectors of a group access, if its local range is known. See the .cpp file. Valid
/// until the function changes, but for barriers that go.
class group_accesses {
public:
  group_accesses(llvm::Function& work_item, const kernel_attributes& attributes);

  /// The number of the accesses that are the same as \p instruction's for all work-items; nothing if it
  /// accesses no memory that another work-item may write.
  std::optional<unsigned> number_of(const llvm::Instruction& instruction);
  /// One vector may write what another one accesses, if one does \p first and the other \p second.
  bool meet(unsigned first, unsigned second);
  /// At least half of the vectors do it, as far as that is known.
  bool is_by_most(unsigned access) const;

private:
  /// By work-item.
  using numbers = std::vector<llvm::ConstantInt*>;
  /// Memory that has nothing in common with that of another kind.
  enum class memory { local, scratch, context, captured, any };
  struct bytes {
    std::int64_t begin = 0, end = 0;
    bool operator==(const bytes&) const = default;
  };
  struct access {
    memory kind = memory::any;
    bool is_store = false;
    /// What the bytes are relative to, and numbers times their scales to be added to it, on all of which the
    /// group agrees. Null if it is not known which bytes.
    const llvm::Value* base = nullptr;
    llvm::SmallVector<std::pair<const llvm::Value*, std::uint64_t>, 2> terms;
    /// By vector: from the first to the last byte that it accesses; empty if none of its lanes comes by.
    std::vector<bytes> vectors;
    bool operator==(const access&) const = default;
  };

  access access_of(const llvm::Instruction& instruction);
  static memory kind_of(const llvm::Value& pointer);
  bool may_meet(const access& first, const access& second) const;
  void find_active();
  llvm::BitVector active_along(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  const numbers* numbers_of(const llvm::Value& value);
  std::optional<numbers> compute(const llvm::Value& value);

  llvm::Function& work_item_;
  const llvm::DataLayout& layout_;
  /// Of a vector, and of the group by axis and in all.
  unsigned lanes_, range_[3], work_items_;
  std::map<const llvm::Value*, std::optional<numbers>> numbers_;
  /// Work-items that may come by.
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> active_;
  std::vector<access> accesses_;
  llvm::DenseMap<const llvm::Instruction*, unsigned> numbers_of_accesses_;
  std::map<std::pair<unsigned, unsigned>, bool> meetings_;
};

} // namespace falx::jit
