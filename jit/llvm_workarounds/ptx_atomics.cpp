// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   %old = atomicrmw add ptr addrspace(1) %p, i32 %v syncscope("device") acq_rel
//   %ignored = atomicrmw fadd ptr addrspace(3) %q, float %x syncscope("block") monotonic
//   %first = atomicrmw xchg ptr %r, i64 %w seq_cst
// After:
//   %old = call i32 asm sideeffect "atom.acq_rel.gpu.global.add.u32 $0, [$1], $2;", "=r,l,r,~{memory}"(…)
//   call void asm sideeffect "red.relaxed.cta.shared.add.f32 [$0], $1;", "l,f,~{memory}"(…)
//   fence seq_cst
//   %first = call i64 asm sideeffect "atom.acquire.sys.exch.b64 $0, [$1], $2;", "=l,l,l,~{memory}"(…)
//
// LLVM 22 selects "atom.global.add.u32" for all of them, which is relaxed and of the device's scope. Its
// loads, stores, fences and compare-and-swaps are right, and so are the loops of the latter that it makes of
// what PTX has no instruction for. A sequentially consistent operation is a fence, then
// one that acquires: the mapping of C++ to PTX that is proven in Lustig, Sahasrabuddhe, Giroux: A Formal
// Analysis of the NVIDIA PTX Memory Consistency Model (ASPLOS 2019).

#include "frontend/kernel_attributes.hpp"
#include "workarounds.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/NVPTXAddrSpace.h>

#include <string>

using namespace llvm;

namespace falx::jit {

/// "add.u32": the operation with its type; empty if PTX has none.
static std::string operation_of(const AtomicRMWInst& modify, unsigned sm) {
  const Type* type = modify.getType();
  if (type->isHalfTy() && modify.getOperation() == AtomicRMWInst::FAdd)
    return sm >= 70 ? "add.noftz.f16" : "";
  if (type->isBFloatTy() && modify.getOperation() == AtomicRMWInst::FAdd)
    return sm >= 90 ? "add.noftz.bf16" : "";
  const unsigned width = type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits().getFixedValue();
  if (width != 32 && width != 64)
    return {};
  using operation = AtomicRMWInst::BinOp;
  static const DenseMap<operation, StringRef> NAMES = {
      {operation::Xchg, "exch.b"},   {operation::Add, "add.u"},
      {operation::Sub, "add.u"}, // of the negative value
      {operation::And, "and.b"},     {operation::Or, "or.b"},
      {operation::Xor, "xor.b"},     {operation::Max, "max.s"},
      {operation::Min, "min.s"},     {operation::UMax, "max.u"},
      {operation::UMin, "min.u"},    {operation::FAdd, "add.f"},
      {operation::FSub, "add.f"},    {operation::UIncWrap, "inc.u"},
      {operation::UDecWrap, "dec.u"}};
  const operation which = modify.getOperation();
  const StringRef name = NAMES.lookup(which);
  const bool is_narrow = which == operation::UIncWrap || which == operation::UDecWrap;
  return name.empty() || (is_narrow && width != 32) ? std::string() : (name + Twine(width)).str();
}

/// The scope without the dot; LLVM's default is the system.
static const char* scope_name(const AtomicRMWInst& modify) {
  LLVMContext& context = modify.getContext();
  if (modify.getSyncScopeID() == context.getOrInsertSyncScopeID("block"))
    return "cta";
  return modify.getSyncScopeID() == context.getOrInsertSyncScopeID("device") ? "gpu" : "sys";
}

static const char* order_name(AtomicOrdering order) {
  switch (order) {
  case AtomicOrdering::Acquire:
  case AtomicOrdering::SequentiallyConsistent: // behind a fence
    return "acquire";
  case AtomicOrdering::Release:
    return "release";
  case AtomicOrdering::AcquireRelease:
    return "acq_rel";
  default:
    return "relaxed";
  }
}

static const char* space_name(unsigned address_space) {
  switch (address_space) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return ".global";
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return ".shared";
  default:
    return "";
  }
}

/// The register class of a value in inline assembly.
static char constraint_of(const Type* type) {
  if (type->isFloatTy())
    return 'f';
  if (type->isDoubleTy())
    return 'd';
  return type->isIntegerTy(16) ? 'h' : type->isIntegerTy(32) ? 'r' : 'l';
}

/// Pointers, half and bfloat16 travel in registers for integers.
static Type* register_type(Type* type) {
  if (type->isPointerTy())
    return Type::getInt64Ty(type->getContext());
  return type->isHalfTy() || type->isBFloatTy() ? Type::getInt16Ty(type->getContext()) : type;
}

static Value* negated(AtomicRMWInst& modify, IRBuilder<>& builder) {
  Value* value = modify.getValOperand();
  if (modify.getOperation() == AtomicRMWInst::Sub)
    return builder.CreateNeg(value);
  return modify.getOperation() == AtomicRMWInst::FSub ? builder.CreateFNeg(value) : value;
}

static void emit_instruction(AtomicRMWInst& modify, const std::string& operation) {
  IRBuilder<> builder(&modify);
  const AtomicOrdering order = modify.getOrdering();
  if (order == AtomicOrdering::SequentiallyConsistent)
    builder.CreateFence(order, modify.getSyncScopeID());

  Type* type = register_type(modify.getType());
  Value* value = builder.CreateBitOrPointerCast(negated(modify, builder), type);
  Value* address = builder.CreatePtrToInt(modify.getPointerOperand(), builder.getInt64Ty());
  // red knows no acquire: nobody sees the value that was there.
  const bool ignored =
      modify.use_empty() && modify.getOperation() != AtomicRMWInst::Xchg && !isAcquireOrStronger(order);
  const std::string suffix = std::string(".") + order_name(order) + "." + scope_name(modify) +
                             space_name(modify.getPointerAddressSpace()) + "." + operation;
  const char constraint = constraint_of(type);
  if (ignored) {
    FunctionType* form = FunctionType::get(builder.getVoidTy(), {builder.getInt64Ty(), type}, false);
    builder.CreateCall(form,
                       InlineAsm::get(form, "red" + suffix + " [$0], $1;",
                                      std::string("l,") + constraint + ",~{memory}",
                                      /*hasSideEffects=*/true),
                       {address, value});
  } else {
    FunctionType* form = FunctionType::get(type, {builder.getInt64Ty(), type}, false);
    const std::string constraints = std::string("=") + constraint + ",l," + constraint + ",~{memory}";
    Value* old = builder.CreateCall(
        form, InlineAsm::get(form, "atom" + suffix + " $0, [$1], $2;", constraints, /*hasSideEffects=*/true),
        {address, value});
    modify.replaceAllUsesWith(builder.CreateBitOrPointerCast(old, modify.getType()));
  }
  modify.eraseFromParent();
}

void form_native_atomics::change(Function& entry, FunctionAnalysisManager&) {
  const unsigned sm = kernel_attributes::read(entry).sm;
  SmallVector<AtomicRMWInst*, 16> operations;
  for (Function& function : *entry.getParent())
    for (Instruction& instruction : instructions(function))
      if (auto* modify = dyn_cast<AtomicRMWInst>(&instruction))
        operations.push_back(modify);
  for (AtomicRMWInst* modify : operations)
    if (const std::string operation = operation_of(*modify, sm); !operation.empty())
      emit_instruction(*modify, operation);
}

} // namespace falx::jit
