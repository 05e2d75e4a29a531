// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_copyable.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

namespace falx::compiler {

namespace {

/// The declaration of that name in \p scope, if it is of that kind and stands for nothing else.
template <class Declaration>
Declaration* find_in(clang::Sema& sema, clang::DeclContext& scope, llvm::StringRef name) {
  clang::LookupResult found(sema, &sema.Context.Idents.get(name), clang::SourceLocation(),
                            clang::Sema::LookupOrdinaryName);
  found.suppressDiagnostics();
  sema.LookupQualifiedName(found, &scope);
  return found.getAsSingle<Declaration>();
}

/// The trait's value for \p type, as `sycl::is_device_copyable<type>::value` would be.
bool evaluate_trait(clang::Sema& sema, clang::QualType type) {
  auto* space = find_in<clang::NamespaceDecl>(sema, *sema.Context.getTranslationUnitDecl(), "sycl");
  auto* trait =
      space != nullptr ? find_in<clang::ClassTemplateDecl>(sema, *space, "is_device_copyable") : nullptr;
  if (trait == nullptr)
    return false;
  const clang::SourceLocation location = trait->getLocation();
  clang::TemplateArgumentListInfo arguments(location, location);
  arguments.addArgument(clang::TemplateArgumentLoc(clang::TemplateArgument(type),
                                                   sema.Context.getTrivialTypeSourceInfo(type, location)));
  const clang::QualType specialization = sema.CheckTemplateIdType(
      clang::ElaboratedTypeKeyword::None, clang::TemplateName(trait), location, arguments,
      /*Scope=*/nullptr, /*ForNestedNameSpecifier=*/false);
  if (specialization.isNull() || !sema.isCompleteType(location, specialization))
    return false;
  clang::CXXRecordDecl* record = specialization->getAsCXXRecordDecl();
  auto* value = find_in<clang::VarDecl>(sema, *record, "value");
  if (value == nullptr)
    return false;
  sema.MarkVariableReferenced(location, value); // which instantiates its initializer
  const clang::Expr* reference = sema.BuildDeclRefExpr(value, value->getType(), clang::VK_LValue, location);
  bool result = false;
  return reference->EvaluateAsBooleanCondition(result, sema.Context) && result;
}

std::string quoted(const clang::ASTContext& context, clang::QualType type) {
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressTagKeyword = true;
  return "'" + type.getAsString(policy) + "'";
}

bool has_deleted_copy(const clang::CXXRecordDecl& record) {
  bool has_copy = false;
  for (const clang::CXXConstructorDecl* constructor : record.ctors()) {
    if (!constructor->isCopyOrMoveConstructor())
      continue;
    if (!constructor->isDeleted())
      return false;
    has_copy = true;
  }
  return has_copy;
}

bool has_trivial_copy(const clang::CXXRecordDecl& record) {
  return !record.hasNonTrivialCopyConstructor() && !has_deleted_copy(record);
}

/// Standard library and Falx: what is in their classes says nothing to users.
bool is_library_class(clang::Sema& sema, const clang::CXXRecordDecl& record) {
  return sema.getSourceManager().isInSystemHeader(record.getLocation());
}

/// An enumerator of that name among the template arguments of a class of namespace sycl.
bool has_argument(const clang::CXXRecordDecl& record, llvm::StringRef enumerator) {
  const auto* specialization = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (specialization == nullptr)
    return false;
  return llvm::any_of(
      specialization->getTemplateArgs().asArray(), [&](const clang::TemplateArgument& argument) {
        if (argument.getKind() != clang::TemplateArgument::Integral)
          return false;
        const auto* enumeration = argument.getIntegralType()->getAs<clang::EnumType>();
        return enumeration != nullptr &&
               llvm::any_of(enumeration->getDecl()->enumerators(), [&](const clang::EnumConstantDecl* value) {
                 return value->getName() == enumerator &&
                        llvm::APSInt::isSameValue(value->getInitVal(), argument.getAsIntegral());
               });
      });
}

bool is_host_task_accessor(const clang::CXXRecordDecl& record) {
  const clang::IdentifierInfo* name = record.getIdentifier();
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record.getDeclContext()->getRedeclContext());
  return name != nullptr && name->getName().ends_with("accessor") && space != nullptr &&
         space->getName() == "sycl" && has_argument(record, "host_task");
}

} // namespace

