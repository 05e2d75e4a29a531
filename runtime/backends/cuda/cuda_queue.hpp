// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_stream.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace falx {

/// Streams that no queue has borrowed. Thread-safe.
class cuda_stream_pool {
public:
  explicit cuda_stream_pool(cuda_context& context) noexcept : context_(context), clock_(context) {}
  cuda_stream& take(queue_priority priority);
  /// \p priority is what it was taken with.
  void give(cuda_stream& stream, queue_priority priority) noexcept;
  /// For a stream of the program's: the same one for all queues on it.
  cuda_stream& adopt(cuda::stream_handle native);

private:
  cuda_context& context_;
  cuda_clock clock_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<cuda_stream>> all_;
  /// By priority.
  std::array<std::vector<cuda_stream*>, 3> free_;
  std::vector<std::unique_ptr<cuda_stream>> adopted_;
};

/// The streams of one queue: one if it is in order, else a few, which independent commands take in turns.
class cuda_queue final : public backend_queue {
public:
  cuda_queue(cuda_stream_pool& pool, bool is_in_order, queue_priority priority) noexcept
      : pool_(pool), is_in_order_(is_in_order), priority_(priority) {}
  /// In order, on a stream of the program's.
  cuda_queue(cuda_stream_pool& pool, cuda_stream& adopted) noexcept;
  ~cuda_queue() override;

  /// The one behind \p queue, made when it is first needed.
  static cuda_queue& of(queue_view& queue, cuda_stream_pool& pool);

  /// Where a command goes that comes after \p after: behind one of those if nothing else is there, as that
  /// needs no event. \p preferred counts modulo the number of streams.
  cuda_stream& stream_for(std::span<const handle<command_view>> after,
                          std::optional<std::uint32_t> preferred);

  /// Where the program puts work of its own: behind the commands if the queue is in order, else apart.
  cuda_stream& stream_for_program();
  /// Null if the program cannot have put work there.
  cuda_stream* stream_of_program() const noexcept { return program_.load(std::memory_order_acquire); }

private:
  static constexpr std::size_t STREAMS = 4;
  cuda_stream& stream(std::size_t index);
  bool is_mine(const cuda_stream& stream) const noexcept;

  cuda_stream_pool& pool_;
  const bool is_in_order_;
  const bool is_adopted_ = false;
  const queue_priority priority_ = queue_priority::normal;
  std::mutex mutex_;
  /// The last one is the program's if the queue is out of order.
  std::array<std::atomic<cuda_stream*>, STREAMS + 1> streams_{};
  std::atomic<cuda_stream*> program_{nullptr};
  std::atomic<std::size_t> turn_{0};
};

} // namespace falx
