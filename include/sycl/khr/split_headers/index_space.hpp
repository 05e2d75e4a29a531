// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/item.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/nd_item.hpp"
#include "sycl/nd_range.hpp"
#include "sycl/range.hpp"

/// \file
/// sycl_khr_split_headers: id, item, nd_item, range and nd_range.
