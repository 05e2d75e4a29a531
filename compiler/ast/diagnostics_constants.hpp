// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace clang {
class ASTContext;
class Expr;
class FunctionDecl;
class QualType;
class Stmt;
class VarDecl;
} // namespace clang

/// \file
/// What the compiler knows before the program runs.

namespace falx::compiler {

/// May device code read this variable with static storage duration? It must be constexpr, or const with a
/// constant initializer (SYCL 2020 §5.4).
bool is_device_constant(const clang::ASTContext& context, const clang::VarDecl& variable);

/// True for a class whose objects live on devices (device_global), annotated "falx.device_global", for arrays
/// of it, and for variables of such types.
bool is_device_global(clang::QualType type);
bool is_device_global(const clang::VarDecl& variable);

/// Is it a sycl::ext::oneapi::experimental::work_group_static, or an array of them?
bool is_work_group_static(clang::QualType type);

/// True if no code runs to initialize the local variable.
bool is_initialized_by_compiler(const clang::VarDecl& variable);

/// The functions that a constant variable's value points to: a table of functions, say.
llvm::SmallVector<const clang::FunctionDecl*, 4> functions_in_constant(const clang::VarDecl& variable);

/// The value of a condition that is the same wherever and whenever it is evaluated, without side effects.
std::optional<bool> constant_condition(const clang::ASTContext& context, const clang::Expr& condition);

/// The value of a condition in device code as far as __falx_is_device() decides it, alone or with logical
/// operators. What stands to the left of the call is evaluated all the same.
std::optional<bool> target_condition(const clang::Expr& condition);

/// Whether device code never comes to the end of \p statement, because a branch of it that __falx_is_device()
/// chooses returns.
bool returns_on_devices(const clang::Stmt* statement);

/// Whether a label or a case in \p statement, which may be null, lets code come in from outside.
bool can_be_jumped_into(const clang::Stmt* statement);

/// The function that a called expression names, if it is a constant expression; else null.
const clang::FunctionDecl* constant_function(const clang::ASTContext& context, const clang::Expr& callee);

} // namespace falx::compiler
