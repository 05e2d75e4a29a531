// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/khr/split_headers/functional.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/reducer.hpp"
#include "sycl/reduction.hpp"

/// \file
/// sycl_khr_split_headers: reduction, reducer and their properties.
