// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <optional>

namespace falx::jit {

/// A builtin that gives back its first argument; null if \p value is no call of one.
llvm::CallInst* as_forwarding_builtin(llvm::Value& value);

/// Where a pointer goes, through functions that are not inlined and through private variables that it is
/// stored in, and whether anybody may write through it. For modules of which all is known but builtins and
/// libraries.
class pointer_flow {
public:
  explicit pointer_flow(const llvm::Module& module) : layout_(module.getDataLayout()) {}

  /// The pointer is passed as argument \p number of \p call.
  void pass(const llvm::CallBase& call, unsigned number);
  /// The pointer is what \p store writes.
  void keep(const llvm::StoreInst& store);
  void follow();

  /// Something may be written through the pointer, or it goes where it cannot be followed.
  bool may_write() const { return may_write_; }
  /// The call that it was passed to gives it back.
  bool is_returned() const { return is_returned_; }

private:
  using offset = std::optional<std::int64_t>;
  /// Pointers into one private variable, with their offsets where those are known.
  using pointers_into = llvm::MapVector<llvm::Value*, offset>;
  using offsets = llvm::DenseMap<llvm::Value*, offset>;

  void add(llvm::Value& pointer);
  void follow_use(llvm::Use& use);
  bool resolve(llvm::Value& pointer, offset at, offsets& seen);
  const pointers_into* find_pointers(llvm::AllocaInst& variable);
  bool add_pointers_of_use(llvm::Use& use, offset at, pointers_into& found) const;
  void read_back(const pointers_into& pointers, offset at);

  const llvm::DataLayout& layout_;
  const llvm::CallBase* passed_to_ = nullptr;
  llvm::SmallVector<llvm::Value*, 16> open_;
  llvm::SmallPtrSet<llvm::Value*, 16> seen_;
  llvm::MapVector<llvm::AllocaInst*, pointers_into> variables_;
  bool may_write_ = false;
  bool is_returned_ = false;
};

} // namespace falx::jit
