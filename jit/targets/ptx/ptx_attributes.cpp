// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx_attributes.hpp"
#include "falx/kernel.hpp"

#include <llvm/ADT/StringExtras.h>

using namespace llvm;

namespace falx::jit {

ptx_attributes ptx_attributes::read(const Function& kernel) {
  ptx_attributes result;
  result.kernel = kernel_attributes::read(kernel);
  result.linear_grid = kernel.hasFnAttribute("falx-linear-grid");
  kernel.getFnAttribute("falx-sm").getValueAsString().getAsInteger(10, result.sm);
  kernel.getFnAttribute("falx-ptx").getValueAsString().getAsInteger(10, result.ptx);
  return result;
}

void ptx_attributes::write(Function& function) const {
  kernel.write(function);
  if (linear_grid)
    function.addFnAttr("falx-linear-grid");
  function.addFnAttr("falx-sm", utostr(sm));
  function.addFnAttr("falx-ptx", utostr(ptx));
}

bool ptx_attributes::has_groups() const {
  const kernel_kind kind = kernel_kind(kernel.kind);
  return kind == kernel_kind::nd_range || kind == kernel_kind::work_group;
}

std::uint32_t ptx_attributes::group_size() const {
  return kernel.local_range[0] * kernel.local_range[1] * kernel.local_range[2];
}

} // namespace falx::jit
