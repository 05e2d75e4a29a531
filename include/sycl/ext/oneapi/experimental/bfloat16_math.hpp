// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/bfloat16_math.hpp"

/// \file
/// Where DPC++ has the functions of sycl_ext_oneapi_bfloat16_math_functions.
