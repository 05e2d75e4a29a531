// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "diagnostics_remedies.hpp"

#include "device_copyable.hpp"
#include "diagnostics_report.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringSwitch.h"

namespace falx::compiler {

namespace {

bool is_in_sycl(const clang::CXXRecordDecl& record) {
  const clang::DeclContext* context = record.getDeclContext();
  while (const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(context)) {
    if (space->getName() == "sycl" && space->getDeclContext()->getRedeclContext()->isTranslationUnit())
      return true;
    context = space->getDeclContext();
  }
  return false;
}

/// The name of a class of namespace std (or of another library's in it), else nothing.
llvm::StringRef standard_class(const clang::CXXRecordDecl* record) {
  if (record == nullptr || record->getIdentifier() == nullptr)
    return {};
  return record->isInStdNamespace() || record->getEnclosingNamespaceContext()->isInlineNamespace()
             ? record->getName()
             : llvm::StringRef();
}

enum class standard_kind { other, container, string, function, owner };

standard_kind kind_of(llvm::StringRef name) {
  return llvm::StringSwitch<standard_kind>(name)
      .Cases({"vector", "deque", "list", "forward_list", "map", "multimap", "set", "multiset"},
             standard_kind::container)
      .Cases({"unordered_map", "unordered_multimap", "unordered_set", "unordered_multiset", "valarray",
              "queue", "priority_queue", "stack"},
             standard_kind::container)
      .Cases({"basic_string", "to_string", "basic_stringstream", "basic_ostringstream"},
             standard_kind::string)
      .Cases({"function", "any", "move_only_function"}, standard_kind::function)
      .Cases({"unique_ptr", "shared_ptr", "weak_ptr", "make_unique", "make_shared", "allocate_shared"},
             standard_kind::owner)
      .Default(standard_kind::other);
}

} // namespace

bool is_host_object(clang::QualType type) {
  const clang::CXXRecordDecl* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return record != nullptr && is_in_sycl(*record);
}

std::string remedy_for_capture(const copy_obstacle& obstacle) {
  const clang::CXXRecordDecl* record = obstacle.type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (obstacle.what == copy_obstacle::reason::reference)
    return "hold a value, or a pointer to USM memory";
  if (obstacle.what == copy_obstacle::reason::host_task)
    return "make one for devices, without target::host_task or a tag such as read_write_host_task";
  if (is_host_object(obstacle.type)) {
    llvm::StringRef name = record->getName();
    if (name == "host_accessor")
      return "make a sycl::accessor in the command group and capture that";
    if (name.consume_front("host_"))
      return ("make a sycl::" + name + " in the command group and capture that").str();
    if (name.contains("buffer") || name.contains("image"))
      return "make an accessor of it in the command group and capture that";
    return "it is for use on the host; pass the kernel what it needs to know of it";
  }
  switch (kind_of(standard_class(record))) {
  case standard_kind::container:
    return "capture a pointer to memory from sycl::malloc_shared or sycl::malloc_device, or an accessor of a "
           "sycl::buffer, or a std::array";
  case standard_kind::string:
    return "capture an array of characters, or a std::string_view of USM memory";
  case standard_kind::function:
    return "capture the lambda or function object itself";
  case standard_kind::owner:
    return "capture the pointer itself, to USM memory";
  case standard_kind::other:
    break;
  }
  return "capture the members that the kernel needs, or, if a copy of its bytes is as good as the object, "
         "specialize sycl::is_device_copyable for its class";
}

std::string remedy_for_library_function(restriction what, const clang::FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(&function);
  const llvm::StringRef name = method != nullptr                     ? standard_class(method->getParent())
                               : function.getIdentifier() != nullptr ? function.getName()
                                                                     : llvm::StringRef();
  switch (kind_of(name)) {
  case standard_kind::container:
    return "use std::array or an array of fixed size, or memory that the host allocated (USM or a buffer)";
  case standard_kind::string:
    return "use std::string_view or an array of characters";
  case standard_kind::function:
    return "use the lambda or function object itself, or a template parameter for it";
  case standard_kind::owner:
    return "use a variable of the work-item, or USM memory that the host allocated";
  case standard_kind::other:
    break;
  }
  if (what != restriction::allocation)
    return "use what is known when the program is compiled: templates, overloads";
  return "use an array of fixed size, a local_accessor, or memory that the host allocated (USM or a buffer)";
}

std::string remedy_for_output(clang::Sema& sema) {
  // Named where the program includes what declares it.
  const clang::DeclContext* context = sema.Context.getTranslationUnitDecl();
  const bool has_printf = !context->lookup(&sema.Context.Idents.get("printf")).empty();
  return has_printf ? "use a sycl::stream or printf" : "use a sycl::stream";
}

} // namespace falx::compiler
