// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/Support/Error.h>

namespace falx::jit {

/// Target "ptx": text of a PTX module with one entry (targets/ptx_abi.hpp).
llvm::Expected<std::vector<unsigned char>> compile_for_ptx(const request& request,
                                                           const diagnostic_options& options);

} // namespace falx::jit
