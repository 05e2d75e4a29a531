// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels/kernel_configuration.hpp"
#include "launch_features.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace falx {

/// What of a launch is a constant of the machine code: jit::request has members of the same names.
struct launch_constants {
  std::vector<jit::captured_bytes> captured;
  std::vector<jit::captured_alignment> aligned;
  std::array<std::uint64_t, 3> global_range{};
};

/// A set of features with the values that launches were seen to share: what a version of the kernel is
/// compiled for. Never changes, except that it may be abandoned.
class learned_version {
public:
  /// Of \p features those for which \p known is 1, as in \p sample.
  learned_version(const launch_features& features, std::vector<unsigned char> known,
                  std::vector<unsigned char> sample);

  const std::vector<unsigned char>& known() const noexcept { return known_; }
  const std::vector<unsigned char>& sample() const noexcept { return sample_; }

  bool fits(const void* function, const launch_geometry& geometry) const noexcept {
    for (const launch_feature& feature : used_)
      if (!launch_features::is_alike(feature, function, geometry, sample_.data()))
        return false;
    return true;
  }

  /// The configuration of code that is specialised on this as well.
  kernel_configuration added_to(kernel_configuration configuration) const noexcept;
  void add_to(launch_constants& constants) const;

  /// Launches that it fits run as if nothing were known of them.
  void abandon() const noexcept { is_abandoned_.store(true, std::memory_order_relaxed); }
  bool is_abandoned() const noexcept { return is_abandoned_.load(std::memory_order_relaxed); }

private:
  std::vector<unsigned char> known_, sample_;
  std::vector<launch_feature> used_;
  std::uint64_t digest_[2];
  mutable std::atomic<bool> is_abandoned_{false};
};

} // namespace falx
