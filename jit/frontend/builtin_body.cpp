// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "builtin_body.hpp"

using namespace llvm;

namespace falx::jit {

IRBuilder<> begin_builtin_body(Function& builtin) {
  // A body has effects of its own, whatever the declaration promised.
  builtin.setMemoryEffects(MemoryEffects::unknown());
  builtin.removeFnAttr(Attribute::Convergent);
  builtin.addFnAttr(Attribute::AlwaysInline);
  builtin.setLinkage(GlobalValue::InternalLinkage);
  return IRBuilder<>(BasicBlock::Create(builtin.getContext(), "", &builtin));
}

} // namespace falx::jit
