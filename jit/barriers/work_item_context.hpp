// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/IR/IRBuilder.h>

#include <cstdint>

namespace falx::jit {

/// Storage per work-item in falx::cpu::worker_memory::work_item_context, an array over work-items each.
struct context_slot {
  std::uint64_t offset = 0; // in bytes per work-item
  std::uint64_t size = 0;
  llvm::Align alignment;
};

/// Sets storage aside for a \p type per work-item and counts it in \p attributes.
context_slot reserve_context(kernel_attributes& attributes, const llvm::DataLayout& layout, llvm::Type* type,
                             llvm::Align alignment);

/// How many elements the arrays have: the group's work-items rounded up to 64.
llvm::Value* context_count(llvm::IRBuilder<>& builder, llvm::Function& function,
                           const kernel_attributes& attributes);

/// Where the slot's array begins, in a function that create_work_item_function made; \p count is
/// context_count.
llvm::Value* context_array(llvm::IRBuilder<>& builder, llvm::Function& function, llvm::Value* count,
                           const context_slot& slot);

} // namespace falx::jit
