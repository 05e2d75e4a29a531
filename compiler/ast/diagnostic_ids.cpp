// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostic_ids.hpp"

#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

#include <utility>

namespace falx::compiler {

unsigned error_id(clang::DiagnosticsEngine& diagnostics, llvm::StringRef sentence) {
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Error, sentence);
}
unsigned error_id(clang::Sema& sema, llvm::StringRef sentence) {
  return error_id(sema.getDiagnostics(), sentence);
}

unsigned note_id(clang::DiagnosticsEngine& diagnostics, llvm::StringRef sentence) {
  return diagnostics.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Note, sentence);
}
unsigned note_id(clang::Sema& sema, llvm::StringRef sentence) {
  return note_id(sema.getDiagnostics(), sentence);
}

unsigned warning_id(clang::Sema& sema, llvm::StringRef sentence) {
  return sema.getDiagnostics().getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Warning, sentence);
}

unsigned warning_id(clang::Sema& sema, std::string sentence, clang::diag::Group group,
                    clang::diag::Severity severity) {
  return sema.getDiagnostics().getDiagnosticIDs()->getCustomDiagID(
      {severity, std::move(sentence), clang::DiagnosticIDs::CLASS_WARNING,
       /*ShowInSystemHeader=*/false, /*ShowInSystemMacro=*/false, group});
}

unsigned portability_id(clang::Sema& sema, std::string sentence, clang::diag::Severity severity) {
  return warning_id(sema, std::move(sentence), clang::diag::Group::NonPortableSYCL, severity);
}

} // namespace falx::compiler
