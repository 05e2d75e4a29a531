// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define internal void @kernel.work_item(…, i64 %index.x, …, i64 %local.range.x, …) { body }
// After, for one dimension:
//   define internal void @kernel.group(…, i64 %index.x, …, i64 %local.range.x, …) {
//     br label %x
//   x:
//     %i = phi i64 [ 0, %entry ], [ %next, %x ]
//     call void @kernel.work_item(…, i64 %i, …, i64 %local.range.x, …)
//     %next = add nuw i64 %i, 1
//     %done = icmp eq i64 %next, %local.range.x
//     br i1 %done, label %x.end, label %x, !llvm.loop !parallel
//
// The call is inlined by the pipeline. Of the group function's parameters the indices are not used.

#include "work_item_loops.hpp"
#include "vectorizer/analysis/parallel_accesses.hpp"
#include "vectorizer/vectorize_function.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

void emit_loop(IRBuilder<>& builder, Value* begin, Value* end, bool may_be_empty, MDNode* loop_metadata,
               const Twine& name, loop_body body) {
  assert(begin->getType() == end->getType() && "the index is of one type");
  assert((may_be_empty || !isa<ConstantInt>(begin) || !isa<ConstantInt>(end) ||
          cast<ConstantInt>(begin)->getValue().ult(cast<ConstantInt>(end)->getValue())) &&
         "the body would run, and the index never meet the end");
  LLVMContext& context = builder.getContext();
  BasicBlock* before = builder.GetInsertBlock();
  Function* function = before->getParent();
  BasicBlock* header = BasicBlock::Create(context, name, function);
  BasicBlock* after = BasicBlock::Create(context, name + ".end", function);
  if (may_be_empty)
    builder.CreateCondBr(builder.CreateICmpULT(begin, end), header, after);
  else
    builder.CreateBr(header);

  builder.SetInsertPoint(header);
  PHINode* index = builder.CreatePHI(begin->getType(), 2, name + ".index");
  index->addIncoming(begin, before);
  body(builder, index);
  Value* next = builder.CreateAdd(index, ConstantInt::get(begin->getType(), 1), name + ".next", true, true);
  BranchInst* latch = builder.CreateCondBr(builder.CreateICmpEQ(next, end), after, header);
  if (loop_metadata != nullptr)
    latch->setMetadata(LLVMContext::MD_loop, loop_metadata);
  index->addIncoming(next, builder.GetInsertBlock());
  after->moveAfter(builder.GetInsertBlock());
  builder.SetInsertPoint(after);
}

Value* local_range(IRBuilder<>& builder, Function& function, const kernel_attributes& attributes,
                   unsigned axis) {
  assert(axis < 3 && "there are three axes");
  if (axis >= attributes.dimensions)
    return builder.getInt64(1);
  if (attributes.local_range[0] != 0)
    return builder.getInt64(attributes.local_range[axis]);
  return argument(function, on_axis(parameter::local_range_x, axis));
}

static MDNode* loop_with(LLVMContext& context, ArrayRef<Metadata*> properties) {
  SmallVector<Metadata*, 4> operands = {nullptr};
  operands.append(properties.begin(), properties.end());
  MDNode* loop = MDNode::getDistinct(context, operands);
  loop->replaceOperandWith(0, loop);
  return loop;
}

static MDNode* not_unrolled(LLVMContext& context) {
  return MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")});
}

MDNode* never_unrolled(LLVMContext& context) {
  return loop_with(context, {not_unrolled(context)});
}

MDNode* around_vectors(LLVMContext& context, bool may_be_unrolled) {
  MDNode* vectorized =
      MDNode::get(context, {MDString::get(context, "llvm.loop.isvectorized"),
                            ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1))});
  if (may_be_unrolled)
    return loop_with(context, {vectorized});
  return loop_with(context, {not_unrolled(context), vectorized});
}

MDNode* around_work_items(Function& body, const kernel_attributes& attributes) {
  if (!attributes.has_row_vectors)
    return declare_parallel_accesses(body);
  LLVMContext& context = body.getContext();
  MDNode* not_vectorized = MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"),
                                                 ConstantAsMetadata::get(ConstantInt::getFalse(context))});
  return loop_with(context, {not_unrolled(context), not_vectorized});
}

void emit_loop_over(IRBuilder<>& builder, Value* range, MDNode* loop_metadata, const Twine& name,
                    loop_body body) {
  if (range == builder.getInt64(1))
    return body(builder, builder.getInt64(0));
  emit_loop(builder, builder.getInt64(0), range, false, loop_metadata, name, body);
}

