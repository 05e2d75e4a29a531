// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "annotations.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

namespace {

llvm::StringRef annotation_text(const llvm::Constant* entry) {
  auto* text = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(1)->stripPointerCasts());
  if (text == nullptr || !text->hasInitializer())
    return {};
  auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer());
  return data != nullptr && data->isCString() ? data->getAsCString() : llvm::StringRef();
}

// The annotation's integer arguments sit in a constant struct behind the fifth field. Null if there is no
// such one.
const llvm::ConstantInt* annotation_argument(const llvm::Constant* entry, unsigned index) {
  if (entry->getNumOperands() < 5)
    return nullptr;
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(4)->stripPointerCasts());
  if (global == nullptr || !global->hasInitializer())
    return nullptr;
  return llvm::dyn_cast_or_null<llvm::ConstantInt>(global->getInitializer()->getAggregateElement(index));
}

llvm::SmallVector<std::uint32_t, 2> annotation_arguments(const llvm::Constant* entry) {
  llvm::SmallVector<std::uint32_t, 2> arguments;
  while (const llvm::ConstantInt* value = annotation_argument(entry, arguments.size()))
    arguments.push_back(static_cast<std::uint32_t>(value->getZExtValue()));
  return arguments;
}

// The numbers of the bits that the annotation's one argument has.
llvm::SmallVector<std::uint32_t, 2> annotation_bits(const llvm::Constant* entry) {
  llvm::SmallVector<std::uint32_t, 2> bits;
  if (const llvm::ConstantInt* mask = annotation_argument(entry, 0))
    for (std::uint32_t bit = 0; bit < 64; ++bit)
      if ((mask->getZExtValue() >> bit & 1) != 0)
        bits.push_back(bit);
  return bits;
}

// Another property than device_has (ast/function_kernels.cpp), and that of a free function kernel.
bool has_highest_bit(const llvm::Constant* entry) {
  const llvm::ConstantInt* const mask = annotation_argument(entry, 0);
  return mask != nullptr && mask->getZExtValue() >> 63 != 0;
}
bool is_free_function_kernel(const llvm::Constant* entry) {
  const llvm::ConstantInt* const mask = annotation_argument(entry, 0);
  return mask != nullptr && mask->getZExtValue() >> 56 == 0x80;
}

kernel_annotation kernel_annotation_of(const llvm::Constant* entry) {
  const llvm::SmallVector<std::uint32_t, 2> arguments = annotation_arguments(entry);
  return arguments.size() < 2 ? kernel_annotation() : kernel_annotation{arguments[0], arguments[1]};
}

} // namespace

device_annotations take_device_annotations(llvm::Module& host) {
  device_annotations result;
  llvm::GlobalVariable* annotations = host.getGlobalVariable("llvm.global.annotations");
  if (annotations == nullptr || !annotations->hasInitializer())
    return result;
  auto* entries = llvm::dyn_cast<llvm::ConstantArray>(annotations->getInitializer());
  if (entries == nullptr)
    return result;

  llvm::SmallVector<llvm::Constant*> kept;
  for (llvm::Use& use : entries->operands()) {
    auto* entry = llvm::cast<llvm::Constant>(use.get());
    llvm::StringRef text = annotation_text(entry);
    auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(0)->stripPointerCasts());
    if (!text.starts_with("falx.")) {
      kept.push_back(entry);
      continue;
    }
    // Variables may be SYCL_EXTERNAL, too: the AST half has seen to that.
    if (function == nullptr)
      continue;
    if (text == "falx.kernel")
      result.kernels[function] = kernel_annotation_of(entry);
    else if (text == "falx.external")
      result.externals.insert(function);
    else if (text == "falx.optional")
      result.optional_code.insert(function);
    else if (text == "falx.attr.device_has")
      result.declared_aspects[function] = annotation_arguments(entry);
    else if (text == "falx.attr.device_has_mask" && is_free_function_kernel(entry))
      result.externals.insert(function);
    else if (text == "falx.attr.device_has_mask" && !has_highest_bit(entry))
      result.declared_aspects[function] = annotation_bits(entry);
  }
  if (kept.size() == entries->getNumOperands())
    return result;

  annotations->setName("");
  if (!kept.empty()) {
    auto* type = llvm::ArrayType::get(kept.front()->getType(), kept.size());
    auto* rest = new llvm::GlobalVariable(host, type, false, llvm::GlobalValue::AppendingLinkage,
                                          llvm::ConstantArray::get(type, kept), "llvm.global.annotations");
    rest->setSection("llvm.metadata");
  }
  annotations->eraseFromParent();
  return result;
}

} // namespace falx::compiler
