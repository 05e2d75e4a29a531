// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "buffer_boxes.hpp"
#include "buffer_residency.hpp"
#include "devices/context_state.hpp"
#include "devices/device_state.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "process/owned_mutex.hpp"
#include "process/ref_counted.hpp"
#include "scheduler/access_tracker.hpp"
#include "scheduler/kept_queue.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace falx {

/// Memory of a buffer on the host and on devices, who uses it, and what is current where. Commands that use a
/// buffer hold a reference until they are complete, so memory is freed when nothing uses it.
///
/// Host memory is the user's own, where the user gave some that may be written to, so that devices with
/// unified memory work in place. Devices with their own memory get an allocation of the whole buffer when an
/// accessor first needs one, and contents are moved box by box when a command needs them.
///
/// Thread-safe where the members say so; the others want mutex() held.
class buffer_state final : public ref_counted {
public:
  explicit buffer_state(buffer_description&& description);

  owned_mutex& mutex() noexcept { return mutex_; }
  const buffer_shape& shape() const noexcept { return shape_; }
  /// Null if the buffer may be used in any context. Immutable.
  context_state* bound_context() const noexcept { return context_.get(); }
  /// That of property::buffer::use_mutex, which the runtime holds while it uses home(); null without the
  /// property or such memory. Immutable.
  std::mutex* user_mutex() const noexcept { return user_mutex_; }

  /// Makes host memory that may be written to, with the contents of the user's where that is not it.
  void use_host_memory();

  /// Number of the memory that commands on \p device use, and its address. Allocates at first.
  std::size_t memory_of(device_state& device, bool on_host);
  void* address(std::size_t memory) const noexcept;

  /// Reserves \p access for \p access.user: appends what that command must wait for to \p dependencies, and
  /// submits the transfers that make its contents current in \p memory. With \p keep_old false, earlier
  /// contents need not be brought.
  void acquire(const tracked_access& access, std::size_t memory, bool keep_old,
               std::vector<handle<command>>& dependencies);
  /// Makes \p access visible to later ones. Called for all accesses of a command after all were acquired.
  /// What it returns is to be dropped without locks.
  [[nodiscard]] kept_queue commit(const tracked_access& access, std::size_t memory);

  /// For the choice of a device: how many bytes would have to be copied for \p request there. Takes the mutex
  /// itself.
  std::size_t bytes_to_bring(device_state& device, const access_request& request);
  /// When the contents are expected to be complete, in nanoseconds of now(); a guess, of which 0 is none.
  std::uint64_t expected_ready() const noexcept { return expected_ready_.load(std::memory_order_relaxed); }
  void expect_ready(std::uint64_t when) noexcept { expected_ready_.store(when, std::memory_order_relaxed); }

  /// Number for a placeholder of this buffer, which find_placeholder knows while the buffer lives.
  std::uint64_t add_placeholder(const access_request& request);

  /// The buffer's destructor: see buffer_owner.cpp. Takes the mutex itself. Throws what a transfer failed
  /// with.
  std::vector<handle<command>> users();
  void bring_to_host();
  /// The same without waiting: gives what has to be complete first.
  std::vector<handle<command>> start_bringing_to_host();
  /// The user's memory, if there is any.
  void* home() const noexcept { return home_; }
  std::span<const std::byte> home_bytes() const noexcept {
    return {static_cast<const std::byte*>(home_), home_ != nullptr ? shape_.bytes() : 0};
  }
  /// Whether the buffer was made on memory that was there (buffer_description::allocations). Immutable.
  bool has_given_memory() const noexcept { return has_given_memory_; }
  /// False if the user shared the memory's ownership and has given it up.
  bool is_home_of_interest() const noexcept {
    return !is_home_shared_ || (data_owner_ && data_owner_.functions().is_shared(data_owner_.self()));
  }
  /// Gives up the share in what keeps home() alive. All users are complete, and what was to be written back
  /// has been.
  void drop_home_share() noexcept { data_owner_ = nullptr; }
  /// Where the host finds the contents, once bring_to_host is done.
  const void* contents() const noexcept { return host_ != nullptr ? host_ : home_; }
  bool was_written() const noexcept { return was_written_; }
  /// The queue of the user's whose command used the buffer last; null if there was none.
  queue_state* last_queue() const noexcept { return last_queue_.get(); }
  /// The user's memory while it has the contents, as no accessor that writes was made yet; else null.
  void* unwritten_home() const noexcept { return was_written_ ? nullptr : home_; }
  /// What falx/buffer.hpp has. Take the mutex themselves.
  std::vector<buffer_allocation> allocations();
  void set_owned(const void* pointer, bool is_owned);

  /// From now on the user's memory is only read from, unless accesses use it already.
  void leave_home_alone();

private:
  /// Who frees memory, and how.
  struct ownership {
    bool is_owned = true;
    /// The process's list of USM has it: it was the user's, or the user knows it by now.
    bool is_usm = false;
  };
  struct device_memory {
    handle<device_state> device;
    void* address;
    ownership owner;
  };

  ~buffer_state() override;
  void* allocate_host();
  /// Memory of \p device that works in place in host memory is memory 0.
  std::size_t add_device_memory(device_state& device, void* address, ownership owner);
  void adopt(std::span<const buffer_allocation> allocations);
  void show(ownership& owner, void* pointer, usm_kind kind, const handle<device_state>& allocator,
            device_state& user);
  void free_host_memory() noexcept;
  void submit_transfer(const buffer_residency::transfer& copy, queue_state* user);

  owned_mutex mutex_;
  const buffer_shape shape_;
  const handle<context_state> context_;
  const std::size_t alignment_;
  data_owner data_owner_;
  const host_allocator allocator_;
  void* const home_;
  std::mutex* const user_mutex_;
  const bool is_home_shared_;
  const bool has_given_memory_;
  const bool must_use_home_;
  bool may_use_home_;
  /// Null until the host or a device with unified memory uses the buffer.
  void* host_ = nullptr;
  ownership host_owner_;
  /// The device that host memory was allocated with; null if none was.
  handle<device_state> host_memory_device_;
  bool was_written_ = false;
  kept_queue last_queue_;
  std::atomic<std::uint64_t> expected_ready_{0};
  access_tracker accesses_;
  buffer_residency residency_;
  /// Memory i + 1 of residency_.
  std::vector<device_memory> devices_;
  std::vector<std::uint64_t> placeholders_;
};

/// Waits for all. Throws what a transfer among them failed with; errors of users' commands are the concern of
/// their async handlers.
void wait_for_contents(const std::vector<handle<command>>& dependencies);

/// Throws errc::invalid if the request's box is not in the buffer or if it discards and does not write.
void check_request(const access_request& request);

} // namespace falx
