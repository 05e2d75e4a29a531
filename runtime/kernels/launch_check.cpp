// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_check.hpp"

#include "devices/device_aspects.hpp"
#include "falx/aspect_names.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace falx {
namespace {

using triple = std::array<std::size_t, 3>;

triple as_triple(const extent3& extent) noexcept {
  return {extent.x, extent.y, extent.z};
}
extent3 as_extent(const triple& extent) noexcept {
  return {extent[0], extent[1], extent[2]};
}

/// As the user wrote it: the slowest dimension first.
std::string spelled(const triple& extent, std::uint32_t dimensions) {
  std::string text = "{";
  for (std::uint32_t axis = dimensions; axis-- > 0;)
    text += std::to_string(extent[axis]) + (axis == 0 ? "}" : ", ");
  return text;
}

[[noreturn]] void refuse(sycl::errc code, const image::kernel_metadata& kernel, const std::string& reason) {
  throw sycl::exception(code, fmt::format("kernel '{}' cannot be launched: {}", kernel.pretty_name, reason));
}

/// False if the product does not fit.
bool multiply(const triple& extent, std::size_t& product) noexcept {
  return !__builtin_mul_overflow(extent[0], extent[1], &product) &&
         !__builtin_mul_overflow(product, extent[2], &product);
}

void check_required_group(const triple& local, std::uint32_t dimensions,
                          const image::kernel_metadata& kernel) {
  const std::vector<std::size_t>& required = kernel.reqd_work_group_size;
  for (std::size_t axis = 0; axis < required.size() && axis < 3; ++axis) {
    if (local[axis] == required[axis])
      continue;
    triple wanted{1, 1, 1};
    std::copy_n(required.begin(), std::min<std::size_t>(required.size(), 3), wanted.begin());
    refuse(
        sycl::errc::nd_range, kernel,
        fmt::format("its local range is {}, but its attribute reqd_work_group_size demands {}",
                    spelled(local, dimensions),
                    spelled(wanted, static_cast<std::uint32_t>(std::min<std::size_t>(required.size(), 3)))));
  }
}

void check_group(const launch_geometry& geometry, const image::kernel_metadata& kernel,
                 const device_description& device) {
  const triple global = as_triple(geometry.global_range);
  const triple local = as_triple(geometry.local_range);
  for (int axis = 0; axis < 3; ++axis) {
    if (local[axis] == 0)
      refuse(sycl::errc::nd_range, kernel,
             fmt::format("its local range {} has an extent of 0", spelled(local, geometry.dimensions)));
    if (global[axis] % local[axis] != 0)
      refuse(
          sycl::errc::nd_range, kernel,
          fmt::format("its global range {} is not a multiple of its local range {}; round the global range "
                      "up and test the index in the kernel",
                      spelled(global, geometry.dimensions), spelled(local, geometry.dimensions)));
    if (local[axis] > device.max_work_item_sizes[axis])
      refuse(sycl::errc::nd_range, kernel,
             fmt::format("its local range {} exceeds what {} takes in one dimension, {} "
                         "(info::device::max_work_item_sizes)",
                         spelled(local, geometry.dimensions), device.name, device.max_work_item_sizes[axis]));
  }
  std::size_t size = 0;
  if (!multiply(local, size) || size > device.max_work_group_size)
    refuse(sycl::errc::nd_range, kernel,
           fmt::format("its work-groups of {} work-items exceed the {} that {} takes "
                       "(info::device::max_work_group_size)",
                       spelled(local, geometry.dimensions), device.max_work_group_size, device.name));
  check_required_group(local, geometry.dimensions, kernel);
}

/// For parallel_for_work_group without a size: one work-item. Logical work-items are a loop in the group's
/// body, so more of them gain nothing, and programs count on global ids without gaps.
triple chosen_group(const image::kernel_metadata& kernel) {
  triple local{1, 1, 1};
  const std::vector<std::size_t>& wanted =
      kernel.reqd_work_group_size.empty() ? kernel.work_group_size_hint : kernel.reqd_work_group_size;
  std::copy_n(wanted.begin(), std::min<std::size_t>(wanted.size(), 3), local.begin());
  return local;
}

/// The largest divisor of \p extent up to \p limit, of those that \p unit divides if there is one.
std::size_t divisor_up_to(std::size_t limit, std::size_t extent, std::size_t unit) noexcept {
  std::size_t best = 1;
  for (std::size_t candidate = std::min(limit, extent); candidate > 1; --candidate) {
    if (extent % candidate != 0)
      continue;
    if (candidate % unit == 0)
      return candidate;
    best = std::max(best, candidate);
  }
  return best;
}

} // namespace

