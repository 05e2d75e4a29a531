// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/DiagnosticIDs.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace clang {
class DiagnosticsEngine;
class Sema;
} // namespace clang

/// \file
/// Numbers by which clang knows a sentence. All of the plugin's messages get theirs here.

namespace falx::compiler {

unsigned error_id(clang::DiagnosticsEngine& diagnostics, llvm::StringRef sentence);
unsigned error_id(clang::Sema& sema, llvm::StringRef sentence);
unsigned note_id(clang::DiagnosticsEngine& diagnostics, llvm::StringRef sentence);
unsigned note_id(clang::Sema& sema, llvm::StringRef sentence);

/// A warning in no group.
unsigned warning_id(clang::Sema& sema, llvm::StringRef sentence);

/// A warning that `-Wno-` and the name of \p group silence. One whose \p severity is Ignored has to be asked
/// for by name, one with Error is an error until `-Wno-error=` and that name.
unsigned warning_id(clang::Sema& sema, std::string sentence, clang::diag::Group group,
                    clang::diag::Severity severity = clang::diag::Severity::Warning);

/// The same in clang's group for what the SYCL specification does not allow and some compilers do, which is
/// -Wnonportable-sycl.
unsigned portability_id(clang::Sema& sema, std::string sentence,
                        clang::diag::Severity severity = clang::diag::Severity::Warning);

} // namespace falx::compiler
