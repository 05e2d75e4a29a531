// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "image/device_image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace falx {

/// Something by which launches of one kernel can be alike.
struct launch_feature {
  enum class kind : std::uint8_t {
    /// A value that the kernel captures, without padding.
    value,
    /// The alignment of a pointer that it captures, or of what an accessor leads to.
    pointer,
    accessor,
    compact_accessor,
    /// The numbers of work-items.
    global_range,
  };
  kind what;
  /// In the function object; not of global_range.
  std::size_t offset;
  /// Where in a sample, and how many bytes there.
  std::size_t position, size;

  bool is_alignment() const noexcept {
    return what == kind::pointer || what == kind::accessor || what == kind::compact_accessor;
  }
};

/// Alignments that are told apart, in bytes: what code can make use of. 0 is any other.
constexpr std::uint8_t TOLD_ALIGNMENTS[] = {64, 32, 16};

/// All features of a kernel, and how to take a sample of them from a launch. A sample is a row of bytes: of
/// values their own, of alignments one of TOLD_ALIGNMENTS or 0, of the global range three 64-bit numbers.
class launch_features {
public:
  explicit launch_features(const image::kernel_metadata& kernel);

  std::span<const launch_feature> all() const noexcept { return features_; }
  std::size_t sample_size() const noexcept { return sample_size_; }

  /// Writes the feature's bytes of a sample to \p to.
  static void take(const launch_feature& feature, const void* function, const launch_geometry& geometry,
                   unsigned char* to) noexcept;
  /// Whether a launch is as \p sample says; more aligned is as good.
  static bool is_alike(const launch_feature& feature, const void* function, const launch_geometry& geometry,
                       const unsigned char* sample) noexcept;

private:
  void add(launch_feature::kind what, std::size_t offset, std::size_t size);

  std::vector<launch_feature> features_;
  std::size_t sample_size_ = 0;
};

} // namespace falx
