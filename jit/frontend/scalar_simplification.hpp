// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

namespace falx::jit {

/// Inlines everything into the kernel and simplifies it: private variables become SSA values, constants fold,
/// loops get their normal form. Barriers are convergent calls, which these passes neither make conditional
/// nor move. Fails if a function that needs work-item builtins cannot be inlined (recursion, SYCL 2020 §5.4).
/// Of what the kernel writes of its function object each work-item gets a copy (captured_state.hpp). \p
/// machine may be null. \p before_promotion sees the kernel when all is inlined and private variables are
/// still memory, and once more when such copies are new.
llvm::Error inline_and_simplify(llvm::Module& module, llvm::TargetMachine* machine,
                                llvm::function_ref<void(llvm::Function& kernel)> before_promotion = nullptr);

/// The same simplifications for a kernel in which values have become constants since.
void simplify_once_more(llvm::Function& kernel);

/// Removes what builtins that turned out to be constants make unreachable: code for other sub-group sizes,
/// whose barriers would be split for nothing.
void fold_constants(llvm::Function& work_item);

} // namespace falx::jit
