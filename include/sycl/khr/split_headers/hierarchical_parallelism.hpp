// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/h_item.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/private_memory.hpp"

/// \file
/// sycl_khr_split_headers: private_memory and h_item, deprecated.
