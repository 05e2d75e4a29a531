// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "sycl/aspect.hpp"
#include "sycl/feature_test.hpp"

#include <cstdint>

/// \file
/// SYCL extension sycl_ext_oneapi_device_if (proposed; in its first form sycl_ext_oneapi_if_device_has): code
/// for devices that have aspects. The answer is a constant when a kernel is compiled, which is when it is
/// first launched: what is for others is not there, so it may use features that the device lacks.

namespace sycl::ext::oneapi::experimental {

namespace detail {

/// One of a chain of branches, of which one runs.
class device_branch {
public:
  constexpr explicit device_branch(bool has_run) noexcept : has_run_(has_run) {}

  template <typename T, typename... Args>
  void otherwise(T fn, Args... args) const {
    next(true, fn, args...);
  }

protected:
  /// Runs \p fn if \p condition holds and none has run. The result: whether one has now. The annotation tells
  /// the compiler that the kernel does not need what \p fn needs.
  template <typename T, typename... Args>
  [[clang::annotate("falx.optional")]] bool next(bool condition, T& fn, Args&... args) const {
    if (condition && !has_run_)
      fn(args...);
    return condition || has_run_;
  }

private:
  bool has_run_;
};

/// What if_device_has returns.
class aspect_branch : public device_branch {
public:
  using device_branch::device_branch;

  template <aspect... Aspects, typename T, typename... Args>
  aspect_branch else_if_device_has(T fn, Args... args) const {
    const bool has_all = (__falx_device_has(static_cast<std::uint32_t>(Aspects)) && ...);
    return aspect_branch(next(has_all, fn, args...));
  }
};

} // namespace detail

/// In kernels: calls \p fn if the device has all of the aspects. The earlier form passes arguments.
template <aspect... Aspects, typename T, typename... Args>
detail::aspect_branch if_device_has(T fn, Args... args) {
  return detail::aspect_branch(false).else_if_device_has<Aspects...>(fn, args...);
}

} // namespace sycl::ext::oneapi::experimental
