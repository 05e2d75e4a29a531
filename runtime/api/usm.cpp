// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sycl/usm.hpp"

#include "falx/sizes.hpp"
#include "memory/usm_registry.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "sycl/ext/acpp/mem_advise.hpp"
#include "sycl/queue.hpp"

#include <bit>
#include <fmt/format.h>

namespace sycl {

using falx::context_state;
using falx::device_state;
using falx::handle;
using falx::usm_kind;
using falx::usm_registry;

namespace {

usm_kind kind_of(usm::alloc kind) {
  switch (kind) {
  case usm::alloc::host:
    return usm_kind::host;
  case usm::alloc::device:
    return usm_kind::device;
  case usm::alloc::shared:
    return usm_kind::shared;
  case usm::alloc::unknown:
    break;
  }
  throw exception(make_error_code(errc::invalid),
                  "memory cannot be allocated with usm::alloc::unknown; choose host, device or shared");
}

usm::alloc alloc_of(usm_kind kind) noexcept {
  switch (kind) {
  case usm_kind::host:
    return usm::alloc::host;
  case usm_kind::device:
    return usm::alloc::device;
  case usm_kind::shared:
    return usm::alloc::shared;
  case usm_kind::unknown:
    break;
  }
  return usm::alloc::unknown;
}

[[noreturn]] void throw_unsupported(const char* kind, const device_state& device) {
  throw exception(make_error_code(errc::feature_not_supported),
                  fmt::format("device '{}' does not support {} allocations; ask device::has for "
                              "aspect::usm_{}_allocations, or use buffers",
                              device.description().name, kind, kind));
}

/// Host memory belongs to the context; its first device that can access host memory allocates it.
const handle<device_state>& host_allocator(const context_state& context) {
  for (const handle<device_state>& each : context.devices())
    if (each->has(aspect::usm_host_allocations))
      return each;
  throw_unsupported("host", *context.devices().front());
}

/// The device whose backend allocates. Throws if the device, the context and the kind do not go together.
const handle<device_state>& allocating_device(usm_kind kind, const handle<device_state>& device,
                                              const context_state& context) {
  if (kind == usm_kind::host)
    return host_allocator(context);
  if (!context.contains(*device))
    throw exception(
        make_error_code(errc::invalid),
        fmt::format("device '{}' does not belong to the context that memory was to be allocated in; "
                    "construct the context with that device",
                    device->description().name));
  if (kind == usm_kind::device && !device->has(aspect::usm_device_allocations))
    throw_unsupported("device", *device);
  if (kind == usm_kind::shared && !device->has(aspect::usm_shared_allocations))
    throw_unsupported("shared", *device);
  return device;
}

/// Drivers of GPUs place blocks so that one ends where the next one begins, and of two pointers it could not
/// be told any more that they lead to different ones (usm_registry::sharing_of). So all devices are asked for
/// a little more, where that costs little: memory of a device is cut by 512 bytes, shared memory may be by 2
/// MiB, and host memory is small blocks of whole powers of two.
std::size_t gap_behind(usm_kind kind, std::size_t bytes) noexcept {
  constexpr std::size_t GAP = 64, LARGE_PAGE = std::size_t{2} << 20;
  if (kind == usm_kind::device)
    return bytes >= 4096 ? GAP : 0;
  if (kind == usm_kind::shared)
    return bytes >= 4096 && (bytes % LARGE_PAGE != 0 || bytes >= 8 * LARGE_PAGE) ? GAP : 0;
  return bytes >= LARGE_PAGE ? GAP : 0;
}

/// Of at least so many bytes. Throws errc::memory_allocation if memory runs out.
void* allocate_apart(falx::backend_device& device, usm_kind kind, std::size_t bytes, std::size_t alignment) {
  const std::size_t gap = gap_behind(kind, bytes);
  const std::uint64_t most = device.description().max_allocation;
  if (gap != 0 && bytes < most && most - bytes >= gap)
    try {
      return device.allocate(kind, bytes + gap, alignment);
    } catch (const exception& error) {
      if (error.code() != errc::memory_allocation)
        throw;
    }
  return device.allocate(kind, bytes, alignment);
}

/// Throws errc::memory_allocation if memory runs out.
void* allocate(usm_kind kind, std::size_t alignment, std::size_t bytes, const handle<device_state>& device,
               const handle<context_state>& context) {
  const handle<device_state>& allocator = allocating_device(kind, device, *context);
  void* const begin =
      falx::allocate_patiently([&] { return allocate_apart(allocator->backend(), kind, bytes, alignment); });
  try {
    usm_registry::instance().add({begin, bytes, kind, context, allocator});
  } catch (...) {
    allocator->backend().free(kind, begin);
    throw;
  }
  return begin;
}

/// As the allocation functions want it: null if memory runs out or the alignment is none.
void* allocate_or_null(usm_kind kind, std::size_t alignment, std::size_t bytes,
                       const handle<device_state>& device, const handle<context_state>& context) {
  if (alignment != 0 && !std::has_single_bit(alignment))
    return nullptr;
  try {
    return allocate(kind, alignment, bytes, device, context);
  } catch (const exception& error) {
    if (error.code() != errc::memory_allocation)
      throw;
    return nullptr;
  }
}

} // namespace

void* aligned_alloc(std::size_t alignment, std::size_t numBytes, const device& syclDevice,
                    const context& syclContext, usm::alloc kind, const property_list&) {
  return allocate_or_null(kind_of(kind), alignment, numBytes, detail::internals::state(syclDevice),
                          detail::internals::state(syclContext));
}

void* aligned_alloc(std::size_t alignment, std::size_t numBytes, const queue& syclQueue, usm::alloc kind,
                    const property_list& propList) {
  return aligned_alloc(alignment, numBytes, syclQueue.get_device(), syclQueue.get_context(), kind, propList);
}

void* aligned_alloc_host(std::size_t alignment, std::size_t numBytes, const context& syclContext,
                         const property_list&) {
  const handle<context_state>& context = detail::internals::state(syclContext);
  return allocate_or_null(usm_kind::host, alignment, numBytes, context->devices().front(), context);
}

void free(void* ptr, const context& ctxt) {
  if (ptr == nullptr)
    return;
  const handle<context_state>& context = detail::internals::state(ctxt);
  if (const auto removed = usm_registry::instance().remove(ptr, *context)) {
    // SYCL leaves it to the program that no command uses the memory any more; a program that fails to wait
    // should not have its kernels crash, nor wait here.
    falx::run_after_outstanding_work(*context, [device = removed->device, kind = removed->kind, ptr] {
      device->backend().free(kind, ptr);
    });
    return;
  }
  const auto containing = usm_registry::instance().find(ptr);
  std::string problem = "it has been freed already or was not allocated with a USM function";
  if (containing && containing->begin != ptr)
    problem = fmt::format(
        "it points {} bytes into an allocation of {} bytes; pass the pointer that the allocation "
        "function returned",
        static_cast<const char*>(ptr) - static_cast<const char*>(containing->begin), containing->bytes);
  else if (containing && containing->pool)
    problem = "it comes from a memory pool; pass it to sycl::ext::oneapi::experimental::async_free";
  else if (containing)
    problem = "it was allocated in another context; pass that context, or a queue of it";
  throw exception(ctxt, make_error_code(errc::invalid),
                  fmt::format("sycl::free cannot free {}: {}", ptr, problem));
}

void free(void* ptr, const queue& q) {
  free(ptr, q.get_context());
}

usm::alloc get_pointer_type(const void* ptr, const context& syclContext) {
  const auto found = usm_registry::instance().find(ptr);
  if (!found || found->context != detail::internals::state(syclContext))
    return usm::alloc::unknown;
  return alloc_of(found->kind);
}

device get_pointer_device(const void* ptr, const context& syclContext) {
  const auto found = usm_registry::instance().find(ptr);
  if (!found || found->context != detail::internals::state(syclContext))
    throw exception(
        syclContext, make_error_code(errc::invalid),
        fmt::format("sycl::get_pointer_device: {} does not point into a USM allocation of the context; "
                    "get_pointer_type tells whether a pointer does",
                    ptr));
  if (found->kind == usm_kind::host)
    return detail::internals::make<device>(found->context->devices().front());
  return detail::internals::make<device>(found->device);
}

void mem_advise(const void* ptr, std::size_t num_bytes, int advise, const context& ctx, const device& dev) {
  const handle<device_state>& device = detail::internals::state(dev);
  falx::checked_bytes("sycl::mem_advise", num_bytes, 1);
  if (ptr == nullptr && num_bytes != 0)
    throw exception(ctx, make_error_code(errc::invalid),
                    fmt::format("sycl::mem_advise: ptr is null, but num_bytes is {}", num_bytes));
  if (!detail::internals::state(ctx)->contains(*device))
    throw exception(ctx, make_error_code(errc::invalid),
                    fmt::format("sycl::mem_advise: device '{}' does not belong to the context; pass a device "
                                "of the context that the memory was allocated in",
                                device->description().name));
  device->backend().advise({ptr, num_bytes, advise});
}

void mem_advise(const void* ptr, std::size_t num_bytes, int advise, const queue& q) {
  mem_advise(ptr, num_bytes, advise, q.get_context(), q.get_device());
}

namespace detail {

void check_usm_support(usm::alloc kind, const device& dev, const context& ctx) {
  allocating_device(kind_of(kind), internals::state(dev), *internals::state(ctx));
}

void* allocate_usm_or_throw(std::size_t alignment, std::size_t bytes, const device& dev, const context& ctx,
                            usm::alloc kind) {
  return allocate(kind_of(kind), alignment, bytes, internals::state(dev), internals::state(ctx));
}

device device_of(const queue& q) {
  return q.get_device();
}
context context_of(const queue& q) {
  return q.get_context();
}

} // namespace detail
} // namespace sycl
