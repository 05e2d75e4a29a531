// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sycl/sycl.hpp>

using namespace sycl::ext::oneapi::experimental;

/// Defined in device_globals_other.cpp.
SYCL_EXTERNAL extern device_global<int> counter;
/// Counts, and returns how often it was called.
SYCL_EXTERNAL int count();
/// What count() counts, as the host sees it.
int calls(sycl::queue& queue);

/// One object in every translation unit and in libraries.
inline device_global<int> everywhere;

/// Used by kernels of two translation units.
using scoped_int = device_global<int, decltype(properties{device_image_scope})>;
inline scoped_int scoped_in_two;
void use_scoped(sycl::queue& queue);
