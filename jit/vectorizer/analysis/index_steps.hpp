// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "uniformity.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Function.h>

#include <cstdint>
#include <optional>

namespace falx::jit {

/// How values and addresses of a work-item function, before it is a vector function, grow from work-item to
/// work-item and from iteration to iteration. For costs: of what ScalarEvolution cannot prove it says the
/// likely (numbers of 32 bits do not wrap, rows are longer than vectors). The function must be in LCSSA form.
class index_steps {
public:
  index_steps(llvm::Function& work_item, const uniformity& uniform, llvm::ScalarEvolution& evolution,
              unsigned lanes)
      : work_item_(work_item), uniform_(uniform), evolution_(evolution), lanes_(lanes) {}

  /// How much more the next lane has of \p value, addresses in bytes; none if that is not always the same.
  std::optional<std::int64_t> to_next_item(const llvm::Value& value);
  /// What each of \p loop's iterations adds to \p value, or null; the base may be loaded in the loop.
  const llvm::SCEV* to_next_iteration(const llvm::Value& value, const llvm::Loop& loop);
  /// 0 if it is not constant.
  unsigned trips_of(llvm::Loop& loop) { return evolution_.getSmallConstantTripCount(&loop); }

private:
  using step = std::optional<std::int64_t>;
  bool is_id(const llvm::SCEV& value);
  step of(const llvm::SCEV& value);
  step of_unknown(const llvm::Value& value);
  step of_cast(const llvm::SCEVCastExpr& cast);
  step of_product(const llvm::SCEVMulExpr& product);
  step of_sum(llvm::ArrayRef<const llvm::SCEV*> parts);
  step of_quotient(step dividend, step divisor, const llvm::APInt* constant);

  llvm::Function& work_item_;
  const uniformity& uniform_;
  llvm::ScalarEvolution& evolution_;
  const unsigned lanes_;
};

} // namespace falx::jit
