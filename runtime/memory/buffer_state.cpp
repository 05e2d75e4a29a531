// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_state.hpp"

#include "buffer_placeholders.hpp"
#include "buffer_transfers.hpp"
#include "process/process_state.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"
#include "usm_registry.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

namespace falx {

namespace {

constexpr std::size_t HOST_ALIGNMENT = 128;

bool is_home_writable(const buffer_description& description) noexcept {
  switch (description.initial) {
  case host_data::none:
    return false;
  case host_data::read_only:
    // Constant elements are not written to, so they can be used where they are.
    return description.is_constant;
  case host_data::owned:
  case host_data::writable:
  case host_data::shared:
    return true;
  }
  return false;
}

} // namespace

void retain(buffer_state* buffer) noexcept {
  buffer->retain_reference();
}
void release(buffer_state* buffer) noexcept {
  buffer->release_reference();
}

buffer_state::buffer_state(buffer_description&& description)
    : shape_(description.range, description.element_size, description.page),
      context_(handle<context_state>::share(description.context)),
      alignment_(std::max(description.element_alignment, HOST_ALIGNMENT)),
      data_owner_(std::move(description.data_owner)), allocator_(std::move(description.allocator)),
      home_(description.initial == host_data::none ? nullptr : description.data),
      user_mutex_(home_ == nullptr ? nullptr : static_cast<std::mutex*>(description.mutex)),
      is_home_shared_(description.initial == host_data::shared),
      has_given_memory_(description.allocation_count != 0),
      must_use_home_(description.initial == host_data::owned || description.is_constant ||
                     (description.use_host_pointer && is_home_writable(description))),
      may_use_home_(is_home_writable(description)) {
  if (home_ != nullptr)
    residency_.written(0, shape_.whole());
  adopt({description.allocations, description.allocation_count});
}

buffer_state::~buffer_state() {
  assert(accesses_.live().empty() && "a command that uses the buffer holds no reference");
  erase_placeholders(placeholders_);
  for (const device_memory& memory : devices_)
    if (memory.owner.is_usm && memory.owner.is_owned)
      free_usm(memory.address);
    else if (memory.owner.is_owned)
      memory.device->backend().free(usm_kind::device, memory.address);
  free_host_memory();
}

void buffer_state::free_host_memory() noexcept {
  if (host_ == nullptr || !host_owner_.is_owned)
    return;
  if (host_owner_.is_usm)
    free_usm(host_);
  else if (allocator_)
    allocator_.functions().deallocate(allocator_.self(), host_, shape_.bytes());
  else if (host_memory_device_)
    host_memory_device_->backend().free(usm_kind::host, host_);
  else
    ::operator delete(host_, std::align_val_t(alignment_));
}

void* buffer_state::allocate_host() {
  if (allocator_)
    return allocator_.functions().allocate(allocator_.self(), shape_.bytes());
  // Memory that the device's copy engine reaches, else that of the device that works in it.
  if (!devices_.empty())
    host_memory_device_ = devices_.front().device;
  else if (device_state* const host = host_memory_user())
    host_memory_device_ = handle<device_state>::share(host);
  if (host_memory_device_)
    return host_memory_device_->backend().allocate(usm_kind::host, shape_.bytes(), alignment_);
  return ::operator new(shape_.bytes(), std::align_val_t(alignment_));
}

void buffer_state::use_host_memory() {
  if (host_ != nullptr || shape_.bytes() == 0)
    return;
  if (home_ != nullptr && may_use_home_) {
    host_ = home_;
    host_owner_.is_owned = false;
    return;
  }
  void* memory = allocate_host();
  if (home_ != nullptr)
    std::memcpy(memory, home_, shape_.bytes());
  host_ = memory;
}

std::size_t buffer_state::memory_of(device_state& device, bool on_host) {
  assert(mutex_.is_held() && "the caller holds the buffer's mutex");
  if (on_host || device.description().unified_memory) {
    use_host_memory();
    return 0;
  }
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i].device.get() == &device)
      return i + 1;
  void* address =
      shape_.bytes() == 0 ? nullptr : device.backend().allocate(usm_kind::device, shape_.bytes(), 0);
  return add_device_memory(device, address, {});
}

std::size_t buffer_state::add_device_memory(device_state& device, void* address, ownership owner) {
  std::vector<bool> reached{true};
  for (const device_memory& other : devices_)
    reached.push_back(device.backend().copies_directly(other.device->backend()) &&
                      other.device->backend().copies_directly(device.backend()));
  devices_.push_back({handle<device_state>::share(&device), address, owner});
  const std::size_t number = residency_.add_memory(std::move(reached));
  assert(number == devices_.size() && "memory 0 is the host's, then come those of devices");
  return number;
}

void* buffer_state::address(std::size_t memory) const noexcept {
  assert(memory <= devices_.size() && "there is no such memory");
  return memory == 0 ? host_ : devices_[memory - 1].address;
}

