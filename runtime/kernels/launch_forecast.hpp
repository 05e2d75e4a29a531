// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "checksum.hpp"
#include "image/device_image.hpp"
#include "jit/request/request.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace falx {

class kernel_use;

/// Says which kernels of an image are going to be launched, and what is going to be requested of the JIT for
/// them, and has that compiled on idle processors (ahead_compiler.hpp). Programs launch kernels about in the
/// order in which they appear in the source. Of a launch that has not come most is known nevertheless:
///
///   single_task            all
///   range                  that indices have 32 bits, and that there is no offset; the number of
///                          work-items is taken to be the latest
///   nd_range, work_group   the same, and the work-group size, if an attribute demands one; else it is taken
///                          to be the latest that a kernel of the image had in as many dimensions
///
/// Captured pointers are taken to lead to different memory, unless those of the latest launch did not.
/// Kernels that are compiled for what they capture (sizes of local accessors among that), or that read
/// specialization constants, are not forecast. Thread-safe.
class launch_forecast {
public:
  /// \p kernels lives as long; \p appearance has the index of each in the order of appearance.
  launch_forecast(const std::vector<image::kernel_metadata>& kernels, std::vector<std::uint32_t> appearance);

  /// The kernel has to be compiled, or was compiled ahead: this is requested for it. \p images define it and
  /// what it imports. Has what follows compiled, as far as there is room.
  void see(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
           const jit::request& request, backend_device& device);

private:
  /// Nothing if that is not known well enough.
  std::optional<jit::configuration> likely_configuration(const image::kernel_metadata& kernel,
                                                         const backend_device& device) const;
  void compile_ahead(std::span<const kernel_use> images, const image::kernel_metadata& kernel,
                     const jit::configuration& configuration, bool estimates, const backend_device& device);

  const std::vector<image::kernel_metadata>& kernels_;
  const std::vector<std::uint32_t> appearance_;

  std::mutex mutex_; // guards what follows
  /// By place in appearance_: launched, or being compiled ahead.
  std::vector<bool> is_known_;
  /// Work-group sizes of the latest launches, by dimensions; 0 if there was none.
  std::array<std::array<std::uint32_t, 3>, 3> local_ranges_{};
  bool expects_disjoint_pointers_ = true;
  /// Of the latest launch over a range that waited for code of the tier that was estimated; 0 if none did.
  std::uint64_t latest_work_items_ = 0;
};

} // namespace falx
