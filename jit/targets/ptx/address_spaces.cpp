// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                        After:
//   %range = alloca [3 x i64]                      %range = alloca [3 x i64]
//   memcpy(ptr %range, ptr %function)              memcpy(ptr %range, ptr %function)
//   %x = load i64, ptr %range                      %x = load i64, ptr %range
//   %data = addrspacecast ptr                      %y = load i64, ptr addrspace(1) %global
//             addrspace(1) %global to ptr
//   %y = load i64, ptr %data
//
// Left to itself, LLVM 22 would make `load i64, ptr addrspace(5) %cast` of the first load, with %cast the
// variable's address in local memory. InstCombine later sees that the variable is a mere copy of what never
// changes, puts %function in the variable's place, and leaves the cast: local memory is then read at the
// address of a parameter. NVPTX's code generator infers the local address space once more, when no such pass
// follows.

#include "passes.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

using namespace llvm;

namespace falx::jit {

PreservedAnalyses infer_address_spaces::run(Function& function, FunctionAnalysisManager&) {
  // It is the target that says where variables are.
  FunctionAnalysisManager without_target;
  without_target.registerPass([] { return AssumptionAnalysis(); });
  without_target.registerPass([] { return PassInstrumentationAnalysis(); });
  without_target.registerPass([] { return TargetIRAnalysis(); });
  InferAddressSpacesPass(NVPTXAS::ADDRESS_SPACE_GENERIC).run(function, without_target);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

#ifndef NDEBUG
bool local_memory_is_variables(const Module& module) {
  return all_of(module, [](const Function& function) {
    return all_of(instructions(function), [](const Instruction& instruction) {
      const auto* cast = dyn_cast<AddrSpaceCastInst>(&instruction);
      return cast == nullptr || cast->getDestAddressSpace() != NVPTXAS::ADDRESS_SPACE_LOCAL ||
             isa<AllocaInst>(getUnderlyingObject(cast->getPointerOperand()));
    });
  });
}
#endif

} // namespace falx::jit
