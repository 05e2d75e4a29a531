// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command.hpp"
#include "devices/device_state.hpp"
#include "falx/handle.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

/// \file
/// Where the commands of a queue over several devices go (AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE).
///
/// A command goes to the device that is expected to be done with it first:
///
///   end = max(backlog of the device, when the contents that it reads are complete)
///         + bytes that are not where they are needed / bandwidth + launch + execution
///
/// The backlog is the sum of what was expected of commands that are not complete. Execution is what was
/// measured of the kernel on the device (execution_times.hpp); if nothing was, what was measured elsewhere,
/// times the ratio of the devices' speeds, and half of that, so that every device gets a trial when it might
/// pay.

namespace falx {

struct requirement;

/// A command as far as it is known when a device is chosen.
struct choice_request {
  /// Where the command may run; not empty.
  std::span<const handle<device_state>> devices;
  std::span<const requirement> requirements;
  /// Identifies the kernel; null if there is none, or none yet.
  const void* kernel = nullptr;
  std::size_t work_items = 0;
  /// Nanoseconds since the devices were polled for what is done.
  std::uint64_t since_poll = 0;
  /// Words that may be pointers to USM, which restricts the choice to devices that reach it.
  std::span<const void* const> pointers;
};

/// A choice and what was expected of it.
struct device_choice {
  device_state* device = nullptr;
  const void* kernel = nullptr;
  std::size_t work_items = 0;
  /// Nanoseconds on the device, transfers included.
  std::uint64_t expected = 0;
};

device_choice choose_device(const choice_request& request);

/// Counts \p self, which is about to be submitted, to the device's backlog until it is complete, and has its
/// time measured now and then.
void watch(const handle<command>& self, const device_choice& choice);

} // namespace falx
