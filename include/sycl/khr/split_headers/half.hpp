// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"
#include "sycl/khr/split_headers/version.hpp"

/// \file
/// sycl_khr_split_headers: half.
