// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   call void @__assert_fail(ptr %expression, ptr %file, i32 %line, ptr %function)
//   unreachable
// After:
//   %x = call i64 @__falx_global_id_x() …
//   call void @falx.assertion_failed(ptr %expression, ptr %file, i32 %line, ptr %function, i64 %x, …)
//   unreachable
//
//   define internal void @falx.assertion_failed(…) noinline noreturn   ; so that a vector ends with its first
//     call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @"%s:%d: %s: global id: [%zu,%zu,%zu], …", …)
//     call void @abort()
//
// The message has the form of DPC++'s and CUDA's, with the fastest moving dimension first. Assertions in
// functions that stay calls, which have no builtins, say what the C library says.

#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "pipeline/kernel_lookup.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

static CallInst* as_failed_assertion(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const Function* callee = call != nullptr ? call->getCalledFunction() : nullptr;
  return callee != nullptr && callee->getName() == "__assert_fail" && callee->arg_size() == 4 ? call
                                                                                              : nullptr;
}

/// Where a work-item is: the name of a builtin without its axis, and how it is called in messages.
struct position {
  const char* builtin;
  const char* text;
};

static SmallVector<position, 2> positions_of(kernel_kind kind) {
  switch (kind) {
  case kernel_kind::single_task:
    return {};
  case kernel_kind::range:
    return {{"global_id", "global id"}};
  case kernel_kind::nd_range:
    return {{"global_id", "global id"}, {"local_id", "local id"}};
  case kernel_kind::work_group:
    return {{"group_id", "group id"}};
  }
  return {};
}

/// Defines falx.assertion_failed, which takes what __assert_fail does and x, y and z of the positions.
static Function& define_report(Module& module, ArrayRef<position> positions) {
  LLVMContext& context = module.getContext();
  Type* const pointer = PointerType::getUnqual(context);
  Type* const number = Type::getInt32Ty(context);
  SmallVector<Type*, 16> types = {pointer, pointer, number, pointer};
  types.append(3 * positions.size(), Type::getInt64Ty(context));
  Function* const report =
      Function::Create(FunctionType::get(Type::getVoidTy(context), types, /*isVarArg=*/false),
                       GlobalValue::InternalLinkage, "falx.assertion_failed", module);
  for (const Attribute::AttrKind attribute :
       {Attribute::Cold, Attribute::NoInline, Attribute::NoReturn, Attribute::NoUnwind})
    report->addFnAttr(attribute);
  IRBuilder<> builder(BasicBlock::Create(context, "", report));
  std::string format = "%s:%d: %s: ";
  for (const position& each : positions)
    format += (Twine(each.text) + ": [%zu,%zu,%zu]" + (&each == &positions.back() ? " " : ", ")).str();
  format += "Assertion `%s` failed.\n";
  SmallVector<Value*, 16> arguments = {builder.getInt32(2), builder.CreateGlobalString(format),
                                       report->getArg(1), report->getArg(2), report->getArg(3)};
  for (Argument& argument : drop_begin(report->args(), 4))
    arguments.push_back(&argument);
  arguments.push_back(report->getArg(0));
  builder.CreateCall(
      module.getOrInsertFunction("dprintf", FunctionType::get(number, {number, pointer}, /*isVarArg=*/true)),
      arguments);
  builder.CreateCall(module.getOrInsertFunction("abort", builder.getVoidTy()))->setDoesNotReturn();
  builder.CreateUnreachable();
  return *report;
}

static void report(CallInst& failed, Function& by, ArrayRef<position> positions) {
  IRBuilder<> builder(&failed);
  SmallVector<Value*, 16> arguments(failed.args());
  for (const position& each : positions)
    for (const char* axis : {"_x", "_y", "_z"})
      arguments.push_back(
          call_function(builder, Twine("__falx_") + each.builtin + axis, builder.getInt64Ty()));
  CallInst* const call = builder.CreateCall(&by, arguments);
  call->setDoesNotReturn();
  call->setDoesNotThrow();
  failed.eraseFromParent();
}

PreservedAnalyses name_failing_work_items::run(Module& module, ModuleAnalysisManager&) {
  Function* const kernel = find_kernel(module);
  SmallVector<CallInst*, 8> failures;
  if (kernel != nullptr)
    for (Instruction& instruction : instructions(*kernel))
      if (CallInst* const call = as_failed_assertion(instruction))
        failures.push_back(call);
  if (failures.empty())
    return PreservedAnalyses::all();
  const SmallVector<position, 2> positions = positions_of(kernel_attributes::read(*kernel).kind);
  Function& by = define_report(module, positions);
  for (CallInst* const call : failures)
    report(*call, by, positions);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
