// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

/// \file
/// What the SYCL specification does not allow kernels and SYCL_EXTERNAL functions, and Falx can do all the
/// same: warnings of -Wnonportable-sycl, some of them only if that is given.

namespace falx::compiler {

struct kernel_attributes;

/// Of a kernel whose call operators, among those of the user's class, are \p operators: they return void
/// (SYCL 2020 §5.4); attributes that give an extent for each dimension fit the launch, and a kernel of a
/// required size calls no functions of other files (§5.8.1); what a group of parallel_for_work_group runs is
/// not SYCL_EXTERNAL (§5.10.1); no constant names a dimension that an id, range, item or group has not
/// (§4.9.1).
void check_kernel_rules(clang::Sema& sema, const clang::FunctionDecl& entry,
                        llvm::ArrayRef<const clang::FunctionDecl*> operators,
                        const kernel_attributes& attributes);

/// Of a SYCL_EXTERNAL function: it does not call group::parallel_for_work_item (§5.10.1).
void check_external_rules(clang::Sema& sema, const clang::FunctionDecl& function);

} // namespace falx::compiler
