// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                                       After:
//   define void @kernel(ptr %f) {
//     %x = alloca float
//     %a = call i1 @__falx_lies_in_address_space(ptr %x, i32 3)     true
//     %p = load ptr, ptr %f
//     %b = call i1 @__falx_lies_in_address_space(ptr %p, i32 1)     false
//     %q = load ptr, ptr %p
//     %c = call i1 @__falx_lies_in_address_space(ptr %q, i32 0)     stays
//
// What the function object holds comes from the host, which has pointers to global memory alone; local
// accessors hold offsets. What lies in global memory may have been stored there by the kernel.

#include "builtin_calls.hpp"
#include "kernel_attributes.hpp"
#include "passes.hpp"
#include "scalar_simplification.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

using namespace llvm;

namespace falx::jit {

/// Of memory that a builtin gives.
static std::optional<address_space> space_of_result(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  return StringSwitch<std::optional<address_space>>(callee != nullptr ? callee->getName() : "")
      .Cases({"__falx_local_memory", "__falx_group_scratch", "__falx_group_local_memory"},
             address_space::local_space)
      .Case("__falx_work_group_alloc", address_space::private_space)
      .Default(std::nullopt);
}

static std::optional<address_space> space_of(const Value& object, Function& kernel) {
  // The group's variables and those of work-items look alike in the body of a group.
  if (isa<AllocaInst>(object) && kernel_attributes::read(kernel).kind != kernel_kind::work_group)
    return address_space::private_space;
  if (&object == kernel.getArg(0))
    return address_space::private_space;
  if (isa<GlobalVariable>(object))
    return address_space::global_space;
  if (const auto* call = dyn_cast<CallInst>(&object))
    return space_of_result(*call);
  if (const auto* load = dyn_cast<LoadInst>(&object);
      load != nullptr && getUnderlyingObject(load->getPointerOperand()) == kernel.getArg(0))
    return address_space::global_space;
  return std::nullopt;
}

/// Whether every object that \p pointer may point to lies in \p space, or none does.
static std::optional<bool> lies_in(const Value& pointer, std::uint64_t space, Function& kernel) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(&pointer, objects);
  std::optional<bool> all;
  for (const Value* object : objects) {
    if (isa<ConstantPointerNull>(object)) // which a cast leaves as it is, whatever the answer
      continue;
    const std::optional<address_space> known = space_of(*object, kernel);
    if (!known || all.value_or(std::uint64_t(*known) == space) != (std::uint64_t(*known) == space))
      return std::nullopt;
    all = std::uint64_t(*known) == space;
  }
  return all.value_or(true);
}

PreservedAnalyses fold_known_address_spaces::run(Module& module, ModuleAnalysisManager& analyses) {
  return simplify_if_changed(module, analyses, [](Function& kernel) -> Expected<bool> {
    bool has_changed = false;
    for (Instruction& instruction : make_early_inc_range(instructions(kernel))) {
      if (builtin_name(instruction) != "lies_in_address_space")
        continue;
      auto& call = cast<CallInst>(instruction);
      const auto* space = dyn_cast<ConstantInt>(call.getArgOperand(1));
      const std::optional<bool> answer =
          space != nullptr ? lies_in(*call.getArgOperand(0), space->getZExtValue(), kernel) : std::nullopt;
      if (!answer)
        continue;
      replace_builtin(call, ConstantInt::getBool(call.getType(), *answer));
      has_changed = true;
    }
    return has_changed;
  });
}

} // namespace falx::jit
