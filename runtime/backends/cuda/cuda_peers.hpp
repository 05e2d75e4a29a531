// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_context.hpp"

#include <mutex>
#include <vector>

namespace falx {

/// The devices whose memory kernels of one device may reach, as the program has requested it. Thread-safe.
class cuda_peers {
public:
  static bool can_access(cuda::device_ordinal self, cuda::device_ordinal peer, bool atomics);

  /// Lets kernels of \p self reach the peer's memory, now and later, or no longer. False if it was so
  /// already. (The memory of pools is open to peers all the time: cuda_memory.)
  bool set(cuda_context& self, cuda_context& peer, bool enabled);

private:
  std::mutex mutex_;
  std::vector<cuda::device_ordinal> enabled_;
};

} // namespace falx
