// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// \file
/// Macros that tell which SYCL this is (SYCL 2020 §5.6).

#define FALX_VERSION_MAJOR 0
#define FALX_VERSION_MINOR 1
#define FALX_VERSION_PATCH 0
#define FALX_VERSION_STRING "0.1.0"

/// Defined for programs that work around or make use of what is particular to Falx.
#ifndef SYCL_IMPLEMENTATION_FALX
#define SYCL_IMPLEMENTATION_FALX 1
#endif

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202012L
#endif

/// is_device_copyable counts for types that are not trivially copyable.
#ifndef SYCL_DEVICE_COPYABLE
#define SYCL_DEVICE_COPYABLE 1
#endif

/// With falx++, the host object holds the device code. Other compilers make host code alone.
#if defined(__FALX__) && !defined(__SYCL_SINGLE_SOURCE__)
#define __SYCL_SINGLE_SOURCE__ 1
#endif
