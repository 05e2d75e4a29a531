// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/// \file
/// What the AST half of the plugin tells its IR half. Both live in one shared object and one compiler
/// process, and a compiler process compiles one translation unit.

namespace falx::compiler {

/// Facts about a kernel that only the AST knows. Kernel kind and dimensions are not here: the entry's
/// annotation carries them into the IR.
struct kernel_info {
  /// Type of the function object as the user would write it, for messages.
  std::string pretty_name;
  std::size_t function_size = 0;
  std::size_t function_alignment = 1;
  /// Byte offsets of all falx::accessor_core subobjects in the function object, and of all
  /// falx::compact_accessor_core plus 1.
  std::vector<std::size_t> accessor_offsets;
  /// Offsets and sizes of what lies in subobjects whose class is annotated "falx.specialize", without
  /// padding, in order.
  std::vector<std::size_t> specialized_parts;
  /// Offsets and sizes of the other numbers, booleans, enumerators and arrays and vectors of them that the
  /// function object holds, one after the other, and offsets of its pointers that are not in accessors. The
  /// first few of each: a launch may be recognised by them.
  std::vector<std::size_t> captured_values;
  std::vector<std::size_t> captured_pointers;
  /// [[sycl::reqd_work_group_size]] in the order of the source (slowest dimension first); empty if absent.
  std::vector<std::size_t> reqd_work_group_size;
  std::vector<std::size_t> work_group_size_hint;
  /// [[sycl::reqd_sub_group_size]]; 0 if absent.
  std::uint32_t reqd_sub_group_size = 0;
  /// [[intel::kernel_args_restrict]]: what is reached through one captured pointer or accessor and written is
  /// reached through no other.
  bool kernel_args_restrict = false;
  /// The function object holds a sycl::local_accessor.
  bool has_local_accessors = false;
  /// [[sycl::device_has]]: numbers of sycl::aspect.
  std::vector<std::size_t> aspects;
};

/// By mangled name of the kernel entry. Filled before code generation of the translation unit ends.
std::map<std::string, kernel_info>& kernel_infos();

/// Byte offsets of the falx::accessor_core subobjects in the callables of host tasks, by mangled name of the
/// function that gives them to the runtime. Filled likewise.
std::map<std::string, std::vector<std::size_t>>& host_task_accessors();

/// Facts about a device_global variable.
struct device_global_info {
  /// Property device_image_scope.
  bool image_scope = false;
};

/// By mangled name of the variable: all that the translation unit declares and uses.
std::map<std::string, device_global_info>& device_global_infos();

/// Mangled names of the variables of class work_group_static that device code uses.
std::set<std::string>& work_group_variables();

} // namespace falx::compiler
