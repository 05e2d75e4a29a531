// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "artificial_function.hpp"

#include <llvm/IR/DebugInfoMetadata.h>

using namespace llvm;

namespace falx::jit {

void describe_artificial_function(Function& caller, const Function& body, IRBuilder<>& builder) {
  const DISubprogram* source = body.getSubprogram();
  if (source == nullptr)
    return;
  DISubprogram* own = DISubprogram::getDistinct(
      caller.getContext(), source->getScope(), source->getName(), caller.getName(), source->getFile(),
      source->getLine(), source->getType(), source->getScopeLine(), /*ContainingType=*/nullptr,
      /*VirtualIndex=*/0, /*ThisAdjustment=*/0, DINode::FlagArtificial, source->getSPFlags(),
      source->getUnit());
  caller.setSubprogram(own);
  builder.SetCurrentDebugLocation(DILocation::get(caller.getContext(), source->getLine(), 0, own));
}

} // namespace falx::jit
