// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/external.hpp"
#include "sycl/feature_test.hpp"
#include "sycl/version.hpp"

/// \file
/// sycl_khr_split_headers: every macro of SYCL 2020 §5.6, of the backends and of the extensions, which
/// falx++ predefines and other compilers find here.
