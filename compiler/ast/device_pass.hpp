// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clang {
class CompilerInstance;
class Sema;
} // namespace clang
namespace llvm {
class Module;
}

namespace falx::compiler {

/// For code that chooses by __SYCL_DEVICE_ONLY__ what is for devices: compiles the translation unit of \p
/// host once more with that macro and \p target_macro defined, up to LLVM's IR, and checks the device code in
/// it. To be called before \p host is parsed. Errors go where those of \p host go, and so does what the
/// program itself says by #warning.
void run_device_pass(clang::CompilerInstance& host, llvm::StringRef target_macro);

/// Whether this is it.
bool is_device_pass();

/// What the device pass made; null if there was none. All device code comes from it then, and none from the
/// host's module.
llvm::Module* device_pass_module();

/// Has the preprocessor of \p host remember where the program tests __SYCL_DEVICE_ONLY__.
void watch_for_device_macro(clang::CompilerInstance& host);

/// A note to the error before it: that this program, where it tests __SYCL_DEVICE_ONLY__, may mean what
/// -fsycl-device-pass does. Nothing where it does not, nor in the device pass.
void suggest_device_pass(clang::CompilerInstance& host);

/// The same as a warning, for a program that has device code and tests the macro in a file of its own: it may
/// have chosen the host's side, and do nothing. Nothing in either of two passes.
void warn_of_one_pass(clang::Sema& sema);

/// Makes the object file depend on the files that only the device pass has read.
void add_dependencies_of_device_pass(clang::CompilerInstance& host);

} // namespace falx::compiler
