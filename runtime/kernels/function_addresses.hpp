// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/dynamic_functions.hpp"

namespace falx {

/// The descriptor of a function of device code by its address on the host; null if no table has it.
/// Thread-safe.
const function_descriptor* find_function(any_function address) noexcept;

} // namespace falx
