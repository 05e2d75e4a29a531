// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// __falx_sub_group_reduce_add_f32(%v) where every sub-group is full, five times from 16 down to 1:
//   %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 16, i32 31)
//   %sum = fadd float %v, %other
//
// Addition commutes, so all work-items end with the same bits. Where the last sub-group may be smaller, a
// value from a work-item that does not exist is left out, and the first work-item, which then has seen all
// others, hands out its result:
//   %other = call float @llvm.nvvm.shfl.sync.down.f32(i32 %members, float %v, i32 16, i32 31)
//   %sum = fadd float %v, %other
//   %source = add i32 %lane, 16
//   %exists = icmp ult i32 %source, %size
//   %next = select i1 %exists, float %sum, float %v

#include "sub_groups.hpp"
#include "passes.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

using namespace llvm;

namespace falx::jit {

/// All lanes of a warp in the operand "c" of shfl: no segments.
constexpr unsigned WHOLE_WARP = WARP_SIZE - 1;

bool warp_functions::is_always_full() const {
  const std::uint32_t size = attributes_.group_size();
  return size != 0 && size % WARP_SIZE == 0;
}

Value* warp_functions::id(IRBuilder<>& builder) {
  return builder.CreateUDiv(space_.linear_thread(builder), builder.getInt32(WARP_SIZE));
}

Value* warp_functions::lane(IRBuilder<>& builder) {
  return builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {});
}

Value* warp_functions::size(IRBuilder<>& builder) {
  Value* whole = builder.getInt32(WARP_SIZE);
  if (is_always_full())
    return whole;
  Value* before = builder.CreateNUWMul(id(builder), whole);
  Value* rest = builder.CreateNUWSub(space_.block_size(builder), before);
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, rest, whole);
}

/// Bit i is set if work-item i exists.
Value* warp_functions::members(IRBuilder<>& builder) {
  if (is_always_full())
    return builder.getInt32(~0u);
  return builder.CreateLShr(builder.getInt32(~0u),
                            builder.CreateNUWSub(builder.getInt32(WARP_SIZE), size(builder)));
}

void warp_functions::barrier(IRBuilder<>& builder) {
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {members(builder)});
}

/// bar.warp.sync of fewer than all is no meeting of the sub-group: redundant_barriers leaves it alone.
void warp_functions::barrier_of(Value* members, IRBuilder<>& builder) {
  Value* mask = builder.CreateTrunc(members, builder.getInt32Ty());
  cast<CallInst>(builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {mask}))
      ->addFnAttr(Attribute::get(builder.getContext(), "falx-members"));
}

Value* warp_functions::shuffle_word(Intrinsic::ID how, Value* word, Value* lane, Value* members,
                                    IRBuilder<>& builder) {
  const unsigned bound = how == Intrinsic::nvvm_shfl_sync_up_i32 ? 0 : WHOLE_WARP;
  return builder.CreateIntrinsic(how, {members, word, lane, builder.getInt32(bound)});
}

/// Of 32 or 64 bits.
Value* warp_functions::shuffle(Intrinsic::ID how, Value* value, Value* lane, Value* members,
                               IRBuilder<>& builder) {
  Type* type = value->getType();
  Type* word = builder.getInt32Ty();
  if (type->getPrimitiveSizeInBits() == 32)
    return builder.CreateBitCast(
        shuffle_word(how, builder.CreateBitCast(value, word), lane, members, builder), type);
  Value* bits = builder.CreateBitCast(value, builder.getInt64Ty());
  Value* low = shuffle_word(how, builder.CreateTrunc(bits, word), lane, members, builder);
  Value* high =
      shuffle_word(how, builder.CreateTrunc(builder.CreateLShr(bits, 32), word), lane, members, builder);
  Value* result = builder.CreateOr(builder.CreateZExt(low, builder.getInt64Ty()),
                                   builder.CreateShl(builder.CreateZExt(high, builder.getInt64Ty()), 32));
  return builder.CreateBitCast(result, type);
}

