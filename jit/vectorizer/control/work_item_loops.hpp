// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "frontend/kernel_attributes.hpp"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

namespace falx::jit {

using loop_body = llvm::function_ref<void(llvm::IRBuilder<>& builder, llvm::Value* index)>;

/// Emits `for (i = begin; i != end; ++i) body(i)` at the builder's position and leaves the builder behind the
/// loop. With \p may_be_empty false, \p end is greater than \p begin. \p loop_metadata may be null.
void emit_loop(llvm::IRBuilder<>& builder, llvm::Value* begin, llvm::Value* end, bool may_be_empty,
               llvm::MDNode* loop_metadata, const llvm::Twine& name, loop_body body);

/// emit_loop from 0 to \p range; without a loop if that is the constant 1.
void emit_loop_over(llvm::IRBuilder<>& builder, llvm::Value* range, llvm::MDNode* loop_metadata,
                    const llvm::Twine& name, loop_body body);

/// \p row: the linear id of its first work-item.
using row_body =
    llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value* y, llvm::Value* z, llvm::Value* row)>;

/// Emits the loops over the rows of a group of extents \p range.
void emit_row_loops(llvm::IRBuilder<>& builder, llvm::Value* const (&range)[3], llvm::MDNode* over_planes,
                    llvm::MDNode* over_rows, row_body body);

/// Metadata for a loop that would only be larger if it were unrolled, such as one around loops of work-items.
llvm::MDNode* never_unrolled(llvm::LLVMContext& context);

/// Metadata for a loop around vectors of work-items: what is vectorised needs neither copies nor, for
/// branches that all vectors take, versions (instrumentation.cpp).
llvm::MDNode* around_vectors(llvm::LLVMContext& context, bool may_be_unrolled = false);

/// Metadata for the innermost loop around \p body, one work-item's code. LLVM may make vectors of work-items
/// (declare_parallel_accesses), but not where those along rows of their own are wanted: it unrolls rows
/// first.
llvm::MDNode* around_work_items(llvm::Function& body, const kernel_attributes& attributes);

/// Indices of the work-item that a loop nest is at.
struct work_item_position {
  llvm::Value* index[3];
  llvm::Value* linear;
};
using work_item_body = llvm::function_ref<void(llvm::IRBuilder<>& builder, const work_item_position& item)>;

/// The extent of a group: a constant where configuration or dimensions settle it, else the parameter of
/// \p function, a work-item or group function.
llvm::Value* local_range(llvm::IRBuilder<>& builder, llvm::Function& function,
                         const kernel_attributes& attributes, unsigned axis);

/// Emits the loops over all work-items of the group, x innermost, into \p group, a function with the
/// parameters of a work-item function. \p loop_metadata goes to the innermost loop.
void emit_work_item_loops(llvm::IRBuilder<>& builder, llvm::Function& group, llvm::MDNode* loop_metadata,
                          work_item_body body);

/// \p active: the lanes that there are, a constant if all.
using lanes_body = llvm::function_ref<void(llvm::IRBuilder<>& builder, const work_item_position& first,
                                           llvm::Value* active)>;

/// Of a vector function: it should be there twice, with all lanes, and for the rest.
constexpr const char* TWO_COPIES = "falx-two-copies";

/// Whether it should, as it is small, or its masks cost more than all else.
bool repays_two_copies(llvm::Function& vector_function, const llvm::TargetTransformInfo& target);

/// Of a function for the rest of the work-items: the loops that are large are not unrolled. False if none is.
bool keep_large_loops_whole(llvm::Function& rest);

using lanes_loop_body = llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value* first, llvm::Value* active)>;
using lanes_rest_emission = llvm::function_ref<void(llvm::IRBuilder<>&, llvm::Value* first)>;

/// Emits a loop from \p begin to \p end in steps of \p lanes; the body gets the first lane's index and which
/// lanes there are. With \p two_copies, those with all lanes have a body of their own, and what is left,
/// fewer than \p lanes from \p first on, is by \p emit_rest, if there is one.
void emit_lanes_loop(llvm::IRBuilder<>& builder, llvm::Value* begin, llvm::Value* end, unsigned lanes,
                     bool two_copies, const llvm::Twine& name, lanes_loop_body body,
                     lanes_rest_emission emit_rest = nullptr);

/// How lanes of a group lie: rows are possible if they all have a multiple of \p lanes work-items.
bool has_rows_of(const kernel_attributes& attributes, unsigned lanes);

/// As emit_work_item_loops, but \p lanes at a time. If the group has no rows of \p lanes the position's index
/// means nothing, only linear does.
void emit_lanes_loops(llvm::IRBuilder<>& builder, llvm::Function& group, unsigned lanes, bool two_copies,
                      lanes_body body);

/// The arguments of \p group with the position put in: what a work-item function is called with.
llvm::SmallVector<llvm::Value*> work_item_arguments(llvm::Function& group, const work_item_position& item);

/// Tells debuggers that \p caller, which stands in no source file, was made for \p body: it gets an
/// artificial subprogram of its own (one cannot describe two functions), and instructions that \p builder
/// makes get the line of \p body. Nothing if \p body has no debug information.
void describe_artificial_function(llvm::Function& caller, const llvm::Function& body,
                                  llvm::IRBuilder<>& builder);

/// An empty group function, which takes over the kernel's attributes, with the builder at its entry.
llvm::Function* create_group_function(llvm::Function& work_item, llvm::IRBuilder<>& builder);

/// Replaces a kind nd_range work-item function without barriers by a function that runs a whole group, as
/// vectors if its attributes name lanes. See the .cpp file for the IR before and after.
llvm::Expected<llvm::Function*> form_work_item_loops(llvm::Function& work_item,
                                                     llvm::FunctionAnalysisManager& analyses);

} // namespace falx::jit
