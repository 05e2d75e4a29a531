// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prepared_function.hpp"

#include <llvm/Support/MathExtras.h>

using namespace llvm;

namespace falx::jit::simd {

static SmallVector<lane_shape> argument_shapes(const Function& work_item, const vector_request& request) {
  SmallVector<lane_shape> result(work_item.arg_size(), lane_shape::uniform());
  const auto shape = [&](parameter which) -> lane_shape& { return result[unsigned(which)]; };
  // Vectors begin at multiples of their size.
  shape(parameter::index_x) = shape(parameter::linear) =
      lane_shape::strided(1, true, true, Log2_32(request.lanes));
  return result;
}

prepared_function::prepared_function(Function& work_item, const vector_request& request)
    : dominators(work_item), loops(dominators), graph(work_item, dominators, loops),
      shapes(work_item, graph, loops, argument_shapes(work_item, request), request.lanes) {}

} // namespace falx::jit::simd
