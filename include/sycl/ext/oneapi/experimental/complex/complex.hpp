// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/complex/complex_math.hpp"
#include "sycl/ext/oneapi/experimental/complex/complex_number.hpp"

/// \file
/// All of sycl_ext_oneapi_complex, where DPC++ has it.
