// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The JIT reads no environment variable: the same request gives the same bytes, and no caller tells a
/// program with more rights which files to write. lld would (LLD_REPRODUCE names an archive that it writes
/// its input to, LLD_VERSION what it puts into its output), so libfalx-jit.so is linked with --wrap=getenv:
/// calls of getenv by what is in it come here.

extern "C" [[gnu::visibility("hidden")]] char* __wrap_getenv(const char*) {
  return nullptr;
}
