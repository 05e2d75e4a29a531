// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file
/// ThreadSanitizer in a program sees the allocations and the thread functions of this library, which is not
/// built with it, but not its atomics. These functions tell what the atomics order, so that it neither takes
/// an object that changes threads for a race, nor what one host task writes and the next one reads. Without
/// ThreadSanitizer each is a test of a constant.

extern "C" {
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __tsan_acquire(void* address);
}

namespace falx {

/// What this thread did until now happens before what threads do after they observe \p where. Comes right
/// before the atomic operation that lets others know.
inline void publish(const void* where) noexcept {
  if (&__tsan_release != nullptr) [[unlikely]]
    __tsan_release(const_cast<void*>(where));
}

/// Comes right after the atomic operation that saw what a thread published.
inline void observe(const void* where) noexcept {
  if (&__tsan_acquire != nullptr) [[unlikely]]
    __tsan_acquire(const_cast<void*>(where));
}

} // namespace falx
