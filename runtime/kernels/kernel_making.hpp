// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "adaptivity/learned_version.hpp"
#include "backends/backend.hpp"
#include "image/device_image.hpp"
#include "image_registry.hpp"
#include "kernel_configuration.hpp"
#include "specialization_constants.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace falx {

class function_replacements;

/// A kernel's machine code for \p device, from the kernel cache or the JIT. \p images define the kernel and
/// what it imports, the kernel's own first; \p constants are the values that were set, null for none. \p
/// known is what the configuration's digest of captured values is made of; \p functions are the replacements
/// of functions, whose definitions are among the images. \p work_items are those of the launch that waits for
/// the code, 0 if none does: it may be made quickly, then, for devices that have better code take its place.
/// The kernel comes with the list of the device globals that it may use; two translation units that use one
/// with property device_image_scope are an errc::build.
///
/// What the JIT makes and what the device's driver assembles from it are cached under keys of their own: the
/// second start of a program neither compiles nor assembles, and a new driver only assembles. Throws
/// sycl::exception, errc::build for one, with the kernel's name and the device's.
std::unique_ptr<loaded_kernel>
make_kernel(std::span<const kernel_use> images, const image::kernel_metadata& kernel, backend_device& device,
            const kernel_configuration& configuration, const specialization_constants* constants,
            const launch_constants& known, const function_replacements* functions, std::uint64_t work_items);

/// A second kernel of the code that make_kernel has cached for \p configuration, whose other form is code
/// that knows \p version, too, and gives the same results. Null if it has cached none, or the kernel needs
/// several images, or an earlier process found that it is no faster. Throws std::bad_alloc.
std::unique_ptr<loaded_kernel>
make_kernel_to_compare(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                       backend_device& device, const kernel_configuration& configuration,
                       const specialization_constants* constants, const launch_constants& known,
                       const learned_version& version);

} // namespace falx
