// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// All math functions (SYCL 2020 §4.17.4 to §4.17.10): of scalars, vec, swizzled vectors and marray.

#include "sycl/math_floating_point.hpp"
#include "sycl/math_geometric.hpp"
#include "sycl/math_integer.hpp"
#include "sycl/math_interpolation.hpp"
#include "sycl/math_min_max.hpp"
#include "sycl/math_native.hpp"
#include "sycl/math_relational.hpp"
#include "sycl/math_two_results.hpp"
