// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/elementwise.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

/// \file
/// Names of the elements of vec and of swizzled vectors: x, y, z, w; r, g, b, a; s0 to sF; lo, hi, odd, even
/// (SYCL 2020 §4.14.2.1).

namespace sycl::detail::elementwise {

/// Gives Derived, a vec or a swizzled vector of N elements, the named elements. Derived has element<I>() and
/// swizzle<I...>().
template <class Derived, int N>
class named_elements {
public:
#define FALX_ELEMENT(name, index, available)                                                                 \
  constexpr decltype(auto) name() { return get<index, (available)>(self()); }                                \
  constexpr decltype(auto) name() const { return get<index, (available)>(self()); }
  FALX_ELEMENT(x, 0, N <= 4)
  FALX_ELEMENT(y, 1, N <= 4)
  FALX_ELEMENT(z, 2, N <= 4)
  FALX_ELEMENT(w, 3, N <= 4)
  FALX_ELEMENT(r, 0, N == 4)
  FALX_ELEMENT(g, 1, N == 4)
  FALX_ELEMENT(b, 2, N == 4)
  FALX_ELEMENT(a, 3, N == 4)
  FALX_ELEMENT(s0, 0, true)
  FALX_ELEMENT(s1, 1, true)
  FALX_ELEMENT(s2, 2, true)
  FALX_ELEMENT(s3, 3, true)
  FALX_ELEMENT(s4, 4, true)
  FALX_ELEMENT(s5, 5, true)
  FALX_ELEMENT(s6, 6, true)
  FALX_ELEMENT(s7, 7, true)
  FALX_ELEMENT(s8, 8, true)
  FALX_ELEMENT(s9, 9, true)
  FALX_ELEMENT(sA, 10, true)
  FALX_ELEMENT(sB, 11, true)
  FALX_ELEMENT(sC, 12, true)
  FALX_ELEMENT(sD, 13, true)
  FALX_ELEMENT(sE, 14, true)
  FALX_ELEMENT(sF, 15, true)
#undef FALX_ELEMENT

#define FALX_PART(name, first, step)                                                                         \
  constexpr auto name() { return part<first, step>(self(), half_indexes{}); }                                \
  constexpr auto name() const { return part<first, step>(self(), half_indexes{}); }
  FALX_PART(lo, 0, 1)
  FALX_PART(hi, int(half_indexes::size()), 1)
  FALX_PART(odd, 1, 2)
  FALX_PART(even, 0, 2)
#undef FALX_PART

#ifdef SYCL_SIMPLE_SWIZZLES
#include "sycl/detail/vec_simple_swizzles.inc"
#endif

private:
  friend Derived;
  named_elements() = default;

  /// Half of the elements; a vec of three counts as one of four.
  using half_indexes = std::make_integer_sequence<int, (N + 1) / 2>;

  template <int I, bool Available, class Self>
  static constexpr auto& get(Self& self) {
    static_assert(Available && I < N, "a vector of this size has no element of this name");
    return self.template element<I>();
  }
  template <int First, int Step, class Self, int... I>
  static constexpr auto part(Self& self, std::integer_sequence<int, I...>) {
    static_assert(N > 1, "a vector of one element has no halves");
    return self.template swizzle_or_padding<(First + Step * I)...>();
  }
  constexpr Derived& self() { return static_cast<Derived&>(*this); }
  constexpr const Derived& self() const { return static_cast<const Derived&>(*this); }
};

} // namespace sycl::detail::elementwise
