// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/StringRef.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace clang {
class FunctionDecl;
class Sema;
} // namespace clang

/// \file
/// The SYCL attributes of kernels and device functions (SYCL 2020 §5.8). An attribute reaches the AST in one
/// of two shapes. On a declaration it becomes an AnnotateAttr "falx.attr.<name>" with the arguments. After a
/// lambda's parameter list, where C++ has it appertain to the call operator's *type*, it becomes an
/// AnnotateTypeAttr with the same contents. Both shapes are instantiated with the templates around them.

namespace falx::compiler {

/// How the arguments of an attribute are spelled.
enum class attribute_arguments : unsigned char {
  none,
  /// Constant expressions.
  expressions,
  /// An expression or a bare word that is no C++ name (named_sub_group_size(primary)).
  word,
};

/// One attribute that the plugin understands.
struct known_attribute {
  /// "sycl::reqd_work_group_size"
  const char* name;
  /// "falx.attr.reqd_work_group_size"
  const char* annotation;
  attribute_arguments arguments;
};

/// The attribute of that qualified name, or null.
const known_attribute* find_attribute(llvm::StringRef scope, llvm::StringRef name);

/// What the attributes of a kernel's call operator say.
struct kernel_attributes {
  /// In the order of the source, slowest dimension first; empty if absent.
  std::vector<std::size_t> reqd_work_group_size;
  std::vector<std::size_t> work_group_size_hint;
  /// 0 if absent.
  std::uint32_t reqd_sub_group_size = 0;
  bool kernel_args_restrict = false;
  /// Numbers of sycl::aspect, ascending; nothing if absent.
  std::optional<std::vector<std::size_t>> device_has;
};

/// Adds the attributes of \p function, on its declarations and on its type, to \p result. Reports arguments
/// that are out of range and attributes that contradict each other as errors where they stand.
void read_attributes(clang::Sema& sema, const clang::FunctionDecl& function, kernel_attributes& result);

/// Adds what properties say (sycl_ext_oneapi_kernel_properties), which the headers write as annotations
/// "falx.property.<attribute>" on the kernel's \p entry: without arguments, the property is not there. Errors
/// are reported at \p kernel, the kernel's class.
void read_properties(clang::Sema& sema, const clang::FunctionDecl& entry, clang::SourceLocation kernel,
                     kernel_attributes& result);

/// The aspects that [[sycl::device_has]] of \p function lists, numbers of sycl::aspect; nothing without that
/// attribute, or if it is wrong. Reports nothing.
std::optional<std::vector<std::size_t>> listed_aspects(clang::Sema& sema,
                                                       const clang::FunctionDecl& function);

/// Reports what is wrong with where the attributes of a kernel or device function stand: on a later
/// declaration and not on the first one, on two with different arguments (SYCL 2020 §5.8), or SYCL_EXTERNAL
/// so, or on a function that other files cannot call (§5.10.1).
void check_declarations(clang::Sema& sema, const clang::FunctionDecl& function);

} // namespace falx::compiler
