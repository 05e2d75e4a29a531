// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "vectorizer/analysis/lane_shape.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Instructions.h>

#include <optional>

namespace falx::jit::simd {

class lane_shapes;

/// The builtin's name without "__falx_sub_group_"; empty if the call is none.
llvm::StringRef sub_group_builtin(const llvm::CallInst& call);

/// The fence that sub-group functions leave, for what comes before vectors (lower_builtins.cpp).
bool is_order_of_lanes(const llvm::Instruction& instruction);

/// Nothing if the call is no sub-group builtin.
std::optional<lane_shape> shape_of_sub_group_builtin(const llvm::CallInst& call, const lane_shapes& shapes);

} // namespace falx::jit::simd
