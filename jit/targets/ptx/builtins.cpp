// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define ptx_kernel void @kernel(ptr byval([24 x i8]) %function, ptr byval([48 x i8]) %launch) {
//     %id = call i64 @__falx_local_id_x()
//     call void @__falx_work_group_barrier()
//     %scratch = call ptr @__falx_group_scratch(i64 4)
// After, with "falx-local-range"="64,1,1":
//   @falx_scratch = internal addrspace(3) global [256 x i8] poison, align 64
//   define ptx_kernel void @kernel(ptr byval([24 x i8]) %function, ptr byval([48 x i8]) %launch) {
//     %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
//     %id = zext nneg i32 %thread to i64
//     call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
//     %scratch = addrspacecast ptr addrspace(3) @falx_scratch to ptr
//
// In kinds range and single_task, threads that are no work-item return first.

#include "builtins.hpp"
#include "frontend/builtin_calls.hpp"
#include "frontend/passes.hpp"
#include "index_space.hpp"
#include "passes.hpp"
#include "shared_memory.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/NVPTXAddrSpace.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace falx::jit {

namespace {

class ptx_builtin_expansion {
public:
  explicit ptx_builtin_expansion(Function& entry)
      : entry_(entry), attributes_(kernel_attributes::read(entry)), space_(entry, attributes_) {}

  Error expand(CallInst& call);
  void return_outside_of_range();
  void place_scratch();
  /// Kind work_group.
  Error form_group(FunctionAnalysisManager& analyses);

private:
  std::uint32_t only_warp() const;
  void barrier(IRBuilder<>& builder);
  Value* any(Value* predicate, IRBuilder<>& builder);
  bool has_async_copies() const;
  Error check_async_barriers(const CallInst& call) const;
  Error expand_scratch(CallInst& call);
  Error expand_local_memory(CallInst& call);
  /// What has no result; false if \p name is something else.
  bool expand_effect(StringRef name, CallInst& call, IRBuilder<>& builder);
  Value* expand_value(StringRef name, CallInst& call, IRBuilder<>& builder);
  Value* local_memory(IRBuilder<>& builder);

  Function& entry_;
  const kernel_attributes attributes_;
  index_space space_;
  SmallVector<CallInst*, 4> scratch_calls_;
  std::uint64_t scratch_bytes_ = 0;
  std::uint64_t local_bytes_ = 0;
};

} // namespace

/// A bit per work-item of a group that is one warp, and so needs no barrier among warps; 0 for other groups.
std::uint32_t ptx_builtin_expansion::only_warp() const {
  const std::uint32_t size = attributes_.group_size();
  return size <= WARP_SIZE ? maskTrailingOnes<std::uint32_t>(size) : 0;
}

void ptx_builtin_expansion::barrier(IRBuilder<>& builder) {
  if (const std::uint32_t members = only_warp())
    builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {builder.getInt32(members)});
  else
    builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {builder.getInt32(0)});
}

Value* ptx_builtin_expansion::any(Value* predicate, IRBuilder<>& builder) {
  const std::uint32_t members = only_warp();
  if (members == 0)
    return builder.CreateIntrinsic(Intrinsic::nvvm_barrier_cta_red_or_aligned_all,
                                   {builder.getInt32(0), predicate});
  barrier(builder);
  return builder.CreateIntrinsic(Intrinsic::nvvm_vote_any_sync, {builder.getInt32(members), predicate});
}

/// Where one thread of control runs the group's body, it would have to be the same thread that waits.
bool ptx_builtin_expansion::has_async_copies() const {
  return attributes_.sm >= 80 && attributes_.kind == kernel_kind::nd_range;
}

Error ptx_builtin_expansion::check_async_barriers(const CallInst& call) const {
  const std::string kernel = ("Kernel '" + kernel_name(entry_) + "'").str();
  if (attributes_.kind != kernel_kind::nd_range)
    return failure(kernel + " uses an asynchronous barrier, at which work-items wait one by one; launch it "
                            "with parallel_for over an nd_range.");
  if (attributes_.sm < 80)
    return make_error<not_supported>(kernel +
                                     " uses an asynchronous barrier, which needs compute capability 8.0; ask "
                                     "device::has(aspect::ext_oneapi_cuda_async_barrier) first.");
  // ptxas does not survive such an instruction.
  const auto* arrivals = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (arrivals != nullptr && arrivals->isZero())
    return failure(kernel + " calls arrive_no_complete or arrive_and_drop_no_complete of an asynchronous "
                            "barrier with a count of 0; the smallest that this device knows is 1.");
  return Error::success();
}

