// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_context.hpp"

#include "backends/native_error.hpp"
#include "cuda_completion_thread.hpp"
#include "cuda_stream.hpp"
#include "sycl/exception.hpp"

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

namespace falx {
namespace {

/// Errors after which the driver returns the same one for every call in the context.
bool is_sticky(cuda::result result) noexcept {
  switch (result) {
  case cuda::result::deinitialized:
  case cuda::result::ecc_uncorrectable:
  case cuda::result::nvlink_uncorrectable:
  case cuda::result::contained:
  case cuda::result::illegal_address:
  case cuda::result::launch_timeout:
  case cuda::result::context_is_destroyed:
  case cuda::result::assertion:
  case cuda::result::hardware_stack_error:
  case cuda::result::illegal_instruction:
  case cuda::result::misaligned_address:
  case cuda::result::invalid_address_space:
  case cuda::result::invalid_program_counter:
  case cuda::result::launch_failed:
  case cuda::result::tensor_memory_leak:
  case cuda::result::external_device:
    return true;
  default:
    return false;
  }
}

/// What tends to be behind an error, and what to do.
const char* hint_for(cuda::result result) noexcept {
  switch (result) {
  case cuda::result::illegal_address:
  case cuda::result::misaligned_address:
  case cuda::result::invalid_address_space:
    return "; a kernel used memory that is not its device's: check indices, freed memory and pointers of the "
           "host (compute-sanitizer finds the place)";
  case cuda::result::launch_timeout:
    return "; the system limits how long kernels may run on this device: split the work";
  default:
    return "";
  }
}

native_error make_error(cuda::result result, const std::string& text) {
  return {result == cuda::result::out_of_memory ? sycl::errc::memory_allocation : sycl::errc::runtime, text,
          sycl::backend::cuda, static_cast<int>(result)};
}

[[noreturn]] void throw_runtime(const std::string& text) {
  throw sycl::exception(sycl::make_error_code(sycl::errc::runtime), text);
}

constexpr std::size_t MOST_NAMES = 4;

std::string listed(const std::vector<std::string>& kernels) {
  std::string words;
  for (std::size_t i = 0; i < kernels.size() && i < MOST_NAMES; ++i)
    words += fmt::format("{}'{}'", words.empty() ? "" : ", ", kernels[i]);
  if (kernels.size() > MOST_NAMES)
    words += fmt::format(" and {} more", kernels.size() - MOST_NAMES);
  return words;
}

/// An assertion that fails ends the program, as on the host (sycl_ext_oneapi_assert, for devices with
/// aspect::ext_oneapi_native_assert). The driver writes the assertion's text when the host waits for the
/// device.
[[noreturn]] void abort_by_assertion(const std::vector<cuda_stream*>& streams,
                                     const std::vector<std::string>& kernels,
                                     const std::string& device_name) {
  for (const cuda_stream* stream : streams)
    cuda::api().cuStreamSynchronize(stream->native());
  std::fflush(nullptr);
  fmt::print(stderr, "falx: an assertion failed on device '{}'{}; the program ends\n", device_name,
             kernels.empty()
                 ? ""
                 : fmt::format(", in {} {}", kernels.size() == 1 ? "kernel" : "one of the kernels",
                               listed(kernels)));
  std::abort();
}

} // namespace

cuda::context_handle cuda_context::native() {
  if (cuda::is_forked_child()) [[unlikely]]
    throw_runtime(fmt::format("device '{}' cannot be used in a child of fork, as the parent has initialized "
                              "CUDA before; fork earlier, or let the child exec",
                              device_name_));
  if (is_lost()) [[unlikely]]
    throw_runtime(fmt::format("device '{}' is lost to this process: {}", device_name_, loss_reason_));
  cuda::context_handle made = native_.load(std::memory_order_acquire);
  if (made == nullptr) [[unlikely]] {
    const bool is_first = make();
    made = native_.load(std::memory_order_acquire);
    if (is_first && when_made_ != nullptr) // which nobody changes any more
      when_made_();
  }
  return made;
}

bool cuda_context::make() {
  const std::lock_guard lock(mutex_);
  if (is_made())
    return false;
  cuda::context_handle made = nullptr;
  const cuda::result result = cuda::api().cuDevicePrimaryCtxRetain(&made, device_);
  if (result != cuda::result::success)
    throw native_error(sycl::errc::runtime,
                       fmt::format("device '{}' cannot be used: {}; nvidia-smi shows its compute mode and "
                                   "who uses its memory",
                                   device_name_, cuda::text_of(result)),
                       sycl::backend::cuda, static_cast<int>(result));
  native_.store(made, std::memory_order_release);
  return true;
}

void cuda_context::call_when_made(std::function<void()> made) {
  {
    const std::lock_guard lock(mutex_);
    if (!is_made()) {
      when_made_ = std::move(made);
      return;
    }
  }
  made();
}

void cuda_context::fail(cuda::result result, const char* operation, const char* kernel) {
  if (is_sticky(result))
    lose(result);
  std::string text = fmt::format("{}{} failed on device '{}': {}", operation,
                                 kernel != nullptr ? fmt::format(" of kernel '{}'", kernel) : "",
                                 device_name_, cuda::text_of(result));
  if (is_lost())
    text += fmt::format("; the device is lost to this process: {}", loss_reason_);
  throw make_error(result, text);
}

void cuda_context::lose(cuda::result result) noexcept {
  std::vector<cuda_stream*> streams;
  {
    const std::lock_guard lock(streams_mutex_);
    streams = streams_;
  }
  {
    const std::lock_guard lock(mutex_);
    if (!is_lost()) {
      std::vector<std::string> kernels;
      for (cuda_stream* stream : streams)
        stream->append_kernel_names(kernels);
      if (result == cuda::result::assertion)
        abort_by_assertion(streams, kernels, device_name_);
      loss_reason_ = fmt::format(
          "{}{}{}. The driver gives up a context after such an error; other devices can be used on, this one "
          "after a restart of the program",
          cuda::text_of(result), hint_for(result),
          kernels.empty()
              ? ""
              : fmt::format("; it happened in {} {}", kernels.size() == 1 ? "kernel" : "one of the kernels",
                            listed(kernels)));
      loss_ = std::make_exception_ptr(
          make_error(result, fmt::format("a command failed on device '{}': {}", device_name_, loss_reason_)));
      lost_.store(true, std::memory_order_release);
    }
  }
  // Not here: the caller may hold the lock of a queue, and completion may run the program's destructors.
  cuda_completion_thread::instance().complete_lost(std::move(streams));
}

void cuda_context::add(cuda_stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.push_back(&stream);
}

cuda::event_handle cuda_event_pool::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!unused_.empty()) {
      const cuda::event_handle event = unused_.back();
      unused_.pop_back();
      return event;
    }
  }
  cuda::event_handle event = nullptr;
  context_.check(cuda::api().cuEventCreate(&event, flags_), "making an event");
  return event;
}

void cuda_event_pool::give(cuda::event_handle event) noexcept {
  const std::lock_guard lock(mutex_);
  unused_.push_back(event);
}

} // namespace falx
