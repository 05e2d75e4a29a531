// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Before:
//   define internal void @kernel.work_item(…, i64 %index.x, …) {
//     %p = getelementptr float, ptr %data, i64 %index.x
//     %x = load float, ptr %p
//     %negative = fcmp olt float %x, 0.0
//     br i1 %negative, label %then, label %join
//   then:
//     store float 0.0, ptr %p
//     br label %join
// After, for 4 lanes:
//   define internal void @kernel.lanes(…, i64 %index.x, …, <4 x i1> %active) {
//     %p = getelementptr float, ptr %data, i64 %index.x
//     %x = call <4 x float> @llvm.masked.load(ptr %p, <4 x i1> %active, …)
//     %negative = fcmp olt <4 x float> %x, zeroinitializer
//     %mask = and <4 x i1> %active, %negative
//     call void @llvm.masked.store(zeroinitializer, ptr %p, <4 x i1> %mask)
//
// The steps: prepare_for_lanes (form of the loops), lane_shapes (what varies), linearization (where control
// goes), shuffled_accesses (what is loaded and stored together), then function_emission.

#include "vectorize_function.hpp"
#include "pipeline/budgets.hpp"
#include "pipeline/target_machine_analysis.hpp"
#include "vectorizer/control/boundary_tests.hpp"
#include "vectorizer/control/one_lane_code.hpp"
#include "vectorizer/control/prepare_for_lanes.hpp"
#include "vectorizer/control/vector_parts.hpp"
#include "vectorizer/control/whole_guards.hpp"
#include "vectorizer/control/work_item_loops.hpp"
#include "vectorizer/cost/access_costs.hpp"
#include "vectorizer/emission/function_emission.hpp"
#include "vectorizer/emission/vector_calls.hpp"
#include "vectorizer/memory/shuffled_accesses.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include <cassert>

using namespace llvm;

