// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attributes.hpp"
#include "attributes_substitution.hpp"
#include "diagnostic_ids.hpp"
#include "falx/aspect_names.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/TypeLoc.h"
#include "clang/Sema/Sema.h"

#include <optional>
#include <string>

/// \file
/// From annotations in the AST to values.

namespace falx::compiler {

namespace {

/// An attribute as it stands on a function, in either of its two shapes.
struct found_attribute {
  /// Without "falx.attr.".
  llvm::StringRef name;
  llvm::ArrayRef<clang::Expr*> arguments;
  clang::SourceLocation location;
};

template <class A>
void add_if_ours(const A& attribute, llvm::SmallVectorImpl<found_attribute>& result) {
  llvm::StringRef name = attribute.getAnnotation();
  if (name.consume_front("falx.attr."))
    result.push_back(
        {name, llvm::ArrayRef(attribute.args_begin(), attribute.args_size()), attribute.getLocation()});
}

llvm::SmallVector<found_attribute, 4> attributes_of(const clang::FunctionDecl& function) {
  llvm::SmallVector<found_attribute, 4> result;
  // Attributes are inherited, so the newest declaration has them all.
  for (const auto* attribute : function.getMostRecentDecl()->specific_attrs<clang::AnnotateAttr>())
    add_if_ours(*attribute, result);
  const clang::TypeSourceInfo* info = function.getTypeSourceInfo();
  if (info == nullptr)
    return result;
  clang::TypeLoc type = info->getTypeLoc();
  while (auto attributed = type.getAsAdjusted<clang::AttributedTypeLoc>()) {
    if (const auto* attribute = attributed.getAttrAs<clang::AnnotateTypeAttr>())
      add_if_ours(*attribute, result);
    type = attributed.getModifiedLoc();
  }
  return result;
}

constexpr llvm::StringLiteral DEVICE_HAS_MASK = "device_has_mask";

class attribute_reader {
public:
  attribute_reader(clang::Sema& sema, const clang::FunctionDecl& function)
      : sema_(sema), function_(function) {}

  /// The arguments of device_has, without repetition; the first one that is wrong in \p wrong.
  std::vector<std::size_t> aspects(const found_attribute& attribute, const clang::Expr*& wrong) {
    std::vector<std::size_t> result;
    if (attribute.name == DEVICE_HAS_MASK)
      return aspects_of_mask(attribute);
    for (clang::Expr* argument : attribute.arguments) {
      const std::optional<llvm::APSInt> value = evaluate(argument);
      if (value && !value->isNegative() && value->getActiveBits() <= 32 &&
          value->getZExtValue() < ASPECT_COUNT)
        result.push_back(static_cast<std::size_t>(value->getZExtValue()));
      else if (wrong == nullptr)
        wrong = argument;
    }
    llvm::sort(result);
    result.erase(llvm::unique(result), result.end());
    return result;
  }

  /// Masks with the highest bit are other properties of the function (function_kernels.cpp).
  bool lists_aspects(const found_attribute& attribute) {
    if (attribute.name != DEVICE_HAS_MASK)
      return attribute.name == "device_has";
    const std::optional<llvm::APSInt> mask =
        attribute.arguments.size() == 1 ? evaluate(attribute.arguments.front()) : std::nullopt;
    return !mask || (mask->getZExtValue() >> 63) == 0;
  }

  void read(const found_attribute& attribute, kernel_attributes& result) {
    if (attribute.name == "reqd_work_group_size")
      merge(result.reqd_work_group_size, attribute, 3);
    else if (attribute.name == "work_group_size_hint")
      merge(result.work_group_size_hint, attribute, 3);
    else if (attribute.name == "reqd_sub_group_size")
      read_sub_group_size(attribute, result);
    else if (attribute.name == "named_sub_group_size")
      check_named_sub_group_size(attribute);
    else if (attribute.name == "kernel_args_restrict")
      result.kernel_args_restrict = true;
    else if (lists_aspects(attribute))
      read_device_has(attribute, result);
  }

