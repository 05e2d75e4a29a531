// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define void @kernel(ptr dereferenceable(24) %f) "falx-kind"="2" {
//     %id = call i64 @__falx_global_id_x()
//     %lane = call i32 @__falx_sub_group_local_id()
//     call void @__falx_work_group_barrier()
//     %p = load ptr, ptr %f
// After:
//   define internal void @kernel.work_item(ptr dereferenceable(24) %function, i64 %index.x, …, ptr %worker) {
//     %base = mul i64 %group.x, %local.range.x
//     %in_group = add i64 %base, %index.x
//     %id = add i64 %in_group, %global.offset.x
//     call void @__falx_work_group_barrier()
//     %p = load ptr, ptr %function, !invariant.load !{}
//
// with %lane replaced by 0. The work-item function is what all later passes work on.

#include "barriers/async_barriers.hpp"
#include "barriers/local_atomics.hpp"
#include "cpu_abi.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/index_ranges.hpp"
#include "frontend/kernel_attributes.hpp"
#include "frontend/passes.hpp"
#include "passes.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <cassert>
#include <optional>

using namespace llvm;

namespace falx::jit {

namespace {

/// Expands the builtin calls of one work-item function.
class builtin_expansion {
public:
  builtin_expansion(Function& work_item, kernel_attributes& attributes)
      : work_item_(work_item), attributes_(attributes), kind_(attributes.kind),
        waits_alone_(has_async_barriers(work_item)) {}

  /// Gives the calls of __falx_group_local_memory their places.
  Error place_local_memory(ArrayRef<CallInst*> calls);
  /// When all calls are expanded.
  void reserve_local_memory();
  /// Replaces the call unless it is a barrier's that remains.
  Error expand(CallInst& call);

private:
  Value* value(parameter which) { return argument(work_item_, which); }
  Value* geometry(StringRef name, IRBuilder<>& builder);
  Value* sub_group(StringRef name, CallInst& call, IRBuilder<>& builder);
  Value* sub_group_of_lanes(StringRef name, CallInst& call, IRBuilder<>& builder);
  Value* global_id(unsigned axis, IRBuilder<>& builder);
  Value* allocate(Value* bytes, IRBuilder<>& builder);
  AllocaInst* entered_work_item();
  Value* lies_in_address_space(Value* object, Value* space, IRBuilder<>& builder);
  Value* worker_field(std::size_t offset, IRBuilder<>& builder);
  Value* local_size(IRBuilder<>& builder);

