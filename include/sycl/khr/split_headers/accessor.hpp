// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/accessor.hpp"
#include "sycl/host_accessor.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/local_accessor.hpp"

/// \file
/// sycl_khr_split_headers: accessor, host_accessor and local_accessor, and the tags and enumerations of
/// access.
