// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_transfers.hpp"

#include "command_work.hpp"
#include "context_state.hpp"
#include "queue_state.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace falx {

namespace {

struct transfer_queues {
  std::mutex mutex;
  std::vector<handle<queue_state>> queues;
};

/// The out-of-order queue for transfers of \p device. Queues stay until the process ends.
queue_state& transfer_queue(device_state& device) {
  static transfer_queues* const all = std::make_unique<transfer_queues>().release();
  const std::lock_guard lock(all->mutex);
  for (const handle<queue_state>& queue : all->queues)
    if (&queue->device() == &device)
      return *queue;
  auto device_handle = handle<device_state>::share(&device);
  auto context = handle<context_state>::adopt(
      new context_state({device_handle}, sycl::async_handler(), sycl::property_list()));
  all->queues.push_back(handle<queue_state>::adopt(new queue_state(
      std::move(context), std::move(device_handle), sycl::async_handler(), sycl::property_list())));
  return *all->queues.back();
}

} // namespace

handle<command> enqueue_transfer(device_state& device, const copy_operation& copy,
                                 handle<buffer_state> buffer, std::vector<handle<command>> dependencies,
                                 queue_state* user) {
  queue_state& queue = transfer_queue(device);
  handle<command> transfer = command::make_for(queue);
  transfer->make_internal(user);
  transfer->work()->what = copy;
  transfer->work()->buffers.push_back(std::move(buffer));
  queue.submit(transfer, std::move(dependencies));
  return transfer;
}

} // namespace falx
