// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/Support/Error.h>
#include <llvm/Target/TargetMachine.h>

#include <cstdint>
#include <memory>
#include <string>

namespace falx::jit {

/// Bytes on the stack by function, of those that have any.
using frame_sizes = llvm::StringMap<std::uint64_t>;

/// What makes machine code for the triple at the request's level of optimisation. Fails if this LLVM cannot.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
create_machine(const llvm::Triple& triple, llvm::StringRef cpu, llvm::StringRef features, unsigned level);

/// Gives a machine back for compilations to come.
struct machine_return {
  std::string purpose;
  void operator()(llvm::TargetMachine* machine) const;
};
using borrowed_machine = std::unique_ptr<llvm::TargetMachine, machine_return>;

/// What create_machine makes, or made before: what LLVM derives of a processor's features takes a millisecond
/// of a small kernel's ten. Nobody else has it meanwhile. What functions demand of a machine it forgets
/// before it makes code of the next one. Thread-safe.
llvm::Expected<borrowed_machine> borrow_machine(const llvm::Triple& triple, llvm::StringRef cpu,
                                                llvm::StringRef features, unsigned level);

/// The module as text or as an object.
llvm::Expected<llvm::SmallVector<char, 0>> emit_code(llvm::Module& module, llvm::TargetMachine& machine,
                                                     llvm::CodeGenFileType type);

} // namespace falx::jit
