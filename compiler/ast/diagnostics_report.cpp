// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_report.hpp"

#include "diagnostic_ids.hpp"
#include "diagnostics_remedies.hpp"

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

namespace falx::compiler {

namespace {

/// More calls than this between a kernel and an error tell nothing new.
constexpr unsigned MAXIMUM_CALL_NOTES = 8;

/// The error's text; %q0 is the function or variable it is about.
llvm::StringRef sentence(restriction what) {
  switch (what) {
  case restriction::virtual_call:
    return "device code calls virtual function %q0; make the function or its class final, or call it by its "
           "qualified name";
  case restriction::throw_expression:
    return "device code cannot throw exceptions";
  case restriction::try_block:
    return "device code cannot handle exceptions; remove the try block";
  case restriction::type_information:
    return "device code cannot use typeid: devices have no run-time type information";
  case restriction::dynamic_cast_expression:
    return "device code cannot use dynamic_cast: devices have no run-time type information";
  case restriction::recursion:
    return "device code calls %q0 recursively";
  case restriction::function_pointer_call:
    return "device code calls a function through a pointer that is not a constant expression";
  case restriction::member_pointer_call:
    return "device code calls a function through a pointer to member that is not a constant expression";
  case restriction::variadic_call:
    return "device code calls variadic function %q0";
  case restriction::inline_assembly:
    return "device code cannot contain inline assembly";
  case restriction::mutable_global:
    return "device code refers to %q0, a variable with static storage duration that is neither constexpr nor "
           "const with a constant initializer; pass its value or a pointer to the kernel";
  case restriction::mutable_static_local:
    return "static local variable %q0 in device code must be constexpr, or const with a constant initializer";
  case restriction::thread_local_variable:
    return "device code refers to thread-local variable %q0";
  case restriction::allocation:
    return "device code cannot allocate or free memory; use an array of fixed size, a local_accessor, or "
           "memory that the host allocated (USM or a buffer)";
  case restriction::long_double:
    return "device code cannot use 'long double'";
  case restriction::variable_length_array:
    return "device code cannot have arrays of variable length";
  case restriction::output:
    return "device code cannot write to the host's streams and files, as %q0 does; %1";
  case restriction::library_function:
    return "device code calls %q0, a library function that is not defined here and that only the host has";
  case restriction::undefined_function:
    return "device code calls %q0, which has no definition in this translation unit; define it, or declare "
           "it with SYCL_EXTERNAL if another translation unit defines it";
  case restriction::undefined_device_global:
    return "device code refers to device global %q0, which has no definition in this translation unit; "
           "define it, or declare it with SYCL_EXTERNAL if another translation unit defines it";
  case restriction::misplaced_work_group_static:
    return "%q0 of class work_group_static is a member, a parameter or an array; declare a variable of its "
           "own, at namespace or block scope or as a static member, with an array as template argument";
  case restriction::unlisted_aspect:
    return "device code uses aspect::%1, which attribute device_has of %q0 does not list";
  }
  llvm_unreachable("all restrictions have a sentence");
}

/// A feature that device_has does not list makes a program neither ill-formed (SYCL 2020 §5.8.1 asks for a
/// diagnostic alone), nor may its compilation depend on what devices have (§5.7).
unsigned number_of(clang::Sema& sema, restriction what) {
  return what == restriction::unlisted_aspect ? warning_id(sema, sentence(what))
                                              : error_id(sema, sentence(what));
}

constexpr llvm::StringLiteral THROUGH_LIBRARY = "through library code, here";

/// The same of what library function %q0 does; %q1 is the function or variable in it, %2 a remedy.
llvm::StringRef sentence_in_library(restriction what) {
  switch (what) {
  case restriction::output:
    return "device code cannot write to the host's streams and files, as %q0 does; %2";
  case restriction::allocation:
    return "device code cannot allocate or free memory, as %q0 does; %2";
  case restriction::type_information:
  case restriction::dynamic_cast_expression:
    return "device code cannot use run-time type information, as %q0 does; %2";
  case restriction::virtual_call:
    return "device code cannot call %q0, which calls virtual function %q1";
  case restriction::recursion:
    return "device code cannot call %q0, which calls %q1 recursively";
  case restriction::variable_length_array:
    return "device code cannot call %q0, which takes a variable amount of memory from the stack";
  default:
    return "device code cannot call %q0, which needs %q1, and that only the host has";
  }
}

} // namespace

bool restriction_reporter::is_trusted(clang::SourceLocation location) {
  const clang::SourceManager& sources = sema_.getSourceManager();
  if (location.isInvalid())
    return true;
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(location));
  const auto [position, is_new] = trusted_files_.try_emplace(file, false);
  if (is_new) {
    const clang::OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    const llvm::StringRef name = entry ? entry->getName() : llvm::StringRef();
    position->second = clang::SrcMgr::isSystem(sources.getFileCharacteristic(location)) ||
                       name.contains("include/sycl/") || name.contains("include/falx/") ||
                       name.contains("include/CL/sycl");
  }
  return position->second;
}

