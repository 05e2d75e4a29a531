// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/atomic.hpp"
#include "sycl/atomic_fence.hpp"
#include "sycl/atomic_ref.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/memory_enums.hpp"

/// \file
/// sycl_khr_split_headers: atomic_ref, atomic_fence and their enumerations, and the deprecated atomic.
