// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/feature_test.hpp"

#include <cstddef>

/// \file
/// AdaptiveCpp's ACPP_EXT_SYNCHRONOUS_MEM_ADVISE.

namespace sycl {

class queue;

/// Gives advice about shared USM at once, in order with nothing. \p advise is what handler::mem_advise takes
/// (SYCL 2020 §4.9.4.3); 0 is no advice. Throws errc::invalid if \p ptr is null while \p num_bytes is not 0,
/// or if \p dev is not in \p ctx.
void mem_advise(const void* ptr, std::size_t num_bytes, int advise, const context& ctx, const device& dev);
/// For the queue's context and device.
void mem_advise(const void* ptr, std::size_t num_bytes, int advise, const queue& q);

} // namespace sycl
