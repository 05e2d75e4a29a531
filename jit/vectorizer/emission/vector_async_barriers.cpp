// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All active lanes arrive at one barrier, and wait there. Before:
//   %token = call i64 @falx.async_barrier.count(ptr %state, i64 1, i64 0, …)
//   %over = call i1 @falx.async_barrier.enter(ptr %state, i64 %token, ptr %nodes, i32 %self, i64 %lane.bit)
// After, with %state uniform:
//   %arriving = call i64 @llvm.ctpop.i64(i64 %mask.bits)
//   %token = call i64 @falx.async_barrier.count(ptr %state, i64 %arriving, i64 0, …)
//   %now = load i64, ptr %state
//   %over = …                                            ; is %now in a later cycle than %token?
//   %waiting = bitcast <8 x i1> (%mask and not %over)
//   call void @falx.async_barrier.enlist(ptr %state, ptr %nodes, i32 %self.of.first, i64 %waiting)
//
// Nobody may arrive in a cycle before there has been a wait for the one before it, so of lanes that arrive
// together only the last one can complete the cycle, and their tokens are of the same one.

#include "vector_async_barriers.hpp"
#include "frontend/async_barrier_names.hpp"

using namespace llvm;

namespace falx::jit::simd {

static bool calls(const CallInst& call, StringRef name) {
  const Function* callee = call.getCalledFunction();
  return callee != nullptr && callee->getName() == name;
}

std::optional<lane_shape> shape_of_async_barrier_call(const CallInst& call, const lane_shapes& shapes) {
  const bool arrives = calls(call, COUNT_ARRIVALS);
  if (!arrives && !calls(call, ENTER_WAIT))
    return std::nullopt;
  if (any_of(call.args(), [&](const Use& each) { return shapes[each].what == lane_shape::kind::undefined; }))
    return lane_shape{};
  const bool is_one = is_combined(call, shapes) && shapes[call.getArgOperand(1)].is_uniform();
  return is_one ? lane_shape::uniform() : lane_shape::varying();
}

bool is_combined(const CallInst& call, const lane_shapes& shapes) {
  const auto is_uniform = [&](unsigned index) { return shapes[call.getArgOperand(index)].is_uniform(); };
  if (calls(call, COUNT_ARRIVALS))
    return is_uniform(0) && is_uniform(1) && is_uniform(2);
  return calls(call, ENTER_WAIT) && is_uniform(0);
}

Value* async_barrier_emission::emit_arrivals(const CallInst& call) {
  SmallVector<Value*> arguments;
  for (const Use& each : call.args())
    arguments.push_back(values_.scalar(each));
  Value* lanes = builder_.CreateZExt(core_.bits(core_.mask()), builder_.getInt64Ty());
  Value* arriving = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes);
  for (const unsigned counted : {1u, 2u})
    arguments[counted] = builder_.CreateMul(arguments[counted], arriving);
  return builder_.CreateCall(call.getFunctionType(), call.getCalledOperand(), arguments);
}

Value* async_barrier_emission::emit_wait(const CallInst& call) {
  const Value *token = call.getArgOperand(1), *self = call.getArgOperand(3);
  Value *state = values_.scalar(call.getArgOperand(0)), *nodes = values_.scalar(call.getArgOperand(2));
  Value* now = builder_.CreateAlignedLoad(builder_.getInt64Ty(), state, Align(8), "now");
  const bool is_one = shapes_[token].is_uniform();
  Value* given = is_one ? values_.scalar(token) : values_.vector(token);
  Value* cycles = builder_.CreateAnd(builder_.CreateXor(is_one ? now : values_.splat(now), given),
                                     ConstantInt::get(given->getType(), CYCLE_BITS));
  Value* over = builder_.CreateIsNotNull(cycles, "over");
  // Logical: tokens of inactive lanes may be poison.
  Value* waits = builder_.CreateNot(is_one ? values_.splat(over) : over);
  Value* waiting = core_.bits(builder_.CreateLogicalAnd(core_.mask(), waits));
  Value* first = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, waiting, builder_.getFalse());
  Value* leader = core_.of_lane(self, builder_.CreateZExtOrTrunc(first, builder_.getInt32Ty()));
  Function* enlist = call.getModule()->getFunction(ENLIST);
  builder_.CreateCall(enlist, {state, nodes, leader, builder_.CreateZExt(waiting, builder_.getInt64Ty())});
  return over;
}

Value* async_barrier_emission::emit(const CallInst& call) {
  return calls(call, COUNT_ARRIVALS) ? emit_arrivals(call) : emit_wait(call);
}

} // namespace falx::jit::simd
