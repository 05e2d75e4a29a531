// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "jit/jit.hpp"

#include <string_view>

/// \file
/// The runtime's access to libfalx-jit.so, which pulls in LLVM and is loaded only when something must be
/// compiled.

namespace falx {

/// Compiles with libfalx-jit.so, which the first call loads: from the directory of libfalx.so, else from
/// where the dynamic linker looks. Throws sycl::exception with errc::build if
/// the library cannot be loaded or does not fit; a kernel that does not compile is a response with a
/// diagnostic.
jit::response jit_compile(const jit::request& request);

/// The response is for a launch, or a program that asked for it: counted by jit_compilations(), and what the
/// JIT remarked is reported, if it is to be. What is compiled ahead of launches, and not used, does not
/// count.
void count_compilation(const jit::response& response);

/// What tells this build of libfalx-jit.so, of which LLVM is a part, from others, for keys of the kernel
/// cache: its GNU build id, read from the file without loading it; without one, the file's size and time of
/// modification. Empty if the library is not beside libfalx.so: then nothing may be cached.
std::string_view jit_identity();

} // namespace falx
