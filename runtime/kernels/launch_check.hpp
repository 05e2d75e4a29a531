// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "falx/kernel.hpp"
#include "image/device_image.hpp"

#include <cstddef>
#include <string>

namespace falx {

/// What the kernel demands and the device does not have, as the second half of a sentence; empty if the
/// device can run the kernel (SYCL 2020 §4.11.8, §5.7).
std::string incompatibility(const image::kernel_metadata& kernel, const device_description& device);

/// Whether the runtime chooses the work-group size of an nd_range.
bool has_automatic_group(const launch_geometry& geometry) noexcept;
/// That size: it divides the global range, and keeps the limits of the device, the launch and the kernel. \p
/// kernel may be null.
extent3 automatic_group(const launch_geometry& geometry, const image::kernel_metadata* kernel,
                        const device_description& device) noexcept;

/// Checks a launch against the kernel's attributes and the device's limits, and chooses the work-group size
/// where the user left it to the runtime. Throws sycl::exception with errc::nd_range for work-groups that do
/// not fit, errc::invalid for ranges whose size overflows, errc::kernel_not_supported for sub-group sizes
/// and aspects that the device does not have (SYCL 2020 §4.9.4.2.2, §5.7, §5.8.1).
launch_geometry checked_geometry(launch_geometry geometry, const image::kernel_metadata& kernel,
                                 const device_description& device);

/// Whether the launch would pass the checks of this header, without saying what is wrong.
bool is_able_to_run(const launch_geometry& geometry, std::size_t local_memory,
                    const image::kernel_metadata& kernel, const device_description& device);

/// Puts the work-group size that the user prefers into the geometry of a basic range, where backends that
/// choose one look for it. Sizes of 0, and those that the device does not take, are no preference.
void prefer_group(launch_geometry& geometry, const extent3& preferred,
                  const device_description& device) noexcept;

/// The local memory that a launch needs, of the \p bytes that its command group has set aside: none without
/// work-groups. Throws sycl::exception with errc::kernel_argument if a kernel without work-groups captures a
/// local accessor (SYCL 2020 §4.7.6.11), and with errc::memory_allocation if the device has less memory.
std::size_t checked_local_memory(std::size_t bytes, kernel_kind kind, const image::kernel_metadata& kernel,
                                 const device_description& device);

} // namespace falx
