// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "devices/device_state.hpp"
#include "falx/buffer.hpp"
#include "falx/handle.hpp"
#include "falx/queue.hpp"
#include "scheduler/command.hpp"

#include <cstddef>
#include <vector>

namespace falx {

/// Copies between memories of a buffer, on \p device's backend, when \p dependencies are complete. Keeps
/// \p buffer alive until then. Transfers go through queues of the runtime's own, so they never wait for what
/// a user's in-order queue happens to hold. Errors go to the async handler of \p user, whose command needs
/// the copy; if that is null, to the thread that waits.
handle<command> enqueue_transfer(device_state& device, const copy_operation& copy,
                                 handle<buffer_state> buffer, std::vector<handle<command>> dependencies,
                                 queue_state* user);

/// Fills new memory of a device through the same queues, and waits. Not to be called with locks held. Throws
/// what the device fails with.
void fill_with_zeros(device_state& device, void* memory, std::size_t bytes);

/// The same for bytes of the host and new memory of a device.
void initialize_memory(device_state& device, void* memory, const void* bytes, std::size_t size);

/// Copies on \p device's backend, and waits. As fill_with_zeros.
void copy_and_wait(device_state& device, const copy_operation& copy);

/// The runtime's own out-of-order queue for \p device, which stays until the process ends.
queue_state& runtime_queue_of(device_state& device);

/// Says that there are transfers of some age that may be done and have to be polled.
void note_old_transfers() noexcept;
/// Polls them. Not to be called with locks held. Cheap if there are none.
void poll_old_transfers();

} // namespace falx
