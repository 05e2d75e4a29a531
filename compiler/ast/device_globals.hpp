// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Sema;
class VarDecl;
} // namespace clang

namespace falx::compiler {

/// Finds the translation unit's device_global variables for device_global_infos(), and reports declarations
/// that sycl_ext_oneapi_device_global does not allow: variables that are local, parameters, members or
/// arrays, static members that are not public, and names that an inline namespace hides. A translation unit
/// without a device_global pays for one lookup.
void collect_device_globals(clang::Sema& sema);

/// Adds a variable to device_global_infos(): one of a library's that device code uses.
void note_device_global(const clang::VarDecl& variable);

} // namespace falx::compiler
