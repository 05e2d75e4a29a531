// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx_ir.hpp"

#include <llvm/IR/InlineAsm.h>

using namespace llvm;

namespace falx::jit {

unsigned words_of(const Type& type) {
  return type.getPrimitiveSizeInBits() > 32 ? 2 : 1;
}

const Value* base_of(const LoadInst& load, APInt& offset) {
  const Value* pointer = load.getPointerOperand();
  offset = APInt(load.getDataLayout().getIndexTypeSizeInBits(pointer->getType()), 0);
  return pointer->stripAndAccumulateConstantOffsets(load.getDataLayout(), offset, /*AllowNonInbounds=*/true);
}

const Value* base_of(const LoadInst& load) {
  APInt offset;
  return base_of(load, offset);
}

bool is_approximate(const Instruction& instruction) {
  return instruction.hasApproxFunc() || instruction.hasMetadata(LLVMContext::MD_fpmath);
}

bool is_captured(const Value& value) {
  const auto* load = dyn_cast<LoadInst>(&value);
  if (load == nullptr)
    return isa<Argument>(value);
  return isa<Argument>(base_of(*load));
}

void describe_by_value(Function& entry, unsigned index, std::uint64_t bytes, Align alignment) {
  LLVMContext& context = entry.getContext();
  AttrBuilder about(context);
  about.addByValAttr(ArrayType::get(Type::getInt8Ty(context), bytes));
  about.addAlignmentAttr(alignment);
  about.addAttribute(Attribute::NoAlias);
  about.addAttribute(Attribute::ReadOnly);
  about.addAttribute(Attribute::NoUndef);
  about.addAttribute("nvvm.grid_constant");
  entry.addParamAttrs(index, about);
}

CallInst* create_assembly(IRBuilder<>& builder, Type* type, StringRef text, StringRef constraints,
                          ArrayRef<Value*> operands, const Twine& name) {
  SmallVector<Type*, 2> types;
  for (const Value* operand : operands)
    types.push_back(operand->getType());
  auto* form = FunctionType::get(type, types, /*isVarArg=*/false);
  CallInst* call = builder.CreateCall(form, InlineAsm::get(form, text, constraints, /*hasSideEffects=*/false),
                                      operands, name);
  call->setDoesNotAccessMemory(); // or loads would not be joined across it
  call->setDoesNotThrow();
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

} // namespace falx::jit
