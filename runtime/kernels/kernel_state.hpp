// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "adaptivity/disjoint_pointers.hpp"
#include "adaptivity/launch_plans.hpp"
#include "adaptivity/learned_launches.hpp"
#include "backends/backend.hpp"
#include "falx/kernel.hpp"
#include "image/device_image.hpp"
#include "image_registry.hpp"
#include "kernel_configuration.hpp"
#include "kernel_versions.hpp"
#include "specialization_constants.hpp"

#include <atomic>
#include <memory>
#include <mutex>

namespace falx {

class device_state;
class function_replacements;

/// A kernel of a registered image with what it was compiled to, per device and configuration. Thread-safe:
/// what is there is found without a lock; one thread at a time compiles.
class kernel_state {
public:
  /// Announces itself in the descriptor.
  kernel_state(const kernel_descriptor& descriptor, image_state& image,
               const image::kernel_metadata& metadata);
  /// Withdraws from the descriptor.
  ~kernel_state();
  kernel_state(const kernel_state&) = delete;
  kernel_state& operator=(const kernel_state&) = delete;

  /// The state that announced itself in the descriptor; null if none did.
  static kernel_state* known(const kernel_descriptor& descriptor) noexcept {
    return static_cast<kernel_state*>(slot(descriptor).load(std::memory_order_acquire));
  }

  image_state& image() const noexcept { return image_; }
  const image::kernel_metadata& metadata() const noexcept { return metadata_; }

  /// The machine code for the device, from memory, the kernel cache or the JIT, in this order. Throws
  /// sycl::exception with errc::build if it cannot be compiled or loaded.
  /// \p constants are the values that were set of those constants that the kernel may read; null for none. \p
  /// function is the function object that the configuration was made for, if any, \p functions likewise.
  /// Where a launch waits for the code, \p work_items says of how many; 0 if it need not come soon.
  loaded_kernel& load(backend_device& device, const kernel_configuration& configuration,
                      const specialization_constants* constants = nullptr, const void* function = nullptr,
                      const function_replacements* functions = nullptr, std::uint64_t work_items = 0) {
    if (loaded_kernel* kernel = versions_.find(device, configuration, constants))
      return *kernel;
    return load_slowly(device, configuration, constants, function, functions, work_items);
  }

  launch_plans& plans() noexcept { return plans_; }
  disjoint_pointers& pointers() noexcept { return pointers_; }

  /// Whether versions of the kernel are made for what its launches have in common: of any kernel, if the user
  /// wishes that, and of those that run long on devices that find out whether it makes them faster.
  bool learns() const noexcept { return learned_ != nullptr && !compares_; }
  bool learns(const backend_device& device, const loaded_kernel& kernel) const noexcept {
    return learned_ != nullptr && compares_ && kernel.runs_long() && device.times_learned_code();
  }
  /// Like load, for a launch with the configuration and \p geometry, from which the kernel may learn. Only if
  /// it learns.
  loaded_kernel& load_learned(backend_device& device, const kernel_configuration& configuration,
                              const specialization_constants* constants, const void* function,
                              const function_replacements* functions, const launch_geometry& geometry);

  /// The specialization_id objects whose values the kernel may read, in functions of other images as well.
  /// Throws like load if an image that the kernel needs is missing.
  std::vector<const void*> constants_read(const function_replacements* functions = nullptr) const;

private:
  static std::atomic_ref<void*> slot(const kernel_descriptor& descriptor) noexcept {
    // Descriptors are emitted into writable memory; only their users see them as constant.
    return std::atomic_ref<void*>(const_cast<kernel_descriptor&>(descriptor).runtime_state);
  }

  loaded_kernel& load_slowly(backend_device& device, const kernel_configuration& configuration,
                             const specialization_constants* constants, const void* function,
                             const function_replacements* functions, std::uint64_t work_items);
  /// Null if the version cannot be had.
  loaded_kernel* make_learned(backend_device& device, const kernel_configuration& configuration,
                              const specialization_constants* constants, const void* function,
                              const function_replacements* functions, const learned_version& learned);

  const kernel_descriptor& descriptor_;
  image_state& image_;
  const image::kernel_metadata& metadata_;
  launch_plans plans_;
  disjoint_pointers pointers_;
  kernel_versions versions_;
  std::size_t versions_by_capture_ = 0;
  std::atomic<std::size_t> learned_versions_ = 0;
  std::mutex mutex_; // guards adding versions
  const std::unique_ptr<learned_launches> learned_;
  /// Versions are compared with code that knows less.
  const bool compares_;
};

/// The kernel's state, made on first use. Throws sycl::exception with errc::kernel_not_supported if another
/// version of falx++ compiled it, errc::invalid if its image is damaged.
inline kernel_state& state_of(const kernel_descriptor& kernel) {
  kernel_state* known = kernel_state::known(kernel);
  return known != nullptr ? *known : state_of(*kernel.image).kernel(kernel);
}

/// What the compiler knows about the kernel. Throws like state_of.
inline const image::kernel_metadata& metadata_of(const kernel_descriptor& kernel) {
  return state_of(kernel).metadata();
}

/// The kernel's machine code for the device. The first call for a configuration loads or compiles it; later
/// ones are lock-free. The result lives as long as a kernel_use of the kernel. Throws like state_of, and
/// errc::build if the kernel cannot be compiled.
loaded_kernel& kernel_for(const kernel_descriptor& kernel, device_state& device,
                          const kernel_configuration& configuration,
                          const specialization_constants* constants = nullptr, const void* function = nullptr,
                          const function_replacements* functions = nullptr, std::uint64_t work_items = 0);

/// Those of \p values that the kernel may read. Throws like kernel_state::constants_read.
specialization_constants constants_for(const kernel_descriptor& kernel,
                                       const specialization_constants& values,
                                       const function_replacements* functions = nullptr);

/// What launches of this geometry, which was checked, and of this function object, if it is known, specialise
/// the kernel on.
kernel_configuration configuration_of(const image::kernel_metadata& kernel, const launch_geometry& geometry,
                                      const backend_device& device, const void* function = nullptr,
                                      const function_replacements* functions = nullptr) noexcept;

} // namespace falx
