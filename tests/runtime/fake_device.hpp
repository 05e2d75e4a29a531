// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "sycl/exception.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// \file
/// Devices that behave like GPUs: memory of their own, work that runs later on a thread that stands for the
/// device, in random order where nothing orders it, and completion that is learnt only on request.

namespace falx::test {

/// A kernel that is a function of the host's.
class fake_kernel final : public loaded_kernel {
public:
  explicit fake_kernel(std::function<void(const void* function)> the_body) : body(std::move(the_body)) {}
  const std::function<void(const void*)> body;
};

/// What native commands put their work into.
using native_work = std::vector<std::function<void()>>;

/// How a fake device behaves.
struct fake_behaviour {
  bool completes_on_request = true;
  bool orders_natively = true;
  bool runs_host_operations = false;
  bool copies_directly = true;
  bool unified_memory = false;
  native_objects* native = nullptr;
  std::string_view backend_name = "fake";
};

/// Calls \p row for each row of a box, which is contiguous.
template <class Row>
void for_each_row(const memory_box& box, Row row) {
  for (std::size_t z = 0; z < box.range.z; ++z)
    for (std::size_t y = 0; y < box.range.y; ++y)
      row(static_cast<unsigned char*>(box.base) +
              box.element_size *
                  (box.offset.x +
                   box.array_range.x * (box.offset.y + y + box.array_range.y * (box.offset.z + z))),
          box.range.x * box.element_size);
}

class fake_devices;

class fake_device final : public backend_device {
public:
  fake_device(fake_devices& owner, std::string name, const fake_behaviour& the_behaviour)
      : behaviour(the_behaviour), owner_(owner), engine_([this](std::stop_token stop) { run(stop); }) {
    description_.name = std::move(name);
    description_.is_gpu = true;
    description_.unified_memory = behaviour.unified_memory;
    description_.max_work_group_size = 1024;
    for (std::size_t& size : description_.max_work_item_sizes)
      size = 1024;
    description_.sub_group_sizes = {32};
    description_.max_allocation = description_.global_memory = std::uint64_t{1} << 32;
    description_.local_memory = 48 << 10;
  }

  const fake_behaviour behaviour;

  // What the device was asked for. Read when it is idle.
  std::atomic<int> enqueued{0}, notified{0}, polled{0}, waited_for{0}, copies{0}, allocations{0};
  std::atomic<std::size_t> bytes_copied{0}, bytes_allocated{0};
  /// No allocation beyond this many bytes succeeds.
  std::atomic<std::size_t> memory_limit{~std::size_t{0}};
  /// The next so many operations fail, when they run or when they are handed over.
  std::atomic<int> failures_on_device{0}, failures_of_enqueue{0};

  /// While held, the device does nothing.
  void hold(bool held) {
    const std::lock_guard lock(mutex_);
    held_ = held;
    changed_.notify_all();
  }
  bool is_idle() {
    const std::lock_guard lock(mutex_);
    return waiting_.empty() && !running_;
  }
  /// Returns when everything that can run has run.
  void settle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !running_ && pick() == waiting_.end(); });
  }
  /// Work that is not complete, whether it is done or not.
  std::size_t incomplete() {
    const std::lock_guard lock(mutex_);
    return tasks_.size();
  }

  const device_description& description() const noexcept override { return description_; }
  device_description& change_description() noexcept { return description_; }
  std::string_view jit_target() const noexcept override { return "none"; }
  std::unique_ptr<loaded_kernel> load(const kernel_binary&, const kernel_names&) override { return nullptr; }

  void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) override;
  void free(usm_kind kind, void* pointer) noexcept override;

  void enqueue(command_view& self, const operation& work,
               std::span<const handle<command_view>> after) override;
  bool can_order_after(const command_view& other) const noexcept override;
  bool runs_host_operations() const noexcept override { return behaviour.runs_host_operations; }
  bool copies_directly(const backend_device& other) const noexcept override;
  void wait_for(command_view& self) noexcept override;
  void poll(command_view& self) noexcept override;
  void notify(command_view& self) noexcept override;
  native_objects* native() noexcept override { return behaviour.native; }

