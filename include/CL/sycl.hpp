// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The header and namespace of SYCL 1.2.1, kept for its programs (SYCL 2020 §4.3).
#include "../sycl/sycl.hpp"

namespace cl {
namespace sycl = ::sycl;
}
