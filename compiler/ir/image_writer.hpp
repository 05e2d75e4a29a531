// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "annotations.hpp"
#include "aspects.hpp"
#include "constants.hpp"
#include "device_globals.hpp"

#include "llvm/ADT/SmallString.h"

namespace falx::compiler {

/// Serialises a device module with its metadata as an OffloadBinary (layout and keys:
/// image/device_image.hpp).
llvm::SmallString<0> write_device_image(const llvm::Module& device, const device_annotations& annotations,
                                        const kernel_aspects& aspects,
                                        llvm::ArrayRef<device_constant> constants,
                                        llvm::ArrayRef<device_global> globals);

} // namespace falx::compiler