void emit_row_loops(IRBuilder<>& builder, Value* const (&range)[3], MDNode* over_planes, MDNode* over_rows,
                    row_body body) {
  Value* plane = builder.CreateMul(range[0], range[1], "", true, true);
  emit_loop_over(builder, range[2], over_planes, "z", [&](IRBuilder<>& in_z, Value* z) {
    Value* first_of_plane = in_z.CreateMul(z, plane, "", true, true);
    emit_loop_over(in_z, range[1], over_rows, "y", [&](IRBuilder<>& in_y, Value* y) {
      Value* first = in_y.CreateMul(y, range[0], "", true, true);
      body(in_y, y, z, in_y.CreateAdd(first_of_plane, first, "row", true, true));
    });
  });
}

void emit_work_item_loops(IRBuilder<>& builder, Function& group, MDNode* loop_metadata, work_item_body body) {
  const kernel_attributes attributes = kernel_attributes::read(group);
  Value* range[3];
  MDNode* metadata[3] = {};
  // What is one work-item wide needs no loop; the innermost loop that there is gets the metadata.
  bool is_innermost = true;
  for (unsigned axis = 0; axis < 3; ++axis) {
    range[axis] = local_range(builder, group, attributes, axis);
    if (range[axis] == builder.getInt64(1))
      continue;
    metadata[axis] = is_innermost ? loop_metadata : never_unrolled(builder.getContext());
    is_innermost = false;
  }
  emit_row_loops(builder, range, metadata[2], metadata[1],
                 [&](IRBuilder<>& in_row, Value* y, Value* z, Value* row) {
                   emit_loop_over(in_row, range[0], metadata[0], "x", [&](IRBuilder<>& at, Value* x) {
                     body(at, {{x, y, z}, at.CreateAdd(row, x, "linear", true, true)});
                   });
                 });
}

SmallVector<Value*> work_item_arguments(Function& group, const work_item_position& item) {
  assert(group.arg_size() >= PARAMETER_COUNT && "this is no function of a group");
  SmallVector<Value*> arguments;
  for (Argument& each : group.args())
    arguments.push_back(&each);
  for (unsigned axis = 0; axis < 3; ++axis)
    arguments[unsigned(parameter::index_x) + axis] = item.index[axis];
  arguments[unsigned(parameter::linear)] = item.linear;
  return arguments;
}

void describe_artificial_function(Function& caller, const Function& body, IRBuilder<>& builder) {
  const DISubprogram* source = body.getSubprogram();
  if (source == nullptr)
    return;
  DISubprogram* own = DISubprogram::getDistinct(
      caller.getContext(), source->getScope(), source->getName(), caller.getName(), source->getFile(),
      source->getLine(), source->getType(), source->getScopeLine(), /*ContainingType=*/nullptr,
      /*VirtualIndex=*/0, /*ThisAdjustment=*/0, DINode::FlagArtificial, source->getSPFlags(),
      source->getUnit());
  caller.setSubprogram(own);
  builder.SetCurrentDebugLocation(DILocation::get(caller.getContext(), source->getLine(), 0, own));
}

Function* create_group_function(Function& work_item, IRBuilder<>& builder) {
  const StringRef name = work_item.getFnAttribute("falx-name").getValueAsString();
  Function* group = create_work_item_function(work_item, name + ".group");
  kernel_attributes::read(work_item).write(*group);
  group->addFnAttr("falx-name", name);
  work_item.removeFnAttr("falx-kind");
  builder.SetInsertPoint(BasicBlock::Create(work_item.getContext(), "entry", group));
  describe_artificial_function(*group, work_item, builder);
  return group;
}

Expected<Function*> form_work_item_loops(Function& work_item, FunctionAnalysisManager& analyses) {
  IRBuilder<> builder(work_item.getContext());
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  if (attributes.lanes > 1) {
    Expected<Function*> lanes = simd::vectorize(work_item, simd::request_for(attributes), analyses);
    if (!lanes)
      return lanes;
    Function* group = create_group_function(**lanes, builder);
    emit_lanes_loops(builder, *group, attributes.lanes, (*lanes)->hasFnAttribute(TWO_COPIES),
                     [&](IRBuilder<>& at, const work_item_position& first, Value* active) {
                       SmallVector<Value*> arguments = work_item_arguments(*group, first);
                       arguments.push_back(active);
                       at.CreateCall(*lanes, arguments);
                     });
    builder.CreateRetVoid();
    return group;
  }
  Function* group = create_group_function(work_item, builder);
  emit_work_item_loops(builder, *group, around_work_items(work_item, attributes),
                       [&](IRBuilder<>& at, const work_item_position& item) {
                         at.CreateCall(&work_item, work_item_arguments(*group, item));
                       });
  builder.CreateRetVoid();
  return group;
}

} // namespace falx::jit
