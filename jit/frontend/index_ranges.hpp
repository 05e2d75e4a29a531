// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_attributes.hpp"
#include "pipeline/pass_failures.hpp"

#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace falx::jit {

/// What __falx_<what>_<axis> can be in a launch that fits \p attributes; nothing if that is not known.
std::optional<llvm::ConstantRange> index_range(const kernel_attributes& attributes, llvm::StringRef what,
                                               unsigned axis);

/// Writes index_range to the declarations of the builtins, before anything is simplified: so conversions to
/// int and back go, rather than becoming shifts.
struct declare_index_ranges : kernel_pass<declare_index_ranges> {
  void change(llvm::Function& kernel, llvm::FunctionAnalysisManager& analyses);
};

} // namespace falx::jit
