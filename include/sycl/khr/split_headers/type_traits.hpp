// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/aspect.hpp"
#include "sycl/detail/group_traits.hpp"
#include "sycl/device_copyable.hpp"
#include "sycl/functional.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/multi_ptr.hpp"
#include "sycl/property_list.hpp"

/// \file
/// sycl_khr_split_headers: Traits of properties, groups, device-copyable types, aspects, pointers and
/// identities.
