// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// Kernel bundles, as far as the headers know them.

namespace falx {

/// Behind sycl::kernel_bundle, whatever its state.
class kernel_bundle_state;
/// Behind sycl::device_image.
class device_image_state;

void retain(kernel_bundle_state*) noexcept;
void release(kernel_bundle_state*) noexcept;
void retain(device_image_state*) noexcept;
void release(device_image_state*) noexcept;

} // namespace falx
