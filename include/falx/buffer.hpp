// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "falx/kernel.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Buffers below the templates: bytes in boxes.

namespace falx {

/// Storage and dependency tracking of a sycl::buffer; sub-buffers share their parent's.
class buffer_state;
/// The command group under construction behind a sycl::handler.
class command_group;

void retain(buffer_state*) noexcept;
void release(buffer_state*) noexcept;

/// What an accessor wants of a buffer.
struct access_request {
  bool reads = true;
  bool writes = true;
  /// property::no_init: previous contents need not be kept.
  bool discards = false;
  /// target::host_task: the data must be in host memory.
  bool on_host = false;
  /// Size of the whole (sub-)buffer and the accessed box in elements, x fastest.
  extent3 buffer_range{1, 1, 1};
  extent3 offset{0, 0, 0};
  extent3 range{1, 1, 1};
  std::size_t element_size = 1;
};

/// Adds a requirement to the command group and tells where the data will be when the command runs. Allocates
/// on the command group's device if need be; moves nothing yet.
accessor_core require(command_group& group, buffer_state& buffer, const access_request& request);

/// A placeholder's identity, before any command group requires it.
std::uint64_t new_requirement_id() noexcept;
/// handler::require of a placeholder: the command group's launch gives accessors with this id their pointer.
void require_placeholder(command_group& group, buffer_state& buffer, const access_request& request,
                         std::uint64_t id);

} // namespace falx
