// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "checksum.hpp"
#include "jit/request/request.hpp"

namespace falx {

/// Names the code that a build of the JIT makes for \p request, in the kernel cache. Covers every member of
/// the request and of what it holds; of identified bytes the identity. Two requests that differ in anything
/// have two digests.
digest128 digest_of(const jit::request& request, std::string_view jit_identity);

} // namespace falx
