// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/IR/PassManager.h>

#include <utility>
#include <vector>

namespace falx::jit {

/// Replaces what the kernel, whose first parameter points to the function object, loads or copies from known
/// bytes of it, and writes the known alignments of pointers to their loads. For kernels into which everything
/// is inlined. Loads that reach beyond the known bytes, and pointers that escape, stay. Where anything
/// was replaced, it asks for simplification by simplify_again.
class fold_captured_constants : public llvm::PassInfoMixin<fold_captured_constants> {
public:
  fold_captured_constants(std::vector<captured_bytes> known, std::vector<captured_alignment> aligned)
      : known_(std::move(known)), aligned_(std::move(aligned)) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  std::vector<captured_bytes> known_;
  std::vector<captured_alignment> aligned_;
};

} // namespace falx::jit
