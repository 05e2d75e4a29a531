// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "sycl/backend.hpp"

#include <string_view>

namespace falx {

/// The enumerator for a backend, found by its name.
sycl::backend backend_of(const backend& native) noexcept;

std::string_view name_of(sycl::backend which) noexcept;

} // namespace falx
