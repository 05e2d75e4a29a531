// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace falx {

class device_state;
class native_objects;
class queue_state;

/// Throws errc::feature_not_supported if the device's backend has no native objects.
native_objects& native_objects_of(const device_state& device);

/// Returns when what the user has put on the native queue behind \p queue is complete; what it failed with
/// goes to the queue's async handler.
void wait_for_foreign_work(queue_state& queue);

} // namespace falx
