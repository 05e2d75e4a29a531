// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

/// \file
/// Entry points for streams and events.

using namespace falx::cuda;
using fake_cuda::current;
using fake_cuda::machine;

extern "C" {

result cuStreamCreate(stream_handle* stream, unsigned) {
  if (const result error = machine::instance().enter_in_context("cuStreamCreate"); error != result::success)
    return error;
  *stream = new stream_object(*current);
  machine::instance().add(**stream);
  return result::success;
}
result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  if (const result error = machine::instance().enter_in_context("cuCtxGetStreamPriorityRange");
      error != result::success)
    return error;
  *least = 0;
  *greatest = -5;
  return result::success;
}
result cuStreamCreateWithPriority(stream_handle* stream, unsigned, int priority) {
  if (const result error = machine::instance().enter_in_context("cuStreamCreateWithPriority");
      error != result::success)
    return error;
  *stream = new stream_object(*current, priority);
  machine::instance().add(**stream);
  return result::success;
}
result cuStreamQuery(stream_handle stream) {
  if (const result error = machine::instance().enter("cuStreamQuery"); error != result::success)
    return error;
  const bool is_empty = stream->is_empty();
  if (const result error = stream->context.error; error != result::success)
    return error;
  return is_empty ? result::success : result::not_ready;
}
result cuStreamSynchronize(stream_handle stream) {
  if (const result error = machine::instance().enter("cuStreamSynchronize"); error != result::success)
    return error;
  stream->wait_until_empty();
  return stream->context.error;
}
result cuStreamGetCtx(stream_handle stream, context_handle* context) {
  *context = &stream->context;
  return result::success;
}
result cuStreamWaitEvent(stream_handle stream, event_handle event, unsigned) {
  if (const result error = machine::instance().enter_in_context("cuStreamWaitEvent");
      error != result::success)
    return error;
  std::shared_ptr<recording> last;
  {
    const std::lock_guard lock(event->mutex);
    last = event->last;
  }
  if (last != nullptr)
    stream->push([last] { last->wait(); });
  return result::success;
}

result cuEventCreate(event_handle* event, unsigned flags) {
  if (const result error = machine::instance().enter_in_context("cuEventCreate"); error != result::success)
    return error;
  *event = new event_object;
  (*event)->context = current;
  (*event)->flags = flags;
  return result::success;
}
result cuEventDestroy_v2(event_handle event) {
  // What waits for the recording goes on.
  delete event;
  return machine::instance().enter("cuEventDestroy");
}
result cuEventRecord(event_handle event, stream_handle stream) {
  if (const result error = machine::instance().enter_in_context("cuEventRecord"); error != result::success)
    return error;
  if (event->context != &stream->context) {
    machine::instance().complain("an event recorded in a stream of another context");
    return result::invalid_context;
  }
  auto made = std::make_shared<recording>();
  {
    const std::lock_guard lock(event->mutex);
    event->last = made;
  }
  stream->push([made] { made->happen(); }, true);
  return result::success;
}
result cuEventQuery(event_handle event) {
  if (const result error = machine::instance().enter("cuEventQuery"); error != result::success)
    return error;
  const std::lock_guard lock(event->mutex);
  const bool is_past = event->last == nullptr || event->last->is_past();
  if (const result error = event->context->error; error != result::success)
    return error;
  return is_past ? result::success : result::not_ready;
}
result cuEventSynchronize(event_handle event) {
  if (const result error = machine::instance().enter("cuEventSynchronize"); error != result::success)
    return error;
  std::shared_ptr<recording> last;
  {
    const std::lock_guard lock(event->mutex);
    last = event->last;
  }
  if (last != nullptr)
    last->wait();
  return event->context->error;
}
result cuEventElapsedTime(float* milliseconds, event_handle start, event_handle end) {
  if (((start->flags | end->flags) & EVENT_DISABLE_TIMING) != 0)
    return result::invalid_value;
  if (start->last == nullptr || end->last == nullptr)
    return result::invalid_value;
  if (!start->last->is_past() || !end->last->is_past())
    return result::not_ready;
  *milliseconds = std::chrono::duration<float, std::milli>(end->last->time - start->last->time).count();
  return start->context->error;
}

} // extern "C"