bool device_copyable_types::is_declared_device_copyable(clang::QualType type) {
  type = type.getNonReferenceType().getUnqualifiedType();
  return !type.isTriviallyCopyableType(sema_.Context) && evaluate_trait(sema_, type);
}

std::optional<copy_obstacle> device_copyable_types::obstacle_in(clang::QualType type) {
  if (type->isReferenceType())
    return copy_obstacle{copy_obstacle::reason::reference, {}, type, {}};
  type = sema_.Context.getBaseElementType(type).getUnqualifiedType();
  const clang::CXXRecordDecl* const declaration = type->getAsCXXRecordDecl();
  const clang::CXXRecordDecl* const record = declaration != nullptr ? declaration->getDefinition() : nullptr;
  if (record == nullptr || record->isInvalidDecl())
    return std::nullopt;
  if (const auto known = known_.find(record); known != known_.end())
    return known->second;
  std::optional<copy_obstacle> obstacle = obstacle_in_class(*record, type);
  known_[record] = obstacle;
  return obstacle;
}

std::optional<copy_obstacle> device_copyable_types::obstacle_in_class(const clang::CXXRecordDecl& record,
                                                                      clang::QualType type) {
  if (is_host_task_accessor(record))
    return copy_obstacle{copy_obstacle::reason::host_task, {}, type, {}};
  const bool trivially_copyable = type.isTriviallyCopyableType(sema_.Context);
  if (!trivially_copyable && evaluate_trait(sema_, type))
    return std::nullopt;
  const bool trivial = trivially_copyable || (has_trivial_copy(record) && record.hasTrivialDestructor());
  // Members of library classes are looked at for references only: that a std::vector is no trivial class
  // needs no more reasons.
  if (trivial || !is_library_class(sema_, record))
    if (std::optional<copy_obstacle> part = obstacle_in_parts(record))
      return part;
  if (trivial)
    return std::nullopt;
  using reason = copy_obstacle::reason;
  const clang::CXXDestructorDecl* destructor = record.getDestructor();
  const bool in_library = is_library_class(sema_, record);
  if (!record.hasTrivialDestructor() &&
      (in_library || (destructor != nullptr && destructor->isUserProvided())))
    return copy_obstacle{reason::destructor, {}, type, {}};
  if (has_deleted_copy(record))
    return copy_obstacle{reason::deleted_copy, {}, type, {}};
  if (in_library || record.isPolymorphic() || record.getNumVBases() != 0)
    return copy_obstacle{reason::copy_constructor, {}, type, {}};
  for (const clang::CXXConstructorDecl* constructor : record.ctors())
    if (constructor->isCopyOrMoveConstructor() && constructor->isUserProvided())
      return copy_obstacle{reason::copy_constructor, {}, type, {}};
  return std::nullopt;
}

std::optional<copy_obstacle> device_copyable_types::obstacle_in_parts(const clang::CXXRecordDecl& record) {
  for (const clang::CXXBaseSpecifier& base : record.bases()) {
    std::optional<copy_obstacle> obstacle = obstacle_in(base.getType());
    if (!obstacle)
      continue;
    if (obstacle->part.empty()) {
      obstacle->part = "base " + quoted(sema_.Context, base.getType());
      obstacle->location = base.getBeginLoc();
    }
    return obstacle;
  }
  auto capture = record.isLambda() ? record.captures_begin() : nullptr;
  for (const clang::FieldDecl* field : record.fields()) {
    const clang::LambdaCapture* captured = capture != nullptr ? capture++ : nullptr;
    std::optional<copy_obstacle> obstacle = obstacle_in(field->getType());
    if (!obstacle)
      continue;
    if (obstacle->part.empty()) {
      const bool is_variable = captured != nullptr && captured->capturesVariable();
      const std::string name =
          is_variable ? captured->getCapturedVar()->getNameAsString() : field->getNameAsString();
      obstacle->part = (captured != nullptr ? "capture '" : "member '") + name + "' of type " +
                       quoted(sema_.Context, field->getType());
      obstacle->location = captured != nullptr ? captured->getLocation() : field->getLocation();
    }
    return obstacle;
  }
  return std::nullopt;
}

} // namespace falx::compiler