  /// True if the arguments are the same, or if an error in them is reported elsewhere.
  bool are_equal(const clang::AnnotateAttr& a, const clang::AnnotateAttr& b) {
    const auto values_of = [&](const clang::AnnotateAttr& attribute) {
      std::vector<std::optional<std::int64_t>> values;
      for (clang::Expr* argument : attribute.args()) {
        const std::optional<llvm::APSInt> value = evaluate(argument);
        values.push_back(value ? std::optional(value->getExtValue()) : std::nullopt);
      }
      if (attribute.getAnnotation().ends_with("device_has")) { // a set
        llvm::sort(values);
        values.erase(llvm::unique(values), values.end());
      }
      return values;
    };
    const auto of_a = values_of(a), of_b = values_of(b);
    return of_a == of_b || llvm::is_contained(of_a, std::nullopt) || llvm::is_contained(of_b, std::nullopt);
  }

private:
  /// The arguments' values, or nothing after an error was reported. Sizes of groups that no device has, as
  /// programs write them for kernels that must not be launched, are values like others.
  std::optional<std::vector<std::size_t>> values(const found_attribute& attribute, unsigned maximum_count) {
    const unsigned bits = maximum_count == 1 ? 32 : 64;
    std::vector<std::size_t> result;
    for (clang::Expr* argument : attribute.arguments) {
      const std::optional<llvm::APSInt> value = evaluate(argument);
      if (!value || !value->isStrictlyPositive() || value->getActiveBits() > bits) {
        error(argument->getExprLoc(), "argument of attribute '%0' must be a positive integer constant",
              attribute.name);
        return std::nullopt;
      }
      result.push_back(static_cast<std::size_t>(value->getZExtValue()));
    }
    if (result.empty() || result.size() > maximum_count) {
      if (maximum_count == 1)
        error(attribute.location, "attribute '%0' takes one argument", attribute.name);
      else
        error(attribute.location, "attribute '%0' takes one to three arguments", attribute.name);
      return std::nullopt;
    }
    return result;
  }

  /// What the headers write for a property: a bit for each aspect.
  std::vector<std::size_t> aspects_of_mask(const found_attribute& attribute) {
    static_assert(ASPECT_COUNT <= 64);
    std::vector<std::size_t> result;
    if (attribute.arguments.size() == 1)
      if (const std::optional<llvm::APSInt> mask = evaluate(attribute.arguments.front()))
        for (std::size_t aspect = 0; aspect < ASPECT_COUNT; ++aspect)
          if ((mask->getZExtValue() >> aspect & 1) != 0)
            result.push_back(aspect);
    return result;
  }

  std::optional<llvm::APSInt> evaluate(clang::Expr* argument) {
    if (argument->isValueDependent()) {
      argument = substitute_argument(sema_, function_, argument);
      if (argument == nullptr)
        return std::nullopt;
    }
    clang::Expr::EvalResult result;
    if (!argument->getType()->isIntegralOrEnumerationType() ||
        !argument->EvaluateAsInt(result, sema_.Context))
      return std::nullopt;
    return result.Val.getInt();
  }

  void merge(std::vector<std::size_t>& known, const found_attribute& attribute, unsigned maximum_count) {
    std::optional<std::vector<std::size_t>> read = values(attribute, maximum_count);
    if (!read)
      return;
    if (!known.empty() && known != *read)
      error(attribute.location, "attribute '%0' contradicts an earlier one on the same kernel",
            attribute.name);
    known = std::move(*read);
  }

  void read_sub_group_size(const found_attribute& attribute, kernel_attributes& result) {
    std::vector<std::size_t> size;
    if (result.reqd_sub_group_size != 0)
      size.push_back(result.reqd_sub_group_size);
    merge(size, attribute, 1);
    if (!size.empty())
      result.reqd_sub_group_size = static_cast<std::uint32_t>(size.front());
  }

  /// Both names stand for the size that the device prefers, which is what it takes without an attribute.
  void check_named_sub_group_size(const found_attribute& attribute) {
    const auto* word =
        attribute.arguments.size() == 1
            ? llvm::dyn_cast<clang::StringLiteral>(
                  attribute.arguments.front()->IgnoreParenImpCasts()->IgnoreUnlessSpelledInSource())
            : nullptr;
    if (word == nullptr || (word->getString() != "primary" && word->getString() != "automatic"))
      error(attribute.location, "attribute '%0' takes 'primary' or 'automatic'", attribute.name);
  }

  void read_device_has(const found_attribute& attribute, kernel_attributes& result) {
    const clang::Expr* wrong = nullptr;
    std::vector<std::size_t> listed = aspects(attribute, wrong);
    if (wrong != nullptr)
      return error(wrong->getExprLoc(), "argument of attribute '%0' must be a value of sycl::aspect",
                   attribute.name);
    if (result.device_has && *result.device_has != listed)
      error(attribute.location, "attribute '%0' contradicts an earlier one on the same kernel",
            attribute.name);
    result.device_has = std::move(listed);
  }

  void error(clang::SourceLocation location, llvm::StringRef sentence, llvm::StringRef name) {
    sema_.getDiagnostics().Report(location, error_id(sema_, sentence)) << name;
  }

