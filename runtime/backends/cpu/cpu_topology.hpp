// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/partitioning.hpp"

#include <string>
#include <string_view>

namespace falx {

/// Where the system describes its processors. Tests have files of their own.
inline constexpr std::string_view SYSTEM_DEVICES = "/sys/devices/system";

/// The processors that the calling thread may be scheduled on, ascending. Where the system does not tell, as
/// many as are online, from 0.
processor_list usable_processors();

/// The \p processors by the part of the memory system that they share at \p level, as files below
/// \p directory describe it.
std::vector<processor_list> processors_sharing(memory_level level, const processor_list& processors,
                                               const std::string& directory = std::string(SYSTEM_DEVICES));

/// The \p processors such that those which share a part of any level are neighbours.
processor_list sorted_by_topology(processor_list processors,
                                  const std::string& directory = std::string(SYSTEM_DEVICES));

/// The numbers of a list such as "0-3,8,10-11" (cpuset(7), "List format"); up to the first fault.
processor_list parse_processor_list(std::string_view text);

/// Has the calling thread run on the \p processors alone. False if the system refuses.
bool run_thread_on(const processor_list& processors) noexcept;

} // namespace falx
