// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_rules.hpp"

#include "attributes.hpp"
#include "diagnostic_ids.hpp"
#include "diagnostics.hpp"
#include "falx/kernel.hpp"
#include "kernel_collector.hpp"
#include "reachable_calls.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/DenseSet.h"

#include <cstdint>
#include <optional>
#include <string>

namespace falx::compiler {

namespace {

/// How the kernel is launched.
struct launch_shape {
  kernel_kind kind;
  unsigned dimensions;
};

/// As annotation "falx.kernel" of the entry says.
std::optional<launch_shape> shape_of(const clang::FunctionDecl& entry) {
  for (const auto* annotation : entry.specific_attrs<clang::AnnotateAttr>()) {
    if (annotation->getAnnotation() != "falx.kernel" || annotation->args_size() != 2)
      continue;
    const auto number = [&](unsigned i) {
      const clang::Expr* argument = annotation->args_begin()[i];
      return argument->EvaluateKnownConstInt(entry.getASTContext()).getZExtValue();
    };
    return launch_shape{kernel_kind(number(0)), static_cast<unsigned>(number(1))};
  }
  return std::nullopt;
}

bool is_parallel_for_work_item(const clang::FunctionDecl& function) {
  const clang::IdentifierInfo* name = function.getIdentifier();
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  return name != nullptr && method != nullptr && name->getName() == "parallel_for_work_item" &&
         method->getParent()->getQualifiedNameAsString() == "sycl::group";
}

void check_result(clang::Sema& sema, const clang::FunctionDecl& function) {
  const clang::QualType type = function.getReturnType();
  if (type->isVoidType())
    return;
  sema.Diag(
      function.getLocation(),
      portability_id(sema, "the function of a kernel returns %0, which nobody gets; it has to return void"))
      << type;
}

void check_extents(clang::Sema& sema, const clang::CXXRecordDecl& kernel, llvm::StringRef attribute,
                   std::size_t extents, const launch_shape& shape) {
  if (extents == 0 || extents == shape.dimensions || shape.kind == kernel_kind::single_task)
    return;
  sema.Diag(kernel.getLocation(),
            portability_id(sema, "attribute '%0' has %1 argument%s1, but the kernel is launched over "
                                 "%2 dimension%s2; give it one argument for each dimension"))
      << attribute << static_cast<unsigned>(extents) << shape.dimensions;
}

/// Each call once, wherever it is reached from.
class call_reporter {
public:
  call_reporter(clang::Sema& sema, const clang::FunctionDecl& root) : sema_(sema), root_(root) {}

  void report(clang::SourceLocation call, llvm::StringRef sentence, const clang::FunctionDecl& callee,
              clang::diag::Severity severity = clang::diag::Severity::Warning) {
    if (!reported_.insert(call).second)
      return;
    sema_.Diag(call, portability_id(sema_, sentence.str(), severity)) << &callee;
    const clang::CXXRecordDecl* kernel = is_kernel_entry(root_) ? user_kernel_of(root_) : nullptr;
    if (kernel != nullptr)
      sema_.Diag(kernel->getLocation(), note_id(sema_, "in kernel '%0'")) << pretty_name_of(root_);
    else
      sema_.Diag(root_.getLocation(), note_id(sema_, "in SYCL_EXTERNAL function %q0")) << &root_;
  }

private:
  clang::Sema& sema_;
  const clang::FunctionDecl& root_;
  llvm::DenseSet<clang::SourceLocation> reported_;
};

/// Of a kernel with a required size.
void check_calls_of_other_files(clang::Sema& sema, const clang::FunctionDecl& entry) {
  call_reporter reporter(sema, entry);
  for_each_reachable_call(entry, [&](const clang::FunctionDecl& callee, clang::SourceLocation call,
                                     const clang::CallExpr*) {
    if (!callee.hasBody() && is_sycl_external(callee))
      reporter.report(call,
                      "a kernel with attribute reqd_work_group_size or reqd_sub_group_size calls %q0, which "
                      "another file defines, and compiles without knowing that size; define the function in "
                      "this file",
                      callee);
    return true;
  });
}

/// Of a kernel that parallel_for_work_group launches. SYCL-CTS has such calls: a warning for those who ask.
void check_calls_of_group(clang::Sema& sema, const clang::FunctionDecl& entry) {
  call_reporter reporter(sema, entry);
  for_each_reachable_call(
      entry, [&](const clang::FunctionDecl& callee, clang::SourceLocation call, const clang::CallExpr*) {
        if (is_sycl_external(callee))
          reporter.report(
              call,
              "SYCL_EXTERNAL function %q0 is called for a whole group of parallel_for_work_group; call "
              "it in parallel_for_work_item, or launch the kernel with an nd_range",
              callee, clang::diag::Severity::Ignored);
        return !is_parallel_for_work_item(callee);
      });
}

/// Of a member of id, range, item and the like that takes the number of a dimension: how many there are.
std::optional<std::int64_t> dimensions_of(const clang::FunctionDecl& callee) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&callee);
  if (method == nullptr || method->isStatic() || method->getNumParams() != 1 ||
      method->getParamDecl(0)->getName() != "dimension" ||
      !llvm::StringRef(method->getParent()->getQualifiedNameAsString()).starts_with("sycl::"))
    return std::nullopt;
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(method->getParent());
  if (made != nullptr && made->getTemplateArgs().size() != 0 &&
      made->getTemplateArgs()[0].getKind() == clang::TemplateArgument::Integral)
    return made->getTemplateArgs()[0].getAsIntegral().getExtValue();
  return std::nullopt;
}

