// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/device_selector.hpp"

#include <vector>

/// \file
/// AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE: which devices a queue distributes its commands over. The
/// queue's constructors are in sycl/queue.hpp, how it distributes is in runtime/scheduler/device_choice.hpp.

#define SYCL_EXT_ACPP_MULTI_DEVICE_QUEUE 1
#define ACPP_EXT_MULTI_DEVICE_QUEUE 1
#define HIPSYCL_EXT_MULTI_DEVICE_QUEUE 1

namespace sycl {

enum class selection_policy {
  /// Devices that the selector gives no negative score.
  all,
  /// Devices that share the best score.
  best
};

/// Makes a selector of one device a selector of several, for queue's constructors.
template <class Selector, selection_policy P = selection_policy::all>
class multi_device_selector {
public:
  constexpr multi_device_selector(const Selector& s = Selector{}) : selector_(s) {}
  int operator()(const device& dev) const { return selector_(dev); }

private:
  Selector selector_;
};

namespace detail {

/// Throws errc::runtime, listing the devices there are, if the selector wants none.
std::vector<device> select_devices(selector_reference selector, selection_policy policy);

template <class Selector, selection_policy P>
std::vector<device> selected_devices(const multi_device_selector<Selector, P>& selector) {
  return select_devices(selector_call<multi_device_selector<Selector, P>>{selector}.reference(), P);
}

} // namespace detail

inline constexpr multi_device_selector<detail::cpu_selector_type, selection_policy::best>
    multi_cpu_selector_v{};
/// All GPUs.
inline constexpr multi_device_selector<detail::gpu_selector_type, selection_policy::best>
    multi_gpu_selector_v{};
/// All devices.
inline constexpr multi_device_selector<detail::default_selector_type, selection_policy::all>
    system_selector_v{};

} // namespace sycl
