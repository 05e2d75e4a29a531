// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

namespace sycl {

/// A byte as SYCL had it before std::byte (SYCL 2020 §4.14.1).
using byte [[deprecated("use std::byte")]] = std::uint8_t;

} // namespace sycl
