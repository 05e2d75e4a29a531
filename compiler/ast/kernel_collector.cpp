// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_collector.hpp"

#include "attributes.hpp"
#include "diagnostic_ids.hpp"
#include "kernel_info.hpp"
#include "kernel_rules.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Sema/Sema.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace falx::compiler {

namespace {

/// \p wanted is the name of a structure in namespace falx.
bool is_core(const clang::CXXRecordDecl& record, llvm::StringRef wanted) {
  const clang::IdentifierInfo* name = record.getIdentifier();
  if (name == nullptr || name->getName() != wanted)
    return false;
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record.getDeclContext());
  return space != nullptr && space->getIdentifier() != nullptr && space->getName() == "falx" &&
         space->getDeclContext()->getRedeclContext()->isTranslationUnit();
}

bool has_annotation(const clang::Decl& declaration, llvm::StringRef wanted) {
  return llvm::any_of(declaration.specific_attrs<clang::AnnotateAttr>(),
                      [&](const auto* annotation) { return annotation->getAnnotation() == wanted; });
}

/// The size of a value of \p type that is nothing but its bytes: equal values have equal bytes. 0 if it is no
/// such value.
std::size_t size_of_plain_value(const clang::ASTContext& context, clang::QualType type) {
  type = type.getCanonicalType();
  std::size_t count = 1;
  if (const clang::ConstantArrayType* array = context.getAsConstantArrayType(type)) {
    count = static_cast<std::size_t>(context.getConstantArrayElementCount(array));
    type = context.getBaseElementType(type).getCanonicalType();
  } else if (const auto* vector = type->getAs<clang::VectorType>()) {
    count = vector->getNumElements(); // three take the room of four
    type = vector->getElementType().getCanonicalType();
    if (type->isBooleanType())
      return 0; // bits
  } else if (const auto* complex = type->getAs<clang::ComplexType>()) {
    count = 2;
    type = complex->getElementType().getCanonicalType();
  }
  const bool is_long_double = type->isSpecificBuiltinType(clang::BuiltinType::LongDouble); // has padding
  if (!(type->isIntegralOrEnumerationType() || type->isFloatingType()) || type->isBitIntType() ||
      is_long_double)
    return 0;
  return count * static_cast<std::size_t>(context.getTypeSizeInChars(type).getQuantity());
}

/// Where are the subobjects that the runtime must know of? Bases, members, captures and elements of arrays,
/// in the order of their offsets.
class subobject_search {
public:
  subobject_search(const clang::ASTContext& context, kernel_info& info) : context_(context), info_(info) {}

