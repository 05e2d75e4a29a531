// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace falx {

class queue_state;

struct queue_release {
  void operator()(queue_state* queue) const noexcept;
};
/// Keeps a queue in memory. Unlike a handle it is no copy of the user's, which would keep the queue open.
using kept_queue = std::unique_ptr<queue_state, queue_release>;
/// The queue that the user knows: the head of \p queue's family.
kept_queue keep_queue(queue_state& queue) noexcept;

} // namespace falx
