// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/GlobalVariable.h>

namespace falx::jit {

/// Of class work_group_static. Its memory is the work-group's (work_group_variables.cpp).
bool is_work_group_variable(const llvm::GlobalVariable& variable);

} // namespace falx::jit
