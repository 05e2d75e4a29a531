// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/device_state.hpp"
#include "devices/platform_state.hpp"
#include "sycl/device.hpp"
#include "sycl/exception.hpp"

#include <fmt/format.h>

/// \file
/// SYCL extension sycl_ext_oneapi_peer_access.

namespace sycl {

using falx::device_state;

namespace {

bool can_access(const device_state& self, const device_state& peer, ext::oneapi::peer_access value) {
  return &self != &peer && &self.platform() == &peer.platform() &&
         self.backend().can_access_peer(peer.backend(), value == ext::oneapi::peer_access::atomics_supported);
}

} // namespace

bool device::ext_oneapi_can_access_peer(const device& peer, ext::oneapi::peer_access value) const {
  return can_access(*state_, *peer.state_, value);
}

void device::ext_oneapi_enable_peer_access(const device& peer) {
  const std::string &self_name = state_->description().name, &peer_name = peer.state_->description().name;
  if (!ext_oneapi_can_access_peer(peer))
    throw exception(errc::feature_not_supported,
                    fmt::format("device '{}' cannot reach the memory of '{}'; ask "
                                "device::ext_oneapi_can_access_peer first, or copy with queue::memcpy",
                                self_name, peer_name));
  if (!state_->backend().set_peer_access(peer.state_->backend(), true))
    throw exception(errc::invalid, fmt::format("ext_oneapi_enable_peer_access: access of '{}' to '{}' is "
                                               "enabled already; disable it first, or remember that it is",
                                               self_name, peer_name));
}

void device::ext_oneapi_disable_peer_access(const device& peer) {
  if (!ext_oneapi_can_access_peer(peer) || !state_->backend().set_peer_access(peer.state_->backend(), false))
    throw exception(errc::invalid,
                    fmt::format("ext_oneapi_disable_peer_access: access of '{}' to '{}' is not enabled; call "
                                "ext_oneapi_enable_peer_access before",
                                state_->description().name, peer.state_->description().name));
}

} // namespace sycl
