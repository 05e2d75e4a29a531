// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernel_attributes.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DerivedTypes.h>

#include <cassert>

using namespace llvm;

namespace falx::jit {

static std::uint64_t read_number(const Function& kernel, StringRef key, std::uint64_t otherwise) {
  std::uint64_t value = otherwise;
  kernel.getFnAttribute(key).getValueAsString().getAsInteger(10, value);
  return value;
}

template <class Number>
static void read_extents(const Function& kernel, StringRef key, Number (&result)[3]) {
  SmallVector<StringRef, 3> extents;
  kernel.getFnAttribute(key).getValueAsString().split(extents, ',');
  for (unsigned axis = 0; axis < extents.size() && axis < 3; ++axis)
    extents[axis].getAsInteger(10, result[axis]);
}

template <class Number>
static std::string text_of(const Number (&extents)[3]) {
  return utostr(extents[0]) + "," + utostr(extents[1]) + "," + utostr(extents[2]);
}

kernel_attributes kernel_attributes::read(const Function& kernel) {
  kernel_attributes result;
  result.kind = kernel_kind(read_number(kernel, "falx-kind", 0));
  result.dimensions = std::uint32_t(read_number(kernel, "falx-dimensions", 1));
  result.scratch_bytes = read_number(kernel, "falx-scratch", 0);
  result.context_bytes = read_number(kernel, "falx-context", 0);
  result.sub_group_size = std::uint32_t(read_number(kernel, "falx-sub-group-size", 1));
  result.lanes = std::uint32_t(read_number(kernel, "falx-lanes", result.sub_group_size));
  result.vector_math = kernel.getFnAttribute("falx-vector-math").getValueAsString();
  result.computes_under_masks = kernel.hasFnAttribute("falx-masked-operations");
  result.has_other_form = kernel.hasFnAttribute("falx-other-form");
  result.has_row_vectors = kernel.hasFnAttribute("falx-row-vectors");
  result.has_narrow_indices = kernel.hasFnAttribute("falx-narrow");
  result.has_no_offset = kernel.hasFnAttribute("falx-no-offset");
  result.allocates = kernel.hasFnAttribute("falx-allocates");
  result.linear_grid = kernel.hasFnAttribute("falx-linear-grid");
  result.flushes_denormals = kernel.hasFnAttribute("falx-flushes-denormals");
  result.architecture = std::uint32_t(read_number(kernel, "falx-architecture", 0));
  result.aspects = read_number(kernel, "falx-aspects", 0);
  result.sm = unsigned(read_number(kernel, "falx-sm", result.sm));
  result.ptx = unsigned(read_number(kernel, "falx-ptx", result.ptx));
  read_extents(kernel, "falx-local-range", result.local_range);
  read_extents(kernel, "falx-global-range", result.global_range);
  return result;
}

void kernel_attributes::write(Function& kernel) const {
  assert(dimensions >= 1 && dimensions <= 3 && "a kernel has up to three dimensions");
  assert((!knows_local_range() || (local_range[1] != 0 && local_range[2] != 0)) && "an extent is missing");
  assert((!knows_global_range() || (global_range[1] != 0 && global_range[2] != 0)) && "an extent is missing");
  assert(sub_group_size != 0 && lanes % sub_group_size == 0 && "a vector is whole sub-groups");
  kernel.addFnAttr("falx-kind", utostr(std::uint32_t(kind)));
  kernel.addFnAttr("falx-dimensions", utostr(dimensions));
  if (knows_local_range())
    kernel.addFnAttr("falx-local-range", text_of(local_range));
  if (knows_global_range())
    kernel.addFnAttr("falx-global-range", text_of(global_range));
  if (scratch_bytes != 0)
    kernel.addFnAttr("falx-scratch", utostr(scratch_bytes));
  if (context_bytes != 0)
    kernel.addFnAttr("falx-context", utostr(context_bytes));
  if (sub_group_size != 1)
    kernel.addFnAttr("falx-sub-group-size", utostr(sub_group_size));
  if (lanes != sub_group_size)
    kernel.addFnAttr("falx-lanes", utostr(lanes));
  if (!vector_math.empty())
    kernel.addFnAttr("falx-vector-math", vector_math);
  if (computes_under_masks)
    kernel.addFnAttr("falx-masked-operations");
  if (has_other_form)
    kernel.addFnAttr("falx-other-form");
  if (has_row_vectors)
    kernel.addFnAttr("falx-row-vectors");
  if (has_narrow_indices)
    kernel.addFnAttr("falx-narrow");
  if (has_no_offset)
    kernel.addFnAttr("falx-no-offset");
  if (allocates)
    kernel.addFnAttr("falx-allocates");
  if (linear_grid)
    kernel.addFnAttr("falx-linear-grid");
  if (flushes_denormals)
    kernel.addFnAttr("falx-flushes-denormals");
  if (architecture != 0)
    kernel.addFnAttr("falx-architecture", utostr(architecture));
  if (aspects != 0)
    kernel.addFnAttr("falx-aspects", utostr(aspects));
  if (sm != kernel_attributes().sm)
    kernel.addFnAttr("falx-sm", utostr(sm));
  if (ptx != kernel_attributes().ptx)
    kernel.addFnAttr("falx-ptx", utostr(ptx));
}

char not_supported::ID = 0;

Error failure(const Twine& sentence) {
  return createStringError(inconvertibleErrorCode(), sentence);
}

Argument* argument(Function& work_item, parameter which) {
  assert(work_item.arg_size() >= PARAMETER_COUNT && "this is no work-item function");
  return work_item.getArg(unsigned(which));
}

bool is_per_work_item(parameter which) {
  return which >= parameter::index_x && which <= parameter::linear;
}

static bool is_pointer(parameter which) {
  return which == parameter::function || which >= parameter::local_memory;
}

static FunctionType* work_item_function_type(LLVMContext& context, Type* returns,
                                             ArrayRef<Type*> extra_parameters) {
  SmallVector<Type*, PARAMETER_COUNT> types;
  for (unsigned index = 0; index < PARAMETER_COUNT; ++index)
    types.push_back(is_pointer(parameter(index)) ? static_cast<Type*>(PointerType::get(context, 0))
                                                 : Type::getInt64Ty(context));
  append_range(types, extra_parameters);
  return FunctionType::get(returns != nullptr ? returns : Type::getVoidTy(context), types, false);
}

Function* create_work_item_function(Function& model, const Twine& name, Type* returns,
                                    ArrayRef<Type*> extra_parameters) {
  static constexpr const char* NAMES[PARAMETER_COUNT] = {
      "function",       "index.x",         "index.y",         "index.z",         "linear",
      "group.x",        "group.y",         "group.z",         "global.range.x",  "global.range.y",
      "global.range.z", "global.offset.x", "global.offset.y", "global.offset.z", "local.range.x",
      "local.range.y",  "local.range.z",   "group.range.x",   "group.range.y",   "group.range.z",
      "local.memory",   "group.scratch",   "context",         "worker"};
  LLVMContext& context = model.getContext();
  Function* created = Function::Create(work_item_function_type(context, returns, extra_parameters),
                                       Function::InternalLinkage, name, model.getParent());
  for (unsigned index = 0; index < PARAMETER_COUNT; ++index)
    created->getArg(index)->setName(NAMES[index]);
  created->addFnAttr(Attribute::AlwaysInline);
  created->addFnAttr(Attribute::NoUnwind);
  AttrBuilder about_function(context, model.getAttributes().getParamAttrs(0));
  created->addParamAttrs(unsigned(parameter::function), about_function);
  created->addParamAttr(unsigned(parameter::local_memory), Attribute::getWithAlignment(context, Align(128)));
  created->addParamAttr(unsigned(parameter::group_scratch), Attribute::getWithAlignment(context, Align(64)));
  created->addParamAttr(unsigned(parameter::work_item_context),
                        Attribute::getWithAlignment(context, Align(64)));
  return created;
}

} // namespace falx::jit
