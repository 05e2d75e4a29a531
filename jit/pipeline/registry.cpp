// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barriers/passes.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/launch_passes.hpp"
#include "frontend/passes.hpp"
#include "frontend/scalar_simplification.hpp"
#include "frontend/specialization_constants.hpp"
#include "invariants.hpp"
#include "llvm_workarounds/workarounds.hpp"
#include "pass_runner.hpp"
#include "target_machine_analysis.hpp"
#include "targets/cpu/cpu_pipeline.hpp"
#include "targets/cpu/passes.hpp"
#include "targets/cpu/quick_code.hpp"
#include "targets/ptx/passes.hpp"
#include "targets/ptx/ptx_pipeline.hpp"
#include "vectorizer/passes.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

namespace {

using pass_option = std::pair<StringRef, StringRef>;

} // namespace

/// From "name=value;name=value".
static SmallVector<pass_option> split_options(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<pass_option> options;
  for (StringRef part : parts)
    options.push_back(part.split('='));
  return options;
}

static Error unknown_option(const pass_option& option, StringRef pass) {
  return failure("'" + option.first + "=" + option.second + "' is no option of " + pass);
}

/// Known bytes of the function object as "bytes=offset:hex digits", known alignments of pointers in it as
/// "align=offset:alignment".
static Expected<fold_captured_constants> parse_captured_constants(StringRef text) {
  std::vector<captured_bytes> known;
  std::vector<captured_alignment> aligned;
  for (const pass_option& option : split_options(text)) {
    const auto [offset, value] = option.second.split(':');
    captured_bytes part;
    captured_alignment pointer;
    std::string bytes;
    if (option.first == "bytes" && !offset.getAsInteger(10, part.offset) && tryGetFromHex(value, bytes)) {
      part.bytes.assign(bytes.begin(), bytes.end());
      known.push_back(std::move(part));
    } else if (option.first == "align" && !offset.getAsInteger(10, pointer.offset) &&
               !value.getAsInteger(10, pointer.alignment)) {
      aligned.push_back(pointer);
    } else {
      return unknown_option(option, "falx-captured-constants");
    }
  }
  return fold_captured_constants(std::move(known), std::move(aligned));
}

/// "lanes=8", "required", "must-pay".
static Expected<vector_options> parse_vector_options(StringRef text) {
  vector_options options;
  for (const pass_option& option : split_options(text))
    if (option.first == "required")
      options.sub_group_size_is_required = true;
    else if (option.first == "must-pay")
      options.vectors_must_pay = true;
    else if (option.first != "lanes" || option.second.getAsInteger(10, options.sub_group_size) ||
             !isPowerOf2_32(options.sub_group_size))
      return unknown_option(option, "falx-form-kernel");
  return options;
}

static Expected<form_kernel> parse_form_kernel(StringRef text) {
  Expected<vector_options> options = parse_vector_options(text);
  if (!options)
    return options.takeError();
  return form_kernel(std::move(*options));
}

/// Adds what \p parsed has; false if that is an error, which is printed as LLVM does.
template <class Pass, class Passes>
static bool add(Expected<Pass> parsed, Passes& passes) {
  if (!parsed) {
    errs() << toString(parsed.takeError()) << '\n';
    return false;
  }
  passes.addPass(std::move(*parsed));
  return true;
}

static bool parse_function_pass(StringRef name, FunctionPassManager& passes) {
#define FALX_FUNCTION_PASS(NAME, CREATE)                                                                     \
  if (name == NAME) {                                                                                        \
    passes.addPass(CREATE);                                                                                  \
    return true;                                                                                             \
  }
#include "passes.def"
  return false;
}

static bool parse_module_pass(StringRef name, ModulePassManager& passes) {
#define FALX_MODULE_PASS(NAME, CREATE)                                                                       \
  if (name == NAME) {                                                                                        \
    passes.addPass(CREATE);                                                                                  \
    return true;                                                                                             \
  }
#define FALX_PIPELINE(NAME, CREATE)                                                                          \
  if (name == NAME) {                                                                                        \
    passes.addPass(CREATE);                                                                                  \
    return true;                                                                                             \
  }
#define FALX_MODULE_PASS_WITH_OPTIONS(NAME, CLASS, PARSE)                                                    \
  if (PassBuilder::checkParametrizedPassName(name, NAME))                                                    \
    return add(PassBuilder::parsePassParameters(PARSE, name, NAME), passes);
#include "passes.def"
  FunctionPassManager functions;
  if (!parse_function_pass(name, functions))
    return false;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  return true;
}

/// The pipelines for \p machine at its level of optimisation: "falx-cpu<lanes=8>", "falx-ptx-optimization".
static bool parse_target_pipeline(StringRef name, ModulePassManager& passes, PassBuilder& builder,
                                  const TargetMachine& machine) {
  const auto level = unsigned(machine.getOptLevel());
  if (machine.getTargetTriple().isNVPTX()) {
    if (name != "falx-ptx-optimization")
      return false;
    passes.addPass(ptx_optimization(builder, level));
    return true;
  }
  if (!PassBuilder::checkParametrizedPassName(name, "falx-cpu"))
    return false;
  Expected<vector_options> vectors = PassBuilder::parsePassParameters(parse_vector_options, name, "falx-cpu");
  if (!vectors) {
    errs() << toString(vectors.takeError()) << '\n';
    return false;
  }
  request request;
  request.config.optimization_level = level;
  request.config.sub_group_size = vectors->sub_group_size;
  request.config.sub_group_size_is_required = vectors->sub_group_size_is_required;
  request.config.vectors_must_pay = vectors->vectors_must_pay;
  passes.addPass(cpu_pipeline(builder, machine, request, /*verifies=*/false));
  return true;
}

/// So that -print-after and the like take the names of textual pipelines.
static void name_classes(PassInstrumentationCallbacks& callbacks) {
  const auto add = [&](StringRef class_name, StringRef name) {
    callbacks.addClassToPassName(class_name, name);
  };
#define FALX_MODULE_PASS(NAME, CREATE) add(decltype(CREATE)::name(), NAME);
#define FALX_FUNCTION_PASS(NAME, CREATE) add(decltype(CREATE)::name(), NAME);
#define FALX_MODULE_PASS_WITH_OPTIONS(NAME, CLASS, PARSE) add(CLASS::name(), NAME);
#include "passes.def"
}

void register_passes(PassBuilder& builder, TargetMachine* machine, pass_failures& failures) {
  if (machine != nullptr && machine->getTargetTriple().isNVPTX())
    extend_pipelines_for_ptx(builder);
  builder.registerPipelineParsingCallback(
      [&builder, machine](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        return parse_module_pass(name, passes) ||
               (machine != nullptr && parse_target_pipeline(name, passes, builder, *machine));
      });
  builder.registerPipelineParsingCallback(
      [](StringRef name, FunctionPassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        return parse_function_pass(name, passes);
      });
  builder.registerAnalysisRegistrationCallback([&failures, machine](ModuleAnalysisManager& analyses) {
    analyses.registerPass([&] { return failure_analysis(failures); });
    analyses.registerPass([machine] { return target_machine_analysis(machine); });
  });
  builder.registerAnalysisRegistrationCallback(
      [](FunctionAnalysisManager& analyses) { analyses.registerPass([] { return simplify_again(); }); });
  if (PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks())
    callbacks->registerClassToPassNameCallback([callbacks] { name_classes(*callbacks); });
}

} // namespace falx::jit