/// Its size is known when all calls have been seen.
Error ptx_builtin_expansion::expand_scratch(CallInst& call) {
  const auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (bytes == nullptr)
    return failure("Kernel '" + kernel_name(entry_) +
                   "' calls __falx_group_scratch with a size that is not a constant.");
  scratch_bytes_ = std::max(scratch_bytes_, bytes->getZExtValue());
  scratch_calls_.push_back(&call);
  return Error::success();
}

/// A group whose size is not known may be the largest.
void ptx_builtin_expansion::place_scratch() {
  if (scratch_calls_.empty())
    return;
  const std::uint64_t items = attributes_.group_size() != 0 ? attributes_.group_size() : MAX_GROUP_SIZE;
  CallInst* first = scratch_calls_.front();
  for (CallInst* call : drop_begin(scratch_calls_))
    replace_builtin(*call, first);
  replace_by_shared(*first, scratch_bytes_ * items, Align(64), "falx_scratch");
}

/// A variable for each call.
Error ptx_builtin_expansion::expand_local_memory(CallInst& call) {
  constexpr std::uint64_t MOST_BYTES = 48 << 10; // of variables; dynamic shared memory may be larger
  const auto* bytes = dyn_cast<ConstantInt>(call.getArgOperand(0));
  const auto* alignment = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (bytes == nullptr || alignment == nullptr)
    return failure("Kernel '" + kernel_name(entry_) +
                   "' calls __falx_group_local_memory with a size that is not a constant.");
  local_bytes_ += bytes->getZExtValue();
  if (local_bytes_ > MOST_BYTES)
    return failure("Kernel '" + kernel_name(entry_) + "' asks memory_environment or group_local_memory for " +
                   Twine(local_bytes_) + " bytes of local memory, but this device has at most " +
                   Twine(MOST_BYTES) +
                   " for memory whose size is known at compile time; use a sycl::local_accessor.");
  replace_by_shared(call, bytes->getZExtValue(), Align(alignment->getZExtValue()), "falx_group_local_memory");
  return Error::success();
}

/// Dynamic shared memory, of which a launch says how much there is.
Value* ptx_builtin_expansion::local_memory(IRBuilder<>& builder) {
  constexpr const char* NAME = "falx_local_memory";
  Module& module = *entry_.getParent();
  GlobalVariable* memory = module.getGlobalVariable(NAME);
  if (memory == nullptr) {
    memory = new GlobalVariable(module, ArrayType::get(builder.getInt8Ty(), 0), /*isConstant=*/false,
                                GlobalValue::ExternalLinkage, nullptr, NAME, nullptr,
                                GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_SHARED);
    memory->setAlignment(Align(128));
  }
  return ConstantExpr::getAddrSpaceCast(memory, builder.getPtrTy());
}

Error ptx_builtin_expansion::form_group(FunctionAnalysisManager& analyses) {
  const bool is_group = attributes_.kind == kernel_kind::work_group;
  return is_group ? form_group_scope(entry_, analyses) : Error::success();
}

bool ptx_builtin_expansion::expand_effect(StringRef name, CallInst& call, IRBuilder<>& builder) {
  if (name == "work_group_barrier") {
    // In kind work_group, too: all threads run the group's code, and wait here for each other's copies.
    barrier(builder);
  } else if (name == "work_items_begin" || name.starts_with("work_items_end")) {
    barrier(builder); // another kind's
  } else if (name == "work_item_enter") {
    // Nothing: each thread is one.
  } else if (name == "fence") {
    emit_fence(call, builder);
  } else {
    return false;
  }
  return true;
}

/// The instruction wants to know the space when it is made.
static Value* lies_in_address_space(const CallInst& call, IRBuilder<>& builder) {
  Value* object = call.getArgOperand(0);
  const auto is_in = [&](Intrinsic::ID space) {
    return builder.CreateIntrinsic(builder.getInt1Ty(), space, {object});
  };
  const auto when = [&](address_space space, Value* then, Value* otherwise) {
    Value* is_meant = builder.CreateICmpEQ(call.getArgOperand(1), builder.getInt32(std::uint32_t(space)));
    return builder.CreateSelect(is_meant, then, otherwise);
  };
  return when(address_space::local_space, is_in(Intrinsic::nvvm_isspacep_shared),
              when(address_space::private_space, is_in(Intrinsic::nvvm_isspacep_local),
                   is_in(Intrinsic::nvvm_isspacep_global)));
}

