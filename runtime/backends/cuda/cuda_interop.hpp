// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/native_objects.hpp"
#include "cuda_context.hpp"
#include "cuda_queue.hpp"

namespace falx {

/// CUdevice, the primary CUcontext, CUstream and CUevent behind one device and its queues (CUDA backend
/// specification). Thread-safe.
class cuda_interop final : public native_objects {
public:
  cuda_interop(cuda_context& context, cuda_stream_pool& streams) noexcept
      : context_(context), streams_(streams) {}

  native_handle device() override;
  native_handle context() override;
  bool is_context(native_handle native) override;

  native_handle queue(queue_view& queue) override;
  void wait_for_foreign_work(queue_view& queue) override;
  /// The legacy default stream belongs to every device.
  bool is_queue_of_device(native_handle native) override;
  std::unique_ptr<backend_queue> adopt_queue(native_handle native) override;

  std::unique_ptr<native_event> event_of(command_view& self) override;
  std::unique_ptr<native_event> adopt_event(native_handle native) override;
  void wait_on_queue(native_handle queue, native_handle event) override;

private:
  bool is_primary(cuda::context_handle native);

  cuda_context& context_;
  cuda_stream_pool& streams_;
};

} // namespace falx
