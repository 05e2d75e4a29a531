// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"
#include "sycl/range.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

/// \file
/// AdaptiveCpp's properties of command groups, for queue::submit(property_list, function), and those of
/// queues that go with them: ACPP_EXT_CG_PROPERTY_* and ACPP_EXT_COARSE_GRAINED_EVENTS.

namespace sycl {

class queue;

namespace property::command_group {

/// The work-group size for kernels over a range of \p Dim dimensions, where the backend chooses it: on GPUs.
/// Kernels of other dimensions take no notice, nor do devices that have no such groups.
template <int Dim>
struct AdaptiveCpp_prefer_group_size : detail::property_base {
  AdaptiveCpp_prefer_group_size(range<Dim> group_size) noexcept : size_(group_size) {}
  range<Dim> get_group_size() const noexcept { return size_; }

private:
  range<Dim> size_;
};

/// Has the command run on \p dev instead of the queue's device. For queues with
/// property::queue::AdaptiveCpp_retargetable; submission to others throws errc::invalid.
struct AdaptiveCpp_retarget : detail::property_base {
  AdaptiveCpp_retarget(const device& dev) : device_(dev) {}
  device get_device() const { return device_; }

private:
  device device_;
};

/// Which of the device's execution lanes (native streams) the command should take; counted modulo their
/// number. Without effect on queues that are one lane: in-order queues.
struct AdaptiveCpp_prefer_execution_lane : detail::property_base {
  AdaptiveCpp_prefer_execution_lane(std::size_t lane_id) noexcept : lane_(lane_id) {}
  std::size_t get_lane() const noexcept { return lane_; }

private:
  std::size_t lane_;
};

/// The command's event may wait for more than the command. Falx makes no native event until the program looks
/// at the SYCL event, so there is nothing left to save: the property changes nothing.
struct AdaptiveCpp_coarse_grained_events : detail::property_base {};

/// Older names of the same.
template <int Dim>
using hipSYCL_prefer_group_size = AdaptiveCpp_prefer_group_size<Dim>;
using hipSYCL_retarget = AdaptiveCpp_retarget;
using hipSYCL_prefer_execution_lane = AdaptiveCpp_prefer_execution_lane;
using hipSYCL_coarse_grained_events = AdaptiveCpp_coarse_grained_events;

} // namespace property::command_group

namespace property::queue {

/// As the property of command groups, for all of a queue.
struct AdaptiveCpp_coarse_grained_events : sycl::detail::property_base {};
/// Command groups may have property::command_group::AdaptiveCpp_retarget.
struct AdaptiveCpp_retargetable : sycl::detail::property_base {};

using hipSYCL_coarse_grained_events = AdaptiveCpp_coarse_grained_events;
using hipSYCL_retargetable = AdaptiveCpp_retargetable;

} // namespace property::queue

template <>
struct is_property_of<property::queue::AdaptiveCpp_coarse_grained_events, queue> : std::true_type {};
template <>
struct is_property_of<property::queue::AdaptiveCpp_retargetable, queue> : std::true_type {};

} // namespace sycl
