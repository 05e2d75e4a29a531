// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/builtin_calls.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/private_variables.hpp"
#include "passes.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/NVPTXAddrSpace.h>

#include <set>
#include <string>

using namespace llvm;

namespace falx::jit {

static bool holds_long_double(const Type* type) {
  if (type->isX86_FP80Ty() || type->isFP128Ty() || type->isPPC_FP128Ty())
    return true;
  return any_of(type->subtypes(), holds_long_double);
}

/// Also as the type of memory: its size is the host's.
static bool uses_long_double(const Instruction& instruction) {
  if (holds_long_double(instruction.getType()) ||
      any_of(instruction.operand_values(),
             [](const Value* operand) { return holds_long_double(operand->getType()); }))
    return true;
  if (const auto* variable = dyn_cast<AllocaInst>(&instruction))
    return holds_long_double(variable->getAllocatedType());
  if (const auto* address = dyn_cast<GetElementPtrInst>(&instruction))
    return holds_long_double(address->getSourceElementType());
  return false;
}

/// What no GPU does; empty if \p instruction is fine.
static StringRef obstacle(const Instruction& instruction) {
  constexpr std::uint64_t WIDEST_ATOMIC_BITS = 64;
  if (uses_long_double(instruction))
    return "long double, which this device does not have. Use double.";
  if (const auto* call = dyn_cast<CallBase>(&instruction); call != nullptr && call->isInlineAsm())
    if (!cast<InlineAsm>(call->getCalledOperand())->getAsmString().empty())
      return "assembly, which is not this device's. Leave it to the host.";
  if (isa<VAArgInst>(instruction))
    return "variable numbers of arguments, which device code cannot have (SYCL 2020 §5.4).";
  if (isa<IndirectBrInst>(instruction) || isa<CallBrInst>(instruction))
    return "computed jumps, which this device does not have.";
  if (instruction.isAtomic() && !isa<FenceInst>(instruction)) {
    const Type* type = isa<LoadInst>(instruction) ? instruction.getType()
                       : isa<AtomicRMWInst>(instruction)
                           ? cast<AtomicRMWInst>(instruction).getValOperand()->getType()
                       : isa<AtomicCmpXchgInst>(instruction)
                           ? cast<AtomicCmpXchgInst>(instruction).getCompareOperand()->getType()
                           : instruction.getOperand(0)->getType();
    if (instruction.getModule()->getDataLayout().getTypeSizeInBits(const_cast<Type*>(type)) >
        WIDEST_ATOMIC_BITS)
      return "atomic operations on more than 64 bits, which this device does not have.";
  }
  return {};
}

/// What the CUDA driver defines for every module, and what PTX declares for dynamic local memory.
static bool is_defined_by_driver(const GlobalValue& symbol) {
  return symbol.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED ||
         StringSwitch<bool>(symbol.getName()).Cases({"__assertfail", "vprintf"}, true).Default(false);
}

Error check_device_code::change(Function& entry, FunctionAnalysisManager&) {
  const Module& module = *entry.getParent();
  const StringRef kernel = kernel_name(entry);
  for (const Function& function : module)
    for (const Instruction& instruction : instructions(function))
      if (const StringRef what = obstacle(instruction); !what.empty())
        return failure("Kernel '" + kernel + "' uses " + what);
  for (const GlobalVariable& variable : module.globals()) {
    if (variable.isThreadLocal())
      return failure("Kernel '" + kernel + "' uses the thread-local variable '" +
                     demangle(variable.getName()) + "', which device code cannot have (SYCL 2020 §5.4).");
    if (holds_long_double(variable.getValueType()))
      return failure("Kernel '" + kernel +
                     "' uses long double, which this device does not have. Use double.");
  }
  return Error::success();
}

static Error check_private_memory_of(const Module& module, StringRef kernel) {
  // CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
  constexpr std::uint64_t MOST = 512 << 10;
  for (const Function& function : module)
    if (const std::uint64_t bytes = private_bytes(function); bytes > MOST)
      return make_error<not_supported>(("Kernel '" + kernel + "' has " + Twine(bytes) +
                                        " bytes of private variables per work-item; this device has " +
                                        Twine(MOST) +
                                        ". Use smaller private arrays, or memory of malloc_device or of a "
                                        "buffer.")
                                           .str());
  return Error::success();
}

static Error check_definitions_of(const Module& module, StringRef kernel) {
  std::set<std::string> missing;
  for (const GlobalValue& symbol : module.global_values())
    if (const auto* function = dyn_cast<Function>(&symbol); symbol.isDeclaration() && !symbol.use_empty() &&
                                                            !is_defined_by_driver(symbol) &&
                                                            (function == nullptr || !function->isIntrinsic()))
      missing.insert(demangle(symbol.getName()));
  if (missing.empty())
    return Error::success();
  return failure("Kernel '" + kernel +
                 "' uses symbols that device code cannot reach: " + join(missing, ", ") +
                 ". Define functions in the same translation unit, or mark them SYCL_EXTERNAL where they "
                 "are defined.");
}

Error check_finished_code::change(Function& entry, FunctionAnalysisManager&) {
  Error undefined = check_definitions_of(*entry.getParent(), kernel_name(entry));
  return undefined ? std::move(undefined) : check_private_memory_of(*entry.getParent(), kernel_name(entry));
}

} // namespace falx::jit