/// The texture is an object of the driver's with its own sampler (cuda_textures). Lines are pictures of one
/// row.
static Value* texture_color(const CallInst& call, IRBuilder<>& builder) {
  Value* texel =
      builder.CreateIntrinsic(Intrinsic::nvvm_tex_unified_2d_v4f32_f32, {},
                              {call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)});
  Value* color = PoisonValue::get(call.getType());
  for (unsigned component = 0; component < 4; ++component)
    color = builder.CreateInsertElement(color, builder.CreateExtractValue(texel, component), component);
  return color;
}

/// Null if there is no such builtin.
Value* ptx_builtin_expansion::expand_value(StringRef name, CallInst& call, IRBuilder<>& builder) {
  if (name == "local_memory")
    return local_memory(builder);
  if (name == "atomic_scope") {
    apply_atomic_scope(call);
    return call.getArgOperand(0);
  }
  if (name == "lies_in_address_space")
    return lies_in_address_space(call, builder);
  if (name == "texture_color")
    return texture_color(call, builder);
  if (name == "has_async_copies")
    return builder.getInt1(has_async_copies());
  if (name == "async_waits_suspend")
    return builder.getInt1(attributes_.sm >= 90 && attributes_.ptx >= 78);
  if (name == "work_group_votes")
    return builder.getTrue();
  if (name == "work_item_entered")
    return builder.getInt64(0);
  if (name == "work_group_any")
    return any(call.getArgOperand(0), builder);
  if (name == "threads")
    return space_.block_size(builder);
  if (name == "linear_thread")
    return space_.linear_thread(builder);
  if (name == "sub_groups_are_full")
    return builder.getInt1(attributes_.group_size() != 0 && attributes_.group_size() % WARP_SIZE == 0);
  if (name == "sub_group_reduces_members")
    return builder.getInt1(attributes_.sm >= 80);
  const unsigned axis = unsigned(name.back() - 'x');
  const StringRef what = name.drop_back(1);
  return axis <= 2 && what.ends_with("_") ? space_.value(what.drop_back(1), axis, builder) : nullptr;
}

Error ptx_builtin_expansion::expand(CallInst& call) {
  const StringRef name = builtin_name(call);
  if (name == "group_scratch")
    return expand_scratch(call);
  if (name == "group_local_memory")
    return expand_local_memory(call);
  if (attributes_.kind == kernel_kind::work_group &&
      (name == "work_items_begin" || name.starts_with("work_items_end") || name == "work_group_alloc"))
    return Error::success(); // form_group's
  Value* result = nullptr;
  if (name == "needs_async_barriers") {
    if (Error error = check_async_barriers(call))
      return error;
    replace_builtin(call, result);
    return Error::success();
  }
  IRBuilder<> builder(&call);
  if (!expand_effect(name, call, builder)) {
    result = expand_value(name, call, builder);
    if (result == nullptr)
      return unknown_builtin(call);
  }
  replace_builtin(call, result);
  return Error::success();
}

void ptx_builtin_expansion::return_outside_of_range() {
  IRBuilder<> builder(&entry_.getEntryBlock(), entry_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Value* outside = space_.outside_of_range(builder);
  if (outside == nullptr)
    return;
  BasicBlock* head = builder.GetInsertBlock();
  BasicBlock* body = SplitBlock(head, builder.GetInsertPoint());
  BasicBlock* end = BasicBlock::Create(entry_.getContext(), "outside", &entry_);
  ReturnInst::Create(entry_.getContext(), nullptr, end);
  Instruction* jump = head->getTerminator();
  BranchInst::Create(end, body, outside, jump->getIterator());
  jump->eraseFromParent();
}

Error lower_ptx_builtins::change(Function& entry, FunctionAnalysisManager& analyses) {
  ptx_builtin_expansion expansion(entry);
  for (CallInst* call : builtin_calls(entry))
    if (Error error = expansion.expand(*call))
      return error;
  if (Error error = expansion.form_group(analyses))
    return error;
  expansion.place_scratch();
  expansion.return_outside_of_range();
  // What the GPU has no instruction for is behind a branch whose condition is known now.
  for (BasicBlock& block : entry)
    ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(entry);
  return Error::success();
}

} // namespace falx::jit
