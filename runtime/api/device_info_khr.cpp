// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device_state.hpp"
#include "sycl/device.hpp"
#include "sycl/khr/max_work_group_queries.hpp"

/// \file
/// Answers of sycl::device::get_info for extensions of the Khronos group.

namespace sycl {

namespace {

template <int Dimensions>
range<Dimensions> query(khr::info::device::max_work_group_range<Dimensions>,
                        const falx::device_state& device) {
  range<Dimensions> result;
  for (int i = 0; i < Dimensions; ++i)
    result[i] = device.description().max_work_groups;
  return result;
}

std::size_t query(khr::info::device::max_work_group_range_size, const falx::device_state& device) {
  return device.description().max_work_groups;
}

} // namespace

template <typename Param>
typename Param::return_type device::get_info() const {
  return query(Param(), *state_);
}

template range<1> device::get_info<khr::info::device::max_work_group_range<1>>() const;
template range<2> device::get_info<khr::info::device::max_work_group_range<2>>() const;
template range<3> device::get_info<khr::info::device::max_work_group_range<3>>() const;
template std::size_t device::get_info<khr::info::device::max_work_group_range_size>() const;

} // namespace sycl
