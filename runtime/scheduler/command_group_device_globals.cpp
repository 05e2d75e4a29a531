// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "command_group.hpp"
#include "command_work.hpp"
#include "falx/device_global.hpp"
#include "kernels/image_registry.hpp"
#include "queue_state.hpp"
#include "sycl/exception.hpp"

#include <fmt/format.h>
#include <string>

namespace falx {
namespace {

std::string in_words(const device_global_uses& uses) {
  return uses.name.empty() ? "a device global" : "device global '" + uses.name + "'";
}

void check_range(const device_global_part& part, const device_global_uses& uses, const char* function) {
  const std::size_t length = part.size / part.unit;
  if (part.offset <= length && part.count <= length - part.offset)
    return;
  throw sycl::exception(sycl::errc::invalid,
                        fmt::format("{}: {} {} from {} {} on reach beyond the end of {}, which has {}",
                                    function, part.count, part.unit == 1 ? "bytes" : "elements",
                                    part.unit == 1 ? "offset" : "index", part.offset, in_words(uses),
                                    length));
}

/// Falx's device images are the device code of one translation unit each.
void check_image_scope(const device_global_uses& uses, const char* function) {
  if (uses.users == 0)
    throw sycl::exception(
        sycl::errc::kernel_not_supported,
        fmt::format(
            "{}: {} has property device_image_scope, but no kernel uses it; remove the property, or use "
            "the variable in a kernel",
            function, in_words(uses)));
  if (uses.users > 1)
    throw sycl::exception(
        sycl::errc::invalid,
        fmt::format(
            "{}: {} has property device_image_scope, but kernels of {} translation units use it, which "
            "are different device images; remove the property",
            function, in_words(uses), uses.users));
}

} // namespace

void command_group::set_device_global_copy(const device_global_part& part, void* memory, bool to_variable,
                                           const char* function) {
  device_global_uses uses = uses_of_device_global(part.variable);
  check_range(part, uses, function);
  if (part.image_scope)
    check_image_scope(uses, function);
  auto* const variable = static_cast<unsigned char*>(
      place().context().device_globals().find(device(), {part.variable, part.size, part.alignment}));
  unsigned char* const place = variable + part.offset * part.unit;
  set_memcpy(to_variable ? place : memory, to_variable ? memory : place, part.count * part.unit, function);
  // The variable's library stays until the copy is complete.
  command_->work()->image = std::move(uses.image);
}

void set_copy_to_device_global(command_group& group, const device_global_part& destination,
                               const void* source, const char* function) {
  group.set_device_global_copy(destination, const_cast<void*>(source), true, function);
}
void set_copy_from_device_global(command_group& group, void* destination, const device_global_part& source,
                                 const char* function) {
  group.set_device_global_copy(source, destination, false, function);
}

} // namespace falx
