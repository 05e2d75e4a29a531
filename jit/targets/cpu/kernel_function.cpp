// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define internal void @kernel.group(ptr %function, …) { … }
// After, for kind nd_range and one dimension:
//   @falx_kernel_properties = constant { i32 version, i32 1, i64 scratch, i64 context, ptr @kernel,
//                                        ptr @falx_kernel_stack_bytes, … }
//   define internal void @kernel(ptr noalias %launch, ptr noalias %begin, ptr noalias %end, ptr %worker) {
//     %function = load ptr, ptr %launch, !invariant.load !{}
//     … all of the geometry …
//     for (%x = begin[0]; %x != end[0]; ++%x)
//       call void @kernel.group(ptr %function, …, i64 %x, …)
//
// The geometry is loaded once, so no store of the kernel can be thought to change it; what the kernel does
// not use is removed later. Sizes that machine code has are addresses of symbols here, which the linker is
// told.

#include "barriers/local_atomics.hpp"
#include "cpu_abi.hpp"
#include "frontend/kernel_attributes.hpp"
#include "passes.hpp"
#include "vectorizer/analysis/parallel_accesses.hpp"
#include "vectorizer/control/work_item_loops.hpp"
#include "vectorizer/passes.hpp"

#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <array>

using namespace llvm;

namespace falx::jit {

namespace {

/// Emits the kernel function of one kernel.
class kernel_function_emission {
public:
  kernel_function_emission(Function& body, Function* rest)
      : body_(body), rest_(rest), attributes_(kernel_attributes::read(body)), kind_(attributes_.kind),
        builder_(body.getContext()) {}
  Function* emit();

private:
  void create_function();
  LoadInst* load(Type* type, Value* base, std::size_t offset, const Twine& name);
  void load_arguments();
  void load_function_object();
  void emit_box(unsigned axis, MDNode* innermost_metadata);
  void call(Function& body, Value* active_lanes = nullptr);
  void emit_vectors();
  Value*& value(parameter which) { return arguments_[unsigned(which)]; }

  Function& body_;
  Function* rest_;
  kernel_attributes attributes_;
  kernel_kind kind_;
  IRBuilder<> builder_;
  Function* kernel_ = nullptr;
  std::array<Value*, PARAMETER_COUNT> arguments_{};
  Value* begin_[3] = {};
  Value* end_[3] = {};
};

} // namespace

void kernel_function_emission::create_function() {
  LLVMContext& context = body_.getContext();
  PointerType* pointer = builder_.getPtrTy();
  FunctionType* type =
      FunctionType::get(builder_.getVoidTy(), {pointer, pointer, pointer, pointer}, /*isVarArg=*/false);
  kernel_ = Function::Create(type, Function::InternalLinkage,
                             body_.getFnAttribute("falx-name").getValueAsString(), body_.getParent());
  const char* const names[] = {"launch", "begin", "end", "worker"};
  for (unsigned index = 0; index < 4; ++index) {
    kernel_->getArg(index)->setName(names[index]);
    kernel_->addParamAttr(index, Attribute::NoUndef);
    kernel_->addParamAttr(index, Attribute::NonNull);
    kernel_->addParamAttr(index, Attribute::getWithAlignment(context, Align(8)));
  }
  const std::uint64_t sizes[] = {sizeof(cpu::launch_arguments), 3 * sizeof(std::uint64_t),
                                 3 * sizeof(std::uint64_t), sizeof(cpu::worker_memory)};
  for (unsigned index = 0; index < 4; ++index)
    kernel_->addParamAttr(index, Attribute::getWithDereferenceableBytes(context, sizes[index]));
  for (unsigned index = 0; index < 3; ++index) {
    kernel_->addParamAttr(index, Attribute::NoAlias);
    kernel_->addParamAttr(index, Attribute::ReadOnly);
  }
  kernel_->addFnAttr(Attribute::NoUnwind);
  builder_.SetInsertPoint(BasicBlock::Create(context, "entry", kernel_));
  describe_artificial_function(*kernel_, body_, builder_);
}

/// The memories behind launch, begin, end and worker do not change while the kernel runs.
LoadInst* kernel_function_emission::load(Type* type, Value* base, std::size_t offset, const Twine& name) {
  Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), base, offset);
  LoadInst* result = builder_.CreateAlignedLoad(type, address, Align(8), name);
  result->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder_.getContext(), {}));
  return result;
}