private:
  /// One command on its way through the device.
  struct task {
    command_view* self = nullptr;
    const operation* work = nullptr;
    native_work native;
    std::vector<std::shared_ptr<task>> after;
    /// Of in-order queues.
    std::shared_ptr<task> previous;
    std::atomic<bool> is_done{false};
    bool completes_in_background = false, is_completing = false;
    std::atomic<bool> is_complete{false};
    std::exception_ptr error;

    bool is_ready() const {
      for (const auto& earlier : after)
        if (!earlier->is_done)
          return false;
      return previous == nullptr || previous->is_done;
    }
  };
  using task_list = std::vector<std::shared_ptr<task>>;

  task_list::iterator pick() {
    if (held_)
      return waiting_.end();
    task_list::iterator found = waiting_.end();
    std::size_t ready = 0;
    for (auto each = waiting_.begin(); each != waiting_.end(); ++each)
      if ((*each)->is_ready() && random_() % ++ready == 0)
        found = each;
    return found;
  }

  void run(const std::stop_token& stop) {
    const std::stop_callback wake(stop, [this] { changed_.notify_all(); });
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      while (!to_complete_.empty()) {
        const std::shared_ptr<task> some = std::move(to_complete_.back());
        to_complete_.pop_back();
        complete(lock, some);
      }
      const auto picked = pick();
      if (picked == waiting_.end()) {
        // Tasks of other devices may become done meanwhile.
        changed_.wait_for(lock, std::chrono::milliseconds(1));
        continue;
      }
      const std::shared_ptr<task> some = *picked;
      waiting_.erase(picked);
      running_ = true;
      lock.unlock();
      execute(*some);
      lock.lock();
      running_ = false;
      some->is_done = true;
      changed_.notify_all();
      if (some->completes_in_background || !behaviour.completes_on_request)
        complete(lock, some);
    }
  }

  void execute(task& some) noexcept;
  void check_reach(const void* pointer, const char* what) const;

  /// Completes a done task, and those before it on an in-order queue.
  void complete(std::unique_lock<std::mutex>& lock, const std::shared_ptr<task>& some) {
    task_list all;
    for (std::shared_ptr<task> each = some; each != nullptr && !each->is_completing; each = each->previous) {
      EXPECT_TRUE(each->is_done);
      each->is_completing = true;
      all.push_back(each);
    }
    if (all.empty())
      return;
    const std::shared_ptr<task> before = all.back()->previous; // which another thread completes
    lock.unlock();
    while (before != nullptr && !before->is_complete)
      std::this_thread::yield();
    for (auto each = all.rbegin(); each != all.rend(); ++each) {
      task& mine = **each;
      mine.self->retain_reference();
      lock.lock();
      tasks_.erase(mine.self);
      lock.unlock();
      mine.self->complete(mine.error);
      mine.is_complete = true;
      mine.self->release_reference();
    }
    lock.lock();
    for (const auto& each : all) {
      each->previous = nullptr;
      each->after.clear();
    }
    changed_.notify_all();
  }

  fake_devices& owner_;
  device_description description_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::map<const command_view*, std::shared_ptr<task>> tasks_;
  std::map<const queue_view*, std::weak_ptr<task>> last_of_queue_;
  task_list waiting_, to_complete_;
  std::minstd_rand random_{42};
  bool held_ = false, running_ = false;
  std::jthread engine_;

  friend class fake_devices;
};

/// Such devices, which reach one another's memory as their behaviour says.
class fake_devices : public backend {
public:
  fake_devices(std::size_t count, const fake_behaviour& behaviour) : name_(behaviour.backend_name) {
    for (std::size_t i = 0; i < count; ++i) {
      native_.push_back(std::make_unique<fake_device>(*this, "fake " + std::to_string(i), behaviour));
      pointers_.push_back(native_.back().get());
    }
  }

  std::string_view name() const noexcept override { return name_; }
  std::string_view platform_name() const noexcept override { return "Fake"; }
  std::span<backend_device* const> devices() override { return pointers_; }