  void in_record(const clang::CXXRecordDecl& record, std::size_t offset) {
    const clang::CXXRecordDecl* definition = record.getDefinition();
    if (definition == nullptr || definition->isUnion() || definition->isInvalidDecl())
      return;
    if (is_core(*definition, "accessor_core")) {
      info_.accessor_offsets.push_back(offset);
      ++found_;
      return;
    }
    if (is_core(*definition, "compact_accessor_core")) {
      info_.accessor_offsets.push_back(offset + 1);
      return;
    }
    info_.has_local_accessors |= has_annotation(*definition, "falx.local_accessor");
    if (has_annotation(*definition, "falx.specialize")) {
      const bool outside = !std::exchange(in_specialized_, true);
      in_members(*definition, offset);
      if (outside)
        in_specialized_ = false;
      return;
    }
    in_members(*definition, offset);
  }

private:
  void in_members(const clang::CXXRecordDecl& record, std::size_t offset) {
    const clang::ASTRecordLayout& layout = context_.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier& base : record.bases()) {
      const clang::CXXRecordDecl* base_record = base.getType()->getAsCXXRecordDecl();
      if (base_record == nullptr || base.isVirtual())
        continue;
      const auto base_offset = static_cast<std::size_t>(layout.getBaseClassOffset(base_record).getQuantity());
      in_record(*base_record, offset + base_offset);
    }
    for (const clang::FieldDecl* field : record.fields()) {
      const auto bits = static_cast<std::size_t>(layout.getFieldOffset(field->getFieldIndex()));
      if (!field->isBitField())
        in_type(field->getType(), offset + bits / 8);
      else if (in_specialized_)
        add_specialized(offset + bits / 8, (bits + field->getBitWidthValue() + 7) / 8 - bits / 8);
    }
  }

  void in_type(clang::QualType type, std::size_t offset) {
    if (const clang::ConstantArrayType* array = context_.getAsConstantArrayType(type)) {
      if (array->getElementType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl() == nullptr)
        return add_value(type, offset);
      const auto stride =
          static_cast<std::size_t>(context_.getTypeSizeInChars(array->getElementType()).getQuantity());
      const std::uint64_t count = array->getZExtSize();
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t before = findings();
        in_type(array->getElementType(), offset + i * stride);
        if (findings() == before)
          return; // an element without such subobjects says that no element has any
      }
    } else if (const clang::CXXRecordDecl* record = type->getAsCXXRecordDecl(); record == nullptr) {
      add_value(type, offset);
    } else if (record->isUnion()) {
      add_value(type, offset);
    } else {
      in_record(*record, offset);
    }
  }

  /// Something that is not looked into.
  void add_value(clang::QualType type, std::size_t offset) {
    if (in_specialized_)
      add_specialized(offset, static_cast<std::size_t>(context_.getTypeSizeInChars(type).getQuantity()));
    else if (type->isPointerType() && info_.captured_pointers.size() < MOST_CAPTURED)
      info_.captured_pointers.push_back(offset);
    else if (const std::size_t size = size_of_plain_value(context_, type);
             size != 0 && size <= LARGEST_CAPTURED_VALUE && info_.captured_values.size() < 2 * MOST_CAPTURED)
      info_.captured_values.insert(info_.captured_values.end(), {offset, size});
  }
  /// Grows when something is found.
  std::size_t findings() const {
    return found_ + info_.captured_values.size() + info_.captured_pointers.size();
  }

  /// Of values and of pointers by which launches may be recognised; and bytes of such a value.
  static constexpr std::size_t MOST_CAPTURED = 64;
  static constexpr std::size_t LARGEST_CAPTURED_VALUE = 64;

  /// Bytes behind the last part, or some of its own (bit-fields share bytes), make it longer.
  void add_specialized(std::size_t offset, std::size_t size) {
    ++found_;
    std::vector<std::size_t>& parts = info_.specialized_parts;
    if (!parts.empty() && parts[parts.size() - 2] + parts.back() >= offset)
      parts.back() = std::max(parts.back(), offset + size - parts[parts.size() - 2]);
    else
      parts.insert(parts.end(), {offset, size});
  }

  const clang::ASTContext& context_;
  kernel_info& info_;
  /// Counts accessors and what is specialised.
  std::size_t found_ = 0;
  bool in_specialized_ = false;
};

const clang::CXXRecordDecl* function_object_of(const clang::FunctionDecl& entry) {
  if (entry.getNumParams() != 1)
    return nullptr;
  const clang::CXXRecordDecl* record =
      entry.getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return record != nullptr ? record->getDefinition() : nullptr;
}

/// Which call operators of the user's class does a kernel entry call? Between the entry and
/// the user's function stand wrappers only, so the walk meets little else.
class call_operator_search : public clang::ConstStmtVisitor<call_operator_search> {
public:
  explicit call_operator_search(const clang::CXXRecordDecl& kernel) : kernel_(kernel) {}

  llvm::ArrayRef<const clang::FunctionDecl*> search(const clang::FunctionDecl& entry) {
    if (entry.hasBody())
      Visit(entry.getBody());
    return found_;
  }

