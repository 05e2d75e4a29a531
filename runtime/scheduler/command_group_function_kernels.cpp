// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_group.hpp"
#include "falx/function_kernel.hpp"
#include "image/device_image.hpp"
#include "kernels/image_registry.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "kernels/kernel_state.hpp"
#include "sycl/exception.hpp"

#include <fmt/format.h>
#include <memory>
#include <string>

/// \file
/// Launches of kernel objects: free function kernels, with arguments by number.

namespace falx {
namespace {

std::string pretty_name(const kernel_name* kernel) {
  const std::vector<const kernel_descriptor*> entries = kernels_named(kernel);
  return entries.empty() ? "of an unloaded library" : metadata_of(*entries.front()).pretty_name;
}

[[noreturn]] void refuse(sycl::errc code, const char* function, const kernel_name* kernel,
                         const std::string& reason) {
  throw sycl::exception(
      code, fmt::format("handler::{} with kernel '{}': {}", function, pretty_name(kernel), reason));
}

void check_kind(const function_kernel_name& kernel, const launch_geometry& geometry, const char* function) {
  if (geometry.kind == kernel.kind &&
      (kernel.kind == kernel_kind::single_task || geometry.dimensions == kernel.dimensions))
    return;
  refuse(
      sycl::errc::invalid, function, &kernel,
      kernel.kind == kernel_kind::single_task
          ? "the function has property single_task_kernel; launch it with single_task"
          : fmt::format("the function has property nd_range_kernel<{0}>; launch it with parallel_for over an "
                        "nd_range<{0}>",
                        kernel.dimensions));
}

} // namespace

void command_group::set_kernel_argument(int index, const void* bytes, std::size_t size) {
  const auto* const first = static_cast<const unsigned char*>(bytes);
  arguments_[index] = {first, first + size};
}

void command_group::set_function_kernel(kernel_bundle_state& bundle, const kernel_name* kernel,
                                        const launch_geometry& geometry, const char* function) {
  if (kernel->unused != FUNCTION_KERNEL)
    refuse(sycl::errc::invalid, function, kernel,
           "it is a SYCL kernel function and no free function kernel; pass the function object, and the "
           "kernel's bundle to handler::use_kernel_bundle");
  const auto& named = static_cast<const function_kernel_name&>(*kernel);
  check_kind(named, geometry, function);
  std::vector<unsigned char> memory(named.object_size + named.object_alignment);
  void* object = memory.data();
  std::size_t space = memory.size();
  object = std::align(named.object_alignment, named.object_size, object, space);
  for (std::uint32_t index = 0; index < named.argument_count; ++index) {
    const auto argument = arguments_.find(static_cast<int>(index));
    if (argument == arguments_.end())
      refuse(sycl::errc::kernel_argument, function, kernel,
             fmt::format("argument {} of {} was not set (handler::set_arg)", index, named.argument_count));
    if (!named.store(object, index, argument->second.data(), argument->second.size()))
      refuse(sycl::errc::kernel_argument, function, kernel,
             fmt::format("argument {} was set to a value of {} bytes, and its parameter has another type; "
                         "convert the value to the parameter's type",
                         index, argument->second.size()));
  }
  if (!bundle_)
    use_kernel_bundle(bundle);
  kernel_launch launch{};
  launch.kernel = named.descriptor();
  launch.function = object;
  launch.function_size = named.object_size;
  launch.function_alignment = named.object_alignment;
  launch.geometry = geometry;
  set_kernel(launch);
}

void set_kernel_argument(command_group& group, int index, const void* bytes, std::size_t size) {
  group.set_kernel_argument(index, bytes, size);
}
void set_function_kernel(command_group& group, kernel_bundle_state& bundle, const kernel_name* kernel,
                         const launch_geometry& geometry, const char* function) {
  group.set_function_kernel(bundle, kernel, geometry, function);
}

} // namespace falx
