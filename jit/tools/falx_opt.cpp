// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "barriers/redundant_barriers.hpp"
#include "barriers/split_barriers.hpp"
#include "frontend/captured_constants.hpp"
#include "frontend/captured_state.hpp"
#include "frontend/define_prefetch.hpp"
#include "frontend/define_thread_builtins.hpp"
#include "frontend/device_globals.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/inlining.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/lower_builtins.hpp"
#include "frontend/prepare_device_code.hpp"
#include "frontend/restricted_pointers.hpp"
#include "frontend/scalar_simplification.hpp"
#include "frontend/specialization_constants.hpp"
#include "llvm_workarounds/half_minima.hpp"
#include "llvm_workarounds/mask_shifts.hpp"
#include "llvm_workarounds/masked_loads.hpp"
#include "llvm_workarounds/masked_pointers.hpp"
#include "llvm_workarounds/single_lane_stores.hpp"
#include "targets/cpu/kernel_function.hpp"
#include "targets/ptx/branchless_roots.hpp"
#include "targets/ptx/counter_steps.hpp"
#include "targets/ptx/early_returns.hpp"
#include "targets/ptx/variable_types.hpp"
#include "vectorizer/control/constant_loops.hpp"
#include "vectorizer/cost/interleaving.hpp"
#include "vectorizer/memory/gather_indices.hpp"
#include "vectorizer/special/estimate_roots.hpp"
#include "vectorizer/special/leading_lane.hpp"
#include "vectorizer/special/loops_in_step.hpp"
#include "vectorizer/vectorize_function.hpp"
#include "vectorizer/vectorize_range.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/ToolOutputFile.h>
#include <llvm/Support/raw_ostream.h>

/// \file
/// falx-opt: runs single passes of the JIT over textual IR, for tests. The kernel is the function with the
/// attribute "falx-kind".

using namespace llvm;
using namespace falx::jit;

static cl::opt<std::string> input(cl::Positional, cl::desc("<input .ll or .bc>"), cl::init("-"));
static cl::list<std::string>
    passes("passes", cl::CommaSeparated,
           cl::desc("prepare, define-thread-builtins, define-prefetch-{cpu,ptx}, index-ranges, simplify, "
                    "captured-state, device-globals, captured-constants, restricted-pointers, "
                    "redundant-barriers, lower-builtins, fold-constants, unroll-constant-loops, "
                    "keep-loops-in-step, split-barriers, vectorize, interleave, vectorize-range, "
                    "estimate-roots, kernel-function"));
static cl::opt<bool> text("S", cl::desc("Accepted for likeness with opt; output is always text"));

static cl::list<std::string> captured("captured",
                                      cl::desc("Known bytes of the function object, as offset:hex digits"));

static cl::list<std::string> aligned("aligned",
                                     cl::desc("Known pointers of the function object, as offset:alignment"));

static Expected<std::vector<captured_alignment>> known_alignments() {
  std::vector<captured_alignment> result;
  for (StringRef text : aligned) {
    const auto [offset, alignment] = text.split(':');
    captured_alignment pointer;
    if (offset.getAsInteger(10, pointer.offset) || alignment.getAsInteger(10, pointer.alignment))
      return failure("'" + text + "' does not have the form offset:alignment");
    result.push_back(pointer);
  }
  return result;
}

static Expected<std::vector<captured_bytes>> known_bytes() {
  std::vector<captured_bytes> result;
  for (StringRef text : captured) {
    const auto [offset, digits] = text.split(':');
    captured_bytes part;
    std::string bytes;
    if (offset.getAsInteger(10, part.offset) || !tryGetFromHex(digits, bytes))
      return failure("'" + text + "' does not have the form offset:hex digits");
    part.bytes.assign(bytes.begin(), bytes.end());
    result.push_back(std::move(part));
  }
  return result;
}

