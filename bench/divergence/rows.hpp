// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

/// \file
/// Rows of a work-item's own that are changed, or that become another row.

namespace bench::divergence {

/// A row of 64 numbers from two others.
class rows_combined {
public:
  static constexpr const char* NAME = "rows of 64, a[k] * b[k] + 1";
  static constexpr std::size_t SIZE = std::size_t(1) << 12;
  auto kernel() const {
    return [rows = rows_.data(), factors = factors_.data(), to = to_.data()](std::size_t item) {
      for (std::size_t k = 0; k < LENGTH; ++k)
        to[item * LENGTH + k] = rows[item * LENGTH + k] * factors[k] + 1;
      return std::uint32_t(to[item * LENGTH + item % LENGTH]);
    };
  }

private:
  static constexpr std::size_t LENGTH = 64;
  array<float> rows_{SIZE * LENGTH, [](std::size_t i) { return float(i % 100); }};
  array<float> factors_{LENGTH, [](std::size_t i) { return float(i % 10); }};
  array<float> to_{SIZE * LENGTH, [](std::size_t) { return 0.0f; }};
};

/// Texts of 16 bytes in upper case.
class upper_case {
public:
  static constexpr const char* NAME = "texts of 16 bytes to upper case";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return [from = from_.data(), to = to_.data()](std::size_t item) {
      for (std::size_t k = 0; k < 16; ++k) {
        const std::uint8_t letter = from[item * 16 + k];
        to[item * 16 + k] = letter >= 'a' && letter <= 'z' ? std::uint8_t(letter - 32) : letter;
      }
      return std::uint32_t(to[item * 16 + item % 16]);
    };
  }

private:
  array<std::uint8_t> from_{16 * SIZE, [](std::size_t i) { return std::uint8_t(hash(unsigned(i)) % 128); }};
  array<std::uint8_t> to_{16 * SIZE, [](std::size_t) { return std::uint8_t(0); }};
};

/// Three members of a structure, each changed before the next one is looked at.
class members_changed {
public:
  static constexpr const char* NAME = "three members, changed";
  static constexpr std::size_t SIZE = std::size_t(1) << 15;
  auto kernel() const {
    return [points = points_.data(), moves = moves_.data()](std::size_t item) {
      float *point = points + 3 * item, *move = moves + 3 * item;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        point[axis] = std::min(point[axis] + move[axis], 100.0f);
        move[axis] *= 0.5f;
      }
      return std::uint32_t(item);
    };
  }

private:
  array<float> points_{3 * SIZE, [](std::size_t i) { return float(i % 50); }};
  array<float> moves_{3 * SIZE, [](std::size_t i) { return float(i % 7); }};
};

} // namespace bench::divergence
