// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, with two device globals:
//   @__falx_device_global.1 = external global [4 x i32], align 4
//   define void @kernel(ptr dereferenceable(12) align 4 %f) "falx-device-globals"="2"
//       "falx-device-globals-offset"="16" {
//     store i32 7, ptr getelementptr (i8, ptr @__falx_device_global.1, i64 8)
// After:
//   define void @kernel(ptr dereferenceable(32) align 8 %f) … {
//     %address = getelementptr inbounds i8, ptr %f, i64 24
//     %global = load ptr, ptr %address, align 8, !nonnull !{}, !dereferenceable !{i64 16}, !align !{i64 4}
//     %element = getelementptr i8, ptr %global, i64 8
//     store i32 7, ptr %element
//
// The code is cached and serves every context, so it must not know addresses; what comes with the function
// object costs no more than a captured pointer. Until then a variable is a symbol, which helps alias
// analysis.

#include "device_globals.hpp"
#include "kernel_attributes.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

static constexpr StringLiteral PREFIX = "__falx_device_global.";
static constexpr StringLiteral COUNT = "falx-device-globals";
static constexpr StringLiteral OFFSET = "falx-device-globals-offset";

bool is_device_global(const GlobalVariable& variable) {
  return variable.getName().starts_with(PREFIX);
}

Error place_device_globals(Module& image, std::size_t index, ArrayRef<device_global> globals) {
  for (const device_global& global : globals) {
    if (global.image != index)
      continue;
    const StringRef symbol = global.symbol;
    GlobalVariable* variable = image.getGlobalVariable(symbol, /*AllowInternal=*/true);
    if (variable == nullptr)
      return failure("A device image has no device global '" + symbol + "'.");
    variable->setInitializer(nullptr);
    variable->setConstant(false);
    variable->setComdat(nullptr);
    variable->setLinkage(GlobalValue::ExternalLinkage);
    variable->setVisibility(GlobalValue::DefaultVisibility);
    const std::string name = (PREFIX + Twine(global.slot)).str();
    if (GlobalVariable* same = image.getGlobalVariable(name)) {
      variable->replaceAllUsesWith(same);
      variable->eraseFromParent();
    } else {
      variable->setName(name);
    }
  }
  return Error::success();
}

void describe_device_globals(Function& kernel, const request& request) {
  std::uint32_t count = 0;
  for (const device_global& global : request.device_globals)
    count = std::max(count, global.slot + 1);
  if (count == 0)
    return;
  kernel.addFnAttr(COUNT, utostr(count));
  kernel.addFnAttr(OFFSET, utostr(request.device_globals_offset));
}

/// The address of \p variable, loaded once where the kernel begins.
static LoadInst* load_address(Function& kernel, const GlobalVariable& variable, std::uint64_t offset,
                              std::uint64_t count) {
  std::uint64_t slot = 0;
  if (variable.getName().drop_front(PREFIX.size()).getAsInteger(10, slot) || slot >= count)
    return nullptr;
  LLVMContext& context = kernel.getContext();
  IRBuilder<> builder(&kernel.getEntryBlock(), kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value* place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), kernel.getArg(0),
                                                    offset + slot * sizeof(std::uint64_t));
  LoadInst* address = builder.CreateAlignedLoad(builder.getPtrTy(), place, Align(8), "device.global");
  const auto number = [&](std::uint64_t value) {
    return MDNode::get(context, ConstantAsMetadata::get(builder.getInt64(value)));
  };
  const DataLayout& layout = kernel.getDataLayout();
  address->setMetadata(LLVMContext::MD_nonnull, MDNode::get(context, {}));
  address->setMetadata(LLVMContext::MD_noundef, MDNode::get(context, {}));
  address->setMetadata(LLVMContext::MD_dereferenceable,
                       number(layout.getTypeAllocSize(variable.getValueType())));
  address->setMetadata(LLVMContext::MD_align, number(variable.getAlign().valueOrOne().value()));
  return address;
}

Expected<bool> replace_by_address(Function& kernel, GlobalVariable& variable, StringRef what,
                                  function_ref<Expected<Value*>()> find_address) {
  convertUsersOfConstantsToInstructions(ArrayRef<Constant*>(&variable));
  variable.removeDeadConstantUsers();
  if (variable.use_empty())
    return false;
  Expected<Value*> address = find_address();
  if (!address)
    return address.takeError();
  for (Use& use : make_early_inc_range(variable.uses())) {
    const auto* user = dyn_cast<Instruction>(use.getUser());
    if (user == nullptr)
      return failure("Kernel '" + kernel.getName() + "' reads the address of " + what +
                     " from a constant, but the address is known only when the kernel is launched. Name the "
                     "variable in the kernel, and choose among several with a condition.");
    if (user->getFunction() != &kernel)
      return failure(
          "Function '" + user->getFunction()->getName() + "', called by kernel '" + kernel.getName() +
          "', uses " + what +
          " but cannot be inlined: it is recursive, variadic, or called through a pointer. Pass it "
          "a pointer to the variable's memory.");
    use.set(*address);
  }
  return true;
}

Error lower_device_globals::change(Function& kernel, FunctionAnalysisManager&) {
  std::uint64_t count = 0, offset = 0;
  kernel.getFnAttribute(COUNT).getValueAsString().getAsInteger(10, count);
  kernel.getFnAttribute(OFFSET).getValueAsString().getAsInteger(10, offset);
  bool is_used = false;
  for (GlobalVariable& variable : make_early_inc_range(kernel.getParent()->globals())) {
    if (!is_device_global(variable))
      continue;
    Expected<bool> replaced =
        replace_by_address(kernel, variable, "a device global", [&]() -> Expected<Value*> {
          if (LoadInst* address = load_address(kernel, variable, offset, count))
            return address;
          return failure("Kernel '" + kernel.getName() +
                         "' uses a device global that its launch does not pass.");
        });
    if (!replaced)
      return replaced.takeError();
    is_used |= *replaced;
    assert(variable.use_empty() && "code would refer to an address that only a launch knows");
    variable.eraseFromParent();
  }
  if (is_used) {
    AttrBuilder about(kernel.getContext());
    about.addDereferenceableAttr(offset + count * sizeof(std::uint64_t));
    about.addAlignmentAttr(std::max(Align(8), kernel.getParamAlign(0).valueOrOne()));
    kernel.removeParamAttr(0, Attribute::Alignment);
    kernel.removeParamAttr(0, Attribute::Dereferenceable);
    kernel.addParamAttrs(0, about);
  }
  return Error::success();
}

} // namespace falx::jit
