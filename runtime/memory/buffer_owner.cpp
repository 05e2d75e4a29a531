// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_owner.hpp"

#include "scheduler/command_work.hpp"
#include "scheduler/queue_state.hpp"
#include "sycl/exception.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

namespace falx {

namespace {

/// SYCL 2020 §4.7.2.4, unless the user has another policy. A mutex may be gone soon after the buffer.
bool does_block(const buffer_description& description) noexcept {
  if (description.destructor_blocks != policy::as_specified)
    return description.destructor_blocks == policy::on;
  if (description.mutex != nullptr && description.data != nullptr)
    return true;
  return description.initial == host_data::read_only || description.initial == host_data::writable ||
         description.allocation_count != 0;
}

/// Writes what a buffer holds to where it goes, with \p user_mutex, unless that is null. Commands under the
/// user's mutex have left the user's memory as it has to be.
void write_contents(buffer_state& buffer, const final_destination* destination, std::mutex* user_mutex) {
  const void* const contents = buffer.contents();
  const std::size_t bytes = buffer.shape().bytes();
  if (contents == nullptr || bytes == 0 || (destination == nullptr && contents == buffer.home()))
    return;
  std::unique_lock<std::mutex> user_lock;
  if (user_mutex != nullptr)
    user_lock = std::unique_lock(*user_mutex);
  if (destination != nullptr)
    destination->functions().write(destination->self(), contents);
  else
    std::memcpy(buffer.home(), contents, bytes);
}

/// In a handler of what kept contents from being written back, where no queue has used the buffer.
void print_loss() noexcept {
  try {
    throw;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "falx: a buffer could not be written back: %s\n", error.what());
  } catch (...) {
    std::fputs("falx: a buffer could not be written back: its destination threw what is no std::exception\n",
               stderr);
  }
}

} // namespace

// The description's allocations are looked at before they are taken.
buffer_owner::buffer_owner(buffer_description&& description)
    : initial_(description.initial), blocks_(does_block(description)),
      is_asynchronous_(description.destructor_blocks == policy::off),
      user_mutex_(static_cast<std::mutex*>(description.mutex)),
      writes_back_(description.writes_back != policy::off),
      state_(handle<buffer_state>::adopt(new buffer_state(std::move(description)))) {
  if (!writes_back_)
    state_->leave_home_alone();
}

void buffer_owner::set_final_destination(final_destination&& destination) {
  const std::lock_guard lock(settings_mutex_);
  has_destination_ = true;
  destination_ = std::move(destination);
  state_->leave_home_alone();
}

void buffer_owner::set_write_back(bool flag) {
  const std::lock_guard lock(settings_mutex_);
  writes_back_ = flag;
  is_forced_ = flag;
  if (!flag)
    state_->leave_home_alone();
}

void buffer_owner::set_write_back_queue(queue_state& queue) {
  const std::lock_guard lock(settings_mutex_);
  write_back_queue_ = handle<queue_state>::share(&queue);
}

bool buffer_owner::wait_for_users() {
  bool is_complete = true;
  for (const handle<command>& user : state_->users()) {
    user->wait();
    is_complete = is_complete && user->is_complete();
  }
  return is_complete;
}

void buffer_owner::finish() {
  if (is_forked_child() && !is_of_child_)
    return; // the parent has the contents
  const bool is_home_final = !has_destination_ && writes_back_ && state_->is_home_of_interest() &&
                             (initial_ == host_data::writable || initial_ == host_data::shared);
  const bool is_destination_final =
      writes_back_ && destination_ && destination_.functions().exists(destination_.self());
  if (is_asynchronous_ && (is_home_final || is_destination_final)) {
    if (state_->was_written() || (is_forced_ && is_destination_final))
      write_back_later(is_destination_final ? std::move(destination_) : final_destination());
    return;
  }
  if (!blocks_ && !is_home_final && !is_destination_final) {
    // The contents are not read any more: commands that use the buffer keep its memory, so those that are
    // done may go.
    for (const handle<command>& user : state_->users())
      user->poll();
    return;
  }
  if (!wait_for_users())
    return;
  const bool is_written = state_->was_written() || (is_forced_ && is_destination_final);
  if (is_written && (is_home_final || is_destination_final)) {
    state_->bring_to_host();
    write_contents(*state_, is_destination_final ? &destination_ : nullptr, user_mutex_);
  }
  // A backend may keep commands for a while after they are complete, and these keep the state. The deleter of
  // a shared_ptr that the buffer was made of may be what the user waits for.
  state_->drop_home_share();
}

void buffer_owner::write_back_later(final_destination&& destination) {
  std::vector<handle<command>> before = state_->start_bringing_to_host();
  std::erase_if(before, [](const handle<command>& some) { return some->poll(); });
  if (before.empty())
    return write_contents(*state_, destination ? &destination : nullptr, user_mutex_);
  // Without a queue of the user's, one that is busy anyway.
  queue_state& queue = write_back_queue_ ? *write_back_queue_ : before.back()->queue()->head();
  const handle<command> last = command::make_for(queue);
  const auto to = std::make_shared<const final_destination>(std::move(destination));
  // The user's mutex is for the destructor, which is over by then.
  last->work()->what =
      host_operation{[buffer = state_, to] { write_contents(*buffer, *to ? to.get() : nullptr, nullptr); }};
  queue.submit(last, std::move(before));
  last->complete_in_background();
}

buffer_owner::~buffer_owner() {
  try {
    finish();
  } catch (...) {
    // A destructor has no caller to throw to (SYCL 2020 §4.7.2.4).
    if (queue_state* const queue = state_->last_queue())
      queue->report(std::current_exception());
    else
      print_loss();
  }
}

void retain(buffer_owner* owner) noexcept {
  owner->retain_reference();
}
void release(buffer_owner* owner) noexcept {
  owner->release_reference();
}

handle<buffer_owner> make_buffer(buffer_description&& description) {
  return handle<buffer_owner>::adopt(new buffer_owner(std::move(description)));
}
buffer_state& state_of(buffer_owner& owner) noexcept {
  return owner.state();
}
void set_final_destination(buffer_owner& owner, final_destination&& destination) {
  owner.set_final_destination(std::move(destination));
}
void set_write_back(buffer_owner& owner, bool flag) {
  owner.set_write_back(flag);
}
void set_write_back_queue(buffer_owner& owner, queue_state& queue) {
  owner.set_write_back_queue(queue);
}

void check_sub_buffer(const extent3& parent, const extent3& offset, const extent3& range) {
  const auto fits = [](std::size_t whole, std::size_t begin, std::size_t count) {
    return begin <= whole && count <= whole - begin;
  };
  if (!fits(parent.x, offset.x, range.x) || !fits(parent.y, offset.y, range.y) ||
      !fits(parent.z, offset.z, range.z))
    throw sycl::exception(
        make_error_code(sycl::errc::invalid),
        "sycl::buffer: the sub-buffer reaches beyond its parent; base index plus range must not "
        "exceed the parent's range in any dimension");
  const bool one_row = range.y == 1 && range.z == 1;
  const bool whole_rows = range.x == parent.x && (range.z == 1 || range.y == parent.y);
  const bool is_empty = range.x == 0 || range.y == 0 || range.z == 0;
  if (!one_row && !whole_rows && !is_empty)
    throw sycl::exception(
        make_error_code(sycl::errc::invalid),
        "sycl::buffer: the sub-buffer is not contiguous in its parent; take whole rows or a part "
        "of one row");
}

} // namespace falx
