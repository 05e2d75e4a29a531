// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Sema;
class ValueDecl;
} // namespace clang

namespace falx::compiler {

/// Free function kernels (sycl_ext_oneapi_free_function_kernels): functions with the property nd_range_kernel
/// or single_task_kernel. Device code for other translation units, as SYCL_EXTERNAL functions are.
bool is_free_function_kernel(const clang::ValueDecl& declared);

/// From now on an instantiation of a function annotated "falx.function_property", whose template argument is
/// the address of a function, returns what the properties of that function say: the language has no way to
/// ask.
void answer_function_properties(clang::Sema& sema);

} // namespace falx::compiler
