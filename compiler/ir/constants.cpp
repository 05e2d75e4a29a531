// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "constants.hpp"

#include "device_module.hpp"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace falx::compiler {

namespace {

using reader_map = llvm::MapVector<llvm::GlobalVariable*, llvm::SmallVector<const llvm::Function*>>;

// Who calls the builtin with which specialization_id?
reader_map direct_readers(llvm::Module& device) {
  reader_map readers;
  llvm::Function* builtin = device.getFunction("__falx_specialization_constant");
  if (builtin == nullptr)
    return readers;
  for (const llvm::User* user : builtin->users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call == nullptr || call->getCalledOperand() != builtin)
      continue;
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts()))
      readers[variable].push_back(call->getFunction());
  }
  return readers;
}

bool reaches_any(const global_set& reached, llvm::ArrayRef<const llvm::Function*> functions) {
  return llvm::any_of(functions, [&](const llvm::Function* function) { return reached.contains(function); });
}

} // namespace

void visit_roots(
    llvm::Module& device, const device_annotations& annotations,
    llvm::function_ref<void(const llvm::Function&, bool is_kernel, const global_set& reached)> visit) {
  const auto visit_copy = [&](const llvm::Function& root, bool is_kernel) {
    const llvm::Function* copy = device.getFunction(root.getName());
    if (copy != nullptr && !copy->isDeclaration())
      visit(root, is_kernel, reachable_from({copy}));
  };
  for (const auto& [kernel, annotation] : annotations.kernels)
    visit_copy(*kernel, true);
  for (const llvm::Function* external : annotations.externals)
    visit_copy(*external, false);
  for (const llvm::Function* function : annotations.dynamic_functions)
    visit_copy(*function, false);
}

llvm::SmallVector<device_constant> find_constants(llvm::Module& device,
                                                  const device_annotations& annotations) {
  llvm::SmallVector<device_constant> constants;
  const reader_map readers = direct_readers(device);
  if (readers.empty())
    return constants;
  for (const auto& [variable, functions] : readers)
    constants.push_back({variable, false, {}});
  visit_roots(device, annotations,
              [&](const llvm::Function& root, bool is_kernel, const global_set& reached) {
                for (device_constant& constant : constants) {
                  if (!reaches_any(reached, readers.find(constant.variable)->second))
                    continue;
                  if (is_kernel)
                    constant.kernels.push_back(&root);
                  else
                    constant.read_by_exports = true;
                }
              });
  // The order of uses depends on how the module was built; that of names does not.
  llvm::sort(constants, [](const device_constant& a, const device_constant& b) {
    return a.variable->getName() < b.variable->getName();
  });
  return constants;
}

} // namespace falx::compiler
