// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_captures.hpp"

#include "dead_branches.hpp"
#include "diagnostic_ids.hpp"
#include "diagnostics_remedies.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"

namespace falx::compiler {

namespace {

/// More captured references than this are not pointed at one by one.
constexpr unsigned MAXIMUM_REFERENCE_NOTES = 4;

std::string in_words(const clang::ASTContext& context, clang::QualType type) {
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressTagKeyword = true;
  return "'" + type.getAsString(policy) + "'";
}

/// What its declaration says of a class.
const char* in_words(copy_obstacle::reason reason) {
  switch (reason) {
  case copy_obstacle::reason::reference:
    return "is a reference to an object of the host";
  case copy_obstacle::reason::destructor:
    return "has a non-trivial destructor";
  case copy_obstacle::reason::copy_constructor:
    return "has a non-trivial copy constructor";
  case copy_obstacle::reason::deleted_copy:
    return "cannot be copied";
  case copy_obstacle::reason::host_task:
    return "is for host tasks";
  }
  llvm_unreachable("all reasons have words");
}

/// The captures of a lambda with the members that hold them.
template <class Function>
void for_each_capture(const clang::CXXRecordDecl& lambda, Function&& function) {
  auto field = lambda.field_begin();
  for (const clang::LambdaCapture& capture : lambda.captures())
    if (field != lambda.field_end())
      function(capture, **field++);
}

} // namespace

void capture_checker::check(const clang::CXXRecordDecl& kernel) {
  const clang::QualType type(sema_.Context.getCanonicalTagType(&kernel));
  if (kernel.isInvalidDecl() || types_.is_declared_device_copyable(type))
    return;
  if (kernel.isLambda())
    check_lambda(kernel);
  else
    check_function_object(kernel);
}

void capture_checker::check_lambda(const clang::CXXRecordDecl& kernel) {
  report_references(kernel);
  for_each_capture(kernel, [&](const clang::LambdaCapture& capture, const clang::FieldDecl& field) {
    if (field.getType()->isReferenceType())
      return;
    if (capture.getCaptureKind() == clang::LCK_This)
      return report_this(capture, field.getType());
    const std::optional<copy_obstacle> obstacle = types_.obstacle_in(field.getType());
    // Nothing is wrong with a host task's accessor where the kernel is never launched.
    if (!obstacle || (obstacle->what == copy_obstacle::reason::host_task && is_in_dead_branch(kernel)))
      return;
    const std::string what = capture.capturesVariable()
                                 ? "'" + capture.getCapturedVar()->getNameAsString() + "'"
                                 : std::string("'*this'");
    report_obstacle("kernel captures " + what + " of type " + in_words(sema_.Context, field.getType()),
                    capture.getLocation(), *obstacle);
  });
}

/// One error for the kernel's `[&]`, which notes where it is used; one for each `&name`.
void capture_checker::report_references(const clang::CXXRecordDecl& kernel) {
  llvm::SmallVector<const clang::LambdaCapture*> by_default;
  for_each_capture(kernel, [&](const clang::LambdaCapture& capture, const clang::FieldDecl& field) {
    if (!field.getType()->isReferenceType() || !capture.capturesVariable())
      return;
    if (capture.isImplicit()) {
      by_default.push_back(&capture);
    } else if (is_new(capture.getLocation())) {
      sema_.Diag(
          capture.getLocation(),
          error_id(sema_,
                   "kernel captures %0 by reference, but devices cannot refer to variables of the host; "
                   "capture it by value, or give the kernel an accessor or a pointer to USM memory"))
          << llvm::cast<clang::NamedDecl>(capture.getCapturedVar());
    }
  });
  if (by_default.empty() || !is_new(kernel.getLocation()))
    return;
  const auto* first = llvm::cast<clang::NamedDecl>(by_default.front()->getCapturedVar());
  const auto others = static_cast<unsigned>(by_default.size() - 1);
  sema_.Diag(
      kernel.getLocation(),
      error_id(
          sema_,
          "kernel captures %0%plural{0:|1: and another variable|: and %1 other variables}1 by reference, "
          "but devices cannot refer to variables of the host; capture by value: write [=] in place "
          "of [&]"))
      << first << others;
  const unsigned note = note_id(sema_, "%0 is captured by reference because it is used here");
  for (const clang::LambdaCapture* capture : llvm::ArrayRef(by_default).take_front(MAXIMUM_REFERENCE_NOTES))
    sema_.Diag(capture->getLocation(), note) << llvm::cast<clang::NamedDecl>(capture->getCapturedVar());
}

void capture_checker::report_this(const clang::LambdaCapture& capture, clang::QualType type) {
  if (!is_new(capture.getLocation()))
    return;
  const std::string sentence =
      "kernel captures 'this' and reads members of %0 through it, which devices can only if the object is in "
      "USM memory; copy the members to local variables and capture those, or capture [*this]";
  sema_.Diag(capture.getLocation(), warning_id(sema_, sentence, clang::diag::Group::DeprecatedThisCapture))
      << type->getPointeeType().getUnqualifiedType();
}

void capture_checker::check_function_object(const clang::CXXRecordDecl& kernel) {
  const clang::SourceManager& sources = sema_.getSourceManager();
  const clang::QualType type(sema_.Context.getCanonicalTagType(&kernel));
  const std::optional<copy_obstacle> obstacle = types_.obstacle_in(type);
  if (!obstacle)
    return;
  const bool is_part = obstacle->location.isValid() && !sources.isInSystemHeader(obstacle->location);
  report_obstacle("kernel function object of type " + in_words(sema_.Context, type),
                  is_part ? obstacle->location : kernel.getLocation(), *obstacle);
}

void capture_checker::report_obstacle(const std::string& subject, clang::SourceLocation location,
                                      const copy_obstacle& obstacle) {
  if (!is_new(location))
    return;
  using reason = copy_obstacle::reason;
  const std::string part = obstacle.part.empty() ? "it" : "its " + obstacle.part;
  const std::string which = obstacle.what == reason::host_task ? ", which is no parameter of kernels: "
                                                               : ", which is not device copyable: ";
  const std::string because = subject + which + part + " " + in_words(obstacle.what);
  const std::string remedy = remedy_for_capture(obstacle);
  if (obstacle.what == reason::copy_constructor && !is_host_object(obstacle.type)) {
    sema_.Diag(location,
               warning_id(sema_, "%0, so devices get its bytes without a call of that constructor; %1",
                          clang::diag::Group::NonTrivialMemcall))
        << because << remedy;
  } else {
    sema_.Diag(location, error_id(sema_, "%0; %1")) << because << remedy;
  }
  if (obstacle.location.isValid() && obstacle.location != location)
    sema_.Diag(obstacle.location, note_id(sema_, "declared here"));
}

} // namespace falx::compiler