void restriction_reporter::report(restriction what, clang::SourceLocation location,
                                  const clang::NamedDecl* subject, llvm::ArrayRef<call_frame> calls,
                                  llvm::StringRef detail) {
  const clang::SourceLocation origin = location;
  while (is_trusted(location)) {
    if (calls.empty())
      return;
    location = calls.back().call_site;
    calls = calls.drop_back();
  }
  const clang::SourceLocation place = sema_.getSourceManager().getExpansionLoc(location);
  if (!reported_.insert({place, static_cast<unsigned>(what)}).second)
    return;
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const std::string remedy = what == restriction::output ? remedy_for_output(sema_) : std::string();
  {
    const clang::DiagnosticBuilder error = diagnostics.Report(location, number_of(sema_, what));
    if (subject != nullptr)
      error << subject;
    if (!detail.empty())
      error << detail;
    if (!remedy.empty())
      error << remedy;
  }
  if (origin != location)
    diagnostics.Report(origin, note_id(sema_, THROUGH_LIBRARY));
  note_calls(calls);
}

void restriction_reporter::report_in_library(const library_problem& problem,
                                             const clang::FunctionDecl& callee,
                                             clang::SourceLocation call_site,
                                             llvm::ArrayRef<call_frame> calls) {
  // Constructor, function and destructor of one statement have one reason.
  constexpr unsigned any_library_problem = ~0U;
  const clang::SourceManager& sources = sema_.getSourceManager();
  const clang::SourceLocation place = sources.getExpansionLoc(call_site);
  const clang::SourceLocation line =
      sources.translateLineCol(sources.getFileID(place), sources.getExpansionLineNumber(place), 1);
  if (!reported_.insert({line, any_library_problem}).second)
    return;
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const std::string remedy = problem.what == restriction::output
                                 ? remedy_for_output(sema_)
                                 : remedy_for_library_function(problem.what, callee);
  const clang::NamedDecl* subject = problem.subject != nullptr ? problem.subject : &callee;
  diagnostics.Report(call_site, error_id(sema_, sentence_in_library(problem.what)))
      << &callee << subject << remedy;
  diagnostics.Report(problem.location, note_id(sema_, THROUGH_LIBRARY));
  note_calls(calls);
}

void restriction_reporter::note_calls(llvm::ArrayRef<call_frame> calls) {
  clang::DiagnosticsEngine& diagnostics = sema_.getDiagnostics();
  const unsigned called = note_id(sema_, "%q0 is called here");
  unsigned notes = 0;
  for (const call_frame& call : llvm::reverse(calls)) {
    if (is_trusted(call.call_site))
      continue;
    if (++notes > MAXIMUM_CALL_NOTES)
      break;
    diagnostics.Report(call.call_site, called) << call.callee;
  }
  diagnostics.Report(root_location_, note_id(sema_, "in %0")) << root_;
}

} // namespace falx::compiler
