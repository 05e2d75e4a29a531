// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/ext/oneapi/experimental/launch_queries.hpp"

#include "kernels/image_registry.hpp"
#include "kernels/kernel_bundle_state.hpp"
#include "kernels/kernel_state.hpp"
#include "kernels/launch_check.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace sycl::detail {

namespace {

namespace queries = info::kernel_device_specific;

/// The kernel's entry, kept while the query lasts.
struct queried_kernel {
  queried_kernel(const kernel& object, const queue& q)
      : name(internals::state(internals::id(object))), entry(entry_of(object)), use(entry),
        metadata(falx::metadata_of(entry)), device(internals::state(q)->device()) {}

  bool runs() const { return falx::is_compatible(name, device); }

  const falx::kernel_name* name;
  const falx::kernel_descriptor& entry;
  const falx::kernel_use use;
  const falx::image::kernel_metadata& metadata;
  falx::device_state& device;

private:
  static const falx::kernel_descriptor& entry_of(const kernel& object) {
    const std::vector<const falx::kernel_descriptor*> entries =
        falx::kernels_named(internals::state(internals::id(object)));
    if (entries.empty())
      throw exception(
          make_error_code(errc::invalid),
          "kernel::ext_oneapi_get_info: the shared library that the kernel came from was unloaded");
    return *entries.front();
  }
};

falx::launch_geometry one_group(const falx::extent3& local) {
  return {falx::kernel_kind::nd_range, 3, local, local, {0, 0, 0}};
}

/// Whether the kernel can be launched in such groups.
bool takes_groups(const queried_kernel& on, const falx::extent3& local, std::size_t local_memory) {
  if (local.x == 0 || local.y == 0 || local.z == 0)
    throw exception(
        make_error_code(errc::invalid),
        fmt::format("kernel::ext_oneapi_get_info: work-groups of {} x {} x {} work-items have none; "
                    "give each dimension an extent of at least 1",
                    local.x, local.y, local.z));
  const std::size_t extents[] = {local.x, local.y, local.z};
  const std::vector<std::size_t>& required = on.metadata.reqd_work_group_size;
  for (std::size_t axis = 0; axis < 3 && !required.empty(); ++axis)
    if (extents[axis] != (axis < required.size() ? required[axis] : 1))
      return false;
  return on.runs() &&
         falx::is_able_to_run(one_group(local), local_memory, on.metadata, on.device.description());
}

} // namespace

std::size_t launch_group_size(const kernel& object, const queue& q) {
  return queried_kernel(object, q).runs() ? object.get_info<queries::work_group_size>(q.get_device()) : 0;
}

falx::extent3 launch_group_extents(const kernel& object, const queue& q) {
  const queried_kernel on(object, q);
  if (!on.runs())
    return {0, 0, 0};
  const std::vector<std::size_t>& required = on.metadata.reqd_work_group_size;
  const auto extent = [&](std::size_t axis) {
    if (!required.empty())
      return axis < required.size() ? required[axis] : 1;
    return on.device.description().max_work_item_sizes[axis];
  };
  return {extent(0), extent(1), extent(2)};
}

std::size_t launch_groups(const kernel& object, const queue& q, const falx::extent3& local,
                          std::size_t local_memory) {
  const queried_kernel on(object, q);
  if (!takes_groups(on, local, local_memory))
    return 0;
  const falx::launch_geometry geometry = one_group(local);
  falx::backend_device& backend = on.device.backend();
  const falx::device_image_state* const image = internals::state(object)->find(on.name);
  falx::loaded_kernel& code =
      falx::kernel_for(on.entry, on.device, falx::configuration_of(on.metadata, geometry, backend),
                       image != nullptr ? &image->constants() : nullptr);
  return backend.most_groups_at_once(code, geometry, local_memory);
}

std::uint32_t launch_sub_group_size(const kernel& object, const queue& q, const falx::extent3& local) {
  const queried_kernel on(object, q);
  return takes_groups(on, local, 0) ? object.get_info<queries::max_sub_group_size>(q.get_device()) : 0;
}

std::uint32_t launch_sub_groups(const kernel& object, const queue& q, const falx::extent3& local) {
  const std::uint32_t size = launch_sub_group_size(object, q, local);
  const std::size_t items = local.x * local.y * local.z;
  return size == 0 ? 0 : static_cast<std::uint32_t>((items + size - 1) / size);
}

} // namespace sycl::detail
