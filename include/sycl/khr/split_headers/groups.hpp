// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/device_event.hpp"
#include "sycl/group.hpp"
#include "sycl/group_barrier.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/sub_group.hpp"

/// \file
/// sycl_khr_split_headers: group, sub_group, device_event and group_barrier.
