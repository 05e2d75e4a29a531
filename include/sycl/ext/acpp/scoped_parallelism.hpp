// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/acpp/scoped_parallelism/distribute.hpp"
#include "sycl/ext/acpp/scoped_parallelism/memory_environment.hpp"
#include "sycl/ext/acpp/scoped_parallelism/parallel.hpp"
#include "sycl/feature_test.hpp"

/// \file
/// AdaptiveCpp's extension SCOPED_PARALLELISM_V2.
