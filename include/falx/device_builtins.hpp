// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstddef>
#include <cstdint>

/// \file
/// Every builtin of device code, out of the table in device_builtins.def. In a kernel the JIT expands them;
/// in host code libfalx defines them as functions that end the program with a sentence, because SYCL
/// index-space functions only exist inside a kernel. Math has no builtins of its own: headers call
/// __builtin_sinf and its kin, device IR holds libm calls or LLVM intrinsics, and each target maps those.

namespace falx {

/// The four components of a pixel as a texture gives them.
using texture_color = float __attribute__((ext_vector_type(4)));

} // namespace falx

extern "C" {

#define FALX_ATTRIBUTES_pure __attribute__((const, nothrow))
#define FALX_ATTRIBUTES_effects __attribute__((nothrow))
#define FALX_ATTRIBUTES_convergent __attribute__((convergent, nothrow))
#define FALX_BUILTIN(kind, result, name, parameters) FALX_ATTRIBUTES_##kind result __falx_##name parameters;
#include "falx/device_builtins.def"
#undef FALX_ATTRIBUTES_pure
#undef FALX_ATTRIBUTES_effects
#undef FALX_ATTRIBUTES_convergent
}
