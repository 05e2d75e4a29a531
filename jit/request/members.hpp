// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tuple>

namespace falx::jit {

// Clang 21 and later have packs in structured bindings in every mode.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
/// References to all members of a plain structure, in order. What is done to a structure through these is
/// done to a member that is added tomorrow as well.
template <class Structure>
constexpr auto members_of(Structure& object) noexcept {
  auto& [... members] = object;
  return std::tie(members...);
}
#pragma clang diagnostic pop

} // namespace falx::jit