bool has_automatic_group(const launch_geometry& geometry) noexcept {
  return geometry.kind == kernel_kind::nd_range && (geometry.local_range.x & AUTOMATIC_EXTENT) != 0;
}

extent3 automatic_group(const launch_geometry& geometry, const image::kernel_metadata* kernel,
                        const device_description& device) noexcept {
  // Enough for a GPU's multiprocessor to hide latencies, and a few sub-groups for a CPU's core.
  constexpr std::size_t WORK_ITEMS = 256;
  const triple global = as_triple(geometry.global_range), limits = as_triple(geometry.local_range);
  triple local{1, 1, 1};
  if (kernel != nullptr && !kernel->reqd_work_group_size.empty()) {
    std::copy_n(kernel->reqd_work_group_size.begin(),
                std::min<std::size_t>(kernel->reqd_work_group_size.size(), 3), local.begin());
    return as_extent(local);
  }
  std::size_t left = std::min(WORK_ITEMS, device.max_work_group_size);
  std::size_t unit = device.sub_group_size != 0 ? device.sub_group_size : 1;
  if (kernel != nullptr && kernel->reqd_sub_group_size != 0)
    unit = kernel->reqd_sub_group_size;
  for (int axis = 0; axis < 3; ++axis) {
    if ((limits[axis] & AUTOMATIC_EXTENT) == 0)
      continue; // of a dimension that the range does not have
    const std::size_t limit =
        std::min({left, device.max_work_item_sizes[axis], limits[axis] & ~AUTOMATIC_EXTENT});
    local[axis] = divisor_up_to(limit, global[axis], axis == 0 ? unit : 1);
    left /= local[axis];
  }
  return as_extent(local);
}

std::string incompatibility(const image::kernel_metadata& kernel, const device_description& device) {
  if (kernel.reqd_sub_group_size != 0 &&
      std::find(device.sub_group_sizes.begin(), device.sub_group_sizes.end(), kernel.reqd_sub_group_size) ==
          device.sub_group_sizes.end())
    return fmt::format("its attribute reqd_sub_group_size demands {}, which {} does not have "
                       "(info::device::sub_group_sizes)",
                       kernel.reqd_sub_group_size, device.name);
  for (const std::size_t aspect : kernel.aspects)
    if (aspect >= ASPECT_COUNT)
      return fmt::format("it needs an aspect that this libfalx does not know (number {}); install the "
                         "libfalx of the falx++ that compiled it",
                         aspect);
    else if (!has_aspect(device, sycl::aspect(aspect)))
      return fmt::format("it needs aspect::{}, which {} does not have (device::has)",
                         name_of(sycl::aspect(aspect)), device.name);
  if (kernel.reqd_work_group_size.empty())
    return {};
  triple required{1, 1, 1};
  std::copy_n(kernel.reqd_work_group_size.begin(),
              std::min<std::size_t>(kernel.reqd_work_group_size.size(), 3), required.begin());
  std::size_t size = 0;
  bool fits = multiply(required, size) && size <= device.max_work_group_size;
  for (int axis = 0; axis < 3; ++axis)
    fits = fits && required[axis] <= device.max_work_item_sizes[axis];
  if (!fits)
    return fmt::format("its attribute reqd_work_group_size demands {}, which is more than {} has "
                       "(info::device::max_work_group_size, info::device::max_work_item_sizes)",
                       spelled(required, static_cast<std::uint32_t>(kernel.reqd_work_group_size.size())),
                       device.name);
  return {};
}

