// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "vectorize_range.hpp"
#include "frontend/kernel_attributes.hpp"
#include "vectorize_function.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace falx::jit::simd {

Expected<range_vectors> vectorize_range(Function& work_item) {
  range_vectors result;
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  if (attributes.lanes > attributes.sub_group_size) {
    ValueToValueMapTy map;
    Function* copy = CloneFunction(&work_item, map);
    copy->setName(work_item.getName() + ".rest");
    vector_request request = request_for(attributes);
    request.lanes = request.sub_group_size;
    Expected<Function*> rest = vectorize(*copy, request);
    if (!rest) {
      work_item.eraseFromParent();
      return rest.takeError();
    }
    keep_large_loops_whole(**rest);
    result.rest = *rest;
  }
  Expected<Function*> body = vectorize(work_item, request_for(attributes));
  if (!body)
    return body.takeError();
  result.body = *body;
  return result;
}

} // namespace falx::jit::simd
