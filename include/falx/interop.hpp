// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/requirements.hpp"

#include <cstdint>

/// \file
/// Interoperability with native APIs (SYCL 2020 §4.5.1, §4.10.2), without their types.

namespace falx {

class queue_state;
struct accessor_core;

/// A number or a pointer of a native API.
using native_handle = std::uintptr_t;

/// Set in the number of an advice on shared memory (SYCL 2020 §4.9.4.3) that is about the host's processor,
/// not about the queue's device.
constexpr int ADVICE_FOR_HOST = 0x100;

/// What a sycl::interop_handle stands for: the command group of a host task or a native command, while its
/// callable runs.
class interop_scope;

queue_state& queue_of(const interop_scope& scope) noexcept;
/// The native queue for the callable's work: what is put there comes after all that the command group depends
/// on, and before all that depends on it. Throws errc::feature_not_supported if the backend has no native
/// objects.
native_handle native_queue(const interop_scope& scope);
/// Where the accessor's buffer is on the queue's device: its first element. Throws errc::invalid if the
/// command group does not have the accessor.
void* native_memory(const interop_scope& scope, const accessor_core& accessor);

} // namespace falx
