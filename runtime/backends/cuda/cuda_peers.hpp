// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/cuda/cuda_context.hpp"
#include "backends/cuda/cuda_memory.hpp"

#include <mutex>
#include <vector>

namespace falx {

/// The devices whose memory kernels of one device may reach, as the program has asked for it. Thread-safe.
class cuda_peers {
public:
  static bool can_access(cuda::device_ordinal self, cuda::device_ordinal peer, bool atomics);

  /// Lets \p self reach what \p memory, the peer's, gives, now and later, or no longer. False if it was so
  /// already.
  bool set(cuda_context& self, cuda_context& peer, cuda_memory& memory, bool enabled);

private:
  std::mutex mutex_;
  std::vector<cuda::device_ordinal> enabled_;
};

} // namespace falx