namespace falx::jit::simd {

char not_vectorizable::ID = 0;

vector_request request_for(const kernel_attributes& attributes) {
  vector_request request;
  request.lanes = attributes.lanes;
  request.sub_group_size = attributes.sub_group_size;
  request.vector_math = attributes.vector_math;
  request.computes_under_masks = attributes.computes_under_masks;
  if (attributes.kind == kernel_kind::nd_range && !has_rows_of(attributes, attributes.lanes))
    request.layout = lane_layout::linear;
  const std::uint32_t columns = attributes.local_range[0];
  if (request.layout == lane_layout::linear && columns >= LEAST_COLUMNS && request.lanes % columns == 0)
    request.columns = columns;
  return request;
}

static Expected<Function*> emit_vector_form(Function& work_item, const prepared_function& prepared,
                                            const vector_request& request, const cost_model& costs,
                                            const access_costs& accesses) {
  const linearization plan(prepared.dominators, prepared.loops, prepared.graph, prepared.shapes, costs,
                           request.sub_group_size);
  if (plan.failure() != nullptr)
    return make_error<not_vectorizable>(plan.failure());
  const auto is_whole = [&](const BasicBlock& block) { return plan[&block].is_whole; };
  const shuffled_accesses shuffled(work_item, prepared.shapes, request, accesses, is_whole);
  return emit_vector_function(work_item, prepared, request, shuffled, plan);
}

/// Copies code for vectors all of whose lanes pass its tests. What lanes come to in order has a copy for that
/// case first, in which tests for boundaries are looked for then.
static void copy_for_whole_vectors(Function& work_item, unsigned lanes, const cost_model& costs,
                                   const access_costs& accesses, FunctionAnalysisManager& analyses) {
  std::size_t behind_guards = MOST_COPIED_BEHIND_GUARDS, at_boundaries = MOST_COPIED_AT_BOUNDARIES;
  const auto leave_out_tests = [&](boundary_scope scope) {
    return leave_out_boundary_tests(work_item, lanes, costs, accesses, analyses, scope, at_boundaries);
  };
  for (unsigned round = 0; round < MOST_COPIED_GUARDS; ++round)
    if (!leave_out_tests(boundary_scope::whole_vectors) &&
        !run_whole_guard_first(work_item, lanes, costs, accesses, behind_guards))
      break;
  leave_out_tests(boundary_scope::everywhere);
}

/// Whole, or in parts where that gains something.
static Expected<Function*> vectorize_prepared(Function& work_item, vector_request request,
                                              FunctionAnalysisManager& analyses) {
  const cost_model costs(cached_machine(work_item, analyses), work_item, !request.vector_math.empty());
  request.permuted_elements = costs.permuted_elements();
  request.converts_unsigned = costs.converts_unsigned();
  const TargetTransformInfo& target = analyses.getResult<TargetIRAnalysis>(work_item);
  const access_costs accesses(target);
  use_numbers_of_one_lane(work_item, request.lanes);
  copy_for_whole_vectors(work_item, request.lanes, costs, accesses, analyses);
  const prepared_function prepared(work_item, request.lanes);
  const std::optional<parted_work_item> parted =
      form_parted_work_item(work_item, prepared.shapes, request, costs);
  if (!parted)
    return emit_vector_form(work_item, prepared, request, costs, accesses);
  vector_forms forms;
  Error error = emit_vector_form(*parted->function, prepared_function(*parted->function, request.lanes),
                                 request, costs, accesses)
                    .moveInto(forms.together);
  if (!error && request.sub_group_form == nullptr)
    error = emit_vector_form(work_item, prepared, request, costs, accesses).moveInto(forms.whole);
  Function* result = error ? nullptr : emit_vector_in_parts(*parted, forms, request, target);
  parted->function->eraseFromParent();
  if (error)
    return error;
  if (forms.whole != nullptr)
    forms.whole->removeFnAttr("falx-kind");
  if (work_item.hasFnAttribute("falx-kind"))
    result->addFnAttr(work_item.getFnAttribute("falx-kind"));
  return result;
}

void take_ids_from_linear_id(Function& work_item) {
  const kernel_attributes attributes = kernel_attributes::read(work_item);
  const std::uint32_t* known = attributes.local_range;
  const bool is_known = known[0] != 0;
  IRBuilder<> builder(&*work_item.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  Type* narrow = builder.getInt32Ty();
  const auto own = [&](parameter which, unsigned axis) { return argument(work_item, on_axis(which, axis)); };
  Value* rest = builder.CreateTrunc(argument(work_item, parameter::linear), narrow);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const bool is_last = axis == 2 || (is_known && all_of(ArrayRef(known + axis + 1, known + 3),
                                                          [](std::uint32_t range) { return range == 1; }));
    Value *index = rest, *above = builder.getInt32(0);
    if (!is_last && isPowerOf2_32(known[axis])) {
      index = builder.CreateAnd(rest, known[axis] - 1);
      above = builder.CreateLShr(rest, Log2_32(known[axis]));
    } else if (!is_last) {
      Value* range = is_known ? builder.getInt32(known[axis])
                              : builder.CreateTrunc(own(parameter::local_range_x, axis), narrow);
      index = builder.CreateURem(rest, range);
      above = builder.CreateUDiv(rest, range);
    }
    Argument* id = own(parameter::index_x, axis);
    id->replaceAllUsesWith(builder.CreateZExt(index, id->getType()));
    rest = above;
  }
}

Expected<Function*> vectorize(Function& work_item, const vector_request& request,
                              FunctionAnalysisManager& analyses) {
  assert(isPowerOf2_32(request.lanes) && "vectors begin at multiples of their size, a power of two");
  assert((request.columns == 0 || request.lanes % request.columns == 0) && "a vector is whole rows");
  assert(work_item.arg_size() >= PARAMETER_COUNT && "this is no work-item function");
  use_math_instructions(work_item);
  const std::string failure = prepare_for_lanes(work_item, request.lanes, analyses).str();
  if (!request.vector_math.empty())
    find_vector_math(work_item, request.vector_math);
  if (request.layout == lane_layout::linear)
    take_ids_from_linear_id(work_item);
  Expected<Function*> result = failure.empty() ? vectorize_prepared(work_item, request, analyses)
                                               : make_error<not_vectorizable>(failure);
  if (result && repays_two_copies(**result, analyses.getResult<TargetIRAnalysis>(work_item)))
    (*result)->addFnAttr(TWO_COPIES);
  assert(work_item.use_empty() && "somebody else would call a function that is replaced");
  work_item.eraseFromParent();
  return result;
}

Error vectorize_kernel::change(Function& kernel, FunctionAnalysisManager& analyses) {
  return vectorize(kernel, request_for(kernel_attributes::read(kernel)), analyses).takeError();
}

} // namespace falx::jit::simd
