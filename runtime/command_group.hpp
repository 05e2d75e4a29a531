// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"

#include <cstdint>
#include <vector>

namespace falx {

class device_state;

/// What a buffer is asked for on behalf of one accessor.
struct requirement {
  handle<buffer_state> buffer;
  access_request request;
  /// Value of accessor_core::requirement; unique in the process.
  std::uint64_t id = 0;
  /// Where the first element of the (sub-)buffer lives on the command group's device.
  void* data = nullptr;
};

/// Registers \p self as a user of every requirement, all at once (two command groups over the same buffers
/// cannot deadlock or interleave), and appends the commands that must finish first to \p dependencies: exact, so
/// readers do not wait for readers, and accesses to disjoint regions do not wait for each other. Submits the
/// transfers that bring the regions to \p device, if any. Implemented beside the buffers.
void acquire_requirements(std::vector<requirement>& requirements, command& self, device_state& device,
                          std::vector<handle<command>>& dependencies);

} // namespace falx
