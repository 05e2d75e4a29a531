// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"
#include "sycl/aspect.hpp"

#include <type_traits>
#include <utility>
#include <vector>

/// \file
/// Device selectors (SYCL 2020 §4.6.1): anything callable with a const device& that gives an int. The device
/// with the highest score wins, of equals the first; negative scores never do.

namespace falx {
class device_state;
void retain(device_state*) noexcept;
void release(device_state*) noexcept;
} // namespace falx

namespace sycl {

class device;

namespace detail {

/// A reference to a selector, whatever its type.
struct selector_reference {
  const void* selector;
  int (*score)(const void* selector, const device&);
};

/// What a selector_reference refers to: a selector may be a function, which no void* points to.
template <class Selector>
struct selector_call {
  const Selector& selector;

  selector_reference reference() const noexcept { return {this, &score}; }

private:
  static int score(const void* self, const device& dev) {
    return static_cast<const selector_call*>(self)->selector(dev);
  }
};

/// Scores every device. Throws errc::runtime, listing the devices there are, if none has a score of 0 or
/// more.
falx::handle<falx::device_state> select_device(selector_reference selector);

template <class Selector>
falx::handle<falx::device_state> select_device_with(const Selector& selector) {
  return select_device(selector_call<Selector>{selector}.reference());
}

template <class T>
using if_device_selector = std::enable_if_t<std::is_invocable_r_v<int, const T&, const device&>>;

struct default_selector_type {
  int operator()(const device& dev) const;
};
struct cpu_selector_type {
  int operator()(const device& dev) const;
};
struct gpu_selector_type {
  int operator()(const device& dev) const;
};
struct accelerator_selector_type {
  int operator()(const device& dev) const;
};

class aspect_selector_type {
public:
  aspect_selector_type(std::vector<aspect> required, std::vector<aspect> denied)
      : required_(std::move(required)), denied_(std::move(denied)) {}
  int operator()(const device& dev) const;

private:
  std::vector<aspect> required_;
  std::vector<aspect> denied_;
};

} // namespace detail

/// Prefers GPUs to CPUs, and the first of several.
inline constexpr detail::default_selector_type default_selector_v{};
inline constexpr detail::cpu_selector_type cpu_selector_v{};
inline constexpr detail::gpu_selector_type gpu_selector_v{};
inline constexpr detail::accelerator_selector_type accelerator_selector_v{};

/// A selector for devices that have all of \p aspectList and none of \p denyList; without aspects, the same
/// as default_selector_v.
inline detail::aspect_selector_type aspect_selector(const std::vector<aspect>& aspectList,
                                                    const std::vector<aspect>& denyList = {}) {
  return {aspectList, denyList};
}
template <class... AspectList, class = std::enable_if_t<(sizeof...(AspectList) > 0 &&
                                                         (std::is_same_v<AspectList, aspect> && ...))>>
detail::aspect_selector_type aspect_selector(AspectList... aspectList) {
  return {{aspectList...}, {}};
}
template <aspect... AspectList>
detail::aspect_selector_type aspect_selector() {
  return {{AspectList...}, {}};
}

/// Base class of SYCL 1.2.1 selectors. Deprecated: SYCL 2020 takes any callable.
class device_selector {
public:
  /// Defined in libfalx.so, so that the vtable is there alone: it would bind its own uses to a program's
  /// library otherwise, which dlclose could not unload then.
  virtual ~device_selector();
  device select_device() const;
  virtual int operator()(const device& dev) const = 0;
};

/// Deprecated spellings of the predefined selectors.
class default_selector : public device_selector {
public:
  int operator()(const device& dev) const override;
};
class cpu_selector : public device_selector {
public:
  int operator()(const device& dev) const override;
};
class gpu_selector : public device_selector {
public:
  int operator()(const device& dev) const override;
};
class accelerator_selector : public device_selector {
public:
  int operator()(const device& dev) const override;
};

} // namespace sycl