static Error run_pass(Module& module, StringRef pass) {
  if (pass == "specialization-constants")
    return lower_specialization_constants(module);
  if (pass == "device-globals")
    return lower_device_globals(module);
  if (pass == "prepare") {
    prepare_device_code(module);
    return Error::success();
  }
  if (pass == "define-thread-builtins") {
    define_thread_builtins(module);
    return Error::success();
  }
  if (pass == "keep-cold-functions") {
    keep_cold_functions(module);
    return Error::success();
  }
  if (pass == "define-prefetch-cpu" || pass == "define-prefetch-ptx") {
    define_prefetch(module, pass.ends_with("cpu") ? CPU_PREFETCHES : PTX_PREFETCHES);
    return Error::success();
  }
  if (pass == "ptx-variable-types") {
    give_variables_ptx_types(module);
    return Error::success();
  }
  if (pass == "half-minima") {
    compare_halves_as_floats(module);
    return Error::success();
  }
  if (pass == "leading-lane") {
    simd::test_leading_lanes(module);
    return Error::success();
  }
  if (pass == "masked-loads") {
    simd::leave_out_registers_of_masked_loads(module);
    return Error::success();
  }
  if (pass == "masked-pointers") {
    simd::limit_alignment_of_masked_pointers(module);
    return Error::success();
  }
  if (pass == "gather-indices") {
    simd::narrow_gather_indices(module, {});
    return Error::success();
  }
  if (pass == "mask-shifts") {
    simd::take_zeros_out_of_mask_shuffles(module);
    return Error::success();
  }
  if (pass == "single-lane-stores") {
    simd::take_single_lanes(module);
    return Error::success();
  }
  if (pass == "ptx-counter-steps") {
    for (Function& function : module)
      sink_counter_steps(function);
    return Error::success();
  }
  if (pass == "ptx-roots") {
    for (Function& function : module)
      expand_roots(function);
    return Error::success();
  }
  if (pass == "ptx-early-returns") {
    for (Function& function : module)
      join_early_returns(function);
    return Error::success();
  }
  Function* kernel = find_kernel(module);
  if (kernel == nullptr)
    return failure("no function has the attribute \"falx-kind\"");
  if (pass == "index-ranges") {
    declare_index_ranges(module, kernel_attributes::read(*kernel));
    return Error::success();
  }
  if (pass == "simplify")
    return inline_and_simplify(module, nullptr);
  if (pass == "captured-state")
    return keep_captured_state_private(*kernel).takeError();
  if (pass == "captured-constants") {
    Expected<std::vector<captured_bytes>> known = known_bytes();
    if (!known)
      return known.takeError();
    Expected<std::vector<captured_alignment>> pointers = known_alignments();
    if (!pointers)
      return pointers.takeError();
    fold_captured_constants(*kernel, *known, *pointers);
    return Error::success();
  }
  if (pass == "restricted-pointers") {
    if (has_restricted_pointers(*kernel))
      declare_restricted_pointers(*kernel, *kernel->getArg(0));
    return Error::success();
  }
  if (pass == "redundant-barriers") {
    remove_redundant_barriers(*kernel);
    return Error::success();
  }
  if (pass == "lower-builtins")
    return lower_builtins(module).takeError();
  if (pass == "fold-constants") {
    fold_constants(*kernel);
    return Error::success();
  }
  if (pass == "unroll-constant-loops") {
    simd::unroll_constant_loops(*kernel);
    return Error::success();
  }
  if (pass == "keep-loops-in-step") {
    keep_loops_in_step(*kernel);
    return Error::success();
  }
  if (pass == "split-barriers")
    return form_group_function(*kernel).takeError();
  if (pass == "vectorize")
    return simd::vectorize(*kernel, simd::request_for(kernel_attributes::read(*kernel))).takeError();
  if (pass == "estimate-roots") {
    estimate_reciprocal_roots(*kernel);
    return Error::success();
  }
  if (pass == "interleave") {
    kernel_attributes attributes = kernel_attributes::read(*kernel);
    attributes.lanes = attributes.sub_group_size * simd::interleave_count(*kernel);
    attributes.write(*kernel);
    return Error::success();
  }
  if (pass == "vectorize-range") {
    Expected<simd::range_vectors> vectors = simd::vectorize_range(*kernel);
    if (!vectors)
      return vectors.takeError();
    emit_kernel_function(*vectors->body, vectors->rest);
    return Error::success();
  }
  if (pass == "kernel-function") {
    emit_kernel_function(*kernel);
    return Error::success();
  }
  return failure("there is no pass '" + pass + "'");
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
  for (const std::string& pass : passes) {
    if (Error error = run_pass(*module, pass)) {
      errs() << "falx-opt: " << pass << ": " << toString(std::move(error)) << '\n';
      return 1;
    }
    if (verifyModule(*module, &errs())) {
      errs() << "falx-opt: invalid IR after " << pass << '\n' << *module;
      return 1;
    }
  }
  outs() << *module;
  return 0;
}