void buffer_state::acquire(const tracked_access& access, std::size_t memory, bool keep_old,
                           std::vector<handle<command>>& dependencies) {
  assert(mutex_.is_held() && "the caller holds the buffer's mutex");
  const byte_box& contents = access.contents;
  assert((contents.is_empty() || covers(shape_.whole(), contents)) &&
         "check_request lets nothing else through");
  accesses_.conflicts(access, dependencies);
  if (residency_.memories() == 1 || contents.is_empty())
    return;
  if (keep_old)
    for (const buffer_residency::transfer& copy : residency_.missing(memory, contents))
      submit_transfer(copy, access.user->queue());
  residency_.producers(memory, contents, dependencies);
  if (access.writes)
    // Transfers that read what the command overwrites, or bring something else to where it writes.
    accesses_.conflicts(access, dependencies);
}

kept_queue buffer_state::commit(const tracked_access& access, std::size_t memory) {
  assert(mutex_.is_held() && "the caller holds the buffer's mutex");
  const byte_box& contents = access.contents;
  if (access.writes && !contents.is_empty()) {
    if (residency_.memories() > 1)
      residency_.written(memory, contents);
    else if (home_ == nullptr && !was_written_)
      residency_.written(0, shape_.whole()); // one memory: all that is defined is there
    was_written_ = true;
  }
  accesses_.add(access);
  queue_state* const queue = access.user->queue();
  if (queue == nullptr || &queue->head() == last_queue_.get())
    return nullptr;
  return std::exchange(last_queue_, keep_queue(*queue));
}

void buffer_state::submit_transfer(const buffer_residency::transfer& copy, queue_state* user) {
  assert(mutex_.is_held() && "the caller holds the buffer's mutex");
  if (copy.to == 0)
    use_host_memory();
  std::vector<handle<command>> dependencies;
  residency_.producers(copy.from, copy.box, dependencies);
  accesses_.writers(copy.box, dependencies);
  void* from = copy.from == 0 ? const_cast<void*>(contents()) : address(copy.from);
  assert(from != nullptr && address(copy.to) != nullptr &&
         "memory is allocated before it is copied to or from");
  device_state& device = *devices_[(copy.from == 0 ? copy.to : copy.from) - 1].device; // where the data is
  const handle<command> done =
      enqueue_transfer(device, {shape_.memory(from, copy.box), shape_.memory(address(copy.to), copy.box)},
                       handle<buffer_state>::share(this), std::move(dependencies), user);
  residency_.copied(copy.to, copy.box, done);
  accesses_.add({.box = copy.box, .contents = copy.box, .writes = false, .by_host = false, .user = done});
}

std::size_t buffer_state::bytes_to_bring(device_state& device, const access_request& request) {
  const buffer_region region = shape_.locate(request);
  if (region.box.is_empty() || (request.discards && region.is_exact))
    return 0;
  const std::lock_guard lock(mutex_);
  if (request.on_host || device.description().unified_memory)
    return residency_.distance(0, region.box);
  for (std::size_t i = 0; i < devices_.size(); ++i)
    if (devices_[i].device.get() == &device)
      return residency_.distance(i + 1, region.box);
  return residency_.distance(residency_.memories(), region.box);
}

std::uint64_t buffer_state::add_placeholder(const access_request& request) {
  assert(mutex_.is_held() && "the caller holds the buffer's mutex");
  placeholders_.push_back(insert_placeholder(*this, request));
  return placeholders_.back();
}

std::vector<handle<command>> buffer_state::users() {
  const std::lock_guard lock(mutex_);
  return accesses_.live();
}

std::vector<handle<command>> buffer_state::start_bringing_to_host() {
  const std::lock_guard lock(mutex_);
  std::vector<handle<command>> before = accesses_.live();
  if (residency_.memories() > 1)
    for (const buffer_residency::transfer& copy : residency_.missing(0, shape_.whole()))
      submit_transfer(copy, nullptr);
  residency_.producers(0, shape_.whole(), before);
  return before;
}

void buffer_state::bring_to_host() {
  wait_for_contents(start_bringing_to_host());
}

void wait_for_contents(const std::vector<handle<command>>& dependencies) {
  std::exception_ptr failure;
  for (const handle<command>& dependency : dependencies) {
    dependency->wait();
    if (!dependency->is_complete()) // which the wait has said on standard error, or the child of a fork
      throw sycl::exception(sycl::errc::runtime,
                            is_forked_child()
                                ? "a buffer's contents are not in this process, a child of fork whose parent "
                                  "computes them; fork before the first launch"
                                : "a buffer's contents depend on the host task that waits for them; access "
                                  "the buffer by an accessor of the host task's command group");
    if (dependency->is_internal() && dependency->error() != nullptr)
      failure = dependency->error();
  }
  if (failure != nullptr)
    std::rethrow_exception(failure);
}

void buffer_state::leave_home_alone() {
  const std::lock_guard lock(mutex_);
  if (host_ == nullptr && !must_use_home_)
    may_use_home_ = false;
}

} // namespace falx
