// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sub_group_builtins.hpp"
#include "vectorizer/analysis/lane_shapes.hpp"

using namespace llvm;

namespace falx::jit::simd {

StringRef sub_group_builtin(const CallInst& call) {
  const Function* callee = call.getCalledFunction();
  StringRef name = callee != nullptr ? callee->getName() : "";
  return name.consume_front("__falx_sub_group_") ? name : "";
}

bool is_order_of_lanes(const Instruction& instruction) {
  const auto* fence = dyn_cast<FenceInst>(&instruction);
  return fence != nullptr && fence->getSyncScopeID() == SyncScope::SingleThread;
}

std::optional<lane_shape> shape_of_sub_group_builtin(const CallInst& call, const lane_shapes& shapes) {
  StringRef name = sub_group_builtin(call);
  if (name.empty())
    return std::nullopt;
  if (name == "local_id")
    return lane_shape::strided(1, true, true, 31);
  name.consume_front("members_");
  if (name == "id" || name == "active" || name == "barrier" || name == "ballot" || name == "any" ||
      name == "all" || name.starts_with("reduce_"))
    return lane_shape::uniform();
  // What all lanes pass, or what one lane passes, all get.
  const lane_shape value = shapes[call.getArgOperand(0)], which = shapes[call.getArgOperand(1)];
  if (value.what == lane_shape::kind::undefined || which.what == lane_shape::kind::undefined)
    return lane_shape{};
  const bool names_lane = name == "shuffle_u32" || name == "shuffle_u64";
  if (value.is_uniform() || (names_lane && which.is_uniform()))
    return lane_shape::uniform();
  return lane_shape::varying();
}

} // namespace falx::jit::simd
