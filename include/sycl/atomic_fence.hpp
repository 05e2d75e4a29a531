// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/memory_enums.hpp"

namespace sycl {

/// Orders memory accesses of the work-item (SYCL 2020 §4.15.1). A scope narrower than the device is honoured
/// by a wider fence.
inline void atomic_fence(memory_order order, memory_scope scope) noexcept {
  if (scope == memory_scope::work_item)
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  else
    switch (order) {
    case memory_order::relaxed:
      break;
    case memory_order::acquire:
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      break;
    case memory_order::release:
      __atomic_thread_fence(__ATOMIC_RELEASE);
      break;
    case memory_order::acq_rel:
      __atomic_thread_fence(__ATOMIC_ACQ_REL);
      break;
    case memory_order::seq_cst:
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      break;
    }
}

} // namespace sycl
