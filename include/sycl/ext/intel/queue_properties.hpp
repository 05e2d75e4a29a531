// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// Properties of queues of sycl_ext_intel_queue_immediate_command_list and sycl_ext_intel_queue_index.

namespace sycl {

class queue;

namespace ext::intel::property::queue {

/// How commands reach Level Zero, a backend that Falx does not have: without effect. Both are errc::invalid.
struct immediate_command_list : sycl::detail::property_base {};
struct no_immediate_command_list : sycl::detail::property_base {};

/// Which of the device's compute engines the queue uses: less than
/// ext::intel::info::device::max_compute_queue_indices, else errc::invalid.
class compute_index : public sycl::detail::property_base {
public:
  explicit compute_index(int index) noexcept : index_(index) {}
  int get_index() const noexcept { return index_; }

private:
  int index_;
};

} // namespace ext::intel::property::queue

template <>
struct is_property_of<ext::intel::property::queue::immediate_command_list, queue> : std::true_type {};
template <>
struct is_property_of<ext::intel::property::queue::no_immediate_command_list, queue> : std::true_type {};
template <>
struct is_property_of<ext::intel::property::queue::compute_index, queue> : std::true_type {};

} // namespace sycl