/// Says what the entry's parameter said about the function object, so that loads from it may be hoisted out
/// of conditions.
void kernel_function_emission::load_function_object() {
  LLVMContext& context = builder_.getContext();
  LoadInst* function =
      load(builder_.getPtrTy(), kernel_->getArg(0), offsetof(cpu::launch_arguments, function), "function");
  const auto number = [&](std::uint64_t n) {
    return MDNode::get(context, {ConstantAsMetadata::get(builder_.getInt64(n))});
  };
  if (const std::uint64_t size = body_.getParamDereferenceableBytes(0); size != 0) {
    function->setMetadata(LLVMContext::MD_dereferenceable, number(size));
    function->setMetadata(LLVMContext::MD_nonnull, MDNode::get(context, {}));
  }
  if (const MaybeAlign alignment = body_.getParamAlign(0))
    function->setMetadata(LLVMContext::MD_align, number(alignment->value()));
  value(parameter::function) = function;
}

void kernel_function_emission::load_arguments() {
  Value* launch = kernel_->getArg(0);
  Value* worker = kernel_->getArg(3);
  Type* number = builder_.getInt64Ty();
  Type* pointer = builder_.getPtrTy();
  load_function_object();
  for (unsigned axis = 0; axis < 3; ++axis) {
    const std::size_t at = axis * sizeof(std::uint64_t);
    const auto field = [&](parameter x_axis, std::size_t offset) {
      Argument* target = argument(body_, on_axis(x_axis, axis));
      value(on_axis(x_axis, axis)) = load(number, launch, offset + at, target->getName());
    };
    field(parameter::global_range_x, offsetof(cpu::launch_arguments, global_range));
    field(parameter::global_offset_x, offsetof(cpu::launch_arguments, global_offset));
    field(parameter::local_range_x, offsetof(cpu::launch_arguments, local_range));
    field(parameter::group_range_x, offsetof(cpu::launch_arguments, group_range));
    value(on_axis(parameter::index_x, axis)) = builder_.getInt64(0);
    value(on_axis(parameter::group_x, axis)) = builder_.getInt64(0);
    begin_[axis] = load(number, kernel_->getArg(1), at, "begin");
    end_[axis] = load(number, kernel_->getArg(2), at, "end");
  }
  value(parameter::linear) = builder_.getInt64(0);
  value(parameter::local_memory) =
      load(pointer, worker, offsetof(cpu::worker_memory, local_memory), "local.memory");
  value(parameter::group_scratch) =
      load(pointer, worker, offsetof(cpu::worker_memory, group_scratch), "group.scratch");
  value(parameter::work_item_context) =
      load(pointer, worker, offsetof(cpu::worker_memory, work_item_context), "context");
  value(parameter::worker) = worker;
}

void kernel_function_emission::call(Function& body, Value* active_lanes) {
  SmallVector<Value*> arguments(arguments_.begin(), arguments_.end());
  if (active_lanes != nullptr)
    arguments.push_back(active_lanes);
  builder_.CreateCall(&body, arguments);
  if (!attributes_.allocates)
    return;
  Value* worker = kernel_->getArg(3);
  LoadInst* release = load(builder_.getPtrTy(), worker, offsetof(cpu::worker_memory, release), "release");
  FunctionType* type = FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, /*isVarArg=*/false);
  builder_.CreateCall(type, release, {worker});
}

/// A row of the box as vectors.
void kernel_function_emission::emit_vectors() {
  const auto body_of = [this](Function& body) {
    return [this, &body](IRBuilder<>&, Value* index, Value* active) {
      value(parameter::index_x) = index;
      call(body, active);
    };
  };
  const auto rest = [&](IRBuilder<>& builder, Value* first) {
    emit_lanes_loop(builder, first, end_[0], attributes_.sub_group_size, /*two_copies=*/false, "rest.x",
                    body_of(*rest_));
  };
  const lanes_rest_emission emit_rest = rest;
  emit_lanes_loop(builder_, begin_[0], end_[0], attributes_.lanes,
                  rest_ != nullptr || body_.hasFnAttribute(TWO_COPIES), "box.x", body_of(body_),
                  rest_ != nullptr ? emit_rest : nullptr);
}

