// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include "falx/predefined_macros.hpp"

/// \file
/// Macros that tell which SYCL this is.

#define FALX_VERSION_MAJOR 0
#define FALX_VERSION_MINOR 1
#define FALX_VERSION_PATCH 0
#define FALX_VERSION_STRING "0.1.0"
