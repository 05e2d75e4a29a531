// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/half.hpp"

#include <cstdint>

/// \file
/// Names of scalar types that SYCL 1.2.1 had and DPC++ has kept in namespace sycl. (Vectors of the like names
/// are in vec_aliases.hpp.)

namespace sycl {

using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;

/// Where the specification puts them with OpenCL's backend.
namespace opencl {
using sycl::cl_bool;
using sycl::cl_char;
using sycl::cl_double;
using sycl::cl_float;
using sycl::cl_half;
using sycl::cl_int;
using sycl::cl_long;
using sycl::cl_short;
using sycl::cl_uchar;
using sycl::cl_uint;
using sycl::cl_ulong;
using sycl::cl_ushort;
} // namespace opencl

} // namespace sycl
