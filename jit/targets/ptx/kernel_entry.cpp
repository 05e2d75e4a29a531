// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define void @kernel(ptr dereferenceable(24) align 8 %f) "falx-kind"="2" "falx-local-range"="64,1,1" {
//     %p = load ptr, ptr %f
//     %v = load float, ptr %p
// After:
//   define ptx_kernel void @kernel(
//       ptr byval([24 x i8]) align 8 noalias readonly "nvvm.grid_constant" %function,
//       ptr byval([48 x i8]) align 8 noalias readonly "nvvm.grid_constant" %launch)
//       "falx-kind"="2" "nvvm.reqntid"="64,1,1" {
//     %p = load ptr, ptr %function, !invariant.load !{}
//     %p.global = addrspacecast ptr %p to ptr addrspace(1)
//     %p.generic = addrspacecast ptr addrspace(1) %p.global to ptr
//     %v = load float, ptr %p.generic
//
// A captured pointer comes from the host: it is USM's or a buffer's, both global memory. Local accessors hold
// offsets. So the pointer itself needs no test of its address space, and InferAddressSpaces carries that on.

#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "ptx_abi.hpp"
#include "ptx_ir.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/NVPTXAddrSpace.h>

using namespace llvm;

namespace falx::jit {

static Error check_parameter_size(const Function& kernel, const kernel_attributes& attributes,
                                  std::uint64_t bytes) {
  const std::uint64_t limit = ptx::max_function_bytes(attributes.ptx);
  if (bytes <= limit)
    return Error::success();
  return failure("Kernel '" + kernel.getName() + "' captures " + Twine(bytes) + " bytes, but this device's " +
                 "driver passes at most " + Twine(limit) +
                 ". Put the data into a buffer or USM, and capture a pointer or an accessor.");
}

/// ptxas may use as many registers as the threads of one block leave each other.
static void limit_block_size(Function& entry, const kernel_attributes& attributes) {
  const std::uint32_t (&extent)[3] = attributes.local_range;
  if (attributes.group_size() != 0)
    entry.addFnAttr("nvvm.reqntid", utostr(extent[0]) + "," + utostr(extent[1]) + "," + utostr(extent[2]));
  else
    entry.addFnAttr("nvvm.maxntid", utostr(MAX_GROUP_SIZE));
}

static void mark(Function& entry) {
  LLVMContext& context = entry.getContext();
  PointerType* global = PointerType::get(context, NVPTXAS::ADDRESS_SPACE_GLOBAL);
  SmallVector<Value*, 16> pointers = {entry.getArg(FUNCTION_OBJECT)};
  while (!pointers.empty())
    for (User* user : pointers.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user)) {
        pointers.push_back(user);
        continue;
      }
      auto* load = dyn_cast<LoadInst>(user);
      if (load == nullptr || !load->isSimple())
        continue;
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(context, {}));
      if (load->getType() != PointerType::get(context, 0) ||
          any_of(load->users(), [&](const User* other) { return other->getType() == global; }))
        continue;
      IRBuilder<> builder(load->getNextNode());
      Value* in_global = builder.CreateAddrSpaceCast(load, global, load->getName() + ".global");
      Value* generic = builder.CreateAddrSpaceCast(in_global, load->getType());
      load->replaceUsesWithIf(generic, [&](const Use& use) { return use.getUser() != in_global; });
    }
}

/// Says of captured pointers in global memory what the loads' metadata says of their alignment: that is not
/// seen through the casts. After the last mark, which would take the casts for uses.
static void assume_alignments(Function& entry) {
  SmallVector<AddrSpaceCastInst*, 16> casts;
  for (Instruction& instruction : instructions(entry))
    if (auto* cast = dyn_cast<AddrSpaceCastInst>(&instruction);
        cast != nullptr && cast->getDestAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL)
      casts.push_back(cast);
  for (AddrSpaceCastInst* cast : casts) {
    const auto* load = dyn_cast<LoadInst>(cast->getPointerOperand());
    const MDNode* known = load != nullptr ? load->getMetadata(LLVMContext::MD_align) : nullptr;
    if (known == nullptr)
      continue;
    const auto* alignment = mdconst::extract<ConstantInt>(known->getOperand(0));
    IRBuilder<>(cast->getNextNode())
        .CreateAlignmentAssumption(entry.getDataLayout(), cast,
                                   static_cast<unsigned>(alignment->getZExtValue()));
  }
}

Error form_ptx_entry::change(Function& kernel, FunctionAnalysisManager&) {
  LLVMContext& context = kernel.getContext();
  const kernel_attributes attributes = kernel_attributes::read(kernel);
  // Of an object that nobody looks at, one byte will do.
  const std::uint64_t bytes = kernel.getArg(0)->use_empty() ? 1 : kernel.getParamDereferenceableBytes(0);
  if (bytes == 0)
    return failure("Kernel '" + kernel.getName() +
                   "' does not say how large its function object is: its parameter has to be a reference.");
  if (Error error = check_parameter_size(kernel, attributes, bytes))
    return error;

  Type* pointer = PointerType::get(context, 0);
  FunctionType* type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function* entry = Function::Create(type, GlobalValue::ExternalLinkage, "", kernel.getParent());
  entry->setCallingConv(CallingConv::PTX_Kernel);
  // Also attributes of floating-point arithmetic and convergence.
  AttrBuilder about_kernel(context, kernel.getAttributes().getFnAttrs());
  about_kernel.removeAttribute(Attribute::AlwaysInline);
  about_kernel.addAttribute(Attribute::NoUnwind);
  entry->addFnAttrs(about_kernel);
  entry->getArg(FUNCTION_OBJECT)->setName("function");
  entry->getArg(LAUNCH_ARGUMENTS)->setName("launch");
  describe_by_value(*entry, FUNCTION_OBJECT, bytes, kernel.getParamAlign(0).valueOrOne());
  describe_by_value(*entry, LAUNCH_ARGUMENTS, sizeof(ptx::launch_arguments),
                    Align(alignof(ptx::launch_arguments)));
  entry->splice(entry->begin(), &kernel);
  entry->setSubprogram(kernel.getSubprogram());
  kernel.getArg(0)->replaceAllUsesWith(entry->getArg(FUNCTION_OBJECT));
  entry->addFnAttr("falx-name", kernel.getName());
  const std::string name = ptx::ptx_entry_name({kernel.getName().data(), kernel.getName().size()});
  kernel.eraseFromParent();
  entry->setName(name);

  limit_block_size(*entry, attributes);
  mark(*entry);
  return Error::success();
}

void mark_captured_pointers::change(Function& entry, FunctionAnalysisManager&) {
  mark(entry);
  assume_alignments(entry);
}

} // namespace falx::jit