  /// Whether all memory is freed, once those who completed the last work have come to it: waiters are told
  /// before.
  bool has_freed_everything() const {
    for (int i = 0; i < 5000; ++i) {
      int left = 0;
      for (const auto& device : native_)
        left += device->allocations;
      if (left == 0)
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }

  fake_device& native(std::size_t i) noexcept { return *native_[i]; }

private:
  friend class fake_device;

  struct block {
    std::size_t bytes;
    usm_kind kind;
    const fake_device* device;
  };
  /// The block that a pointer points into; null if it is memory of the system's allocator.
  std::shared_ptr<const block> find(const void* pointer) {
    const std::lock_guard lock(mutex_);
    auto found = blocks_.upper_bound(static_cast<const char*>(pointer));
    if (found == blocks_.begin())
      return nullptr;
    --found;
    if (static_cast<const char*>(pointer) >= found->first + found->second->bytes)
      return nullptr;
    return found->second;
  }

  const std::string_view name_;
  std::vector<std::unique_ptr<fake_device>> native_;
  std::vector<backend_device*> pointers_;
  std::mutex mutex_;
  std::map<const char*, std::shared_ptr<const block>> blocks_;
};

inline void* fake_device::allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) {
  if (bytes_allocated + bytes > memory_limit)
    throw sycl::exception(sycl::errc::memory_allocation, description_.name + " has no more memory");
  ++allocations;
  bytes_allocated += bytes;
  void* const memory = ::operator new(std::max<std::size_t>(bytes, 1),
                                      std::align_val_t(std::max<std::size_t>(alignment, 128)));
  std::memset(memory, 0x55, bytes);
  const std::lock_guard lock(owner_.mutex_);
  owner_.blocks_[static_cast<const char*>(memory)] =
      std::make_shared<const fake_devices::block>(fake_devices::block{bytes, kind, this});
  return memory;
}

inline void fake_device::free(usm_kind kind, void* pointer) noexcept {
  if (pointer == nullptr)
    return;
  {
    const std::lock_guard lock(owner_.mutex_);
    const auto found = owner_.blocks_.find(static_cast<const char*>(pointer));
    if (found == owner_.blocks_.end()) {
      ADD_FAILURE() << "freed what was not allocated";
      return;
    }
    EXPECT_EQ(found->second->kind, kind);
    EXPECT_EQ(found->second->device, this);
    bytes_allocated -= found->second->bytes;
    owner_.blocks_.erase(found);
  }
  --allocations;
  std::memset(pointer, 0x66, 1);
  ::operator delete(pointer, std::align_val_t(128));
}

inline void fake_device::enqueue(command_view& self, const operation& work,
                                 std::span<const handle<command_view>> after) {
  ++enqueued;
  if (failures_of_enqueue > 0) {
    --failures_of_enqueue;
    throw std::runtime_error("refused by " + description_.name);
  }
  EXPECT_TRUE(behaviour.runs_host_operations || !std::holds_alternative<host_operation>(work));
  auto made = std::make_shared<task>();
  made->self = &self;
  made->work = &work;
  if (const auto* native = std::get_if<native_operation>(&work))
    native->function(reinterpret_cast<native_handle>(&made->native));
  for (const handle<command_view>& earlier : after) {
    EXPECT_TRUE(can_order_after(*earlier));
    auto& its_device = static_cast<fake_device&>(earlier->queue()->backend());
    {
      const std::lock_guard lock(its_device.mutex_);
      if (const auto found = its_device.tasks_.find(earlier.get()); found != its_device.tasks_.end()) {
        made->after.push_back(found->second);
        continue;
      }
    }
    // Taken off the list by the thread that completes it, which it may do in this moment.
    const auto is_known = [&] { return earlier->is_complete() || earlier->completes_on_request(); };
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!is_known() && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    EXPECT_TRUE(is_known());
  }
  {
    const std::lock_guard lock(mutex_);
    if (self.queue()->is_in_order()) {
      std::weak_ptr<task>& last = last_of_queue_[self.queue()];
      made->previous = last.lock();
      if (made->previous && made->previous->is_complete)
        made->previous = nullptr;
      last = made;
    }
    tasks_[&self] = made;
    if (behaviour.completes_on_request)
      self.set_completes_on_request();
    waiting_.push_back(std::move(made));
    changed_.notify_all();
  }
}