/// __falx_sub_group_shuffle<how>_<type>
Value* warp_functions::shuffle(StringRef how, const CallInst& call, IRBuilder<>& builder) {
  const StringRef name = how.drop_back(StringRef("_u32").size());
  const Intrinsic::ID towards = StringSwitch<Intrinsic::ID>(name)
                                    .Case("", Intrinsic::nvvm_shfl_sync_idx_i32)
                                    .Case("_up", Intrinsic::nvvm_shfl_sync_up_i32)
                                    .Case("_down", Intrinsic::nvvm_shfl_sync_down_i32)
                                    .Case("_xor", Intrinsic::nvvm_shfl_sync_bfly_i32)
                                    .Default(Intrinsic::not_intrinsic);
  if (towards == Intrinsic::not_intrinsic)
    return nullptr;
  return shuffle(towards, call.getArgOperand(0), call.getArgOperand(1), members(builder), builder);
}

/// \p operation is "<name>_<type>"; null if there is no such reduction.
static Value* combine(StringRef operation, Value* a, Value* b, IRBuilder<>& builder) {
  const auto [name, type] = operation.rsplit('_');
  const bool is_floating = type.starts_with("f");
  const bool is_signed = type.starts_with("s");
  if (name == "add")
    return is_floating ? builder.CreateFAdd(a, b) : builder.CreateAdd(a, b);
  if (name == "and")
    return builder.CreateAnd(a, b);
  if (name == "or")
    return builder.CreateOr(a, b);
  if (name == "xor")
    return builder.CreateXor(a, b);
  if (name != "min" && name != "max")
    return nullptr;
  const bool minimum = name == "min";
  if (is_floating)
    return minimum ? builder.CreateMinNum(a, b) : builder.CreateMaxNum(a, b);
  return builder.CreateBinaryIntrinsic(is_signed ? (minimum ? Intrinsic::smin : Intrinsic::smax)
                                                 : (minimum ? Intrinsic::umin : Intrinsic::umax),
                                       a, b);
}

static bool has_redux(const kernel_attributes& attributes) {
  return attributes.sm >= 80;
}

/// One instruction, where the hardware has it: null elsewhere.
Value* warp_functions::reduce_by_redux(StringRef operation, Value* value, Value* members,
                                       IRBuilder<>& builder) {
  if (!has_redux(attributes_))
    return nullptr;
  const auto [name, type] = operation.rsplit('_');
  const bool bitwise = name == "and" || name == "or" || name == "xor";
  if (bitwise && value->getType()->isIntegerTy(64)) {
    Type* word = builder.getInt32Ty();
    const std::string half = (name + "_u32").str();
    Value* low = reduce_by_redux(half, builder.CreateTrunc(value, word), members, builder);
    Value* high =
        reduce_by_redux(half, builder.CreateTrunc(builder.CreateLShr(value, 32), word), members, builder);
    return builder.CreateOr(builder.CreateZExt(low, value->getType()),
                            builder.CreateShl(builder.CreateZExt(high, value->getType()), 32));
  }
  if (!value->getType()->isIntegerTy(32))
    return nullptr;
  const Intrinsic::ID intrinsic = StringSwitch<Intrinsic::ID>(operation)
                                      .Case("add_u32", Intrinsic::nvvm_redux_sync_add)
                                      .Case("min_s32", Intrinsic::nvvm_redux_sync_min)
                                      .Case("max_s32", Intrinsic::nvvm_redux_sync_max)
                                      .Case("min_u32", Intrinsic::nvvm_redux_sync_umin)
                                      .Case("max_u32", Intrinsic::nvvm_redux_sync_umax)
                                      .Case("and_u32", Intrinsic::nvvm_redux_sync_and)
                                      .Case("or_u32", Intrinsic::nvvm_redux_sync_or)
                                      .Case("xor_u32", Intrinsic::nvvm_redux_sync_xor)
                                      .Default(Intrinsic::not_intrinsic);
  if (intrinsic == Intrinsic::not_intrinsic)
    return nullptr;
  return builder.CreateIntrinsic(intrinsic, {value, members});
}

