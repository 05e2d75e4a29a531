// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernel_info.hpp"
#include "kernel_name_rules.hpp"

#include "clang/AST/Mangle.h"
#include "llvm/ADT/StringSet.h"

#include <string>

namespace clang {
class CXXRecordDecl;
class FunctionDecl;
class Sema;
} // namespace clang

namespace falx::compiler {

/// True for a function, no template, whose annotations have that \p text.
bool is_annotated(const clang::FunctionDecl& function, llvm::StringRef text);

/// True for the definition of a kernel entry: annotated "falx.kernel", and no template.
bool is_kernel_entry(const clang::FunctionDecl& function);

/// True for a function that returns to the runtime where accessors lie in the type that it is instantiated
/// for: annotated "falx.accessor_offsets".
bool is_accessor_offsets_function(const clang::FunctionDecl& function);

/// The class whose call operator the user wrote: the kernel's function object or, where Falx wrapped it (for
/// a reduction, say), the class that the wrapper names `user_kernel`. Null if the entry has no such
/// parameter.
const clang::CXXRecordDecl* user_kernel_of(const clang::FunctionDecl& entry);

/// How the kernel with this entry is called in messages and in profiles: by the type that the entry's class
/// names `kernel_name`, which is the name that the user gave, or else by the class of the user's function.
std::string pretty_name_of(const clang::FunctionDecl& entry);

/// The type that the entry's class names `kernel_name`; null if there is none.
clang::QualType kernel_name_of(const clang::FunctionDecl& entry);

/// Fills kernel_infos() from kernel entries, and host_task_accessors().
class kernel_collector {
public:
  /// \p suffix is appended to the names that give_stable_name gives out; it keeps those of a translation unit
  /// apart from those of the precompiled header that it includes.
  kernel_collector(clang::Sema& sema, std::string suffix);

  /// Makes clang's code generator use our mangling of an internal entry. A closure in a function that is not
  /// inline has no number in the Itanium ABI: each mangler counts such closures (`$_0`) in the order in which
  /// it meets them, so only one of them may name the entry. Must be called before code generation first
  /// refers to the entry.
  void give_stable_name(clang::FunctionDecl& entry);

  /// Adds one kernel, unless it is known, and checks its name and its function (kernel_rules.hpp).
  void collect(const clang::FunctionDecl& entry);
  /// Reports what makes \p entry, a kernel of the host's pass, another one than the device pass has compiled.
  void compare_with_device_pass(const clang::FunctionDecl& entry);
  /// Adds what \p function, of which is_accessor_offsets_function is true, has to return.
  void collect_accessor_offsets(const clang::FunctionDecl& function);

private:
  kernel_info describe(const clang::FunctionDecl& entry, const clang::CXXRecordDecl& function);
  /// As clang's code generator has it.
  std::string name_of(const clang::FunctionDecl& function);

  clang::Sema& sema_;
  kernel_name_rules name_rules_;
  clang::ASTNameGenerator names_;
  std::string suffix_;
};

} // namespace falx::compiler
