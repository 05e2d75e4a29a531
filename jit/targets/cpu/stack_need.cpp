// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stack_need.hpp"
#include "frontend/private_variables.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit {

/// Of all functions together, as most are inlined.
static std::uint64_t private_bytes(const Module& module) {
  std::uint64_t bytes = 0;
  for (const Function& function : module)
    bytes = SaturatingAdd(bytes, private_bytes(function));
  return bytes;
}

Error check_private_bytes(const Module& module, std::uint64_t lanes, StringRef kernel) {
  const std::uint64_t bytes = private_bytes(module);
  if (SaturatingMultiply(bytes, lanes) <= LARGEST_STACK)
    return Error::success();
  const std::string together =
      lanes == 1 ? std::string()
                 : (", and runs " + Twine(lanes) + " work-items, those of a sub-group, at once").str();
  return make_error<not_supported>(
      ("Kernel '" + kernel + "' has " + Twine(bytes) + " bytes of private variables per work-item" +
       together + "; a thread can have " + Twine(LARGEST_STACK) +
       " bytes of them. Use smaller private arrays, or memory of malloc_device or of a buffer.")
          .str());
}

void prepare_frames(Module& module) {
  for (Function& function : module)
    if (!function.isDeclaration())
      function.addFnAttr("warn-stack-size", "0");
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component)
    for (const CallGraphNode* node : *component)
      if (Function* function = node->getFunction(); function != nullptr && !function->isDeclaration())
        if (component.hasCycle() || has_variable_frame(*function))
          function->addFnAttr("probe-stack", "inline-asm");
}

/// What a frame takes beside what LLVM counts: the return address, room to align, and what functions that
/// call none have below the stack's end on x86-64 (System V ABI, 3.2.2).
static std::uint64_t overhead(const Function& function) {
  constexpr std::uint64_t CALL = 16, OF_VECTORS = 64, RED_ZONE = 128;
  std::uint64_t alignment = OF_VECTORS;
  for (const Instruction& instruction : instructions(function))
    if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
      alignment = std::max(alignment, variable->getAlign().value());
  return CALL + alignment + RED_ZONE;
}

stack_need find_stack_need(Module& module, const Function& kernel, const frame_sizes& frames) {
  // Callees come first.
  DenseMap<const Function*, stack_need> needs;
  CallGraph graph(module);
  for (auto component = scc_begin(&graph); !component.isAtEnd(); ++component) {
    stack_need own, below;
    own.is_unbounded = component.hasCycle();
    for (const CallGraphNode* node : *component) {
      const Function* function = node->getFunction();
      if (function == nullptr || function->isDeclaration())
        continue;
      own.bytes += frames.lookup(function->getName()) + overhead(*function);
      own.is_unbounded |= has_variable_frame(*function);
      for (const CallGraphNode::CallRecord& call : *node) {
        const stack_need callee = needs.lookup(call.second->getFunction());
        below.bytes = std::max(below.bytes, callee.bytes);
        below.is_unbounded |= callee.is_unbounded;
      }
    }
    const stack_need all{own.bytes + below.bytes, own.is_unbounded || below.is_unbounded};
    for (const CallGraphNode* node : *component)
      if (node->getFunction() != nullptr && !node->getFunction()->isDeclaration())
        needs[node->getFunction()] = all;
  }
  return needs.lookup(&kernel);
}

} // namespace falx::jit
