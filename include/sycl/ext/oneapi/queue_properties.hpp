// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/intel/queue_properties.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/property_list.hpp"

#include <type_traits>

/// \file
/// Properties of queues of sycl_ext_oneapi_discard_queue_events and sycl_ext_oneapi_queue_priority.

namespace sycl {

class queue;

namespace ext::oneapi::property::queue {

/// The program does not use the events of the queue's commands. Falx makes no native event until a program
/// looks at the SYCL event, so there is nothing to save, and events stay valid. With enable_profiling,
/// errc::invalid.
struct discard_events : sycl::detail::property_base {};

/// How urgent the queue's commands are beside those of other queues of the device. On CUDA its streams have
/// the greatest or the least priority that there is; the CPU has none. More than one of them is
/// errc::invalid.
struct priority_normal : sycl::detail::property_base {};
struct priority_low : sycl::detail::property_base {};
struct priority_high : sycl::detail::property_base {};

} // namespace ext::oneapi::property::queue

template <>
struct is_property_of<ext::oneapi::property::queue::discard_events, queue> : std::true_type {};
template <>
struct is_property_of<ext::oneapi::property::queue::priority_normal, queue> : std::true_type {};
template <>
struct is_property_of<ext::oneapi::property::queue::priority_low, queue> : std::true_type {};
template <>
struct is_property_of<ext::oneapi::property::queue::priority_high, queue> : std::true_type {};

} // namespace sycl
