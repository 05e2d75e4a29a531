// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device_state.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/oneapi/experimental/composite_device.hpp"
#include "sycl/id.hpp"
#include "sycl/platform.hpp"

#include <algorithm>
#include <limits>

/// \file
/// Answers of sycl::device::get_info for extensions of oneAPI, and composite devices, which there are none
/// of.

namespace sycl {

namespace {

namespace experimental_queries = ext::oneapi::experimental::info::device;

std::size_t query(ext::oneapi::info::device::num_compute_units, const falx::device_state& device) {
  return device.description().compute_units;
}

std::vector<device> query(experimental_queries::component_devices, const falx::device_state&) {
  return {};
}
device query(experimental_queries::composite_device, const falx::device_state& component) {
  throw exception(errc::invalid, "device '" + component.description().name +
                                     "' is no component of a composite device; ask "
                                     "device::has(aspect::ext_oneapi_is_component) first");
}

/// No more than an int can count, though a CPU takes more: programs for DPC++, whose numbers of work-items
/// are ints by default, keep the answer in one (Kokkos' MDRangePolicy does).
std::size_t work_groups(const falx::device_state& device) {
  return std::min<std::size_t>(device.description().max_work_groups, std::numeric_limits<int>::max());
}

template <int Dimensions>
id<Dimensions> query(experimental_queries::max_work_groups<Dimensions>, const falx::device_state& device) {
  id<Dimensions> result;
  for (int i = 0; i < Dimensions; ++i)
    result[i] = work_groups(device);
  return result;
}
std::size_t query(experimental_queries::max_global_work_groups, const falx::device_state& device) {
  return work_groups(device);
}

} // namespace

template <typename Param>
typename Param::return_type device::get_info() const {
  return query(Param(), *state_);
}

template std::size_t device::get_info<ext::oneapi::info::device::num_compute_units>() const;
template std::vector<device> device::get_info<experimental_queries::component_devices>() const;
template device device::get_info<experimental_queries::composite_device>() const;
template id<1> device::get_info<experimental_queries::max_work_groups<1>>() const;
template id<2> device::get_info<experimental_queries::max_work_groups<2>>() const;
template id<3> device::get_info<experimental_queries::max_work_groups<3>>() const;
template std::size_t device::get_info<experimental_queries::max_global_work_groups>() const;

std::vector<device> platform::ext_oneapi_get_composite_devices() const {
  return {};
}

std::vector<device> ext::oneapi::experimental::get_composite_devices() {
  return {};
}

} // namespace sycl
