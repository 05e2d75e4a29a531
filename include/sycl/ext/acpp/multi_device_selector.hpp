// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device.hpp"
#include "sycl/device_selector.hpp"
#include "sycl/feature_test.hpp"

#include <type_traits>
#include <vector>

/// \file
/// AdaptiveCpp's ACPP_EXT_MULTI_DEVICE_QUEUE: which devices a queue distributes its commands over. The
/// queue's constructors are in sycl/queue.hpp, how it distributes is in runtime/scheduler/device_choice.hpp.

namespace sycl {

enum class selection_policy {
  /// Devices that the selector gives no negative score.
  all,
  /// Devices that share the best score.
  best
};

namespace detail {

/// What stands for a selector in constant expressions, where SYCL 1.2.1's classes with their virtual
/// functions cannot be.
template <class Selector>
struct kept_selector {
  using type = Selector;
};
template <>
struct kept_selector<default_selector> {
  using type = default_selector_type;
};
template <>
struct kept_selector<cpu_selector> {
  using type = cpu_selector_type;
};
template <>
struct kept_selector<gpu_selector> {
  using type = gpu_selector_type;
};
template <>
struct kept_selector<accelerator_selector> {
  using type = accelerator_selector_type;
};

} // namespace detail

/// Makes a selector of one device a selector of several, for queue's constructors.
template <class Selector, selection_policy P = selection_policy::all>
class multi_device_selector {
  using kept = typename detail::kept_selector<Selector>::type;

public:
  constexpr multi_device_selector() : selector_{} {}
  constexpr multi_device_selector(const Selector& s) : selector_(keep(s)) {}
  int operator()(const device& dev) const { return selector_(dev); }

private:
  static constexpr kept keep([[maybe_unused]] const Selector& selector) {
    if constexpr (std::is_same_v<kept, Selector>)
      return selector;
    else
      return {};
  }

  kept selector_;
};

namespace detail {

/// Throws errc::runtime, listing the devices there are, if the selector wants none.
std::vector<device> select_devices(selector_reference selector, selection_policy policy);

template <class Selector, selection_policy P>
std::vector<device> selected_devices(const multi_device_selector<Selector, P>& selector) {
  return select_devices(selector_call<multi_device_selector<Selector, P>>{selector}.reference(), P);
}

} // namespace detail

inline constexpr multi_device_selector<cpu_selector, selection_policy::best> multi_cpu_selector_v{};
/// All GPUs.
inline constexpr multi_device_selector<gpu_selector, selection_policy::best> multi_gpu_selector_v{};
/// All devices.
inline constexpr multi_device_selector<default_selector, selection_policy::all> system_selector_v{};

} // namespace sycl