/// Loops over the box from \p axis down to x, then the body. For kind range x is the innermost work-item
/// loop, or that over vectors of them.
void kernel_function_emission::emit_box(unsigned axis, MDNode* innermost_metadata) {
  const bool over_groups = kind_ == kernel_kind::nd_range || kind_ == kernel_kind::work_group;
  const parameter first = over_groups ? parameter::group_x : parameter::index_x;
  static constexpr const char* NAMES[] = {"box.x", "box.y", "box.z"};
  if (axis == 0 && kind_ == kernel_kind::range && attributes_.lanes > 1)
    return emit_vectors();
  MDNode* metadata = attributes_.lanes > 1       ? around_vectors(builder_.getContext())
                     : axis == 0 && !over_groups ? innermost_metadata
                                                 : never_unrolled(builder_.getContext());
  emit_loop(builder_, begin_[axis], end_[axis], /*may_be_empty=*/true, metadata, NAMES[axis],
            [&](IRBuilder<>&, Value* index) {
              value(on_axis(first, axis)) = index;
              if (axis == 0)
                call(body_);
              else
                emit_box(axis - 1, innermost_metadata);
            });
}

Function* kernel_function_emission::emit() {
  MDNode* metadata =
      kind_ == kernel_kind::range && attributes_.lanes == 1 ? around_work_items(body_, attributes_) : nullptr;
  create_function();
  load_arguments();
  if (kind_ == kernel_kind::single_task)
    call(body_);
  else
    emit_box(attributes_.dimensions - 1, metadata);
  builder_.CreateRetVoid();
  attributes_.write(*kernel_);
  body_.removeFnAttr("falx-kind");
  return kernel_;
}

/// A number or an object that is made after the machine code, by its name.
static Constant* declare_later(Module& module, const char* name) {
  auto* variable = new GlobalVariable(module, Type::getInt8Ty(module.getContext()), /*isConstant=*/true,
                                      GlobalValue::ExternalLinkage, /*Initializer=*/nullptr, name);
  variable->setVisibility(GlobalValue::HiddenVisibility);
  return variable;
}

static void emit_properties(Function& kernel) {
  const kernel_attributes attributes = kernel_attributes::read(kernel);
  Module& module = *kernel.getParent();
  IRBuilder<> builder(kernel.getContext());
  // The pass that describes the lines of machine code finds some wherever the kernel itself is described.
  Constant* lines = kernel.getSubprogram() != nullptr ? declare_later(module, cpu::LINE_TABLE_SYMBOL)
                                                      : ConstantPointerNull::get(builder.getPtrTy());
  Constant* fields[] = {builder.getInt32(cpu::CPU_ABI_VERSION),
                        builder.getInt32(attributes.sub_group_size),
                        builder.getInt64(attributes.scratch_bytes),
                        builder.getInt64(attributes.context_bytes),
                        &kernel,
                        declare_later(module, cpu::STACK_BYTES_SYMBOL),
                        declare_later(module, cpu::UNBOUNDED_STACK_SYMBOL),
                        lines,
                        builder.getInt64(attributes.has_other_form ? 1 : 0)};
  Constant* properties = ConstantStruct::getAnon(fields);
  auto* variable =
      new GlobalVariable(module, properties->getType(), /*isConstant=*/true, GlobalValue::ExternalLinkage,
                         properties, cpu::KERNEL_PROPERTIES_SYMBOL);
  variable->setAlignment(Align(8));
}

void emit_kernel_function::change(Function& body, FunctionAnalysisManager&) {
  Module& module = *body.getParent();
  Function* rest = nullptr;
  if (body.hasFnAttribute(simd::REST))
    rest = module.getFunction(body.getFnAttribute(simd::REST).getValueAsString());
  body.removeFnAttr(simd::REST);
  lower_local_atomics(module);
  emit_properties(*kernel_function_emission(body, rest).emit());
}

} // namespace falx::jit
