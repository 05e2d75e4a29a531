// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// The AST half of the plugin: a consumer that runs before clang's own, collects kernels (kernel_collector)
/// and checks the language restrictions of device code (diagnostics).

namespace falx::compiler {

/// Collects and checks kernels that clang read from a precompiled header after the end of the translation
/// unit, while it generated code. Cheap when there are none.
void collect_late_kernels();

} // namespace falx::compiler
