// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before (kernel of kind single_task):          After keep_functions:
//   define i32 @sum(ptr %v) {                     define i32 @sum(ptr %v) noinline {
//
// suffices_quick_code compares, for the call graph from the kernel down,
//
//   instructions that run:  those of each block, times the iterations of the loops around it
//   instructions that are:  those of each function, times the calls that would be inlined
//
// with what both were measured to take (AMD EPYC of family 1Ah, 2026-11-23: the 50 kernels of
// bench/first_launch, and vector_operators of SYCL-CTS).

#include "quick_code.hpp"
#include "falx/kernel.hpp"
#include "frontend/kernel_attributes.hpp"
#include "pipeline/kernel_lookup.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <algorithm>
#include <cstdint>
#include <optional>

using namespace llvm;

namespace falx::jit {

/// Nanoseconds: of an instruction of quick code, and how many work-items of a vector it serves at the time of
/// one, as registers of vectors go to memory more often.
constexpr double INSTRUCTION = 1.5, LANES_AT_A_TIME = 4;
/// What the best code takes longer to make than quick code: always, and for each instruction.
constexpr double BEST_CODE = 4e6, BEST_CODE_OF_INSTRUCTION = 14e3;
/// Of that time, what the launch may take: it may come again before there is better code.
constexpr double SHARE = 0.25;
/// Instructions of functions that are inlined nevertheless: beside a call, what passes take for each
/// function, whatever is in it, is more. The 30 kernels of vector_operators_int took 2.0 s as best code, 1.7
/// without this, 1.1 with 6, 1.2 with 12 to 48 (AMD EPYC of family 1Ah, loaded).
constexpr unsigned SMALL_FUNCTION = 8;
/// A function that is defined elsewhere, as those of mathematics.
constexpr double UNKNOWN_CALL = 40;

namespace {

struct work {
  double runs = 0, is = 0;
};

class call_graph_work {
public:
  /// \p contracts_alike: products and sums are fused before quick and best code part.
  call_graph_work(FunctionAnalysisManager& analyses, bool contracts_alike)
      : analyses_(analyses), contracts_alike_(contracts_alike) {}
  /// Nothing if no end of it is known.
  std::optional<work> of(Function& function);

private:
  std::optional<work> compute(Function& function);
  bool may_round_otherwise(const Instruction& instruction) const;

  FunctionAnalysisManager& analyses_;
  const bool contracts_alike_;
  DenseMap<const Function*, std::optional<work>> known_;
};

} // namespace

std::optional<work> call_graph_work::of(Function& function) {
  // While it is computed there is nothing: so for functions that call themselves.
  const auto [place, is_new] = known_.try_emplace(&function, std::nullopt);
  if (!is_new)
    return place->second;
  const std::optional<work> result = compute(function);
  known_[&function] = result;
  return result;
}

/// How often the block runs; 0 if that is unknown.
static double iterations(const BasicBlock& block, const LoopInfo& loops, ScalarEvolution& evolution) {
  double product = 1;
  for (const Loop* loop = loops.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop())
    product *= double(evolution.getSmallConstantMaxTripCount(loop));
  return product;
}

/// The rest of what flags allow changes no value that there is.
bool call_graph_work::may_round_otherwise(const Instruction& instruction) const {
  const auto* arithmetic = dyn_cast<FPMathOperator>(&instruction);
  if (arithmetic == nullptr)
    return false;
  const FastMathFlags flags = arithmetic->getFastMathFlags();
  return flags.allowReassoc() || flags.allowReciprocal() || flags.approxFunc() ||
         (flags.allowContract() && !contracts_alike_);
}

std::optional<work> call_graph_work::compute(Function& function) {
  work sum;
  const LoopInfo& loops = analyses_.getResult<LoopAnalysis>(function);
  ScalarEvolution* evolution =
      loops.empty() ? nullptr : &analyses_.getResult<ScalarEvolutionAnalysis>(function);
  for (const BasicBlock& block : function) {
    const double times = evolution == nullptr ? 1 : iterations(block, loops, *evolution);
    if (times == 0)
      return std::nullopt;
    for (const Instruction& instruction : block) {
      if (instruction.isDebugOrPseudoInst() || instruction.isLifetimeStartOrEnd())
        continue;
      if (may_round_otherwise(instruction))
        return std::nullopt;
      work here{1, 1};
      if (const auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && !isa<IntrinsicInst>(call)) {
        Function* callee = call->getCalledFunction();
        if (callee == nullptr)
          return std::nullopt;
        if (callee->isDeclaration()) {
          here = {callee->getName().starts_with("__falx_") ? 1 : UNKNOWN_CALL, 1};
        } else {
          const std::optional<work> called = of(*callee);
          if (!called)
            return std::nullopt;
          here = *called;
        }
      }
      sum.runs += times * here.runs;
      sum.is += here.is;
    }
  }
  return sum;
}

bool suffices_quick_code(Module& module, ModuleAnalysisManager& analyses, const request& request) {
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  Function* const kernel = find_kernel(module);
  assert(kernel != nullptr && "its attributes are written");
  // Of kernels for one work-item quick code keeps functions, in which there is less to be fused
  // (contraction.cpp).
  const bool contracts_alike = request.kind != std::uint32_t(kernel_kind::single_task);
  const std::optional<work> each = call_graph_work(functions, contracts_alike).of(*kernel);
  if (!each)
    return false;
  const bool has_lanes =
      request.config.sub_group_size > 1 && (request.kind == std::uint32_t(kernel_kind::range) ||
                                            request.kind == std::uint32_t(kernel_kind::nd_range));
  const double at_a_time = has_lanes ? std::min(LANES_AT_A_TIME, double(request.config.sub_group_size)) : 1;
  const double launch =
      INSTRUCTION * each->runs * double(std::max<std::uint64_t>(request.expected_work_items, 1)) / at_a_time;
  return launch < SHARE * (BEST_CODE + BEST_CODE_OF_INSTRUCTION * each->is);
}

PreservedAnalyses keep_functions::run(Module& module, ModuleAnalysisManager&) {
  for (Function& function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::AlwaysInline) &&
        function.getInstructionCount() > SMALL_FUNCTION)
      function.addFnAttr(Attribute::NoInline);
  return PreservedAnalyses::none();
}

ModulePassManager quick_optimization() {
  FunctionPassManager functions;
  functions.addPass(SROAPass(SROAOptions::ModifyCFG));
  functions.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  functions.addPass(InstCombinePass());
  functions.addPass(SimplifyCFGPass());
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
  return passes;
}

} // namespace falx::jit