launch_geometry checked_geometry(launch_geometry geometry, const image::kernel_metadata& kernel,
                                 const device_description& device) {
  if (kernel.reqd_sub_group_size != 0 || !kernel.reqd_work_group_size.empty() || !kernel.aspects.empty())
    if (const std::string reason = incompatibility(kernel, device); !reason.empty())
      refuse(sycl::errc::kernel_not_supported, kernel, reason);
  triple global = as_triple(geometry.global_range);
  if (geometry.kind == kernel_kind::work_group && geometry.local_range.x == 0 &&
      geometry.local_range.y == 0 && geometry.local_range.z == 0) {
    const triple local = chosen_group(kernel);
    for (int axis = 0; axis < 3; ++axis)
      if (__builtin_mul_overflow(global[axis], local[axis], &global[axis]))
        refuse(sycl::errc::invalid, kernel, "it has more work-items than a std::size_t can count");
    geometry.local_range = as_extent(local);
    geometry.global_range = as_extent(global);
  }
  if (has_automatic_group(geometry))
    geometry.local_range = automatic_group(geometry, &kernel, device);
  std::size_t size = 0;
  if (!multiply(global, size) && std::find(global.begin(), global.end(), 0u) == global.end())
    refuse(geometry.kind == kernel_kind::nd_range ? sycl::errc::nd_range : sycl::errc::invalid, kernel,
           fmt::format("its range {} has more work-items than a std::size_t can count",
                       spelled(global, geometry.dimensions)));
  const triple offset = as_triple(geometry.global_offset);
  for (int axis = 0; axis < 3; ++axis)
    if (std::size_t end = 0; __builtin_add_overflow(global[axis], offset[axis], &end))
      refuse(geometry.kind == kernel_kind::nd_range ? sycl::errc::nd_range : sycl::errc::invalid, kernel,
             fmt::format("its range {} from offset {} on goes beyond what a std::size_t can count",
                         spelled(global, geometry.dimensions), spelled(offset, geometry.dimensions)));
  const bool is_empty = std::find(global.begin(), global.end(), 0u) != global.end();
  if (!is_empty && (geometry.kind == kernel_kind::nd_range || geometry.kind == kernel_kind::work_group))
    check_group(geometry, kernel, device);
  return geometry;
}

bool is_able_to_run(const launch_geometry& geometry, std::size_t local_memory,
                    const image::kernel_metadata& kernel, const device_description& device) {
  const triple local = as_triple(has_automatic_group(geometry) ? automatic_group(geometry, &kernel, device)
                                                               : geometry.local_range);
  std::size_t size = 0;
  bool fits = incompatibility(kernel, device).empty() && local_memory <= device.local_memory &&
              multiply(local, size) && size <= device.max_work_group_size;
  for (int axis = 0; axis < 3; ++axis)
    fits = fits && local[axis] <= device.max_work_item_sizes[axis];
  return fits;
}

void prefer_group(launch_geometry& geometry, const extent3& preferred,
                  const device_description& device) noexcept {
  if (geometry.kind != kernel_kind::range || preferred.x == 0)
    return;
  const triple local = as_triple(preferred);
  std::size_t size = 0;
  bool fits = multiply(local, size) && size <= device.max_work_group_size;
  for (int axis = 0; axis < 3; ++axis)
    fits = fits && local[axis] <= device.max_work_item_sizes[axis];
  if (fits)
    geometry.local_range = preferred;
}

std::size_t checked_local_memory(std::size_t bytes, kernel_kind kind, const image::kernel_metadata& kernel,
                                 const device_description& device) {
  if (bytes == 0)
    return 0;
  if (kind == kernel_kind::single_task || kind == kernel_kind::range) {
    if (kernel.has_local_accessors)
      refuse(sycl::errc::kernel_argument, kernel,
             "a local_accessor needs work-groups; launch the kernel over an nd_range");
    return 0;
  }
  if (bytes > device.local_memory)
    refuse(sycl::errc::memory_allocation, kernel,
           fmt::format("its local accessors need {} bytes, but {} has {} bytes of local memory "
                       "(info::device::local_mem_size)",
                       bytes, device.name, device.local_memory));
  return bytes;
}

} // namespace falx
