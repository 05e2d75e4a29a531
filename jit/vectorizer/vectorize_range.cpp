// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before, for sub-groups of 4 of which two run as one vector:
//   define internal void @kernel.work_item(...) "falx-sub-group-size"="4" "falx-lanes"="8"
// After:
//   define internal void @kernel.work_item.lanes(..., <8 x i1> %active)
//   "falx-rest"="kernel.work_item.rest.lanes" define internal void @kernel.work_item.rest.lanes(..., <4 x i1>
//   %active)

#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "vectorize_function.hpp"
#include "vectorizer/control/work_item_loops.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;

namespace falx::jit::simd {

/// The vector form of a sub-group.
static Expected<Function*> vectorize_rest(Function& work_item, const kernel_attributes& attributes,
                                          FunctionAnalysisManager& analyses) {
  ValueToValueMapTy map;
  Function* copy = CloneFunction(&work_item, map);
  copy->setName(work_item.getName() + ".rest");
  vector_request request = request_for(attributes);
  request.lanes = request.sub_group_size;
  request.may_run_in_parts = false;
  Expected<Function*> rest = vectorize(*copy, request, analyses);
  if (rest) {
    keep_large_loops_whole(**rest);
    (*rest)->removeFnAttr("falx-kind");
  }
  return rest;
}

Error vectorize_range::change(Function& work_item, FunctionAnalysisManager& analyses) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  if (attributes.kind != kernel_kind::range || attributes.lanes == 1)
    return Error::success();
  Function* rest = nullptr;
  if (attributes.lanes > attributes.sub_group_size)
    if (Error error = vectorize_rest(work_item, attributes, analyses).moveInto(rest)) {
      work_item.eraseFromParent();
      return error;
    }
  vector_request request = request_for(attributes);
  request.sub_group_form = rest;
  Expected<Function*> body = vectorize(work_item, request, analyses);
  if (body && rest != nullptr) {
    (*body)->addFnAttr(REST, rest->getName());
    if (!rest->use_empty()) { // by parts of vectors, too
      rest->removeFnAttr(Attribute::AlwaysInline);
      rest->addFnAttr(Attribute::NoInline);
    }
  }
  return body.takeError();
}

} // namespace falx::jit::simd
