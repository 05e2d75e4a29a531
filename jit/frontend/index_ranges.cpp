// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:                                    After, with narrow indices:
//   declare i64 @__falx_global_id_x()          declare range(i64 0, 2147483648) i64 @__falx_global_id_x()
// and where the launch's range is known to be 100:
//   declare i64 @__falx_global_range_x()       declare range(i64 100, 101) i64 @__falx_global_range_x()

#include "index_ranges.hpp"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/Module.h>

#include <algorithm>

using namespace llvm;

namespace falx::jit {

std::optional<ConstantRange> index_range(const kernel_attributes& attributes, StringRef what, unsigned axis) {
  constexpr std::uint64_t NARROW_END = std::uint64_t{1} << 31;
  const auto below = [](std::uint64_t end) { return ConstantRange(APInt(64, 0), APInt(64, end)); };
  const std::uint64_t local = attributes.local_range[0] != 0 ? attributes.local_range[axis] : 0;
  if (what == "global_offset" && attributes.has_no_offset)
    return below(1);
  if (what == "local_id" && local != 0)
    return below(local);
  if (what == "local_range" && local != 0)
    return ConstantRange(APInt(64, local));
  if (attributes.knows_global_range()) {
    const std::uint64_t global = attributes.global_range[axis];
    if (what == "global_range")
      return ConstantRange(APInt(64, global));
    if (what == "global_id" && attributes.has_no_offset)
      return below(global);
    if (what == "group_range" && local != 0)
      return ConstantRange(APInt(64, global / local));
    if (what == "group_id" && local != 0)
      return below(global / local);
  }
  if (!attributes.has_narrow_indices)
    return std::nullopt;
  if (what == "global_id" || what == "global_range" || what == "global_offset" || what == "local_id" ||
      what == "local_range")
    return below(NARROW_END);
  // No more groups than there are work-items to fill them.
  const std::uint64_t most_groups = (NARROW_END - 1) / std::max<std::uint64_t>(local, 1);
  if (what == "group_id")
    return below(most_groups);
  if (what == "group_range")
    return below(most_groups + 1);
  return std::nullopt;
}

void declare_index_ranges::change(Function& kernel, FunctionAnalysisManager&) {
  const kernel_attributes attributes = kernel_attributes::read(kernel);
  for (Function& builtin : *kernel.getParent()) {
    StringRef what = builtin.getName();
    if (!builtin.isDeclaration() || !what.consume_front("__falx_") || what.size() < 2)
      continue;
    const unsigned axis = unsigned(what.back() - 'x');
    if (axis > 2 || what[what.size() - 2] != '_' || !builtin.getReturnType()->isIntegerTy(64))
      continue;
    if (const std::optional<ConstantRange> range = index_range(attributes, what.drop_back(2), axis))
      builtin.addRetAttr(Attribute::get(kernel.getContext(), Attribute::Range, *range));
  }
}

} // namespace falx::jit
