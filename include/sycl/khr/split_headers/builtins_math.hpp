// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/khr/split_headers/version.hpp"
#include "sycl/math_floating_point.hpp"
#include "sycl/math_native.hpp"
#include "sycl/math_two_results.hpp"

/// \file
/// sycl_khr_split_headers: The math functions, also in native and half precision (SYCL 2020 §4.17.4 to
/// §4.17.6).
