// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <memory>

namespace llvm {
class GlobalValue;
} // namespace llvm

namespace falx::compiler {

using global_set = llvm::SmallPtrSet<const llvm::GlobalValue*, 32>;

/// Everything that the roots refer to, directly or not, as far as device code is concerned. What \p without
/// has is reached, and nothing through it.
global_set reachable_from(llvm::ArrayRef<const llvm::GlobalValue*> roots, const global_set& without = {});

/// Whether kernels of this process's translation unit take denormal floats for 0 on devices where that is a
/// matter of code: with -ffast-math, unless falx++ has been told otherwise. On CPUs it is the thread's mode,
/// which clang++ sets when it links a program with -ffast-math.
bool& flushes_denormals();

/// Clones what the kernels and the SYCL_EXTERNAL definitions of \p host reach into a module of its own, and
/// turns it into device code: no exception tables, no host-only attributes, everything convergent, kernels
/// visible under their names. Device globals become declarations. The host module is not changed.
std::unique_ptr<llvm::Module> make_device_module(const llvm::Module& host,
                                                 const device_annotations& annotations);

} // namespace falx::compiler
