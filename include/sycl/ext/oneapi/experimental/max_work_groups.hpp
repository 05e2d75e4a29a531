// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The name by which programs for DPC++ find the descriptors of sycl_ext_oneapi_max_work_group_query.
#include "sycl/ext/oneapi/info/device.hpp"
