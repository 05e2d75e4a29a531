// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_interop.hpp"

#include "sycl/exception.hpp"

namespace falx {
namespace {

using cuda::event_handle;
using cuda::stream_handle;

template <class Native>
native_handle to_handle(Native native) noexcept {
  return reinterpret_cast<native_handle>(native);
}
template <class Native>
Native from_handle(native_handle handle) noexcept {
  return reinterpret_cast<Native>(handle);
}

/// Made for the program, which may read its times.
class own_event final : public native_event {
public:
  explicit own_event(cuda_context& context) {
    context.check(cuda::api().cuEventCreate(&event_, 0), "making an event");
  }
  ~own_event() override { cuda::api().cuEventDestroy(event_); }
  native_handle handle() const noexcept override { return to_handle(event_); }
  event_handle native() const noexcept { return event_; }

private:
  event_handle event_ = nullptr;
};

class adopted_event final : public native_event {
public:
  explicit adopted_event(native_handle event) noexcept : event_(event) {}
  native_handle handle() const noexcept override { return event_; }

private:
  const native_handle event_;
};

} // namespace

native_handle cuda_interop::device() {
  return static_cast<native_handle>(context_.device());
}

native_handle cuda_interop::context() {
  return to_handle(context_.native());
}

bool cuda_interop::is_primary(cuda::context_handle native) {
  unsigned flags = 0;
  int is_active = 0;
  // Checked first, as making the context takes long, and a context that does not exist is not the one.
  const bool exists =
      context_.is_made() || (cuda::api().cuDevicePrimaryCtxGetState(context_.device(), &flags, &is_active) ==
                                 cuda::result::success &&
                             is_active != 0);
  return exists && context_.native() == native;
}

bool cuda_interop::is_context(native_handle native) {
  return native != 0 && is_primary(from_handle<cuda::context_handle>(native));
}

native_handle cuda_interop::queue(queue_view& queue) {
  const cuda_current_context current(context_);
  return to_handle(cuda_queue::of(queue, streams_).stream_for_program().native());
}

void cuda_interop::wait_for_foreign_work(queue_view& queue) {
  const auto* const native = static_cast<const cuda_queue*>(queue.native());
  const cuda_stream* const stream = native != nullptr ? native->stream_of_program() : nullptr;
  if (stream == nullptr || context_.is_lost()) // which its commands have reported
    return;
  const cuda_current_context current(context_);
  context_.check(cuda::api().cuStreamSynchronize(stream->native()), "work on the stream of a queue");
}

bool cuda_interop::is_queue_of_device(native_handle native) {
  if (native == cuda::NULL_STREAM || native == cuda::LEGACY_STREAM)
    return true;
  if (native == cuda::PER_THREAD_STREAM)
    throw sycl::exception(sycl::errc::feature_not_supported,
                          "make_queue: CU_STREAM_PER_THREAD is another stream in every thread, and Falx has "
                          "threads of its own; pass a stream of cuStreamCreate");
  cuda::context_handle its = nullptr;
  if (const cuda::result answer = cuda::api().cuStreamGetCtx(from_handle<stream_handle>(native), &its);
      answer != cuda::result::success)
    context_.fail(answer, "asking a stream for its context");
  return is_primary(its);
}

std::unique_ptr<backend_queue> cuda_interop::adopt_queue(native_handle native) {
  const cuda_current_context current(context_);
  return std::make_unique<cuda_queue>(streams_, streams_.adopt(from_handle<stream_handle>(native)));
}

std::unique_ptr<native_event> cuda_interop::event_of(command_view& self) {
  const cuda_current_context current(context_);
  auto event = std::make_unique<own_event>(context_);
  // An event that was never recorded counts as one that has occurred. A later place in the stream is as good.
  if (const cuda_stream* const stream = cuda_stream::of(self); stream != nullptr && !self.is_complete())
    context_.check(cuda::api().cuEventRecord(event->native(), stream->native()), "recording an event");
  return event;
}

std::unique_ptr<native_event> cuda_interop::adopt_event(native_handle native) {
  return std::make_unique<adopted_event>(native);
}

void cuda_interop::wait_on_queue(native_handle queue, native_handle event) {
  context_.check(
      cuda::api().cuStreamWaitEvent(from_handle<stream_handle>(queue), from_handle<event_handle>(event), 0),
      "waiting for an event");
}

} // namespace falx
