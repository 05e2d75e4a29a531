// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>

/// On a class: its objects in what a kernel captures are memory of the work-group.
#if defined(__clang__)
#define FALX_LOCAL_ACCESSOR __attribute__((annotate("falx.local_accessor")))
#else
#define FALX_LOCAL_ACCESSOR
#endif

namespace falx {

class command_group;

/// Sets aside dynamic local memory for the kernel of the command group and gives its offset from the start of
/// the work-group's local memory. \p alignment is a power of two of at most 128. Whether the device has that
/// much is checked when the kernel is launched.
std::size_t reserve_local_memory(command_group& group, std::size_t bytes, std::size_t alignment);

} // namespace falx
