// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/functional.hpp"

/// \file
/// Function objects by the names that DPC++ had for them before SYCL 2020.

namespace sycl::ext::oneapi {

using sycl::bit_and;
using sycl::bit_or;
using sycl::bit_xor;
using sycl::maximum;
using sycl::minimum;
using sycl::multiplies;
using sycl::plus;

} // namespace sycl::ext::oneapi
