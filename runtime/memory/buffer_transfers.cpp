// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_transfers.hpp"

#include "devices/context_state.hpp"
#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace falx {

namespace {

/// The out-of-order queues for transfers, one per device. They stay until the process ends.
class transfer_queues {
public:
  static transfer_queues& instance() {
    static transfer_queues* const all = std::make_unique<transfer_queues>().release();
    return *all;
  }

  queue_state& of(device_state& device) {
    const std::lock_guard lock(mutex_);
    for (const handle<queue_state>& queue : queues_)
      if (&queue->device() == &device)
        return *queue;
    auto device_handle = handle<device_state>::share(&device);
    auto context = handle<context_state>::adopt(
        new context_state({device_handle}, sycl::async_handler(), sycl::property_list()));
    queues_.push_back(handle<queue_state>::adopt(new queue_state(
        std::move(context), std::move(device_handle), sycl::async_handler(), sycl::property_list())));
    return *queues_.back();
  }

  void poll_old() {
    std::vector<handle<queue_state>> queues;
    {
      const std::lock_guard lock(mutex_);
      queues = queues_;
    }
    for (const handle<queue_state>& queue : queues)
      queue->poll_old();
  }

private:
  std::mutex mutex_;
  std::vector<handle<queue_state>> queues_;
};

constinit std::atomic<bool> has_old_transfers{false};

void run_and_wait(device_state& device, operation what) {
  queue_state& queue = transfer_queues::instance().of(device);
  const handle<command> work = command::make_for(queue);
  work->make_internal(nullptr);
  work->work()->what = std::move(what);
  queue.submit(work, {});
  work->wait();
  if (work->error() != nullptr)
    std::rethrow_exception(work->error());
}

} // namespace

handle<command> enqueue_transfer(device_state& device, const copy_operation& copy,
                                 handle<buffer_state> buffer, std::vector<handle<command>> dependencies,
                                 queue_state* user) {
  queue_state& queue = transfer_queues::instance().of(device);
  handle<command> transfer = command::make_for(queue);
  transfer->make_internal(user);
  transfer->work()->what = copy;
  transfer->work()->buffers.push_back(std::move(buffer));
  queue.submit(transfer, std::move(dependencies));
  return transfer;
}

void fill_with_zeros(device_state& device, void* memory, std::size_t bytes) {
  fill_operation zeros;
  zeros.destination.base = memory;
  zeros.destination.array_range = zeros.destination.range = {bytes, 1, 1};
  zeros.pattern = {0};
  run_and_wait(device, std::move(zeros));
}

void initialize_memory(device_state& device, void* memory, const void* bytes, std::size_t size) {
  copy_operation copy;
  copy.source.base = const_cast<void*>(bytes);
  copy.destination.base = memory;
  for (memory_box* box : {&copy.source, &copy.destination})
    box->array_range = box->range = {size, 1, 1};
  run_and_wait(device, copy);
}

void copy_and_wait(device_state& device, const copy_operation& copy) {
  run_and_wait(device, copy);
}

queue_state& runtime_queue_of(device_state& device) {
  return transfer_queues::instance().of(device);
}

void note_old_transfers() noexcept {
  has_old_transfers.store(true, std::memory_order_relaxed);
}

void poll_old_transfers() {
  if (has_old_transfers.load(std::memory_order_relaxed) &&
      has_old_transfers.exchange(false, std::memory_order_relaxed))
    transfer_queues::instance().poll_old();
}

} // namespace falx
