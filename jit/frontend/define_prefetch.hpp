// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

#include <array>
#include <cstdint>

namespace falx::jit {

/// What a target's prefetch instructions can say.
struct prefetch_target {
  std::uint64_t cache_line_bytes;
  /// The locality of llvm.prefetch that stands for levels 1 to 4 of the cache.
  std::array<unsigned, 4> localities;
  /// That of data that is not used again, whatever the level; 0 is the only number LLVM has for it.
  bool has_nontemporal;
};

constexpr prefetch_target CPU_PREFETCHES = {64, {3, 2, 1, 1}, true};
/// One instruction for the first and one for the second level, which is the last.
constexpr prefetch_target PTX_PREFETCHES = {128, {3, 2, 2, 2}, false};

/// Gives __falx_prefetch and __falx_cache_line_bytes their bodies, which are inlined. See the .cpp file for
/// IR before and after.
class define_prefetch : public llvm::PassInfoMixin<define_prefetch> {
public:
  explicit define_prefetch(const prefetch_target& target) : target_(target) {}
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);

private:
  prefetch_target target_;
};

} // namespace falx::jit
