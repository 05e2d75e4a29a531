// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"
#include "sycl/marray.hpp"

#include <cstdint>

/// \file
/// Names of arrays of 2, 3, 4, 8 and 16 elements: mfloat4, muchar16 … (SYCL 2020 §4.14.3.2).

namespace sycl {

#define FALX_ELEMENT_TYPE(name, type)                                                                        \
  using m##name##2 = marray<type, 2>;                                                                        \
  using m##name##3 = marray<type, 3>;                                                                        \
  using m##name##4 = marray<type, 4>;                                                                        \
  using m##name##8 = marray<type, 8>;                                                                        \
  using m##name##16 = marray<type, 16>;
#include "sycl/detail/element_types.def"
FALX_ELEMENT_TYPE(bool, bool)
#undef FALX_ELEMENT_TYPE

/// OpenCL's names of scalar types (§C.7.8), which programs use as others do.
namespace opencl {
#define FALX_ELEMENT_TYPE(name, type) using cl_##name = type;
#include "sycl/detail/element_types.def"
FALX_ELEMENT_TYPE(bool, bool)
#undef FALX_ELEMENT_TYPE
} // namespace opencl

} // namespace sycl
