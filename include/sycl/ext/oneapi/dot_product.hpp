// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/bit_cast.hpp"
#include "sycl/vec.hpp"

#include <cstdint>

/// \file
/// sycl_ext_oneapi_dot_accumulate: the dot product of four bytes with four others, and a sum.

namespace sycl {
namespace detail {

template <class A, class B>
inline std::int32_t sum_of_products(std::uint32_t a, std::uint32_t b, std::int32_t c) noexcept {
  std::uint32_t sum = static_cast<std::uint32_t>(c); // which wraps around
  for (int bits = 0; bits < 32; bits += 8)
    sum += static_cast<std::uint32_t>(static_cast<A>(a >> bits) * static_cast<B>(b >> bits));
  return static_cast<std::int32_t>(sum);
}

// The JIT knows them by their assembler names, which say whether bytes have signs, and has an instruction for
// each on GPUs (native_functions.cpp).
#define FALX_DOT_PRODUCT(suffix, A, B)                                                                       \
  inline std::int32_t dot_acc_##suffix(std::uint32_t a, std::uint32_t b,                                     \
                                       std::int32_t c) noexcept __asm__("falx.dot_acc_" #suffix);            \
  inline std::int32_t dot_acc_##suffix(std::uint32_t a, std::uint32_t b, std::int32_t c) noexcept {          \
    return sum_of_products<A, B>(a, b, c);                                                                   \
  }
FALX_DOT_PRODUCT(ss, std::int8_t, std::int8_t)
FALX_DOT_PRODUCT(su, std::int8_t, std::uint8_t)
FALX_DOT_PRODUCT(us, std::uint8_t, std::int8_t)
FALX_DOT_PRODUCT(uu, std::uint8_t, std::uint8_t)
#undef FALX_DOT_PRODUCT

} // namespace detail

namespace ext::oneapi {

// Of vectors, and of integers whose least significant byte is element 0: signed integers hold signed bytes.
// The document spells the name of the latter with a c, its revision history and DPC++ with a t.
#define FALX_DOT_PRODUCT(suffix, A, B, WordA, WordB)                                                         \
  inline std::int32_t dot_acc(vec<A, 4> a, vec<B, 4> b, std::int32_t c) {                                    \
    return sycl::detail::dot_acc_##suffix(sycl::bit_cast<std::uint32_t>(a),                                  \
                                          sycl::bit_cast<std::uint32_t>(b), c);                              \
  }                                                                                                          \
  inline std::int32_t dot_acc_4x8packed(WordA a, WordB b, std::int32_t c) {                                  \
    return sycl::detail::dot_acc_##suffix(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), c);  \
  }                                                                                                          \
  inline std::int32_t doc_acc_4x8packed(WordA a, WordB b, std::int32_t c) {                                  \
    return dot_acc_4x8packed(a, b, c);                                                                       \
  }                                                                                                          \
  [[deprecated("use dot_acc_4x8packed")]] inline std::int32_t dot_acc(WordA a, WordB b, std::int32_t c) {    \
    return dot_acc_4x8packed(a, b, c);                                                                       \
  }
FALX_DOT_PRODUCT(ss, std::int8_t, std::int8_t, std::int32_t, std::int32_t)
FALX_DOT_PRODUCT(su, std::int8_t, std::uint8_t, std::int32_t, std::uint32_t)
FALX_DOT_PRODUCT(us, std::uint8_t, std::int8_t, std::uint32_t, std::int32_t)
FALX_DOT_PRODUCT(uu, std::uint8_t, std::uint8_t, std::uint32_t, std::uint32_t)
#undef FALX_DOT_PRODUCT

} // namespace ext::oneapi
} // namespace sycl
