// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace clang {
class Decl;
class VarDecl;
} // namespace clang

namespace falx::compiler {

/// Variables of class work_group_static (sycl_ext_oneapi_work_group_static), which are local memory in device
/// code.
///
/// Those at block scope are static, whether or not they are declared so: makes them, in the functions of \p
/// declaration, before code is generated for it.
void make_work_group_variables_static(clang::Decl& declaration);

/// Device code uses the variable: the IR half has to know.
void note_work_group_variable(const clang::VarDecl& variable);

} // namespace falx::compiler
