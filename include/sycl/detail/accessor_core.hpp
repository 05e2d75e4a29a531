// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/kernel.hpp"
#include "sycl/access.hpp"

#include <cstdint>
#include <type_traits>

/// \file
/// What accessors of both sizes are to the runtime.

namespace sycl::detail {

constexpr falx::accessor_core full_core(const falx::accessor_core& core) noexcept {
  return core;
}
inline falx::accessor_core full_core(const falx::compact_accessor_core& core) noexcept {
  if ((core.word & falx::LATE_REQUIREMENT) != 0)
    return {nullptr, core.word & ~falx::LATE_REQUIREMENT};
  return {reinterpret_cast<void*>(core.word), 0};
}

inline void* data_of(const falx::accessor_core& core) noexcept {
  return core.data;
}
/// Only where the launch has replaced the requirement: in kernels, and in host tasks.
inline void* data_of(const falx::compact_accessor_core& core) noexcept {
  return reinterpret_cast<void*>(core.word);
}

/// In \p To's size. What converts in a command group keeps the requirement, by which the launch finds it;
/// what converts in a kernel or a host task keeps the address.
template <class To, target Target>
To converted_core(const falx::accessor_core& core) noexcept {
  if constexpr (std::is_same_v<To, falx::accessor_core>) {
    return core;
  } else {
    const bool has_address = Target == target::host_task || core.requirement == 0 ||
                             (core.requirement & falx::BOUND_REQUIREMENT) != 0;
    return {has_address ? reinterpret_cast<std::uintptr_t>(core.data)
                        : core.requirement | falx::LATE_REQUIREMENT};
  }
}
template <class To, target Target>
To converted_core(const falx::compact_accessor_core& core) noexcept {
  if constexpr (std::is_same_v<To, falx::compact_accessor_core>)
    return core;
  else
    return full_core(core);
}

inline bool same_core(const falx::accessor_core& a, const falx::accessor_core& b) noexcept {
  return a.requirement == b.requirement;
}
inline bool same_core(const falx::compact_accessor_core& a, const falx::compact_accessor_core& b) noexcept {
  return a.word == b.word;
}

} // namespace sycl::detail
