// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for sub-groups of 8:
//   define void @kernel(ptr %f) "falx-kind"="1" {
// After:
//   define void @kernel(ptr %launch, ptr %begin, ptr %end, ptr %worker) "falx-sub-group-size"="8" {
//     call void @kernel.work_item.lanes(..., <8 x i1> splat (i1 true))
// or, where a form is met that vectors cannot have:
//     call void @kernel.work_item(...)
//
// That shows late, when much of the module has changed, so the second attempt starts from a copy.

#include "barriers/passes.hpp"
#include "frontend/passes.hpp"
#include "frontend/scalar_simplification.hpp"
#include "passes.hpp"
#include "pipeline/kernel_lookup.hpp"
#include "pipeline/pass_failures.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "stack_need.hpp"
#include "vectorizer/passes.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cassert>
#include <optional>

using namespace llvm;

namespace falx::jit {

ModulePassManager vector_formation(std::optional<simd::weigh_forms> weighs) {
  ModulePassManager passes;
  passes.addPass(lower_builtins());
  passes.addPass(simd::unroll_constant_loops());
  passes.addPass(hoist_loop_accesses());
  passes.addPass(replace_computed_loops());
  passes.addPass(separate_inductions());
  passes.addPass(keep_vectors_independent());
  passes.addPass(simd::unroll_row_loops());
  passes.addPass(simd::narrow_loop_exits());
  if (weighs)
    passes.addPass(*std::move(weighs));
  passes.addPass(simd::interleave());
  passes.addPass(keep_loops_in_step());
  passes.addPass(split_barriers());
  passes.addPass(simd::vectorize_range());
  passes.addPass(emit_kernel_function());
  return passes;
}

ModulePassManager scalar_formation() {
  ModulePassManager passes;
  passes.addPass(lower_builtins());
  passes.addPass(fold_constants());
  passes.addPass(separate_inductions());
  passes.addPass(split_barriers());
  passes.addPass(emit_kernel_function());
  return passes;
}

/// The kernel asks for its sub-groups, or does something together with them, which may be all that its groups
/// do together: both is better done in vectors.
static bool knows_sub_groups(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.getName().starts_with("__falx_sub_group") && !function.use_empty();
  });
}

/// For response::remark.
static std::string remark_of(const std::string& kernel, const ErrorInfoBase& why) {
  return "kernel '" + kernel + "' is not run as vectors: " + why.message();
}

/// Makes of \p module, which keeps its identity, what \p other is.
static void take_contents(Module& module, Module& other) {
  module.dropAllReferences();
  for (Function& function : make_early_inc_range(module))
    function.eraseFromParent();
  for (GlobalVariable& variable : make_early_inc_range(module.globals()))
    variable.eraseFromParent();
  for (GlobalAlias& alias : make_early_inc_range(module.aliases()))
    alias.eraseFromParent();
  for (NamedMDNode& node : make_early_inc_range(module.named_metadata()))
    node.eraseFromParent();
  assert(other.ifunc_empty() && "device code has no functions that are chosen when it is loaded");
  module.getFunctionList().splice(module.end(), other.getFunctionList());
  for (GlobalVariable& variable : make_early_inc_range(other.globals())) {
    other.removeGlobalVariable(&variable);
    module.insertGlobalVariable(&variable);
  }
  for (GlobalAlias& alias : make_early_inc_range(other.aliases())) {
    other.removeAlias(&alias);
    module.insertAlias(&alias);
  }
  // Module::insertNamedMDNode inserts a list that nobody finds by its name.
  for (NamedMDNode& list : other.named_metadata()) {
    NamedMDNode* own = module.getOrInsertNamedMetadata(list.getName());
    for (MDNode* operand : list.operands())
      own->addOperand(operand);
  }
}

/// What the passes on vectors have to know goes to the kernel's attributes.
static void describe_vectors(Function& kernel, const vector_options& options) {
  kernel_attributes attributes = kernel_attributes::read(kernel);
  attributes.sub_group_size = attributes.lanes = options.sub_group_size;
  attributes.vector_math = options.vector_math;
  attributes.computes_under_masks = options.computes_under_masks;
  attributes.write(kernel);
}

static void describe_one_by_one(Function& kernel, const simd::one_by_one_is_chosen& chosen) {
  kernel_attributes attributes = kernel_attributes::read(kernel);
  attributes.has_row_vectors = chosen.has_row_vectors();
  attributes.has_other_form = chosen.has_other_form();
  attributes.write(kernel);
}

PreservedAnalyses form_kernel::run(Module& module, ModuleAnalysisManager& analyses) {
  return change_kernel(module, analyses, [&](Function& kernel, FunctionAnalysisManager& functions) -> Error {
    const kernel_attributes attributes = kernel_attributes::read(kernel);
    const std::string name = kernel.getName().str();
    pass_failures& failures = *analyses.getResult<failure_analysis>(module).failures;
    const auto form_scalar = [&] {
      return failures.take_from([&] { scalar_formation().run(module, analyses); });
    };
    if (Error error = check_private_bytes(module, 1, name))
      return error;
    if (options_.sub_group_size <= 1 || !attributes.has_items() ||
        (attributes.group_size() == 1 && !options_.sub_group_size_is_required))
      return form_scalar();
    if (Error error = check_private_bytes(module, options_.sub_group_size, name)) {
      if (options_.sub_group_size_is_required)
        return error;
      handleAllErrors(std::move(error), [&](const ErrorInfoBase& why) {
        // One work-item at a time has room.
        failures.add_remark(module.getContext(), remark_of(name, why));
      });
      return form_scalar();
    }
    const std::unique_ptr<Module> scalar = CloneModule(module);
    describe_vectors(kernel, options_);
    std::optional<simd::weigh_forms> weighs;
    if (options_.vectors_must_pay && !knows_sub_groups(module))
      weighs.emplace(options_.takes_other_form);
    Error error = failures.take_from([&] { vector_formation(weighs).run(module, analyses); });
    const auto start_again = [&] {
      functions.clear();
      take_contents(module, *scalar);
    };
    return handleErrors(
        std::move(error),
        [&](const simd::one_by_one_is_chosen& chosen) {
          start_again();
          describe_one_by_one(*find_kernel(module), chosen);
          return form_scalar();
        },
        [&](const simd::not_vectorizable& why) -> Error {
          if (options_.sub_group_size_is_required)
            return failure("Kernel '" + name + "' demands sub-groups of " + Twine(options_.sub_group_size) +
                           " work-items, but cannot be run as vectors: " + why.message() + ".");
          failures.add_remark(module.getContext(), remark_of(name, why));
          start_again();
          return form_scalar();
        });
  });
}

#ifndef NDEBUG
/// Somebody calls a builtin that a pass should have replaced: loading the kernel would fail, or linking it.
static bool has_builtins(const Module& module) {
  return any_of(module, [](const Function& function) {
    return function.isDeclaration() && function.getName().starts_with("__falx_") && !function.use_empty();
  });
}
#endif

PreservedAnalyses apply_target_attributes::run(Module& module, ModuleAnalysisManager& analyses) {
  assert(!has_builtins(module) && "a builtin is left");
  const TargetMachine* machine = analyses.getResult<target_machine_analysis>(module).machine;
  assert(machine != nullptr && "the pipeline of a target");
  for (Function& function : module)
    if (!function.isDeclaration())
      set_target_attributes(function, *machine);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
