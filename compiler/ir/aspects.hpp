// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <cstddef>

namespace falx::compiler {

/// By kernel, the host's function: numbers of sycl::aspect.
using kernel_aspects = llvm::DenseMap<const llvm::Function*, llvm::SmallVector<std::size_t, 2>>;

/// The optional features that kernels use (SYCL 2020 §5.7), as far as not every device of Falx has them:
/// those of the code that they reach for every device (not by if_device_has), and those that functions on the
/// path list with [[sycl::device_has]], which asserts that they use them (§5.8.2).
kernel_aspects find_aspects(llvm::Module& device, const device_annotations& annotations);

} // namespace falx::compiler
