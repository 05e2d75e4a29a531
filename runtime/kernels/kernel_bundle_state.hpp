// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "falx/kernel.hpp"
#include "falx/kernel_bundle.hpp"
#include "process/ref_counted.hpp"
#include "specialization_constants.hpp"
#include "sycl/device_image.hpp"

#include <memory>
#include <tuple>
#include <vector>

namespace falx {

/// Whether the device can run every kernel of that name (SYCL 2020 §4.11.8). False if there is none. Throws
/// what metadata_of throws.
bool is_compatible(const kernel_name* kernel, const device_state& device);

/// What sycl::device_image holds: a kernel, and unless its bundle is in bundle_state::input, the values that
/// its specialization constants were given. Immutable.
class device_image_state final : public ref_counted {
public:
  device_image_state(const kernel_name* kernel, specialization_constants constants)
      : kernel_(kernel), constants_(std::move(constants)) {}

  const kernel_name* kernel() const noexcept { return kernel_; }
  /// Those that the kernel may read and that were set.
  const specialization_constants& constants() const noexcept { return constants_; }

  friend bool operator==(const device_image_state& a, const device_image_state& b) noexcept {
    return a.kernel_ == b.kernel_ && a.constants_ == b.constants_;
  }

private:
  const kernel_name* kernel_;
  specialization_constants constants_;
};

/// What sycl::kernel_bundle holds. Only the values of specialization constants of a bundle in
/// bundle_state::input change.
class kernel_bundle_state final : public ref_counted {
public:
  using image_list = std::vector<handle<device_image_state>>;

  /// \p devices are of the context and each is there once.
  kernel_bundle_state(sycl::bundle_state state, handle<context_state> context,
                      std::vector<handle<device_state>> devices, image_list images,
                      specialization_constants constants);

  sycl::bundle_state state() const noexcept { return state_; }
  const handle<context_state>& context() const noexcept { return context_; }
  const std::vector<handle<device_state>>& devices() const noexcept { return devices_; }
  const image_list& images() const noexcept { return images_; }
  bool has_device(const device_state& device) const noexcept;

  /// The image with the kernel; null if there is none.
  const device_image_state* find(const kernel_name* kernel) const noexcept;

  const specialization_constants& constants() const noexcept { return constants_; }
  void set_constant(const void* id, const void* bytes, std::size_t size) { constants_.set(id, bytes, size); }

  /// The images as users see them. \p State is state().
  template <sycl::bundle_state State>
  const std::vector<sycl::device_image<State>>& user_images() const noexcept {
    return std::get<std::vector<sycl::device_image<State>>>(user_images_);
  }

  friend bool operator==(const kernel_bundle_state& a, const kernel_bundle_state& b) noexcept;
  std::size_t hash() const noexcept;

private:
  sycl::bundle_state state_;
  handle<context_state> context_;
  std::vector<handle<device_state>> devices_;
  image_list images_;
  std::tuple<std::vector<sycl::device_image<sycl::bundle_state::input>>,
             std::vector<sycl::device_image<sycl::bundle_state::object>>,
             std::vector<sycl::device_image<sycl::bundle_state::executable>>>
      user_images_;
  specialization_constants constants_;
};

} // namespace falx