  void VisitStmt(const clang::Stmt* statement) {
    for (const clang::Stmt* child : statement->children())
      if (child != nullptr)
        Visit(child);
  }
  void VisitCallExpr(const clang::CallExpr* call) {
    VisitStmt(call);
    const clang::FunctionDecl* callee = call->getDirectCallee();
    if (callee == nullptr || !seen_.insert(callee->getCanonicalDecl()).second)
      return;
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(callee);
    if (method != nullptr && method->getOverloadedOperator() == clang::OO_Call &&
        method->getParent()->getCanonicalDecl() == kernel_.getCanonicalDecl())
      found_.push_back(callee);
    else if (const clang::FunctionDecl* definition = nullptr; callee->hasBody(definition))
      Visit(definition->getBody());
  }

private:
  const clang::CXXRecordDecl& kernel_;
  llvm::SmallVector<const clang::FunctionDecl*, 2> found_;
  llvm::SmallPtrSet<const clang::FunctionDecl*, 16> seen_;
};

} // namespace

/// The type behind a typedef in a class, if the class has one of that name.
static std::optional<clang::QualType> member_type(const clang::CXXRecordDecl& record, llvm::StringRef name) {
  const clang::IdentifierInfo& identifier = record.getASTContext().Idents.get(name);
  std::optional<clang::QualType> type;
  for (const clang::NamedDecl* found : record.lookup(&identifier))
    if (const auto* alias = llvm::dyn_cast<clang::TypedefNameDecl>(found))
      type = alias->getUnderlyingType();
  return type;
}

bool is_annotated(const clang::FunctionDecl& function, llvm::StringRef text) {
  return function.hasAttrs() && !function.isDependentContext() && !function.isInvalidDecl() &&
         has_annotation(function, text);
}

bool is_kernel_entry(const clang::FunctionDecl& function) {
  return is_annotated(function, "falx.kernel");
}

bool is_accessor_offsets_function(const clang::FunctionDecl& function) {
  return is_annotated(function, "falx.accessor_offsets");
}

const clang::CXXRecordDecl* user_kernel_of(const clang::FunctionDecl& entry) {
  const clang::CXXRecordDecl* kernel = function_object_of(entry);
  // A wrapper may wrap a wrapper.
  while (kernel != nullptr) {
    const clang::CXXRecordDecl* inner = nullptr;
    if (const auto wrapped = member_type(*kernel, "user_kernel"))
      inner = wrapped->getNonReferenceType()->getAsCXXRecordDecl();
    if (inner == nullptr || inner == kernel || inner->getDefinition() == nullptr)
      break;
    kernel = inner->getDefinition();
  }
  return kernel;
}

clang::QualType kernel_name_of(const clang::FunctionDecl& entry) {
  if (const auto* entry_class = llvm::dyn_cast<clang::CXXRecordDecl>(entry.getDeclContext()))
    if (const auto named = member_type(*entry_class, "kernel_name"))
      return *named;
  return {};
}

std::string pretty_name_of(const clang::FunctionDecl& entry) {
  const clang::ASTContext& context = entry.getASTContext();
  clang::QualType type = kernel_name_of(entry);
  if (type.isNull())
    if (const clang::CXXRecordDecl* kernel = user_kernel_of(entry))
      type = context.getCanonicalTagType(kernel);
  if (type.isNull())
    return entry.getQualifiedNameAsString();
  clang::PrintingPolicy policy(context.getLangOpts());
  policy.adjustForCPlusPlus();
  std::string name = type.getCanonicalType().getAsString(policy);
  for (char& character : name)
    if (character == '\t' || character == '\n')
      character = ' ';
  return name;
}

kernel_collector::kernel_collector(clang::Sema& sema, std::string suffix)
    : sema_(sema), name_rules_(sema), names_(sema.Context), suffix_(std::move(suffix)) {}

void kernel_collector::give_stable_name(clang::FunctionDecl& entry) {
  if (entry.isExternallyVisible() || entry.hasAttr<clang::AsmLabelAttr>())
    return;
  const std::string name = names_.getName(&entry) + suffix_;
  entry.addAttr(clang::AsmLabelAttr::CreateImplicit(sema_.Context, name));
}

std::string kernel_collector::name_of(const clang::FunctionDecl& function) {
  const auto* label = function.getAttr<clang::AsmLabelAttr>();
  return label != nullptr ? label->getLabel().str() : names_.getName(&function);
}

