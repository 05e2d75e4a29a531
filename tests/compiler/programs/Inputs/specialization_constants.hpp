// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sycl/sycl.hpp>

inline constexpr sycl::specialization_id<int> shared(100);

/// Reads what the other translation unit calls `own`, and `shared`.
SYCL_EXTERNAL int read_other(sycl::kernel_handler handler);
void set_other(sycl::handler& group, int value);

class defined_elsewhere;
void launch_elsewhere(sycl::queue& queue, int* result);
