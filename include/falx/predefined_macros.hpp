/* Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once
#pragma GCC system_header /* which -imacros does not make it */

/* Macros of SYCL 2020 (§4.1, §5.6, §6.2) that programs may test before they include a header. falx++ has
   every translation unit begin with this file, also such as are C or no SYCL at all: it holds macros alone,
   and what any language takes. */

#ifndef SYCL_LANGUAGE_VERSION
#define SYCL_LANGUAGE_VERSION 202012L
#endif
/* All of the core specification is there (§B.1). */
#ifndef SYCL_FEATURE_SET_FULL
#define SYCL_FEATURE_SET_FULL 1
#endif
/* is_device_copyable counts for types that are not trivially copyable. */
#ifndef SYCL_DEVICE_COPYABLE
#define SYCL_DEVICE_COPYABLE 1
#endif
/* With falx++, the host object holds the device code. Other compilers make host code alone. */
#if defined(__FALX__) && !defined(__SYCL_SINGLE_SOURCE__)
#define __SYCL_SINGLE_SOURCE__ 1
#endif
/* For programs that work around or make use of what is particular to Falx. */
#ifndef SYCL_IMPLEMENTATION_FALX
#define SYCL_IMPLEMENTATION_FALX 1
#endif

/* Marks a function that device code of other translation units may call, or that is defined in another one
   (§5.10.1). Stands wherever a declaration's specifiers may: before the type, or after `extern`. */
#ifndef SYCL_EXTERNAL
#if defined(__clang__)
#define SYCL_EXTERNAL __attribute__((annotate("falx.external")))
#else
#define SYCL_EXTERNAL
#endif
#endif

/* The macros of backends and extensions. */
#include "../sycl/feature_test.hpp"
