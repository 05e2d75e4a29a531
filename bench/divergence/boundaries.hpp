// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels.hpp"

#include <algorithm>

/// \file
/// Work-items that look at the neighbours of an element, of which those at the boundary of an array have
/// fewer.

namespace bench::divergence {

/// Elements, and by how much a filter weighs them.
class filtered {
public:
  static constexpr std::size_t SIZE = std::size_t(1) << 18;
  filtered()
      : in_(SIZE, [](std::size_t i) { return float(hash(unsigned(i)) % 64); }), weights_(2 * RADIUS + 1) {
    weights_.fill(0.25f);
  }

protected:
  static constexpr int RADIUS = 4;
  array<float> in_, weights_;
};

/// Elements beyond the ends are as those at the ends.
class clamped_filter : public filtered {
public:
  static constexpr const char* NAME = "filter, indices clamped";
  auto kernel() const {
    return [in = in_.data(), weights = weights_.data(), radius = int(weights_.size() / 2),
            last = int(SIZE) - 1](std::size_t item) {
      const int i = int(item);
      float sum = 0;
      for (int k = -radius; k <= radius; ++k)
        sum += in[std::min(std::max(i + k, 0), last)] * weights[k + radius];
      return sycl::bit_cast<std::uint32_t>(sum);
    };
  }
};

/// There is nothing beyond the ends.
class guarded_filter : public filtered {
public:
  static constexpr const char* NAME = "filter, indices tested";
  auto kernel() const {
    return [in = in_.data(), weights = weights_.data(), radius = int(weights_.size() / 2),
            size = int(SIZE)](std::size_t item) {
      const int i = int(item);
      float sum = 0;
      for (int k = -radius; k <= radius; ++k)
        if (i + k >= 0 && i + k < size)
          sum += in[i + k] * weights[k + radius];
      return sycl::bit_cast<std::uint32_t>(sum);
    };
  }
};

/// The mean of what is near.
class moving_window : public filtered {
public:
  static constexpr const char* NAME = "window, ends clamped";
  auto kernel() const {
    return [in = in_.data(), radius = int(weights_.size() / 2), last = int(SIZE) - 1](std::size_t item) {
      const int first = std::max(int(item) - radius, 0), end = std::min(int(item) + radius, last);
      float sum = 0;
      for (int k = first; k <= end; ++k)
        sum += in[k];
      return sycl::bit_cast<std::uint32_t>(sum / float(end - first + 1));
    };
  }
};

/// Beyond the ends is the other end.
class periodic_stencil : public filtered {
public:
  static constexpr const char* NAME = "stencil, periodic";
  auto kernel() const {
    return [in = in_.data(), size = int(in_.size())](std::size_t item) {
      const int i = int(item);
      return sycl::bit_cast<std::uint32_t>(in[(i + 1) % size] + in[(i - 1 + size) % size] - 2 * in[i]);
    };
  }
};

} // namespace bench::divergence