inline bool fake_device::can_order_after(const command_view& other) const noexcept {
  if (!behaviour.orders_natively || other.queue() == nullptr)
    return false;
  const backend_device* device = &other.queue()->backend();
  for (const auto& mine : owner_.native_)
    if (mine.get() == device)
      return true;
  return false;
}

inline bool fake_device::copies_directly(const backend_device& other) const noexcept {
  if (&other == this)
    return true;
  if (behaviour.copies_directly)
    for (const auto& mine : owner_.native_)
      if (mine.get() == &other)
        return true;
  return false;
}

inline void fake_device::wait_for(command_view& self) noexcept {
  ++waited_for;
  std::unique_lock lock(mutex_);
  const auto found = tasks_.find(&self);
  if (found != tasks_.end()) {
    const std::shared_ptr<task> some = found->second;
    changed_.wait(lock, [&] { return some->is_done.load(); });
    complete(lock, some);
  }
  lock.unlock();
  while (!self.is_complete())
    std::this_thread::yield(); // another thread is at it
}

inline void fake_device::poll(command_view& self) noexcept {
  ++polled;
  std::unique_lock lock(mutex_);
  if (const auto found = tasks_.find(&self); found != tasks_.end() && found->second->is_done) {
    const std::shared_ptr<task> some = found->second;
    complete(lock, some);
  }
}

inline void fake_device::notify(command_view& self) noexcept {
  ++notified;
  std::unique_lock lock(mutex_);
  if (const auto found = tasks_.find(&self); found != tasks_.end()) {
    found->second->completes_in_background = true;
    if (found->second->is_done)
      to_complete_.push_back(found->second); // by the device's thread: the caller holds locks
    changed_.notify_all();
  }
}

inline void fake_device::check_reach(const void* pointer, const char* what) const {
  const auto block = owner_.find(pointer);
  if (block == nullptr || block->kind != usm_kind::device || block->device == this)
    return;
  EXPECT_TRUE(copies_directly(*block->device)) << what << " is in another device's memory";
}

inline void fake_device::execute(task& some) noexcept {
  if (failures_on_device > 0) {
    --failures_on_device;
    some.error = std::make_exception_ptr(std::runtime_error("failed on " + description_.name));
    return;
  }
  if (const auto* kernel = std::get_if<kernel_operation>(some.work)) {
    static_cast<const fake_kernel&>(*kernel->kernel).body(kernel->function);
  } else if (const auto* copy = std::get_if<copy_operation>(some.work)) {
    check_reach(copy->source.base, "the source");
    check_reach(copy->destination.base, "the destination");
    ++copies;
    std::vector<unsigned char> bytes;
    for_each_row(copy->source,
                 [&](unsigned char* row, std::size_t size) { bytes.insert(bytes.end(), row, row + size); });
    std::size_t done = 0;
    for_each_row(copy->destination, [&](unsigned char* row, std::size_t size) {
      size = std::min(size, bytes.size() - done);
      std::memcpy(row, bytes.data() + done, size);
      done += size;
    });
    bytes_copied += done;
  } else if (const auto* fill = std::get_if<fill_operation>(some.work)) {
    std::size_t done = 0;
    for_each_row(fill->destination, [&](unsigned char* row, std::size_t size) {
      for (std::size_t i = 0; i < size; ++i)
        row[i] = fill->pattern[done++ % fill->pattern.size()];
    });
  } else if (std::holds_alternative<native_operation>(*some.work)) {
    for (const auto& work : some.native)
      work();
  } else if (const auto* host = std::get_if<host_operation>(some.work)) {
    try {
      host->function();
    } catch (...) {
      some.error = std::current_exception();
    }
  }
}

} // namespace falx::test
