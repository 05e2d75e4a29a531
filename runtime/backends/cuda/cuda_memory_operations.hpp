// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "cuda_description.hpp"
#include "cuda_fill_kernels.hpp"
#include "cuda_stream.hpp"

namespace falx {

/// Within cuda_stream::submit. All of them throw sycl::exception.
void start_cuda_copy(cuda_stream& stream, const cuda_limits& limits, const copy_operation& copy);
void start_cuda_fill(cuda_stream& stream, const cuda_limits& limits, cuda_fill_kernels& kernels,
                     const fill_operation& fill);
void start_cuda_prefetch(cuda_stream& stream, const cuda_limits& limits, const prefetch_operation& prefetch);
/// Anywhere the context is current: the driver takes advice at once.
void give_cuda_advice(cuda_context& context, const cuda_limits& limits, const advise_operation& advise);

} // namespace falx
