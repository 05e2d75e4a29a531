// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace falx {

class command_group;

/// What a launch tells its kernel (__falx_set_launch_value).
enum launch_value : std::uint32_t {
  /// Where memory of property work_group_scratch_size lies, in bytes from the start of the launch's local
  /// memory.
  WORK_GROUP_SCRATCH = 0,
  /// The address of a root_barrier.
  ROOT_BARRIER = 1,
};

/// What all groups of a launch wait at (sycl_ext_oneapi_root_group). CPUs call \p wait; GPUs count by
/// themselves.
struct root_barrier {
  void (*wait)(root_barrier* self, std::uint64_t groups) noexcept;
  /// Groups that have arrived; 0 between two uses.
  std::uint32_t arrived;
  std::uint32_t generation;
};

/// For the kernel of the command group, which is launched so that all of its groups run at once: a launch
/// with more groups than the device can have then throws errc::nd_range. Lives until the command is complete.
root_barrier* take_root_barrier(command_group& group);

} // namespace falx
