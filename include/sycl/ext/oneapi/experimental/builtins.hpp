// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/bfloat16_math.hpp"
#include "sycl/ext/oneapi/experimental/native_math.hpp"
#include "sycl/ext/oneapi/experimental/printf.hpp"

/// \file
/// printf, functions of bfloat16 and native functions, where DPC++ has them.
