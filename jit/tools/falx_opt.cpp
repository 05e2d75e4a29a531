// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/kernel_attributes.hpp"
#include "pipeline/instrumentation.hpp"
#include "pipeline/pass_runner.hpp"
#include "targets/target_machine.hpp"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/StandardInstrumentations.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

/// \file
/// falx-opt: runs passes of the JIT (registry/passes.def) and of LLVM over textual IR, as LLVM's opt. The
/// kernel is the function with the attribute "falx-kind". Options of LLVM's, such as -print-after-all and
/// -time-passes, work as with opt.

using namespace llvm;
using namespace falx::jit;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input .ll or .bc>"), cl::init("-"));
static cl::opt<std::string> passes("passes", cl::desc("Pipeline, such as falx-prepare,falx-simplify"));
static cl::opt<std::string> triple("mtriple", cl::desc("Target of the passes that need one"));
static cl::opt<std::string> cpu("mcpu", cl::desc("Its processor"));
static cl::opt<std::string> features("mattr", cl::desc("Its features, such as +avx2,-fma"));
static cl::opt<unsigned> level("level", cl::init(3), cl::desc("Level of optimisation of falx-cpu: 0 to 3"));
static cl::opt<bool> verify_each("verify-each", cl::init(true),
                                 cl::desc("Verify the module after each pass"));
static cl::opt<bool> text("S", cl::desc("Accepted for likeness with opt; output is always text"));

/// None if no target is named.
static Expected<std::unique_ptr<TargetMachine>> machine_for(const Module& module) {
  if (triple.empty() && cpu.empty())
    return nullptr;
  InitializeAllTargetInfos();
  InitializeAllTargets();
  InitializeAllTargetMCs();
  return create_machine(triple.empty() ? module.getTargetTriple() : Triple(triple), cpu, features, level);
}

static int fail(Error error) {
  errs() << "falx-opt: " << toString(std::move(error)) << '\n';
  return 1;
}

int main(int argc, char** argv) {
  cl::ParseCommandLineOptions(argc, argv, "falx-opt: passes of the Falx JIT\n");
  LLVMContext context;
  SMDiagnostic parse_error;
  std::unique_ptr<Module> module = parseIRFile(input, parse_error, context);
  if (module == nullptr) {
    parse_error.print(argv[0], errs());
    return 1;
  }
  Expected<std::unique_ptr<TargetMachine>> machine = machine_for(*module);
  if (!machine)
    return fail(machine.takeError());
  if (*machine != nullptr) {
    module->setTargetTriple((*machine)->getTargetTriple());
    module->setDataLayout((*machine)->createDataLayout());
  }
  pass_failures failures(pass_failures::destination::diagnostics);
  PassInstrumentationCallbacks callbacks;
  instrument(callbacks, failures);
  StandardInstrumentations instrumentations(context, /*DebugLogging=*/false, verify_each);
  pass_runner runner(machine->get(), {}, callbacks, failures);
  instrumentations.registerCallbacks(callbacks, &runner.analyses());
  ModulePassManager pipeline;
  if (Error error = runner.builder().parsePassPipeline(pipeline, passes))
    return fail(std::move(error));
  runner.run(std::move(pipeline), *module);
  instrumentations.getTimePasses().print();
  if (verifyModule(*module, &errs())) {
    errs() << "falx-opt: invalid IR\n" << *module;
    return 1;
  }
  outs() << *module;
  return 0;
}
