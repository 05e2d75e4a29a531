// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../bench.hpp"
#include "../cpu/row.hpp"

#include <cstdint>

/// \file
/// Kernels of work-groups that wait at barriers, with numbers and tests of each work-item's own that live
/// across these: what a work-item does, and on the host what it has to give.

namespace bench::divergence {

constexpr std::size_t GROUP = 256;

/// Work-items take numbers in strides as long as there are any, each by a test of its own. The last stride is
/// whole, so all work-items come to all barriers.
class strided_loop {
public:
  static constexpr const char* NAME = "strided loop with barriers";
  static constexpr std::size_t SIZE = std::size_t(1) << 12;
  auto kernel() const {
    return [in = in_.data(), n = int(NUMBERS)](const sycl::nd_item<1>& item, float* tile) {
      const int local = int(item.get_local_id(0));
      float sum = 0;
      for (int i = int(item.get_global_id(0)); i < n; i += int(SIZE)) {
        tile[local] = in[i];
        sycl::group_barrier(item.get_group());
        sum += tile[local] + tile[(local + 1) % int(GROUP)];
        sycl::group_barrier(item.get_group());
      }
      return std::uint32_t(sum);
    };
  }
  std::uint32_t on_host(std::size_t item) const {
    const std::size_t right = item / GROUP * GROUP + (item + 1) % GROUP;
    float sum = 0;
    for (std::size_t i = 0; i < NUMBERS; i += SIZE)
      sum += in_.data()[item + i] + in_.data()[right + i];
    return std::uint32_t(sum);
  }

private:
  static constexpr std::size_t NUMBERS = 64 * SIZE;
  array<float> in_{NUMBERS, [](std::size_t i) { return float(i % 100); }};
};

/// As above, with a pointer that advances, and a number of rounds that all know.
class advancing_pointer {
public:
  static constexpr const char* NAME = "pointer across barriers";
  static constexpr std::size_t SIZE = std::size_t(1) << 12;
  auto kernel() const {
    return [in = in_.data(), rounds = int(ROUNDS)](const sycl::nd_item<1>& item, float* tile) {
      const int local = int(item.get_local_id(0));
      const float* at = in + item.get_global_id(0);
      float sum = 0;
      for (int round = 0; round < rounds; ++round, at += SIZE) {
        tile[local] = *at;
        sycl::group_barrier(item.get_group());
        sum += tile[local] - tile[int(GROUP) - 1 - local] + 1;
        sycl::group_barrier(item.get_group());
      }
      return std::uint32_t(int(sum));
    };
  }
  std::uint32_t on_host(std::size_t item) const {
    const std::size_t other = item / GROUP * GROUP + GROUP - 1 - item % GROUP;
    float sum = 0;
    for (std::size_t round = 0; round < ROUNDS; ++round)
      sum += in_.data()[item + round * SIZE] - in_.data()[other + round * SIZE] + 1;
    return std::uint32_t(int(sum));
  }

private:
  static constexpr std::size_t ROUNDS = 64;
  array<float> in_{ROUNDS * SIZE, [](std::size_t i) { return float(i % 100); }};
};

/// Four elements each, behind tests against an end that is read, change places across a barrier.
class guarded_exchange {
public:
  static constexpr const char* NAME = "four elements across a barrier";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return
        [in = in_.data(), out = out_.data(), end = end_.data()](const sycl::nd_item<1>& item, float* tile) {
          const int local = int(item.get_local_id(0)), first = int(item.get_group(0) * 4 * GROUP);
          const int valid = *end - first;
          float values[4] = {};
#pragma unroll
          for (int k = 0; k < 4; ++k)
            if (4 * local + k < valid)
              values[k] = in[first + 4 * local + k];
#pragma unroll
          for (int k = 0; k < 4; ++k)
            tile[4 * local + k] = values[k];
          sycl::group_barrier(item.get_group());
#pragma unroll
          for (int k = 0; k < 4; ++k)
            values[k] = tile[local + int(GROUP) * k];
#pragma unroll
          for (int k = 0; k < 4; ++k)
            if (4 * local + k < valid)
              out[first + 4 * local + k] = values[k];
          return std::uint32_t(values[3]);
        };
  }
  std::uint32_t on_host(std::size_t item) const {
    const std::size_t at = item / GROUP * 4 * GROUP + item % GROUP + 3 * GROUP;
    return at < END ? std::uint32_t(in_.data()[at]) : 0;
  }

private:
  static constexpr std::size_t END = 4 * SIZE - 3;
  array<float> in_{4 * SIZE, [](std::size_t i) { return float(i % 100); }};
  array<float> out_{4 * SIZE};
  array<int> end_{1, [](std::size_t) { return int(END); }};
};

/// The sum of a group's numbers, as a tree in local memory.
class tree_sum {
public:
  static constexpr const char* NAME = "tree in local memory";
  static constexpr std::size_t SIZE = std::size_t(1) << 16;
  auto kernel() const {
    return [in = in_.data()](const sycl::nd_item<1>& item, float* tile) {
      const std::size_t local = item.get_local_id(0);
      tile[local] = in[item.get_global_id(0)];
      sycl::group_barrier(item.get_group());
      for (std::size_t stride = GROUP / 2; stride > 0; stride /= 2) {
        if (local < stride)
          tile[local] += tile[local + stride];
        sycl::group_barrier(item.get_group());
      }
      return std::uint32_t(local == 0 ? tile[0] : 0);
    };
  }
  std::uint32_t on_host(std::size_t item) const {
    float sum = 0;
    for (std::size_t i = 0; i < (item % GROUP == 0 ? GROUP : 0); ++i)
      sum += in_.data()[item + i];
    return std::uint32_t(sum);
  }

private:
  array<float> in_{SIZE, [](std::size_t i) { return float(i % 100); }};
};

} // namespace bench::divergence
