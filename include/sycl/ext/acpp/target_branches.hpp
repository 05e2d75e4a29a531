// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"

/// \file
/// Code for devices only or for the host only within one function, by the names of AdaptiveCpp's compiler. A
/// program may also ask __falx_is_device() itself, in any condition of an if statement, a conditional
/// operator or a logical one: what the answer excludes is not checked for the language restrictions in device
/// code, and is in neither the device image nor the host object.

/// Statements that only device code has, and statements that only host code has.
#define __acpp_if_target_device(...)                                                                         \
  if (__falx_is_device()) {                                                                                  \
    __VA_ARGS__                                                                                              \
  }
#define __acpp_if_target_host(...)                                                                           \
  if (!__falx_is_device()) {                                                                                 \
    __VA_ARGS__                                                                                              \
  }
/// Device code that is compiled once for all devices: all device code of Falx.
#define __acpp_if_target_sscp(...) __acpp_if_target_device(__VA_ARGS__)
/// Device code of a pass for one kind of device, of which Falx has none.
#define __acpp_if_target_cuda(...)
#define __acpp_if_target_hip(...)
#define __acpp_if_target_hiplike(...)
#define __acpp_if_target_spirv(...)

#define __hipsycl_if_target_device(...) __acpp_if_target_device(__VA_ARGS__)
#define __hipsycl_if_target_host(...) __acpp_if_target_host(__VA_ARGS__)
#define __hipsycl_if_target_sscp(...) __acpp_if_target_sscp(__VA_ARGS__)
#define __hipsycl_if_target_cuda(...)
#define __hipsycl_if_target_hip(...)
#define __hipsycl_if_target_hiplike(...)
#define __hipsycl_if_target_spirv(...)

/// What AdaptiveCpp's users may put before functions that kernels call, which need nothing.
#define ACPP_KERNEL_TARGET
#define ACPP_UNIVERSAL_TARGET
#define HIPSYCL_KERNEL_TARGET
#define HIPSYCL_UNIVERSAL_TARGET
