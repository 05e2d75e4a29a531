// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ir_annotations.hpp"

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

// The annotation's integer arguments sit in a constant struct behind the fifth field.
std::uint32_t annotation_argument(const llvm::Constant* entry, unsigned index, std::uint32_t fallback) {
  if (entry->getNumOperands() < 5)
    return fallback;
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(entry->getOperand(4)->stripPointerCasts());
  if (global == nullptr || !global->hasInitializer())
    return fallback;
  llvm::Constant* element = global->getInitializer()->getAggregateElement(index);
  auto* value = llvm::dyn_cast_or_null<llvm::ConstantInt>(element);
  return value != nullptr ? static_cast<std::uint32_t>(value->getZExtValue()) : fallback;
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
      result.kernels[function] = {annotation_argument(entry, 0, 0), annotation_argument(entry, 1, 1)};
    else if (text == "falx.external")
      result.externals.insert(function);
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