  Function& work_item_;
  kernel_attributes& attributes_;
  kernel_kind kind_;
  /// Work-items may wait while others of their sub-group go on.
  bool waits_alone_;
  /// The memory of the calls of __falx_group_local_memory is the first of the group's scratch memory.
  DenseMap<const CallInst*, std::uint64_t> local_offsets_;
  std::uint64_t local_bytes_ = 0;
  AllocaInst* entered_work_item_ = nullptr;
};

} // namespace

Value* builtin_expansion::global_id(unsigned axis, IRBuilder<>& builder) {
  Value* index = value(on_axis(parameter::index_x, axis));
  if (kind_ == kernel_kind::nd_range) {
    Value* base = builder.CreateMul(value(on_axis(parameter::group_x, axis)),
                                    value(on_axis(parameter::local_range_x, axis)), "", true, true);
    index = builder.CreateAdd(base, index, "", true, true);
  }
  return builder.CreateAdd(index, value(on_axis(parameter::global_offset_x, axis)), "", true, true);
}

Value* builtin_expansion::local_size(IRBuilder<>& builder) {
  Value* plane =
      builder.CreateMul(value(parameter::local_range_x), value(parameter::local_range_y), "", true);
  return builder.CreateMul(plane, value(parameter::local_range_z), "", true);
}

/// __falx_<what>_<axis>; null if \p name is none.
Value* builtin_expansion::geometry(StringRef name, IRBuilder<>& builder) {
  const unsigned axis = unsigned(name.back() - 'x');
  if (axis > 2 || name[name.size() - 2] != '_')
    return nullptr;
  StringRef what = name.drop_back(2);
  if (what == "global_id")
    return global_id(axis, builder);
  const std::optional<parameter> first = StringSwitch<std::optional<parameter>>(what)
                                             .Case("global_range", parameter::global_range_x)
                                             .Case("global_offset", parameter::global_offset_x)
                                             .Case("local_id", parameter::index_x)
                                             .Case("local_range", parameter::local_range_x)
                                             .Case("group_id", parameter::group_x)
                                             .Case("group_range", parameter::group_range_x)
                                             .Default(std::nullopt);
  return first ? value(on_axis(*first, axis)) : nullptr;
}

/// Lanes are in step, but what comes before vectors sees one work-item, whose accesses to its own elements
/// and to its neighbours' it may reorder unless something tells it not to. Vectors drop it.
static void keep_order_of_lanes(IRBuilder<>& builder) {
  builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
}

/// Where lanes may be at different places, gather_sub_groups has to know where they meet.
static void meet_as_sub_group(IRBuilder<>& builder) {
  call_function(builder, "__falx_sub_group_barrier", builder.getVoidTy());
}

/// The calls of what the lanes of a vector compute together stay for the vectoriser.
Value* builtin_expansion::sub_group_of_lanes(StringRef name, CallInst& call, IRBuilder<>& builder) {
  const std::uint32_t lanes = attributes_.sub_group_size;
  if (name == "sub_group_max_size")
    return builder.getInt32(lanes);
  if (name.starts_with("sub_group_members_reduce_"))
    return PoisonValue::get(call.getType()); // not reached
  if (name != "sub_group_size" && name != "sub_group_count") {
    // Group functions synchronize (SYCL 2020 §4.17.2).
    if (name != "sub_group_local_id" && name != "sub_group_id")
      keep_order_of_lanes(builder);
    call.setDoesNotAccessMemory();
    return &call;
  }
  if (name == "sub_group_size" && attributes_.knows_local_range() && attributes_.group_size() % lanes == 0)
    return builder.getInt32(lanes);
  Value* count = builder.CreateTrunc(local_size(builder), builder.getInt32Ty());
  if (name == "sub_group_count")
    return builder.CreateUDiv(builder.CreateAdd(count, builder.getInt32(lanes - 1), "", true),
                              builder.getInt32(lanes));
  CallInst* number = call_function(builder, "__falx_sub_group_id", builder.getInt32Ty());
  number->getCalledFunction()->setDoesNotAccessMemory();
  Value* before = builder.CreateMul(number, builder.getInt32(lanes));
  return builder.CreateBinaryIntrinsic(Intrinsic::umin, builder.getInt32(lanes),
                                       builder.CreateSub(count, before));
}

/// Null if \p name is none of the sub-group's builtins.
Value* builtin_expansion::sub_group(StringRef name, CallInst& call, IRBuilder<>& builder) {
  const bool has_lanes = attributes_.sub_group_size > 1 && kind_ == kernel_kind::nd_range;
  // Work-items that run one by one are declared independent (parallel_accesses), vectors of them are not.
  if (name == "sub_groups_in_order")
    return builder.getInt1(has_lanes && !waits_alone_);
  // Some lanes may wait at an asynchronous barrier while others go on.
  if (name == "sub_group_in_step")
    return builder.getInt1(!has_lanes || !waits_alone_);
  if (!name.starts_with("sub_group_"))
    return nullptr;
  if (has_lanes)
    return sub_group_of_lanes(name, call, builder);
  if (name == "sub_group_local_id")
    return builder.getInt32(0);
  if (name == "sub_group_size" || name == "sub_group_max_size")
    return builder.getInt32(1);
  if (name == "sub_group_id")
    return builder.CreateTrunc(value(parameter::linear), builder.getInt32Ty());
  if (name == "sub_group_count")
    return builder.CreateTrunc(local_size(builder), builder.getInt32Ty());
  if (name.starts_with("sub_group_shuffle_") || name.starts_with("sub_group_reduce_") ||
      name.starts_with("sub_group_members_shuffle_") || name.starts_with("sub_group_members_reduce_") ||
      name == "sub_group_any" || name == "sub_group_all")
    return call.getArgOperand(0);
  if (name == "sub_group_active")
    return builder.getInt64(1);
  if (name == "sub_group_ballot" || name == "sub_group_members_ballot")
    return builder.CreateZExt(builder.CreateIsNotNull(call.getArgOperand(0)), call.getType());
  return nullptr;
}

/// A pointer out of the falx::cpu::worker_memory.
Value* builtin_expansion::worker_field(std::size_t offset, IRBuilder<>& builder) {
  Value* field = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), value(parameter::worker), offset);
  return builder.CreateAlignedLoad(builder.getPtrTy(), field, Align(8));
}

/// The runtime knows whose memory is where. In the body of a group the group's own variables, which are local
/// memory, are on the stack, too.
Value* builtin_expansion::lies_in_address_space(Value* object, Value* space, IRBuilder<>& builder) {
  PointerType* pointer = builder.getPtrTy();
  FunctionType* type = FunctionType::get(builder.getInt32Ty(), {pointer, pointer}, false);
  CallInst* found =
      builder.CreateCall(type, worker_field(offsetof(cpu::worker_memory, address_space_of), builder),
                         {value(parameter::worker), object});
  found->setDoesNotAccessMemory(); // but what stays as it is while the pointer is of any use
  found->setDoesNotThrow();
  found->addFnAttr(Attribute::WillReturn);
  Value* is_there = builder.CreateICmpEQ(found, space);
  if (kind_ != kernel_kind::work_group)
    return is_there;
  Value* is_private =
      builder.CreateICmpEQ(found, builder.getInt32(std::uint32_t(address_space::private_space)));
  Value* is_local = builder.CreateICmpEQ(space, builder.getInt32(std::uint32_t(address_space::local_space)));
  return builder.CreateOr(is_there, builder.CreateAnd(is_private, is_local));
}

