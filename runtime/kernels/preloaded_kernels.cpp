// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "preloaded_kernels.hpp"

#include "diagnostics/environment.hpp"
#include "image_registry.hpp"
#include "jit_loader.hpp"
#include "kernel_cache.hpp"
#include "process/blocked_signals.hpp"
#include "process/process_state.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <pthread.h>
#include <shared_mutex>
#include <system_error>
#include <unordered_map>

namespace falx {
namespace {

/// The devices whose kernels are loaded ahead. Never destroyed, as devices are not.
class preloading_devices {
public:
  static preloading_devices& instance() {
    static preloading_devices& all = *std::make_unique<preloading_devices>().release();
    return all;
  }

  preloaded_kernels& add(backend_device& device) {
    const std::lock_guard lock(mutex_);
    return *(devices_[&device] = std::make_unique<preloaded_kernels>(device));
  }
  void remove(const backend_device& device) {
    const std::lock_guard lock(mutex_);
    devices_.erase(&device);
  }
  preloaded_kernels* find(const backend_device& device) noexcept {
    const std::shared_lock lock(mutex_);
    const auto found = devices_.find(&device);
    return found != devices_.end() ? found->second.get() : nullptr;
  }
  void end() noexcept {
    if (is_forked_child()) // it lacks the threads
      return;
    const std::shared_lock lock(mutex_);
    for (const auto& [device, kernels] : devices_)
      kernels->end();
  }

private:
  std::shared_mutex mutex_;
  std::unordered_map<const backend_device*, std::unique_ptr<preloaded_kernels>> devices_;
};

template <class Number>
void append(std::vector<unsigned char>& bytes, Number number) {
  const auto* const begin = reinterpret_cast<const unsigned char*>(&number);
  bytes.insert(bytes.end(), begin, begin + sizeof number);
}

/// Reads what append wrote, on the same machine: the cache's entries are no one else's.
class byte_reader {
public:
  explicit byte_reader(std::span<const unsigned char> bytes) noexcept : rest_(bytes) {}

  bool is_at_end() const noexcept { return rest_.empty(); }
  template <class Number>
  bool read(Number& number) noexcept {
    if (rest_.size() < sizeof number)
      return false;
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_ = rest_.subspan(sizeof number);
    return true;
  }
  bool read(std::string& text) {
    std::uint64_t size = 0;
    if (!read(size) || rest_.size() < size)
      return false;
    text.assign(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size));
    rest_ = rest_.subspan(size);
    return true;
  }

private:
  std::span<const unsigned char> rest_;
};

} // namespace

std::vector<preloaded_kernels::record> preloaded_kernels::parse(const std::vector<unsigned char>& bytes) {
  std::vector<record> records;
  for (byte_reader reader(bytes); !reader.is_at_end();) {
    record& some = records.emplace_back();
    if (!reader.read(some.key.high) || !reader.read(some.key.low) || !reader.read(some.symbol) ||
        !reader.read(some.pretty))
      return {}; // written by another version
  }
  return records;
}

std::vector<unsigned char> preloaded_kernels::format(const std::vector<record>& records) {
  std::vector<unsigned char> bytes;
  for (const record& some : records) {
    append(bytes, some.key.high);
    append(bytes, some.key.low);
    for (const std::string& text : {std::cref(some.symbol), std::cref(some.pretty)}) {
      append(bytes, std::uint64_t{text.size()});
      bytes.insert(bytes.end(), text.begin(), text.end());
    }
  }
  return bytes;
}

digest128 preloaded_kernels::key_of_records(std::string_view image) const {
  return digest_builder()
      .add("kernels to load ahead, 1")
      .add(image)
      .add(jit_identity())
      .add(device_.jit_target())
      .add(device_.jit_cpu())
      .add(device_.jit_features())
      .add(device_.assembler_digest())
      .finish();
}

preloaded_kernels::image_records& preloaded_kernels::records_of(std::string_view image) {
  const auto known = images_.find(image);
  if (known != images_.end())
    return known->second;
  image_records& added = images_[std::string(image)];
  added.records = parse(usable_kernel_cache().read(key_of_records(image)));
  return added;
}

