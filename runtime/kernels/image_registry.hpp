// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "image/device_image.hpp"
#include "launch_forecast.hpp"

#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// \file
/// The device images of the process. A registration is only a link in a list until a kernel of the image, or
/// a symbol that it may export, is first looked up; then it gets an image_state.

namespace falx {

class kernel_state;

/// A parsed image and its kernels' states. Lives from the image's first use until it is unregistered.
/// Thread-safe.
class image_state {
public:
  image_state(image::device_image image, std::string origin, const image_registration& registration);
  ~image_state();
  image_state(const image_state&) = delete;
  image_state& operator=(const image_state&) = delete;

  const image::device_image& image() const noexcept { return image_; }
  /// Path of the executable or shared library that the image came with, for messages.
  const std::string& origin() const noexcept { return origin_; }

  /// Null if the image has no such kernel.
  const image::kernel_metadata* find_kernel(std::string_view name) const noexcept;
  bool exports(std::string_view symbol) const noexcept;
  /// The address of the specialization_id at \p index of image().constants.
  const void* constant_id(std::size_t index) const noexcept { return registration_.constants[index]; }

  /// The address of the device global at \p index of image().globals, which names it in the whole process.
  const void* device_global(std::size_t index) const noexcept { return registration_.device_globals[index]; }

  /// The state of the kernel, made on the first call. Throws sycl::exception with errc::invalid if the image
  /// has no such kernel.
  kernel_state& kernel(const kernel_descriptor& descriptor);

  /// The bitcode as bytes that outlive the image. Shared by all who have them at a time.
  std::shared_ptr<const std::vector<unsigned char>> copy_of_bitcode();

  /// Which kernels of the image are launched next.
  launch_forecast& forecast() noexcept { return forecast_; }

private:
  friend class kernel_use;
  friend bool wait_for_image_use(image_state& image) noexcept;

  image::device_image image_; // kernels and exports sorted by name
  launch_forecast forecast_;
  std::string origin_;
  const image_registration& registration_;
  /// Twice the number of kernel_use objects, plus 1 once a thread waits for them.
  std::atomic<std::uint64_t> uses_{0};
  std::mutex mutex_; // guards what follows
  std::weak_ptr<const std::vector<unsigned char>> bitcode_;
  std::vector<std::unique_ptr<kernel_state>> kernels_;
};

/// Keeps an image, and with it its loaded kernels, from being discarded. A queue holds one from the moment it
/// looks up a kernel until the kernel has finished: falx_unregister_image waits for all of them.
class kernel_use {
public:
  kernel_use() noexcept = default;
  explicit kernel_use(image_state& image) noexcept : image_(&image) {
    image.uses_.fetch_add(2, std::memory_order_relaxed);
  }
  /// Throws what metadata_of throws.
  explicit kernel_use(const kernel_descriptor& kernel);
  kernel_use(kernel_use&& other) noexcept : image_(std::exchange(other.image_, nullptr)) {}
  kernel_use& operator=(kernel_use&& other) noexcept {
    std::swap(image_, other.image_);
    return *this;
  }
  ~kernel_use() {
    if (image_ == nullptr)
      return;
    const std::uint64_t before = image_->uses_.fetch_sub(2, std::memory_order_acq_rel);
    assert(before >= 2 && "an image is used less often than never");
    if (before == 3)
      wake_waiting();
  }

  /// The image in use; null for a default-constructed or moved-from object.
  image_state* image() const noexcept { return image_; }

private:
  static void wake_waiting() noexcept;

  image_state* image_ = nullptr;
};

class function_replacements;

/// Returns when no kernel_use of the image is left: true. False at once if the end of the process can have
/// none end any more.
bool wait_for_image_use(image_state& image) noexcept;

/// Throws sycl::exception with errc::kernel_not_supported if a registered image was compiled for another
/// version of the interface (falx/interface_version.hpp): of such a program nothing may be called, least of
/// all what its headers inline.
void require_same_interface();

/// The digests of all registered images that can be read.
std::vector<std::string> image_digests();

/// The state of a registered image, parsed on the first call. Throws sycl::exception:
/// errc::kernel_not_supported if another version of falx++ made the image, errc::invalid if it is damaged.
image_state& state_of(image_registration& registration);

/// The names of all kernels of the process, in the order of registration, each once.
std::vector<const kernel_name*> all_kernel_names();
/// The kernels of that name: more than one if the implementation needs several, as for reductions, or if the
/// type's name is shared with a library that has a kernel of that name too. Empty if there is none.
std::vector<const kernel_descriptor*> kernels_named(const kernel_name* name);

/// Whether \p kernel may use something of which the image at \p index of those that the kernel is linked from
/// says that \p kernels use it, and, \p by_exports, that functions do which the kernel may call in some
/// image.
bool may_use(std::string_view kernel, std::size_t index, const std::vector<std::string_view>& kernels,
             bool by_exports) noexcept;

/// How the registered images know a device global.
struct device_global_uses {
  /// The one that was registered first; not in use if there is none.
  kernel_use image;
  /// As the user wrote it; empty without an image.
  std::string name;
  /// The number of images with device code that uses the variable.
  std::size_t users = 0;
};
device_global_uses uses_of_device_global(const void* variable);

/// The image and all those that define what it imports, transitively, itself first. Where several define a
/// symbol, one in the same executable or shared library is preferred, then the one registered first. With \p
/// functions, the images of their definitions too; what they replace need not be defined. Throws
/// sycl::exception with errc::build for a symbol that no image exports.
std::vector<kernel_use> images_for(image_state& image, const function_replacements* functions = nullptr);

} // namespace falx
