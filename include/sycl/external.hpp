// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

/// Marks a function that device code of other translation units may call, or that is defined in another one
/// (SYCL 2020 §5.10.1). Stands wherever a declaration's specifiers may: before the type, or after `extern`.
#if defined(__clang__)
#define SYCL_EXTERNAL __attribute__((annotate("falx.external")))
#else
#define SYCL_EXTERNAL
#endif