void preloaded_kernels::begin() noexcept {
  try {
    const std::vector<std::string> images = image_digests();
    const std::lock_guard lock(mutex_);
    for (const std::string& image : images)
      for (const record& some : records_of(image).records)
        // Several images may be one: libraries that are linked into two others.
        if (kernels_.size() < MOST && kernels_.try_emplace(place_of(some.key)).second)
          waiting_.push_back(some);
    if (waiting_.empty() || is_ending_)
      return;
    note_threads();
    const blocked_signals blocked;
    thread_ = std::thread([this] { run(); });
    // The driver's own handlers, which it registered before, run after this.
    static const int registered = std::atexit([] { preloading_devices::instance().end(); });
    static_cast<void>(registered);
  } catch (const std::exception&) {
    // Without memory or a thread for it, launches load what they need.
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    kernels_.clear();
  }
}

std::unique_ptr<loaded_kernel> preloaded_kernels::load(const record& some) noexcept {
  try {
    std::vector<unsigned char> code = usable_kernel_cache().read(some.key);
    bytes_ += code.size();
    if (code.empty() || bytes_ > MOST_BYTES)
      return nullptr;
    return device_.load({.path = {}, .bytes = std::move(code)}, {some.symbol, some.pretty});
  } catch (const std::exception&) {
    return nullptr; // a launch that needs it says the same
  }
}

void preloaded_kernels::run() noexcept {
  ::pthread_setname_np(::pthread_self(), "falx preload");
  std::unique_lock lock(mutex_);
  while (!waiting_.empty() && !is_ending_) {
    const record next = std::move(waiting_.front());
    waiting_.pop_front();
    preloaded& made = kernels_.find(place_of(next.key))->second;
    made.progress = preloaded::begun;
    lock.unlock();
    std::unique_ptr<loaded_kernel> kernel = load(next);
    lock.lock();
    made.kernel = std::move(kernel);
    made.progress = preloaded::done;
    changed_.notify_all();
  }
}

std::unique_ptr<loaded_kernel> preloaded_kernels::take(std::string_view image, const digest128& key) {
  if (is_forked_child()) // it lacks the thread, which may have held the mutex
    return nullptr;
  std::unique_lock lock(mutex_);
  const auto found = kernels_.find(place_of(key));
  if (found == kernels_.end())
    return nullptr;
  if (found->second.progress == preloaded::waiting) {
    std::erase_if(waiting_, [&](const record& some) { return some.key == key; });
    kernels_.erase(found);
    return nullptr;
  }
  changed_.wait(lock, [&] { return found->second.progress == preloaded::done; });
  std::unique_ptr<loaded_kernel> kernel = std::move(found->second.kernel);
  if (kernel != nullptr)
    records_of(image).used.insert(place_of(key));
  return kernel;
}

void preloaded_kernels::remember(std::string_view image, const digest128& key, const kernel_names& names) {
  if (is_forked_child())
    return;
  const std::lock_guard lock(mutex_);
  image_records& known = records_of(image);
  if (!known.used.insert(place_of(key)).second)
    return;
  std::vector<record>& records = known.records;
  if (std::ranges::find(records, key, &record::key) != records.end())
    return;
  if (records.size() >= MOST_OF_IMAGE) {
    const auto unused = std::ranges::find_if(
        records, [&](const record& some) { return !known.used.contains(place_of(some.key)); });
    if (unused == records.end())
      return;
    records.erase(unused);
  }
  records.push_back({key, std::string(names.symbol), std::string(names.pretty)});
  // Of several processes that launch at once the last one's records are kept.
  usable_kernel_cache().store(key_of_records(image), format(records));
}

void preloaded_kernels::end() noexcept {
  std::thread thread;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    thread.swap(thread_);
  }
  if (thread.joinable())
    thread.join();
}

void preload_kernels_of(backend_device& device) {
  if (!the_environment().compiles_ahead)
    return;
  preloaded_kernels& kernels = preloading_devices::instance().add(device);
  if (!device.call_when_ready([&kernels] { kernels.begin(); }))
    preloading_devices::instance().remove(device);
}

preloaded_kernels* preloaded_kernels_of(const backend_device& device) noexcept {
  return preloading_devices::instance().find(device);
}

} // namespace falx
