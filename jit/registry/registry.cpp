// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barriers/passes.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/launch_passes.hpp"
#include "frontend/loop_passes.hpp"
#include "frontend/passes.hpp"
#include "frontend/scalar_simplification.hpp"
#include "frontend/specialization_constants.hpp"
#include "llvm_workarounds/workarounds.hpp"
#include "pipeline/invariants.hpp"
#include "pipeline/kernel_lookup.hpp"
#include "pipeline/pass_runner.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "targets/cpu/cpu_pipeline.hpp"
#include "targets/cpu/passes.hpp"
#include "targets/cpu/quick_code.hpp"
#include "targets/ptx/passes.hpp"
#include "targets/ptx/ptx_pipeline.hpp"
#include "targets/unchanged_atomics.hpp"
#include "vectorizer/passes.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

namespace {

using pass_option = std::pair<StringRef, StringRef>;

/// What a pass of passes.def takes. In any module the kernel, if there is one, is a function with a body
/// whose first parameter is a pointer.
enum class taken { any_module, device_code, work_item_function, kernel_body, ptx_entry, target_machine };

/// Of a pass: its name in textual pipelines.
struct pass_entry {
  StringRef name;
  taken takes;
};

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
/// "align=offset:alignment"; "integers" if nothing else is replaced.
static Expected<fold_captured_constants> parse_captured_constants(StringRef text) {
  std::vector<captured_bytes> known;
  std::vector<captured_alignment> aligned;
  bool only_integers = false;
  for (const pass_option& option : split_options(text)) {
    if (option.first == "integers") {
      only_integers = true;
      continue;
    }
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
  return fold_captured_constants(std::move(known), std::move(aligned), only_integers);
}

/// Offsets in the function object of pointers to different allocations, "disjoint=0".
static Expected<declare_restricted_pointers> parse_restricted_pointers(StringRef text) {
  std::vector<std::uint64_t> disjoint;
  for (const pass_option& option : split_options(text))
    if (std::uint64_t offset = 0; option.first == "disjoint" && !option.second.getAsInteger(10, offset))
      disjoint.push_back(offset);
    else
      return unknown_option(option, "falx-restricted-pointers");
  return declare_restricted_pointers(std::move(disjoint));
}

/// "lanes=8", "required", "must-pay", "other-form".
static Expected<vector_options> parse_vector_options(StringRef text) {
  vector_options options;
  for (const pass_option& option : split_options(text))
    if (option.first == "required")
      options.sub_group_size_is_required = true;
    else if (option.first == "must-pay")
      options.vectors_must_pay = true;
    else if (option.first == "other-form")
      options.takes_other_form = true;
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

/// Of entries that are a name and what makes the pass.
#define FALX_ADD_IF_NAMED(NAME, CREATE)                                                                      \
  if (name == NAME) {                                                                                        \
    passes.addPass(CREATE);                                                                                  \
    return true;                                                                                             \
  }

static bool parse_function_pass(StringRef name, FunctionPassManager& passes) {
#define FALX_FUNCTION_PASS FALX_ADD_IF_NAMED
#define FALX_LOOP_PASS(NAME, CREATE) FALX_ADD_IF_NAMED(NAME, createFunctionToLoopPassAdaptor(CREATE))
#include "passes.def"
  return false;
}

static bool parse_module_pass(StringRef name, ModulePassManager& passes) {
#define FALX_MODULE_PASS FALX_ADD_IF_NAMED
#define FALX_PIPELINE FALX_ADD_IF_NAMED
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

static constexpr const char* NEEDS_MACHINE =
    " needs a target machine: run it in falx-opt, with -mtriple and -mcpu";

/// The pipelines for \p machine at its level of optimisation: "falx-cpu<lanes=8>", "falx-ptx-optimization".
static bool parse_target_pipeline(StringRef name, ModulePassManager& passes, PassBuilder& builder,
                                  const TargetMachine* machine) {
  const bool is_ptx = name == "falx-ptx-optimization";
  if (!is_ptx && !PassBuilder::checkParametrizedPassName(name, "falx-cpu"))
    return false;
  if (machine == nullptr || machine->getTargetTriple().isNVPTX() != is_ptx) {
    errs() << name << NEEDS_MACHINE << (is_ptx ? " of an NVIDIA GPU\n" : " of a CPU\n");
    return false;
  }
  const auto level = unsigned(machine->getOptLevel());
  request request;
  request.config.optimization_level = level;
  if (is_ptx) {
    passes.addPass(ptx_optimization(request, builder));
    return true;
  }
  Expected<vector_options> vectors = PassBuilder::parsePassParameters(parse_vector_options, name, "falx-cpu");
  if (!vectors) {
    errs() << toString(vectors.takeError()) << '\n';
    return false;
  }
  request.config.sub_group_size = vectors->sub_group_size;
  request.config.sub_group_size_is_required = vectors->sub_group_size_is_required;
  request.config.vectors_must_pay = vectors->vectors_must_pay;
  request.takes_other_form = vectors->takes_other_form;
  passes.addPass(cpu_pipeline(builder, *machine, request, /*verifies=*/false));
  return true;
}

/// By the names of their classes.
static DenseMap<StringRef, pass_entry> pass_entries() {
  DenseMap<StringRef, pass_entry> entries;
  const auto add = [&](StringRef class_name, StringRef name, taken takes) {
    entries[class_name] = {name, takes};
  };
#define FALX_MODULE_PASS(NAME, CREATE) add(decltype(CREATE)::name(), NAME, taken::any_module);
#define FALX_MODULE_PASS_ON(NAME, CREATE, TAKEN) add(decltype(CREATE)::name(), NAME, taken::TAKEN);
#define FALX_MODULE_PASS_WITH_OPTIONS(NAME, CLASS, PARSE) add(CLASS::name(), NAME, taken::any_module);
#include "passes.def"
  return entries;
}

/// What keeps a pass that takes \p takes from \p module; null if nothing does.
static const char* find_obstacle(taken takes, const Module& module, const TargetMachine* machine) {
  if (takes == taken::target_machine)
    return machine == nullptr ? NEEDS_MACHINE : nullptr;
  const Function* kernel = find_kernel(module);
  if (kernel == nullptr)
    return nullptr; // as passes on kernels say themselves
  if (kernel->isDeclaration() || kernel->arg_empty() || !kernel->getArg(0)->getType()->isPointerTy())
    return " takes kernels that have a body and the address of their function object as first parameter";
  const std::size_t parameters = kernel->arg_size();
  if (takes == taken::device_code && parameters != 1)
    return " takes device code, whose kernel has one parameter: neither falx-lower-builtins nor "
           "falx-ptx-entry can have run before it";
  if (takes == taken::work_item_function && parameters != PARAMETER_COUNT)
    return " takes a work-item function: run falx-lower-builtins before it";
  if (takes == taken::ptx_entry && parameters != LAUNCH_ARGUMENTS + 1)
    return " takes an entry of PTX: run falx-ptx-entry before it";
  if (takes != taken::kernel_body)
    return nullptr;
  const kernel_attributes attributes = kernel_attributes::read(*kernel);
  const bool is_vector = attributes.kind == kernel_kind::range && attributes.lanes > 1;
  if (parameters < PARAMETER_COUNT || is_vector != (parameters > PARAMETER_COUNT))
    return " takes a work-item function, a vector of them for a range with sub-groups: run "
           "falx-lower-builtins and falx-vectorize-range before it";
  return nullptr;
}

/// So that -print-after and the like take the names of textual pipelines.
static void name_classes(PassInstrumentationCallbacks& callbacks) {
  for (const auto& [class_name, entry] : pass_entries())
    callbacks.addClassToPassName(class_name, entry.name);
#define FALX_FUNCTION_PASS(NAME, CREATE) callbacks.addClassToPassName(decltype(CREATE)::name(), NAME);
#define FALX_LOOP_PASS(NAME, CREATE) callbacks.addClassToPassName(decltype(CREATE)::name(), NAME);
#include "passes.def"
}

void register_passes(PassBuilder& builder, TargetMachine* machine, pass_failures& failures) {
  if (machine != nullptr && machine->getTargetTriple().isNVPTX())
    extend_pipelines_for_ptx(builder);
  builder.registerPipelineParsingCallback(
      [&builder, machine](StringRef name, ModulePassManager& passes, ArrayRef<PassBuilder::PipelineElement>) {
        return parse_module_pass(name, passes) || parse_target_pipeline(name, passes, builder, machine);
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
  PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks();
  if (callbacks == nullptr)
    return;
  callbacks->registerClassToPassNameCallback([callbacks] { name_classes(*callbacks); });
  callbacks->registerShouldRunOptionalPassCallback(
      [&failures, machine, entries = pass_entries()](StringRef pass, Any unit) {
        const auto* const* module = any_cast<const Module*>(&unit);
        if (module == nullptr || failures.has_failed())
          return true;
        const auto entry = entries.find(pass);
        if (entry == entries.end())
          return true;
        const char* obstacle = find_obstacle(entry->second.takes, **module, machine);
        if (obstacle != nullptr)
          failures.add((*module)->getContext(), failure(entry->second.name + obstacle));
        return obstacle == nullptr;
      });
}

} // namespace falx::jit
