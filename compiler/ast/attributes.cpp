// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "attributes.hpp"

#include "diagnostic_ids.hpp"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/ParsedAttrInfo.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

#include <array>

/// \file
/// What the plugin tells clang's parser and Sema about the attributes.

namespace falx::compiler {

namespace {

constexpr std::array<known_attribute, 10> ATTRIBUTES{{
    {"sycl::reqd_work_group_size", "falx.attr.reqd_work_group_size", attribute_arguments::expressions},
    {"sycl::work_group_size_hint", "falx.attr.work_group_size_hint", attribute_arguments::expressions},
    {"sycl::reqd_sub_group_size", "falx.attr.reqd_sub_group_size", attribute_arguments::expressions},
    {"intel::reqd_sub_group_size", "falx.attr.reqd_sub_group_size", attribute_arguments::expressions},
    {"intel::sub_group_size", "falx.attr.reqd_sub_group_size", attribute_arguments::expressions},
    {"sycl::named_sub_group_size", "falx.attr.named_sub_group_size", attribute_arguments::word},
    {"intel::named_sub_group_size", "falx.attr.named_sub_group_size", attribute_arguments::word},
    {"sycl::device_has", "falx.attr.device_has", attribute_arguments::expressions},
    {"sycl::kernel", "falx.attr.kernel", attribute_arguments::none},
    {"intel::kernel_args_restrict", "falx.attr.kernel_args_restrict", attribute_arguments::none},
}};

/// A deprecated hint, and tuning attributes of FPGA and GPU compilers; a program runs the same without them.
constexpr std::array<const char*, 22> IGNORED{
    "sycl::vec_type_hint",
    "intel::max_work_group_size",
    "intel::max_global_work_dim",
    "intel::num_simd_work_items",
    "intel::no_global_work_offset",
    "intel::use_stall_enable_clusters",
    "intel::scheduler_target_fmax_mhz",
    "intel::loop_fuse",
    "intel::loop_fuse_independent",
    "intel::initiation_interval",
    "intel::max_concurrency",
    "intel::disable_loop_pipelining",
    "intel::doublepump",
    "intel::singlepump",
    "intel::fpga_memory",
    "intel::fpga_register",
    "intel::fpga_pipeline",
    "intel::bankwidth",
    "intel::numbanks",
    "intel::max_replicates",
    "intel::simple_dual_port",
    "intel::num_compute_units",
};

using syntax = clang::AttributeCommonInfo::Syntax;

/// Every attribute says that its kind is clang's annotate_type. Sema then does the right thing by itself
/// where the attribute appertains to a type; on declarations Sema has no handler of that kind and calls this
/// one. The first argument, which annotate_type needs and SYCL's attributes lack, is put there by the
/// attribute_rewriter.
class annotating_attribute final : public clang::ParsedAttrInfo {
public:
  annotating_attribute() : clang::ParsedAttrInfo(clang::AttributeCommonInfo::AT_AnnotateType) {
    OptArgs = 15; // any number: counts are checked when the value is read
    AcceptsExprPack = 1;
    for (const known_attribute& attribute : ATTRIBUTES)
      spellings_[spelling_count_++] = {syntax::AS_CXX11, attribute.name};
    Spellings = llvm::ArrayRef(spellings_.data(), spelling_count_);
  }

  bool isParamExpr(std::size_t) const override { return true; }

  AttrHandling handleDeclAttribute(clang::Sema& sema, clang::Decl* declaration,
                                   const clang::ParsedAttr& attribute) const override {
    if (!declaration->getAsFunction()) {
      sema.Diag(attribute.getLoc(), warning_id(sema, "attribute '%0' only applies to functions",
                                               clang::diag::Group::IgnoredAttributes))
          << attribute.getNormalizedFullName();
      return AttributeNotApplied;
    }
    llvm::StringRef annotation;
    if (attribute.getNumArgs() == 0 || !sema.checkStringLiteralArgumentAttr(attribute, 0, annotation))
      return AttributeNotApplied;
    llvm::SmallVector<clang::Expr*, 4> arguments;
    for (unsigned i = 1; i < attribute.getNumArgs(); ++i)
      arguments.push_back(attribute.getArgAsExpr(i));
    if (!sema.ConstantFoldAttrArgs(attribute, arguments))
      return AttributeNotApplied;
    declaration->addAttr(clang::AnnotateAttr::Create(sema.Context, annotation, arguments.data(),
                                                     static_cast<unsigned>(arguments.size()),
                                                     attribute.getRange()));
    return AttributeApplied;
  }

private:
  std::array<Spelling, ATTRIBUTES.size()> spellings_{};
  std::size_t spelling_count_ = 0;
};

class ignored_attribute final : public clang::ParsedAttrInfo {
public:
  ignored_attribute() : clang::ParsedAttrInfo(clang::AttributeCommonInfo::IgnoredAttribute) {
    OptArgs = 15;
    for (std::size_t i = 0; i < IGNORED.size(); ++i)
      spellings_[i] = {syntax::AS_CXX11, IGNORED[i]};
    Spellings = spellings_;
  }

private:
  std::array<Spelling, IGNORED.size()> spellings_{};
};

/// clang parses the arguments of an attribute if a plugin knows its name, but looks for the name without the
/// scope. This entry makes it parse them; written without a scope, the names stay unknown attributes.
class unscoped_names final : public clang::ParsedAttrInfo {
public:
  unscoped_names() : clang::ParsedAttrInfo(clang::AttributeCommonInfo::UnknownAttribute) {
    for (std::size_t i = 0; i < ATTRIBUTES.size(); ++i)
      spellings_[i] = {syntax::AS_CXX11, llvm::StringRef(ATTRIBUTES[i].name).split("::").second.data()};
    Spellings = spellings_;
  }

private:
  std::array<Spelling, ATTRIBUTES.size()> spellings_{};
};

const clang::ParsedAttrInfoRegistry::Add<unscoped_names>
    REGISTER_NAMES("falx-attribute-names", "names of the SYCL attributes, for the parser");
const clang::ParsedAttrInfoRegistry::Add<annotating_attribute> REGISTER_ANNOTATING("falx-attributes",
                                                                                   "SYCL attributes");
const clang::ParsedAttrInfoRegistry::Add<ignored_attribute>
    REGISTER_IGNORED("falx-ignored-attributes", "tuning attributes that Falx accepts and drops");

} // namespace

const known_attribute* find_attribute(llvm::StringRef scope, llvm::StringRef name) {
  for (const known_attribute& attribute : ATTRIBUTES) {
    const auto [known_scope, known_name] = llvm::StringRef(attribute.name).split("::");
    if (known_scope == scope && known_name == name)
      return &attribute;
  }
  return nullptr;
}

} // namespace falx::compiler
