// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "aspects.hpp"

#include "device_module.hpp"
#include "sycl/aspect.hpp"

#include "llvm/IR/Module.h"

namespace falx::compiler {

namespace {

struct feature {
  const llvm::Function* function;
  std::size_t aspect;
};

/// The functions of the device module that stand for a feature: builtins, and what is declared to use one.
llvm::SmallVector<feature> features_of(const llvm::Module& device, const device_annotations& annotations) {
  llvm::SmallVector<feature> features;
  for (const llvm::Function& function : device)
    if (function.getName().starts_with("__falx_async_barrier_"))
      features.push_back({&function, static_cast<std::size_t>(sycl::aspect::ext_oneapi_cuda_async_barrier)});
  for (const auto& [function, aspects] : annotations.declared_aspects)
    if (const llvm::Function* copy = device.getFunction(function->getName()))
      for (const std::uint32_t aspect : aspects)
        features.push_back({copy, aspect});
  return features;
}

} // namespace

kernel_aspects find_aspects(llvm::Module& device, const device_annotations& annotations) {
  kernel_aspects result;
  const llvm::SmallVector<feature> features = features_of(device, annotations);
  if (features.empty())
    return result;
  global_set optional_code;
  for (const llvm::Function* function : annotations.optional_code)
    if (const llvm::Function* copy = device.getFunction(function->getName()))
      optional_code.insert(copy);
  for (const auto& [kernel, annotation] : annotations.kernels) {
    const llvm::Function* copy = device.getFunction(kernel->getName());
    if (copy == nullptr || copy->isDeclaration())
      continue;
    const global_set reached = reachable_from({copy}, optional_code);
    for (const feature& each : features)
      if (reached.contains(each.function) && !llvm::is_contained(result[kernel], each.aspect))
        result[kernel].push_back(each.aspect);
  }
  return result;
}

} // namespace falx::compiler
