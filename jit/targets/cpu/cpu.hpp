// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit.hpp"

#include <llvm/Support/Error.h>

namespace falx::jit {

/// Target "cpu": a shared object that exports falx_kernel_properties (targets/cpu_abi.hpp). \p remark is the
/// response's.
llvm::Expected<std::vector<unsigned char>>
compile_for_cpu(const request& request, const diagnostic_options& options, std::string& remark);

} // namespace falx::jit
