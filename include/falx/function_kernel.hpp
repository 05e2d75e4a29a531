// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Kernels that are functions (sycl_ext_oneapi_free_function_kernels), launched as kernel objects with
/// arguments that are set by their numbers.

namespace falx {

class command_group;
class kernel_bundle_state;

/// kernel_name::unused of a function_kernel_name.
constexpr char FUNCTION_KERNEL = 1;

/// Names a kernel that is a function.
struct function_kernel_name : kernel_name {
  /// Of the function object, which holds the arguments.
  std::size_t object_size, object_alignment;
  std::uint32_t argument_count;
  kernel_kind kind;
  std::uint32_t dimensions;
  const kernel_descriptor* (*descriptor)();
  /// Makes argument \p index of the object from bytes of a value of its type. False if the type has another
  /// size.
  bool (*store)(void* object, std::uint32_t index, const void* bytes, std::size_t size) noexcept;
};

/// For the kernel object that the command group launches next. Copies the bytes.
void set_kernel_argument(command_group& group, int index, const void* bytes, std::size_t size);

/// The command is a launch of the kernel with those arguments, from the bundle. Throws errc::invalid if the
/// kernel is no function or another kind of it, and errc::kernel_argument if arguments are missing or wrong.
/// \p function names the SYCL function, for messages.
void set_function_kernel(command_group& group, kernel_bundle_state& bundle, const kernel_name* kernel,
                         const launch_geometry& geometry, const char* function);

} // namespace falx
