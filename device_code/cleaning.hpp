// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class Function;
} // namespace llvm

namespace falx::device_code {

/// Takes away what only made sense for the host's target or for an unoptimised build: instruction sets, stack
/// protection, sanitizers, profiling, sections. Attributes that change what floating-point operations mean
/// stay.
void remove_host_attributes(llvm::Function& function);

/// Takes exceptions and the host's instrumentation out of a function's body: what throws ends the program
/// (exceptions.hpp), landing pads go, and so do calls of sanitizers and counters of profiles.
void remove_exceptions_and_instrumentation(llvm::Function& function);

} // namespace falx::device_code
