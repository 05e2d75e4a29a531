// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "buffer_owner.hpp"

#include "sycl/exception.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

namespace falx {

buffer_owner::buffer_owner(buffer_description&& description)
    : state_(handle<buffer_state>::adopt(new buffer_state(std::move(description)))),
      initial_(description.initial), user_mutex_(static_cast<std::mutex*>(description.mutex)) {}

void buffer_owner::set_final_destination(std::unique_ptr<final_destination> destination) {
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

void buffer_owner::wait_for_users() {
  for (const handle<command>& user : state_->users())
    user->wait();
}

void buffer_owner::finish() {
  const bool is_attached = initial_ == host_data::read_only || initial_ == host_data::writable;
  const bool is_home_final = !has_destination_ && writes_back_ && state_->is_home_of_interest() &&
                             (initial_ == host_data::writable || initial_ == host_data::shared);
  const bool is_destination_final = writes_back_ && destination_ != nullptr && destination_->exists();
  if (!is_attached && !is_home_final && !is_destination_final) {
    // Nobody looks: commands that use the buffer keep its memory, so those that are done may go.
    for (const handle<command>& user : state_->users())
      user->poll();
    return;
  }
  wait_for_users();
  if (!state_->was_written() && !(is_forced_ && is_destination_final))
    return;
  if (!is_home_final && !is_destination_final)
    return;
  state_->bring_to_host();
  std::unique_lock<std::mutex> user_lock;
  if (user_mutex_ != nullptr)
    user_lock = std::unique_lock(*user_mutex_);
  const void* contents = state_->contents();
  const std::size_t bytes = state_->shape().bytes();
  if (contents == nullptr || bytes == 0)
    return;
  if (is_destination_final)
    destination_->write(contents);
  else if (contents != state_->home())
    std::memcpy(state_->home(), contents, bytes);
}

buffer_owner::~buffer_owner() {
  try {
    finish();
  } catch (const std::exception& error) {
    // A destructor has nobody to tell; the data is lost, which must not go unnoticed.
    std::fprintf(stderr, "falx: a buffer could not be written back: %s\n", error.what());
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
void set_final_destination(buffer_owner& owner, std::unique_ptr<final_destination> destination) {
  owner.set_final_destination(std::move(destination));
}
void set_write_back(buffer_owner& owner, bool flag) {
  owner.set_write_back(flag);
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
