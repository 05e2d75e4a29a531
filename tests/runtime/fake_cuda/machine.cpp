// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <cstdlib>
#include <new>
#include <utility>

namespace falx::cuda {

void recording::happen() {
  const std::lock_guard lock(mutex);
  has_happened = true;
  time = fake_cuda::machine::instance().now();
  happened.notify_all();
}
void recording::wait() {
  std::unique_lock lock(mutex);
  happened.wait(lock, [this] { return has_happened; });
}
bool recording::is_past() {
  const std::lock_guard lock(mutex);
  return has_happened;
}

stream_object::stream_object(context_object& the_context, int its_priority)
    : context(the_context), priority(its_priority), thread_([this] { run(); }) {}

void stream_object::push(std::function<void()> work, bool even_after_errors) {
  {
    const std::lock_guard lock(mutex_);
    items_.push_back({std::move(work), even_after_errors});
  }
  changed_.notify_all();
}

bool stream_object::is_empty() {
  const std::lock_guard lock(mutex_);
  return items_.empty() && !is_running_;
}

void stream_object::wait_until_empty() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return items_.empty() && !is_running_; });
}

void stream_object::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !items_.empty(); });
    const item next = std::move(items_.front());
    items_.pop_front();
    is_running_ = true;
    lock.unlock();
    fake_cuda::machine::instance().wait_while_held();
    if (next.even_after_errors || context.error == result::success)
      next.work();
    lock.lock();
    is_running_ = false;
    if (items_.empty())
      changed_.notify_all();
  }
}

} // namespace falx::cuda

namespace fake_cuda {

thread_local context_object* current = nullptr;

machine& machine::instance() {
  static machine& made = *new machine;
  return made;
}

machine::machine() {
  const char* const devices = std::getenv("FAKE_CUDA_DEVICES");
  const int count = devices != nullptr ? std::atoi(devices) : 2;
  for (int i = 0; i < count; ++i) {
    contexts.push_back(std::make_unique<context_object>());
    contexts.back()->device = i;
  }
  if (const char* const wanted = std::getenv("FAKE_CUDA_VERSION"))
    version = std::atoi(wanted);
}

void machine::add_kernel(const std::string& name, std::size_t function_size, kernel body,
                         bool has_launch_arguments) {
  const std::lock_guard lock(mutex_);
  kernels_[name] = {function_size, std::move(body), has_launch_arguments};
}
void machine::fail(const std::string& entry, result error, int times) {
  const std::lock_guard lock(mutex_);
  failures_[entry] = {error, times};
}
int machine::calls(const std::string& entry) {
  const std::lock_guard lock(mutex_);
  return calls_[entry];
}
void machine::hold(bool held) {
  const std::lock_guard lock(mutex_);
  held_ = held;
  released_.notify_all();
}
void machine::wait_while_held() {
  std::unique_lock lock(mutex_);
  released_.wait(lock, [this] { return !held_; });
}
void machine::settle() {
  std::vector<falx::cuda::stream_object*> streams;
  {
    const std::lock_guard lock(mutex_);
    streams = streams_;
  }
  for (falx::cuda::stream_object* stream : streams)
    stream->wait_until_empty();
}
void machine::add(falx::cuda::stream_object& stream) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(&stream);
}
std::size_t machine::allocated() {
  const std::lock_guard lock(mutex_);
  return allocated_;
}
std::string machine::take_complaints() {
  const std::lock_guard lock(mutex_);
  return std::exchange(complaints_, {});
}
void machine::complain(const std::string& what) {
  const std::lock_guard lock(mutex_);
  complaints_ += what + "\n";
}

result machine::enter(const char* entry) {
  const std::lock_guard lock(mutex_);
  ++calls_[entry];
  const auto found = failures_.find(entry);
  if (found == failures_.end() || found->second.times == 0)
    return result::success;
  --found->second.times;
  return found->second.error;
}

result machine::enter_in_context(const char* entry) {
  if (const result injected = enter(entry); injected != result::success)
    return injected;
  if (current == nullptr) {
    complain(std::string(entry) + " without a current context");
    return result::invalid_context;
  }
  return current->error;
}

bool machine::owns(std::uint64_t address, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin())
    return false;
  --after;
  return address + bytes <= after->first + after->second.bytes;
}

std::uint64_t machine::allocate(std::size_t bytes, bool is_device) {
  const std::lock_guard lock(mutex_);
  if (is_device && (bytes > DEVICE_MEMORY || allocated_ + bytes > DEVICE_MEMORY * contexts.size()))
    return 0;
  void* const block = ::operator new(bytes, std::align_val_t{512}, std::nothrow);
  if (block == nullptr)
    return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  blocks_[address] = {bytes, is_device};
  allocated_ += is_device ? bytes : 0;
  return address;
}

result machine::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) {
    complaints_ += "memory freed that is not allocated\n";
    return result::invalid_value;
  }
  for (const auto& [handle, made] : textures_)
    if (made.resource.memory == address)
      complaints_ += "memory freed that a texture reads\n";
  allocated_ -= found->second.is_device ? found->second.bytes : 0;
  blocks_.erase(found);
  ::operator delete(reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), std::align_val_t{512});
  return result::success;
}

std::map<std::uint64_t, texture> machine::textures() {
  const std::lock_guard lock(mutex_);
  return textures_;
}
std::uint64_t machine::add(const texture& made) {
  const std::lock_guard lock(mutex_);
  textures_[++last_texture_] = made;
  return last_texture_;
}
result machine::remove_texture(std::uint64_t handle) {
  const std::lock_guard lock(mutex_);
  if (textures_.erase(handle) != 0)
    return result::success;
  complaints_ += "a texture destroyed that there is not\n";
  return result::invalid_value;
}

bool machine::find_kernel(const std::string& name, falx::cuda::function_object& to) {
  const std::lock_guard lock(mutex_);
  const auto found = kernels_.find(name);
  if (found == kernels_.end())
    return false;
  to.name = name;
  to.function_size = found->second.function_size;
  to.body = found->second.body;
  to.has_launch_arguments = found->second.has_launch_arguments;
  return true;
}

} // namespace fake_cuda

fake_cuda::control* fake_cuda_control() {
  return &fake_cuda::machine::instance();
}
