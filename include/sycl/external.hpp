// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include "falx/predefined_macros.hpp"

/// \file
/// SYCL_EXTERNAL (SYCL 2020 §5.10.1).
