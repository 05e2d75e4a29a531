// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/specialize.hpp"
#include "sycl/feature_test.hpp"

#include <type_traits>

/// \file
/// AdaptiveCpp's extension SPECIALIZED.

namespace sycl {

/// A value that is a constant in the machine code of every kernel that captures the object by value, alone or
/// inside of other objects (AdaptiveCpp, SPECIALIZED): a kernel is compiled for each combination of such
/// values that it is launched with, up to a limit, behind which one version reads all values from memory.
/// FALX_ADAPTIVITY=0 turns that off. On the host it is a T.
template <class T>
class FALX_SPECIALIZE specialized {
  static_assert(
      std::is_trivially_copyable_v<T>,
      "sycl::specialized<T> needs a trivially copyable T: kernels are compiled for the bytes of its "
      "value");

public:
  using value_type = T;

  /// Holds T().
  template <class U = T, std::enable_if_t<std::is_default_constructible_v<U>, int> = 0>
  specialized() noexcept : value_() {}
  specialized(const T& value) noexcept : value_(value) {}

  specialized& operator=(const T& value) noexcept {
    value_ = value;
    return *this;
  }

  operator T() const noexcept { return value_; }

  friend void swap(specialized& first, specialized& second) noexcept {
    const specialized old = first;
    first = second;
    second = old;
  }

private:
  T value_;
};

} // namespace sycl
