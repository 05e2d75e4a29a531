// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "command_view.hpp"
#include "falx/interop.hpp"

#include <memory>

namespace falx {

/// A native event that stands for a command, for interoperability.
class native_event {
public:
  virtual ~native_event() = default;
  virtual native_handle handle() const noexcept = 0;
};

/// The native objects behind one device, its queues and their commands, for interoperability (SYCL 2020
/// §4.5.1). What is handed out stays the backend's, what is taken in stays the user's. Thread-safe. Throws
/// sycl::exception with errc::runtime and the driver's text where the driver fails.
class native_objects {
public:
  virtual ~native_objects() = default;

  virtual native_handle device() = 0;
  virtual native_handle context() = 0;
  /// Whether \p native is what context() gives, found out without making contexts.
  virtual bool is_context(native_handle native) = 0;

  /// Of an in-order queue, what its commands run on; of another one, what nothing of Falx's runs on by
  /// itself. The same one every time.
  virtual native_handle queue(queue_view& queue) = 0;
  /// Returns when the work that the user has put on what queue() gave is complete; at once without a call of
  /// it. Throws what that work failed with.
  virtual void wait_for_foreign_work(queue_view& queue) = 0;
  virtual bool is_queue_of_device(native_handle native) = 0;
  /// What an in-order queue keeps to run its commands on \p native, which is a queue of this device.
  virtual std::unique_ptr<backend_queue> adopt_queue(native_handle native) = 0;

  /// An event that occurs when \p self, which has been handed over to this backend or is complete, is
  /// complete.
  virtual std::unique_ptr<native_event> event_of(command_view& self) = 0;
  /// An event that is the user's.
  virtual std::unique_ptr<native_event> adopt_event(native_handle native) = 0;
  /// Has what is put on \p queue later come after the event.
  virtual void wait_on_queue(native_handle queue, native_handle event) = 0;
};

} // namespace falx
