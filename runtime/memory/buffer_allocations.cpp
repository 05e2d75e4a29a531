// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_state.hpp"
#include "sycl/exception.hpp"
#include "usm_registry.hpp"

#include <fmt/format.h>
#include <mutex>
#include <optional>

/// \file
/// Buffers and USM (AdaptiveCpp's ACPP_EXT_BUFFER_USM_INTEROP): buffers made on memory that is there already,
/// and buffers' own memory in the hands of the user.

namespace falx {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw sycl::exception(sycl::make_error_code(sycl::errc::invalid), "sycl::buffer: " + reason);
}

void check_is_usm(const void* pointer) {
  const std::optional<usm_allocation> found = usm_registry::instance().find(pointer);
  if (!found || found->begin != pointer)
    refuse(
        fmt::format("the buffer cannot own {}, which is not what a USM allocation function returned; leave "
                    "it to its owner (buffer_allocation::no_ownership)",
                    pointer));
}

} // namespace

void buffer_state::adopt(std::span<const buffer_allocation> allocations) {
  const bool is_empty = shape_.bytes() == 0;
  for (const buffer_allocation& given : allocations) {
    device_state& device = *given.device;
    if (given.pointer == nullptr && !is_empty)
      refuse(fmt::format("the memory to work in on device '{}' is null", device.description().name));
    if (given.is_owned)
      check_is_usm(given.pointer);
  }
  bool has_contents = false;
  for (const buffer_allocation& given : allocations) {
    device_state& device = *given.device;
    const ownership owner{given.is_owned, given.is_owned};
    bool is_second = false;
    std::size_t memory = 0;
    if (device.description().unified_memory) {
      is_second = host_ != nullptr;
      if (!is_second) {
        host_ = given.pointer;
        host_owner_ = owner;
      }
    } else {
      for (const device_memory& other : devices_)
        is_second = is_second || other.device.get() == &device;
      if (!is_second)
        memory = add_device_memory(device, given.pointer, owner);
    }
    if (is_second)
      refuse(fmt::format("two allocations are for device '{}' (devices that work in the host's memory share "
                         "one); a buffer has one for each",
                         device.description().name));
    if (given.is_current && !is_empty) {
      if (has_contents)
        residency_.copied(memory, shape_.whole(), {});
      else
        residency_.written(memory, shape_.whole());
      has_contents = true;
    }
  }
}

/// From here on the user may do with the memory what goes with USM.
void buffer_state::show(ownership& owner, void* pointer, usm_kind kind, const handle<device_state>& allocator,
                        device_state& user) {
  if (owner.is_usm || !owner.is_owned)
    return;
  const handle<context_state> context = context_ ? context_ : context_state::default_for(user);
  usm_registry::instance().add({pointer, shape_.bytes(), kind, context, allocator});
  owner.is_usm = true;
}

std::vector<buffer_allocation> buffer_state::allocations() {
  const std::lock_guard lock(mutex_);
  std::vector<buffer_allocation> result;
  if (device_state* const user = host_memory_user(); user != nullptr && host_ != nullptr) {
    if (host_memory_device_)
      show(host_owner_, host_, usm_kind::host, host_memory_device_, *user);
    result.push_back({host_, user, host_owner_.is_owned, false});
  }
  for (device_memory& memory : devices_)
    if (memory.address != nullptr) {
      show(memory.owner, memory.address, usm_kind::device, memory.device, *memory.device);
      result.push_back({memory.address, memory.device.get(), memory.owner.is_owned, false});
    }
  return result;
}

void buffer_state::set_owned(const void* pointer, bool is_owned) {
  const std::lock_guard lock(mutex_);
  ownership* owner = host_ == pointer ? &host_owner_ : nullptr;
  for (device_memory& memory : devices_)
    if (memory.address == pointer)
      owner = &memory.owner;
  if (owner == nullptr)
    refuse(fmt::format("the buffer has no allocation at {}", pointer));
  if (owner->is_owned == is_owned)
    return;
  const bool is_of_allocator = allocator_ && owner == &host_owner_ && pointer != home_;
  if (is_owned && !is_of_allocator) {
    check_is_usm(pointer);
    owner->is_usm = true;
  }
  owner->is_owned = is_owned;
}

void visit_allocations(buffer_state& buffer, void (*visit)(void* data, const buffer_allocation& each),
                       void* data) {
  for (const buffer_allocation& each : buffer.allocations())
    visit(data, each);
}

bool is_allocation_of(const buffer_allocation& allocation, const device_state& device) noexcept {
  return allocation.device == &device ||
         (allocation.device->description().unified_memory && device.description().unified_memory);
}

void set_owned(buffer_state& buffer, const void* pointer, bool is_owned) {
  buffer.set_owned(pointer, is_owned);
}

} // namespace falx
