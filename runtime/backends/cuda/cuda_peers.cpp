// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_peers.hpp"

#include <algorithm>

namespace falx {

using cuda::result;

bool cuda_peers::can_access(cuda::device_ordinal self, cuda::device_ordinal peer, bool atomics) {
  const cuda::driver_functions& api = cuda::api();
  int answer = 0;
  if (api.cuDeviceCanAccessPeer(&answer, self, peer) != result::success || answer == 0)
    return false;
  if (!atomics)
    return true;
  answer = 0;
  return api.cuDeviceGetP2PAttribute(&answer, cuda::peer_attribute::native_atomics, self, peer) ==
             result::success &&
         answer != 0;
}

bool cuda_peers::set(cuda_context& self, cuda_context& peer, bool enabled) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find(enabled_, peer.device());
  if ((known != enabled_.end()) == enabled)
    return false;
  const cuda::driver_functions& api = cuda::api();
  const cuda::context_handle other = peer.native();
  {
    const cuda_current_context current(self);
    const result answer = enabled ? api.cuCtxEnablePeerAccess(other, 0) : api.cuCtxDisablePeerAccess(other);
    // CUDA code of the program's may have done it before.
    if (answer != (enabled ? result::peer_access_already_enabled : result::peer_access_not_enabled))
      self.check(answer, enabled ? "enabling peer access" : "disabling peer access");
  }
  if (enabled)
    enabled_.push_back(peer.device());
  else
    enabled_.erase(known);
  return true;
}

} // namespace falx
