// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/group_algorithms.hpp"
#include "sycl/sub_group.hpp"

namespace sycl::ext::oneapi {

/// The class by its name before SYCL 2020 (SYCL extension sycl_ext_oneapi_sub_group).
using sycl::sub_group;

} // namespace sycl::ext::oneapi
