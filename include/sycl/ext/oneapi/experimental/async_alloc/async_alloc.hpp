// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/async_alloc/memory_pool.hpp"
#include "sycl/feature_test.hpp"

#include <cstddef>

/// \file
/// SYCL extension sycl_ext_oneapi_async_memory_alloc: memory from pools, freed in the order of commands.

namespace sycl {
class handler;
} // namespace sycl

namespace sycl::ext::oneapi::experimental {

/// Device memory of the queue's device, from \p pool or from the context's default one, which commands of any
/// queue may use at once. Throw errc::invalid for another kind than usm::alloc::device and for a pool of
/// another context or device, and errc::memory_allocation if the device has no memory left. Null if the pool
/// would have more than its maximum, also when what other commands are about to free has come back, which is
/// waited for: then the command fails with errc::memory_allocation, an asynchronous exception of the queue.
void* async_malloc(const queue& que, usm::alloc kind, std::size_t size);
void* async_malloc(handler& cgh, usm::alloc kind, std::size_t size);
void* async_malloc_from_pool(const queue& que, std::size_t size, const memory_pool& pool);
void* async_malloc_from_pool(handler& cgh, std::size_t size, const memory_pool& pool);

/// Frees into the pool when the command's turn has come: after all that was submitted before on an in-order
/// queue, else after what the command group depends on. Throws errc::invalid if \p ptr is not what one of the
/// functions above gave, or is freed already. Null has no effect.
void async_free(const queue& que, void* ptr);
void async_free(handler& cgh, void* ptr);

} // namespace sycl::ext::oneapi::experimental
