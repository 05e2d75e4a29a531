// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_access.hpp"

#include "scheduler/queue_state.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <vector>

namespace falx {
namespace {

/// Guards the list of all. A leaf: taken while the mutex of a buffer is held.
constinit std::mutex all_mutex;
constinit host_access* first_access = nullptr;
constinit std::atomic<std::size_t> alive{0};

} // namespace

host_access::host_access(handle<buffer_state> buffer, handle<command> blocker, void* data) noexcept
    : buffer_(std::move(buffer)), blocker_(std::move(blocker)), data_(data) {
  const std::lock_guard lock(all_mutex);
  next_ = first_access;
  if (first_access != nullptr)
    first_access->previous_ = this;
  first_access = this;
  alive.fetch_add(1, std::memory_order_relaxed);
}

host_access::~host_access() {
  {
    const std::lock_guard lock(all_mutex);
    (previous_ != nullptr ? previous_->next_ : first_access) = next_;
    if (next_ != nullptr)
      next_->previous_ = previous_;
    alive.fetch_sub(1, std::memory_order_relaxed);
  }
  blocker_->complete();
}

bool host_access::is_any_alive() noexcept {
  return alive.load(std::memory_order_relaxed) != 0;
}

template <class Visitor>
void host_access::visit_own(const command& waiting, const Visitor& visit) {
  // While the list is locked no accessor goes away, so what waits for them stays as it is.
  const std::lock_guard lock(all_mutex);
  for (host_access* access = first_access; access != nullptr; access = access->next_)
    if (access->maker_ == std::this_thread::get_id() && access->blocker_->blocks(waiting))
      visit(*access);
}

bool host_access::is_blocked_by_this_thread(const command& waiting) {
  bool is_blocked = false;
  visit_own(waiting, [&](const host_access&) { is_blocked = true; });
  return is_blocked;
}

void host_access::warn_once(const command& waiting) {
  visit_own(waiting, [](host_access& access) {
    if (!std::exchange(access.has_warned_, true))
      access.warn();
  });
}

void host_access::warn() const noexcept {
  std::fprintf(
      stderr,
      "falx: warning: a thread waits for a command that needs a buffer (%zu bytes, on the host at %p) for "
      "which the same thread holds a sycl::host_accessor. This never ends; let the host accessor go out "
      "of scope first\n",
      buffer_->shape().bytes(), data_);
}

void retain(host_access* access) noexcept {
  access->retain_reference();
}
void release(host_access* access) noexcept {
  access->release_reference();
}
void* data_of(const host_access& access) noexcept {
  return access.data();
}

handle<host_access> begin_host_access(buffer_state& buffer, const access_request& request) {
  check_request(request);
  const buffer_region region = buffer.shape().locate(request);
  const handle<command> blocker = command::make_manual();
  std::vector<handle<command>> dependencies;
  void* data = nullptr;
  handle<host_access> result;
  // What is only read is read where the user has it, as property::buffer::use_host_ptr promises even for
  // memory that is not to be written to (SYCL 2020 §4.7.2.3).
  const auto is_at_home = [&] { return !request.writes && buffer.unwritten_home() != nullptr; };
  allocate_patiently([&] {
    const std::lock_guard lock(buffer.mutex());
    if (!is_at_home())
      buffer.use_host_memory();
  });
  {
    const std::lock_guard lock(buffer.mutex());
    if (!is_at_home()) // another thread may have written meanwhile
      buffer.use_host_memory();
    if (void* base = is_at_home() ? buffer.unwritten_home() : buffer.address(0))
      data = static_cast<char*>(base) + request.base;
    result = handle<host_access>::adopt(new host_access(handle<buffer_state>::share(&buffer), blocker, data));
    const tracked_access access{.box = buffer.shape().requisite(request),
                                .contents = region.box,
                                .writes = request.writes,
                                .by_host = true,
                                .user = blocker};
    buffer.acquire(access, 0, !request.discards || !region.is_exact, dependencies);
    static_cast<void>(buffer.commit(access, 0)); // no queue has a part in it
  }
  wait_for_contents(dependencies);
  return result;
}

} // namespace falx
