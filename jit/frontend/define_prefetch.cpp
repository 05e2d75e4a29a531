// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   declare i64 @__falx_cache_line_bytes()
//   declare void @__falx_prefetch(ptr, i32, i1)
// After, for a CPU:
//   define internal i64 @__falx_cache_line_bytes() alwaysinline { ret i64 64 }
//   define internal void @__falx_prefetch(ptr %object, i32 %level, i1 %nontemporal) alwaysinline {
//     br i1 %nontemporal, label %once, label %again
//   once:
//     call void @llvm.prefetch.p0(ptr %object, i32 0, i32 0, i32 1)
//     ret void
//   again:
//     switch i32 %level, label %level.4 [ i32 1, label %level.1 … ]
//   level.1:
//     call void @llvm.prefetch.p0(ptr %object, i32 0, i32 3, i32 1)
//     …
//
// Levels and hints are constants at every call, but operands of llvm.prefetch must be so before optimisation.

#include "define_prefetch.hpp"
#include "builtin_body.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace falx::jit {

static void define_one_prefetch(Function& prefetch, const prefetch_target& target) {
  IRBuilder<> builder = begin_builtin_body(prefetch);
  Argument *object = prefetch.getArg(0), *level = prefetch.getArg(1), *nontemporal = prefetch.getArg(2);
  const auto block_with = [&](unsigned locality, const Twine& name) {
    IRBuilder<>::InsertPointGuard here(builder);
    BasicBlock* block = BasicBlock::Create(builder.getContext(), name, &prefetch);
    builder.SetInsertPoint(block);
    constexpr unsigned FOR_READING = 0, OF_DATA = 1;
    builder.CreateIntrinsic(
        Intrinsic::prefetch, {object->getType()},
        {object, builder.getInt32(FOR_READING), builder.getInt32(locality), builder.getInt32(OF_DATA)});
    builder.CreateRetVoid();
    return block;
  };
  if (target.has_nontemporal) {
    BasicBlock* again = BasicBlock::Create(builder.getContext(), "again", &prefetch);
    builder.CreateCondBr(nontemporal, block_with(0, "once"), again);
    builder.SetInsertPoint(again);
  }
  const unsigned last = unsigned(target.localities.size());
  SwitchInst* levels =
      builder.CreateSwitch(level, block_with(target.localities.back(), "level." + Twine(last)), last - 1);
  for (unsigned each = 1; each < last; ++each)
    levels->addCase(builder.getInt32(each), block_with(target.localities[each - 1], "level." + Twine(each)));
}

PreservedAnalyses define_prefetch::run(Module& module, ModuleAnalysisManager&) {
  if (Function* line = module.getFunction("__falx_cache_line_bytes");
      line != nullptr && line->isDeclaration())
    begin_builtin_body(*line).CreateRet(ConstantInt::get(line->getReturnType(), target_.cache_line_bytes));
  if (Function* prefetch = module.getFunction("__falx_prefetch");
      prefetch != nullptr && prefetch->isDeclaration())
    define_one_prefetch(*prefetch, target_);
  return PreservedAnalyses::none();
}

} // namespace falx::jit