  clang::Sema& sema_;
  const clang::FunctionDecl& function_;
};

} // namespace

void read_attributes(clang::Sema& sema, const clang::FunctionDecl& function, kernel_attributes& result) {
  attribute_reader reader(sema, function);
  for (const found_attribute& attribute : attributes_of(function))
    reader.read(attribute, result);
}

void read_properties(clang::Sema& sema, const clang::FunctionDecl& entry, clang::SourceLocation kernel,
                     kernel_attributes& result) {
  attribute_reader reader(sema, entry);
  for (const auto* attribute : entry.specific_attrs<clang::AnnotateAttr>()) {
    llvm::StringRef name = attribute->getAnnotation();
    if (name.consume_front("falx.property.") && attribute->args_size() != 0)
      reader.read({name, llvm::ArrayRef(attribute->args_begin(), attribute->args_size()), kernel}, result);
  }
}

std::optional<std::vector<std::size_t>> listed_aspects(clang::Sema& sema,
                                                       const clang::FunctionDecl& function) {
  llvm::SmallVector<found_attribute, 4> attributes = attributes_of(function);
  // Of the properties of a kernel.
  for (const auto* attribute : function.specific_attrs<clang::AnnotateAttr>())
    if (attribute->getAnnotation() == "falx.property.device_has" && attribute->args_size() != 0)
      attributes.push_back({"device_has", llvm::ArrayRef(attribute->args_begin(), attribute->args_size()),
                            attribute->getLocation()});
  for (const found_attribute& attribute : attributes) {
    attribute_reader reader(sema, function);
    if (!reader.lists_aspects(attribute))
      continue;
    const clang::Expr* wrong = nullptr;
    std::vector<std::size_t> listed = reader.aspects(attribute, wrong);
    if (wrong == nullptr)
      return listed;
  }
  return std::nullopt;
}

namespace {

constexpr llvm::StringLiteral EXTERNAL = "falx.external";

/// The attributes that stand on \p declaration itself.
llvm::SmallVector<const clang::AnnotateAttr*, 4> own_attributes(const clang::FunctionDecl& declaration) {
  llvm::SmallVector<const clang::AnnotateAttr*, 4> result;
  for (const auto* attribute : declaration.specific_attrs<clang::AnnotateAttr>())
    if (!attribute->isInherited() &&
        (attribute->getAnnotation().starts_with("falx.attr.") || attribute->getAnnotation() == EXTERNAL))
      result.push_back(attribute);
  return result;
}

std::string written_name(const clang::AnnotateAttr& attribute) {
  return attribute.getAnnotation() == EXTERNAL
             ? std::string("SYCL_EXTERNAL")
             : "attribute '" + attribute.getAnnotation().drop_front(sizeof("falx.attr.") - 1).str() + "'";
}

} // namespace

void check_declarations(clang::Sema& sema, const clang::FunctionDecl& function) {
  const clang::FunctionDecl* const pattern = function.getTemplateInstantiationPattern();
  const clang::FunctionDecl& any = pattern != nullptr ? *pattern : function;
  const clang::FunctionDecl& first = *any.getFirstDecl();
  clang::DiagnosticsEngine& diagnostics = sema.getDiagnostics();
  const auto error = [&](const clang::Attr& where, llvm::StringRef sentence) {
    return diagnostics.Report(where.getLocation(), error_id(sema, sentence));
  };
  const auto expected = own_attributes(first);
  if (!function.isExternallyVisible())
    for (const clang::AnnotateAttr* attribute : expected)
      if (attribute->getAnnotation() == EXTERNAL)
        error(*attribute,
              "%0 is SYCL_EXTERNAL, but has no external linkage, so that no other file can call it; "
              "leave out SYCL_EXTERNAL, or 'static' or the namespace without a name")
            << any.getDeclName();
  const auto note_first = [&] {
    diagnostics.Report(first.getLocation(), note_id(sema, "the first declaration is here"));
  };
  attribute_reader reader(sema, any);
  for (const clang::FunctionDecl* declaration : any.redecls()) {
    if (declaration == &first)
      continue;
    for (const clang::AnnotateAttr* attribute : own_attributes(*declaration)) {
      const auto* same = llvm::find_if(expected, [&](const clang::AnnotateAttr* other) {
        return other->getAnnotation() == attribute->getAnnotation();
      });
      if (same == expected.end()) {
        error(*attribute, "%0 must stand on the first declaration of %1 in the file")
            << written_name(*attribute) << any.getDeclName();
        note_first();
      } else if (attribute->getAnnotation() != EXTERNAL && !reader.are_equal(**same, *attribute)) {
        error(*attribute, "%0 of %1 contradicts that of an earlier declaration")
            << written_name(*attribute) << any.getDeclName();
        note_first();
      }
    }
  }
}

} // namespace falx::compiler