Value* warp_functions::reduce(StringRef operation, Value* value, IRBuilder<>& builder) {
  if (Value* result = reduce_by_redux(operation, value, members(builder), builder))
    return result;
  const Intrinsic::ID how =
      is_always_full() ? Intrinsic::nvvm_shfl_sync_bfly_i32 : Intrinsic::nvvm_shfl_sync_down_i32;
  for (unsigned distance = WARP_SIZE / 2; distance != 0; distance /= 2) {
    Value* other = shuffle(how, value, builder.getInt32(distance), members(builder), builder);
    Value* combined = combine(operation, value, other, builder);
    if (combined == nullptr)
      return nullptr;
    if (!is_always_full()) {
      Value* source = builder.CreateNUWAdd(lane(builder), builder.getInt32(distance));
      combined = builder.CreateSelect(builder.CreateICmpULT(source, size(builder)), combined, value);
    }
    value = combined;
  }
  return is_always_full() ? value
                          : shuffle(Intrinsic::nvvm_shfl_sync_idx_i32, value, builder.getInt32(0),
                                    members(builder), builder);
}

/// Group functions synchronize (SYCL 2020 §4.17.2): accesses to memory stay before or behind them. The warp's
/// own are in order, so only the compiler has to be told.
static void keep_order_of_accesses(IRBuilder<>& builder) {
  FunctionType* type = FunctionType::get(builder.getVoidTy(), false);
  builder.CreateCall(InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true));
}

/// __falx_sub_group_members_<what>
Value* warp_functions::value_of_members(StringRef what, const CallInst& call, IRBuilder<>& builder) {
  Value* members = builder.CreateTrunc(call.getArgOperand(call.arg_size() - 1), builder.getInt32Ty());
  Value* value = call.getArgOperand(0);
  if (what == "ballot")
    return builder.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync,
                                   {members, builder.CreateIsNotNull(value)});
  if (what == "shuffle_u32" || what == "shuffle_u64")
    return shuffle(Intrinsic::nvvm_shfl_sync_idx_i32, value, call.getArgOperand(1), members, builder);
  if (!what.consume_front("reduce_"))
    return nullptr;
  // Not reached where there is no instruction.
  return has_redux(attributes_) ? reduce_by_redux(what, value, members, builder)
                                : PoisonValue::get(call.getType());
}

Value* warp_functions::value(StringRef what, const CallInst& call, IRBuilder<>& builder) {
  const auto vote = [&](Intrinsic::ID intrinsic) -> Value* {
    Value* predicate = builder.CreateIsNotNull(call.getArgOperand(0));
    return builder.CreateIntrinsic(intrinsic, {members(builder), predicate});
  };
  if (what == "local_id")
    return lane(builder);
  if (what == "size")
    return size(builder);
  if (what == "max_size")
    return builder.getInt32(WARP_SIZE);
  if (what == "id")
    return id(builder);
  if (what == "count") {
    Value* rounded = builder.CreateNUWAdd(space_.block_size(builder), builder.getInt32(WARP_SIZE - 1));
    return builder.CreateUDiv(rounded, builder.getInt32(WARP_SIZE));
  }
  if (what == "in_step")
    return builder.getFalse();
  if (what == "reduces_members")
    return builder.getInt1(has_redux(attributes_));
  keep_order_of_accesses(builder);
  if (what == "active")
    return builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  if (what.consume_front("members_"))
    return value_of_members(what, call, builder);
  if (what == "ballot")
    return vote(Intrinsic::nvvm_vote_ballot_sync);
  if (what == "any")
    return vote(Intrinsic::nvvm_vote_any_sync);
  if (what == "all")
    return vote(Intrinsic::nvvm_vote_all_sync);
  if (what.consume_front("shuffle"))
    return shuffle(what, call, builder);
  if (what.consume_front("reduce_"))
    return reduce(what, call.getArgOperand(0), builder);
  return nullptr;
}

} // namespace falx::jit
