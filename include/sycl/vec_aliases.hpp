// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"
#include "sycl/vec.hpp"

#include <cstdint>

/// \file
/// Names of vectors of 2, 3, 4, 8 and 16 elements: float4, uchar16 … (SYCL 2020 §4.14.2.2); cl_float4,
/// cl_uchar16 … as in SYCL 1.2.1.

namespace sycl {

#define FALX_VECTORS(name, type)                                                                             \
  using name##2 = vec<type, 2>;                                                                              \
  using name##3 = vec<type, 3>;                                                                              \
  using name##4 = vec<type, 4>;                                                                              \
  using name##8 = vec<type, 8>;                                                                              \
  using name##16 = vec<type, 16>;
#define FALX_ELEMENT_TYPE(name, type)                                                                        \
  FALX_VECTORS(name, type)                                                                                   \
  FALX_VECTORS(cl_##name, type)
#include "sycl/detail/element_types.def"
#undef FALX_VECTORS
#undef FALX_ELEMENT_TYPE

} // namespace sycl