/// Of user's code: a dimension that is known is one of those there are.
void check_dimensions(clang::Sema& sema, const clang::FunctionDecl& entry,
                      const clang::FunctionDecl& function) {
  call_reporter reporter(sema, entry);
  const clang::SourceManager& sources = sema.getSourceManager();
  for_each_reachable_call(function, [&](const clang::FunctionDecl& callee, clang::SourceLocation call,
                                        const clang::CallExpr* expression) {
    if (!sources.isInSystemHeader(callee.getLocation()))
      return true;
    clang::Expr::EvalResult dimension;
    const std::optional<std::int64_t> dimensions =
        expression != nullptr ? dimensions_of(callee) : std::nullopt;
    if (!dimensions ||
        !expression->getArg(expression->getNumArgs() - 1)->EvaluateAsInt(dimension, callee.getASTContext()))
      return false;
    const std::int64_t asked = dimension.Val.getInt().getExtValue();
    if (asked < 0 || asked >= *dimensions)
      reporter.report(call,
                      "%q0 is asked for dimension " + std::to_string(asked) +
                          "; they count from 0, and there " +
                          (*dimensions == 1 ? "is 1" : "are " + std::to_string(*dimensions)) +
                          ", so that any value may come",
                      callee);
    return false;
  });
}

} // namespace

void check_kernel_rules(clang::Sema& sema, const clang::FunctionDecl& entry,
                        llvm::ArrayRef<const clang::FunctionDecl*> operators,
                        const kernel_attributes& attributes) {
  const clang::CXXRecordDecl* kernel = user_kernel_of(entry);
  for (const clang::FunctionDecl* function : operators) {
    check_result(sema, *function);
    check_dimensions(sema, entry, *function);
  }
  if (attributes.reqd_sub_group_size != 0 || !attributes.reqd_work_group_size.empty())
    check_calls_of_other_files(sema, entry);
  const std::optional<launch_shape> shape = shape_of(entry);
  if (!shape || kernel == nullptr)
    return;
  check_extents(sema, *kernel, "reqd_work_group_size", attributes.reqd_work_group_size.size(), *shape);
  check_extents(sema, *kernel, "work_group_size_hint", attributes.work_group_size_hint.size(), *shape);
  if (shape->kind == kernel_kind::work_group)
    check_calls_of_group(sema, entry);
}

void check_external_rules(clang::Sema& sema, const clang::FunctionDecl& function) {
  call_reporter reporter(sema, function);
  for_each_reachable_call(
      function, [&](const clang::FunctionDecl& callee, clang::SourceLocation call, const clang::CallExpr*) {
        if (!is_parallel_for_work_item(callee))
          return true;
        reporter.report(
            call,
            "a SYCL_EXTERNAL function calls group::parallel_for_work_item, which SYCL wants in functions "
            "of the kernel's file alone; leave out SYCL_EXTERNAL",
            callee);
        return false;
      });
}

} // namespace falx::compiler
