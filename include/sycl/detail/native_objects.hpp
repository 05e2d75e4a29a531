// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/interop.hpp"
#include "sycl/backend.hpp"
#include "sycl/exception.hpp"

#include <vector>

/// \file
/// Native objects behind SYCL's (SYCL 2020 §4.5.1), without their types: the headers of include/sycl/backend
/// cast them. The object's backend has been checked (detail::check_backend). Everything here throws
/// errc::feature_not_supported if that backend has no native objects, and errc::runtime with the driver's
/// text if the driver fails.

namespace sycl {

class context;
class device;
class event;
class platform;
class queue;

namespace detail {

falx::native_handle native_of(const device& object);
/// Of its devices, in the order of context::get_devices.
std::vector<falx::native_handle> natives_of(const context& object);
falx::native_handle native_of(const queue& object);
/// Waits for the command if it waits for something on the host, as nothing native stands for it until then.
falx::native_handle native_of(const event& object);
/// Whether native_of gives an event without waiting, of a command of \p wanted.
bool has_native(const event& object, backend wanted) noexcept;

/// Throw errc::invalid if \p native is not behind a visible device of the backend.
device device_from(backend of, falx::native_handle native);
platform platform_from(backend of, const std::vector<falx::native_handle>& devices);
/// Throws errc::feature_not_supported if \p native is not one of the contexts that Falx uses.
context context_from(backend of, falx::native_handle native, const async_handler& handler);
/// An in-order queue. Throws errc::invalid if \p native is of a device that is not in the context.
queue queue_from(falx::native_handle native, const context& target, const async_handler& handler);
event event_from(falx::native_handle native, const context& target);

/// The native API's number of the error behind an exception; 0 if there is none of the backend.
int native_error_of(const exception& thrown, backend of) noexcept;

/// Throws errc::feature_not_supported: \p function, of a backend that has native objects, does not do \p what
/// was asked; \p remedy says what to do instead.
[[noreturn]] void throw_not_interoperable(const char* function, const char* what, const char* remedy);

} // namespace detail
} // namespace sycl
