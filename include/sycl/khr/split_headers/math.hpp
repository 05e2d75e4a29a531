// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/khr/split_headers/version.hpp"
#include "sycl/math.hpp"

/// \file
/// sycl_khr_split_headers: All functions of the five builtins_ headers.
