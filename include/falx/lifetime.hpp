// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/handle.hpp"

/// \file
/// References to objects of the runtime that do not keep them alive (sycl_ext_oneapi_weak_object).

namespace falx {

class buffer_owner;
class command;
class context_state;
class device_image_state;
class device_state;
class host_access;
class kernel_bundle_state;
class platform_state;
class queue_state;

/// What is left of an object when it is gone: an object has one from the first time that it is asked for, and
/// never another.
class lifetime;
void retain(lifetime*) noexcept;
void release(lifetime*) noexcept;

handle<lifetime> lifetime_of(buffer_owner& object);
handle<lifetime> lifetime_of(command& object);
handle<lifetime> lifetime_of(context_state& object);
handle<lifetime> lifetime_of(device_image_state& object);
handle<lifetime> lifetime_of(device_state& object);
handle<lifetime> lifetime_of(host_access& object);
handle<lifetime> lifetime_of(kernel_bundle_state& object);
handle<lifetime> lifetime_of(platform_state& object);
/// Ends with the last copy of the queue that the user has.
handle<lifetime> lifetime_of(queue_state& object);

/// Adds a reference to the object, for the caller, unless it is gone.
bool retain_if_alive(lifetime& of) noexcept;
bool is_alive(lifetime& of) noexcept;

} // namespace falx
