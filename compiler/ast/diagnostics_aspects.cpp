// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_aspects.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/STLExtras.h"

namespace falx::compiler {

namespace {

std::optional<sycl::aspect> aspect_of_number(clang::QualType type) {
  const auto* builtin = type->getAs<clang::BuiltinType>();
  if (builtin == nullptr)
    return std::nullopt;
  switch (builtin->getKind()) {
  case clang::BuiltinType::Double:
    return sycl::aspect::fp64;
  case clang::BuiltinType::Half:
  case clang::BuiltinType::Float16:
    return sycl::aspect::fp16;
  default:
    return std::nullopt;
  }
}

/// SYCL's classes that stand for numbers.
std::optional<sycl::aspect> aspect_of_class(const clang::ASTContext& context,
                                            const clang::CXXRecordDecl& record) {
  const auto* scope = llvm::dyn_cast<clang::NamespaceDecl>(record.getDeclContext());
  if (scope == nullptr || record.getIdentifier() == nullptr)
    return std::nullopt;
  const llvm::StringRef name = record.getName();
  const std::string scope_name = scope->getQualifiedNameAsString();
  if (name == "half" && scope_name == "sycl::detail::half_precision")
    return sycl::aspect::fp16;
  if (scope_name != "sycl")
    return std::nullopt;
  const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (made == nullptr || (name != "vec" && name != "marray" && name != "atomic_ref"))
    return std::nullopt;
  const clang::TemplateArgument& element = made->getTemplateArgs().get(0);
  if (element.getKind() != clang::TemplateArgument::Type)
    return std::nullopt;
  const clang::QualType type = element.getAsType();
  if (name == "atomic_ref" && !type->isDependentType() && context.getTypeSize(type) == 64)
    return sycl::aspect::atomic64;
  return aspect_of_type(context, type);
}

} // namespace

std::optional<sycl::aspect> aspect_of_type(const clang::ASTContext& context, clang::QualType type) {
  const clang::QualType element = context.getBaseElementType(type.getNonReferenceType());
  if (const auto* record = element->getAsCXXRecordDecl())
    return aspect_of_class(context, *record);
  return aspect_of_number(element);
}

std::optional<sycl::aspect> aspect_of_builtin(const clang::FunctionDecl& function) {
  if (function.getIdentifier() != nullptr && function.getName().starts_with("__falx_async_barrier_"))
    return sycl::aspect::ext_oneapi_cuda_async_barrier;
  return std::nullopt;
}

bool aspect_limit::is_violated_by(sycl::aspect feature) {
  const auto number = static_cast<std::size_t>(feature);
  if (llvm::is_contained(allowed_, number))
    return false;
  allowed_.push_back(number);
  return true;
}

} // namespace falx::compiler
