// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <cstdint>

/// \file
/// What passes of target ptx ask of IR, and make.

namespace falx::jit {

/// Registers of 32 bits that a value of the type takes.
unsigned words_of(const llvm::Type& type);

/// What \p load reads at a constant offset from; and the offset.
const llvm::Value* base_of(const llvm::LoadInst& load);
const llvm::Value* base_of(const llvm::LoadInst& load, llvm::APInt& offset);

/// A quotient or root that need not be exact: an instruction or two instead of code with a subroutine, of
/// float.
bool is_approximate(const llvm::Instruction& instruction);

/// An argument of the kernel, or a number in one.
bool is_captured(const llvm::Value& value);

/// Declares that the kernel's parameter \p index is so many bytes by value, which nobody changes.
void describe_by_value(llvm::Function& entry, unsigned index, std::uint64_t bytes, llvm::Align alignment);

/// An instruction in PTX of \p operands, which code generation does not look into, with a result of \p type
/// and no other effect.
llvm::CallInst* create_assembly(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::StringRef text,
                                llvm::StringRef constraints, llvm::ArrayRef<llvm::Value*> operands,
                                const llvm::Twine& name);

} // namespace falx::jit
