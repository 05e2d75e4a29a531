// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// On a class: the JIT specialises kernels on the values of captured objects of the class, wherever they lie
/// in what a kernel captures by value. Padding inside of them does not count.
#if defined(__clang__)
#define FALX_SPECIALIZE __attribute__((annotate("falx.specialize")))
#else
#define FALX_SPECIALIZE
#endif
