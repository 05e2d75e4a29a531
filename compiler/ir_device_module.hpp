// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ir_annotations.hpp"

#include <memory>

namespace falx::compiler {

/// Clones what the kernels and the SYCL_EXTERNAL definitions of \p host reach into a module of its own, and
/// turns it into device code: no exception tables, no host-only attributes, everything convergent, kernels
/// visible under their names. The host module is not changed.
std::unique_ptr<llvm::Module> make_device_module(const llvm::Module& host,
                                                 const device_annotations& annotations);

} // namespace falx::compiler