Value* builtin_expansion::allocate(Value* bytes, IRBuilder<>& builder) {
  attributes_.allocates = true;
  PointerType* pointer = builder.getPtrTy();
  Value* allocator = worker_field(offsetof(cpu::worker_memory, allocate), builder);
  FunctionType* type = FunctionType::get(pointer, {pointer, builder.getInt64Ty()}, false);
  CallInst* memory = builder.CreateCall(type, allocator, {value(parameter::worker), bytes});
  memory->addRetAttr(Attribute::NoAlias);
  memory->addRetAttr(Attribute::getWithAlignment(builder.getContext(), Align(64)));
  return memory;
}

/// The variable that says for which of its work-items the group's thread runs.
AllocaInst* builtin_expansion::entered_work_item() {
  if (entered_work_item_ == nullptr) {
    IRBuilder<> builder(&work_item_.getEntryBlock(), work_item_.getEntryBlock().begin());
    entered_work_item_ = builder.CreateAlloca(builder.getInt64Ty());
    builder.CreateStore(builder.getInt64(0), entered_work_item_);
  }
  return entered_work_item_;
}

Error builtin_expansion::place_local_memory(ArrayRef<CallInst*> calls) {
  constexpr std::uint64_t ALIGNMENT = 64; // scratch memory's
  for (const CallInst* call : calls) {
    if (builtin_name(*call) != "group_local_memory")
      continue;
    const auto* bytes = dyn_cast<ConstantInt>(call->getArgOperand(0));
    const auto* alignment = dyn_cast<ConstantInt>(call->getArgOperand(1));
    if (bytes == nullptr || alignment == nullptr || !isPowerOf2_64(alignment->getZExtValue()) ||
        alignment->getZExtValue() > ALIGNMENT)
      return failure(
          "Kernel '" + kernel_name(work_item_) +
          "' calls __falx_group_local_memory with a size that is not a constant, or an alignment of "
          "more than 64 bytes.");
    local_bytes_ = alignTo(local_bytes_, alignment->getZExtValue());
    local_offsets_[call] = local_bytes_;
    local_bytes_ += bytes->getZExtValue();
  }
  local_bytes_ = alignTo(local_bytes_, ALIGNMENT);
  return Error::success();
}

void builtin_expansion::reserve_local_memory() {
  // Scratch memory is as many times that as the group has work-items, of which there may be just one.
  attributes_.scratch_bytes += divideCeil(local_bytes_, std::max(attributes_.group_size(), 1U));
}

Error builtin_expansion::expand(CallInst& call) {
  const StringRef name = builtin_name(call);
  IRBuilder<> builder(&call);
  Value* result = nullptr;
  if (name == "work_group_barrier") {
    if (kind_ == kernel_kind::nd_range)
      return Error::success();
  } else if (name.starts_with(ASYNC_BARRIER_BUILTIN)) {
    if (kind_ == kernel_kind::nd_range)
      return Error::success();
    return failure("Kernel '" + kernel_name(work_item_) +
                   "' uses an asynchronous barrier, at which work-items wait one by one; launch it with "
                   "parallel_for over an nd_range.");
  } else if ((name == "sub_group_barrier" || name == "sub_group_members_barrier") &&
             attributes_.sub_group_size > 1) {
    keep_order_of_lanes(builder);
    if (waits_alone_)
      meet_as_sub_group(builder);
  } else if (name == "sub_group_barrier" || name == "sub_group_members_barrier" ||
             name == "work_items_begin" || name.starts_with("work_items_end")) {
    // Nothing: one work-item is in order with itself, and so is the thread of control that runs a group's
    // body.
  } else if (name == "local_memory") {
    result = value(parameter::local_memory);
  } else if (name == "group_scratch") {
    auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(0));
    if (bytes == nullptr)
      return failure("Kernel '" + kernel_name(work_item_) +
                     "' calls __falx_group_scratch with a size that is not a constant.");
    attributes_.scratch_bytes = std::max(attributes_.scratch_bytes, bytes->getZExtValue());
    result = value(parameter::group_scratch);
    if (local_bytes_ != 0)
      result = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), result, local_bytes_);
  } else if (name == "group_local_memory") {
    assert(local_offsets_.contains(&call) && "place_local_memory has seen all calls");
    result = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), value(parameter::group_scratch),
                                                local_offsets_.lookup(&call));
  } else if (name.starts_with("work_items_first_")) {
    result = builder.getInt64(0);
  } else if (name.starts_with("work_items_step_")) {
    result = builder.getInt64(1);
  } else if (name == "work_item_enter") {
    if (kind_ == kernel_kind::work_group)
      builder.CreateStore(call.getArgOperand(0), entered_work_item());
  } else if (name == "work_item_entered") {
    result = builder.getInt64(0);
    if (kind_ == kernel_kind::work_group)
      result = builder.CreateLoad(call.getType(), entered_work_item());
  } else if (name == "work_group_alloc") {
    result = allocate(call.getArgOperand(0), builder);
  } else if (name == "lies_in_address_space") {
    result = lies_in_address_space(call.getArgOperand(0), call.getArgOperand(1), builder);
  } else {
    result = geometry(name, builder);
    if (result == nullptr)
      result = sub_group(name, call, builder);
    if (result == nullptr)
      return unknown_builtin(call);
  }
  if (result != &call)
    replace_builtin(call, result);
  return Error::success();
}