void kernel_collector::collect_accessor_offsets(const clang::FunctionDecl& function) {
  const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs();
  if (arguments == nullptr || arguments->size() == 0)
    return;
  const clang::CXXRecordDecl* callable = arguments->get(0).getAsType()->getAsCXXRecordDecl();
  if (callable == nullptr)
    return;
  kernel_info subobjects;
  subobject_search(sema_.Context, subobjects).in_record(*callable, 0);
  std::vector<std::size_t>& offsets = subobjects.accessor_offsets;
  std::erase_if(offsets, [](std::size_t offset) { return offset % 2 != 0; }); // compact cores
  if (!offsets.empty())
    host_task_accessors().try_emplace(name_of(function), std::move(offsets));
}

kernel_info kernel_collector::describe(const clang::FunctionDecl& entry,
                                       const clang::CXXRecordDecl& function) {
  const clang::QualType type(sema_.Context.getCanonicalTagType(&function));
  kernel_info info;
  info.pretty_name = pretty_name_of(entry);
  info.function_size = static_cast<std::size_t>(sema_.Context.getTypeSizeInChars(type).getQuantity());
  info.function_alignment = static_cast<std::size_t>(sema_.Context.getTypeAlignInChars(type).getQuantity());
  subobject_search(sema_.Context, info).in_record(function, 0);
  return info;
}

void kernel_collector::collect(const clang::FunctionDecl& entry) {
  const clang::CXXRecordDecl* function = function_object_of(entry);
  const clang::CXXRecordDecl* kernel = user_kernel_of(entry);
  if (function == nullptr || kernel == nullptr || function->isInvalidDecl())
    return;
  std::map<std::string, kernel_info>& infos = kernel_infos();
  const auto [position, is_new] = infos.try_emplace(name_of(entry));
  if (!is_new)
    return;
  kernel_info& info = position->second;
  info = describe(entry, *function);
  // Of the overload and instantiation of the call operator that the kernel runs, and its properties.
  call_operator_search search(*kernel);
  const llvm::ArrayRef<const clang::FunctionDecl*> operators = search.search(entry);
  kernel_attributes attributes;
  for (const clang::FunctionDecl* called : operators)
    read_attributes(sema_, *called, attributes);
  read_properties(sema_, entry, kernel->getLocation(), attributes);
  check_kernel_rules(sema_, entry, operators, attributes);
  name_rules_.check(entry);
  info.reqd_work_group_size = std::move(attributes.reqd_work_group_size);
  info.work_group_size_hint = std::move(attributes.work_group_size_hint);
  info.reqd_sub_group_size = attributes.reqd_sub_group_size;
  info.kernel_args_restrict = attributes.kernel_args_restrict;
  info.aspects = std::move(attributes.device_has).value_or(std::vector<std::size_t>());
}

void kernel_collector::compare_with_device_pass(const clang::FunctionDecl& entry) {
  const clang::CXXRecordDecl* function = function_object_of(entry);
  const clang::CXXRecordDecl* kernel = user_kernel_of(entry);
  if (function == nullptr || kernel == nullptr || function->isInvalidDecl())
    return;
  const auto report = [&](llvm::StringRef sentence) {
    sema_.Diag(kernel->getLocation(), error_id(sema_, sentence)) << pretty_name_of(entry);
  };
  const std::map<std::string, kernel_info>& infos = kernel_infos();
  const auto known = infos.find(name_of(entry));
  if (known == infos.end())
    return report(
        "kernel '%0' is not in device code, where __SYCL_DEVICE_ONLY__ is defined; have both passes "
        "see the same kernels, and give this one a name of its own if lambdas before it differ");
  const kernel_info here = describe(entry, *function);
  const kernel_info& there = known->second;
  if (here.function_size != there.function_size || here.function_alignment != there.function_alignment ||
      here.accessor_offsets != there.accessor_offsets || here.captured_values != there.captured_values ||
      here.captured_pointers != there.captured_pointers)
    report("kernel '%0' captures other things in device code, where __SYCL_DEVICE_ONLY__ is defined; what a "
           "kernel captures, and the members of its classes, must not depend on that macro");
}

} // namespace falx::compiler
