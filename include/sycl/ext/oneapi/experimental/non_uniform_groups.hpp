// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/ballot_group.hpp"
#include "sycl/ext/oneapi/experimental/chunk.hpp"
#include "sycl/ext/oneapi/experimental/fixed_size_group.hpp"
#include "sycl/ext/oneapi/experimental/fragment.hpp"
#include "sycl/ext/oneapi/experimental/group_topology.hpp"
#include "sycl/ext/oneapi/experimental/opportunistic_group.hpp"
#include "sycl/ext/oneapi/experimental/tangle.hpp"
#include "sycl/ext/oneapi/experimental/tangle_group.hpp"

/// \file
/// SYCL extensions sycl_ext_oneapi_non_uniform_groups and sycl_ext_oneapi_tangle, and their traits.