/// Constants and ranges where the configuration or the kind settles a parameter.
static void apply_configuration(Function& work_item, const kernel_attributes& attributes) {
  const bool has_items = attributes.has_items(), has_groups = attributes.has_groups();
  const bool has_range = attributes.kind != kernel_kind::single_task;
  const struct {
    parameter x_axis;
    StringRef what;
    bool is_variable;
    std::uint64_t otherwise;
  } parameters[] = {
      {parameter::index_x, has_groups ? "local_id" : "global_id", has_items, 0},
      {parameter::group_x, "group_id", has_groups, 0},
      {parameter::global_range_x, "global_range", has_range, 1},
      {parameter::global_offset_x, "global_offset", has_range, 0},
      {parameter::local_range_x, "local_range", has_groups, 1},
      {parameter::group_range_x, "group_range", has_groups, 1},
  };
  for (const auto& [x_axis, what, is_variable, otherwise] : parameters)
    for (unsigned axis = 0; axis < 3; ++axis) {
      const std::optional<ConstantRange> range = is_variable && axis < attributes.dimensions
                                                     ? index_range(attributes, what, axis)
                                                     : ConstantRange(APInt(64, otherwise));
      Argument* of_axis = argument(work_item, on_axis(x_axis, axis));
      const APInt* only = range ? range->getSingleElement() : nullptr;
      if (only != nullptr)
        of_axis->replaceAllUsesWith(ConstantInt::get(of_axis->getType(), *only));
      else if (range && x_axis != parameter::local_range_x) // which made kernels with barriers 2 % larger
        of_axis->addAttr(Attribute::get(work_item.getContext(), Attribute::Range, *range));
    }
  if (attributes.kind != kernel_kind::nd_range) {
    Argument* linear = argument(work_item, parameter::linear);
    linear->replaceAllUsesWith(ConstantInt::get(linear->getType(), 0));
  }
}

/// The bytes of the function object do not change while the kernel runs, so loads from it may leave loops
/// that store through other pointers.
static void mark_invariant_loads(Function& work_item) {
  SmallVector<Value*, 16> pointers = {argument(work_item, parameter::function)};
  while (!pointers.empty())
    for (User* user : pointers.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user))
        pointers.push_back(user);
      else if (auto* load = dyn_cast<LoadInst>(user); load != nullptr && load->isSimple())
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(work_item.getContext(), {}));
    }
}

Error lower_builtins::change(Function& kernel, FunctionAnalysisManager&) {
  kernel_attributes attributes = kernel_attributes::read(kernel);

  Function* work_item = create_work_item_function(kernel, kernel.getName() + ".work_item");
  work_item->splice(work_item->begin(), &kernel);
  kernel.getArg(0)->replaceAllUsesWith(argument(*work_item, parameter::function));
  work_item->setSubprogram(kernel.getSubprogram());
  work_item->addFnAttr("falx-name", kernel.getName());
  kernel.removeDeadConstantUsers();
  if (!kernel.use_empty())
    return failure("Kernel '" + kernel.getName() +
                   "' cannot be compiled: its own code calls it or refers to its address. Move what it "
                   "needs to do again into a function.");
  kernel.eraseFromParent();

  const SmallVector<CallInst*, 16> calls = builtin_calls(*work_item);
  builtin_expansion expansion(*work_item, attributes);
  if (Error error = expansion.place_local_memory(calls))
    return error;
  for (CallInst* call : calls)
    if (Error error = expansion.expand(*call))
      return error;
  expansion.reserve_local_memory();

  apply_configuration(*work_item, attributes);
  mark_invariant_loads(*work_item);
  limit_local_atomics(*work_item);
  attributes.write(*work_item);
  return Error::success();
}

} // namespace falx::jit
