// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// Refuses compilers and standards that cannot read the headers, in one sentence in place of hundreds of
/// errors. Headers that include no others of ours include this one, so whichever header a program includes,
/// this is read first.

// After #error compilers go on. A warning that is a fatal error stops Clang, but -w hides it; GCC stops at a
// missing file alone.
#if !defined(__clang__)
#include "Falx's headers need Clang 22; compile what includes them with falx++, as find_package(Falx) does"
#elif __clang_major__ < 22
#pragma clang diagnostic fatal "-W#warnings"
#warning Falx's headers need Clang 22; compile what includes them with falx++, as find_package(Falx) does
#error Falx's headers need Clang 22; compile what includes them with falx++, as find_package(Falx) does
#elif !defined(__cplusplus)
#pragma clang diagnostic fatal "-W#warnings"
#warning SYCL is C++; name the file .cpp or compile it with -x c++
#error SYCL is C++; name the file .cpp or compile it with -x c++
#elif __cplusplus < 201703L
#pragma clang diagnostic fatal "-W#warnings"
#warning SYCL 2020 needs C++17; compile with -std=c++17 or a later standard
#error SYCL 2020 needs C++17; compile with -std=c++17 or a later standard
#endif
