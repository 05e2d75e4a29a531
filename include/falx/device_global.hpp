// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>

/// \file
/// Variables that live on devices (sycl_ext_oneapi_device_global). The object in the host program is never
/// written: it names the variable by its address, and its bytes are the initial value.

/// Marks a class whose variables live on devices.
#if defined(__clang__)
#define FALX_DEVICE_GLOBAL __attribute__((annotate("falx.device_global")))
#else
#define FALX_DEVICE_GLOBAL
#endif

namespace falx {

class command_group;

/// Part of a device global. \p offset and \p count are in units of \p unit bytes.
struct device_global_part {
  const void* variable;
  std::size_t size;
  std::size_t alignment;
  std::size_t unit;
  std::size_t offset;
  std::size_t count;
  /// Property device_image_scope.
  bool image_scope;
};

/// The command copies to or from the variable on the queue's device and context, which is initialised before,
/// if it is not yet. \p function names the SYCL function, for messages. Throws errc::invalid if the part
/// reaches beyond the variable; with image_scope also if several device images use the variable, and
/// errc::kernel_not_supported if none does.
void set_copy_to_device_global(command_group& group, const device_global_part& destination,
                               const void* source, const char* function);
void set_copy_from_device_global(command_group& group, void* destination, const device_global_part& source,
                                 const char* function);

} // namespace falx
