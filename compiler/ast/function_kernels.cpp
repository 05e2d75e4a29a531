// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Before, as instantiated:
//   template <auto* Func, unsigned Kind> [[clang::annotate("falx.function_property")]]
//   constexpr unsigned long long function_property_of() { return 0; }
// After, for a Func that is declared with property nd_range_kernel<2>, and the Kind of that property:
//   { return 0x8000000000000002; }
#include "function_kernels.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"

#include <memory>
#include <optional>

namespace falx::compiler {

namespace {

/// Kinds of properties are the highest byte of what SYCL_EXT_ONEAPI_FUNCTION_PROPERTY notes
/// (sycl/ext/oneapi/experimental/free_function_kernels.hpp).
constexpr unsigned KIND_BITS = 56;
constexpr std::uint64_t KERNEL = 0x80;

/// What the properties of that kind say; 0 if there is none.
std::uint64_t property_of(const clang::ValueDecl& declared, std::uint64_t kind) {
  const clang::ASTContext& context = declared.getASTContext();
  for (const clang::Decl* declaration : declared.redecls())
    for (const auto* annotation : declaration->specific_attrs<clang::AnnotateAttr>()) {
      if (annotation->getAnnotation() != "falx.attr.device_has_mask" || annotation->args_size() != 1)
        continue;
      const clang::Expr* const value = *annotation->args_begin();
      clang::Expr::EvalResult result;
      if (value->isValueDependent() || !value->EvaluateAsInt(result, context))
        continue;
      const std::uint64_t number = result.Val.getInt().getZExtValue();
      if (number >> KIND_BITS == kind)
        return number;
    }
  return 0;
}

class function_property_answers final : public clang::TemplateInstantiationCallback {
public:
  explicit function_property_answers(clang::ASTContext& context) : context_(context) {}

  void initialize(const clang::Sema&) override {}
  void finalize(const clang::Sema&) override {}
  void atTemplateBegin(const clang::Sema&, const clang::Sema::CodeSynthesisContext&) override {}
  void atTemplateEnd(const clang::Sema&, const clang::Sema::CodeSynthesisContext& instantiation) override {
    if (instantiation.Kind != clang::Sema::CodeSynthesisContext::TemplateInstantiation)
      return;
    auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(instantiation.Entity);
    if (function != nullptr && function->hasBody() && reads_property(*function))
      answer(*function);
  }

private:
  static bool reads_property(const clang::FunctionDecl& function) {
    for (const auto* annotation : function.specific_attrs<clang::AnnotateAttr>())
      if (annotation->getAnnotation() == "falx.function_property")
        return true;
    return false;
  }

  void answer(clang::FunctionDecl& function) {
    const clang::TemplateArgumentList* const arguments = function.getTemplateSpecializationArgs();
    if (arguments == nullptr || arguments->size() != 2 ||
        arguments->get(0).getKind() != clang::TemplateArgument::Declaration)
      return;
    const std::uint64_t value =
        property_of(*arguments->get(0).getAsDecl(), arguments->get(1).getAsIntegral().getZExtValue());
    const clang::QualType type = function.getReturnType();
    auto* number =
        clang::IntegerLiteral::Create(context_, llvm::APInt(64, value), type, function.getLocation());
    auto* result = clang::ReturnStmt::Create(context_, function.getLocation(), number, nullptr);
    function.setBody(clang::CompoundStmt::Create(context_, {result}, clang::FPOptionsOverride(),
                                                 function.getLocation(), function.getLocation()));
  }

  clang::ASTContext& context_;
};

} // namespace

bool is_free_function_kernel(const clang::ValueDecl& declared) {
  return llvm::isa<clang::FunctionDecl>(declared) && property_of(declared, KERNEL) != 0;
}

void answer_function_properties(clang::Sema& sema) {
  sema.TemplateInstCallbacks.push_back(std::make_unique<function_property_answers>(sema.Context));
}

} // namespace falx::compiler
