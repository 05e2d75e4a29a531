// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "fake_cuda.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

/// \file
/// What the objects behind the fake driver's handles are.

namespace falx::cuda {

struct context_object {
  int device = 0;
  std::atomic<fake_cuda::result> error{fake_cuda::result::success};
};

/// One recording of an event.
struct recording {
  std::mutex mutex;
  std::condition_variable happened;
  bool has_happened = false;
  std::chrono::steady_clock::time_point time;
  void happen();
  void wait();
  bool is_past();
};

struct event_object {
  context_object* context = nullptr;
  unsigned flags = 0;
  std::mutex mutex;
  std::shared_ptr<recording> last;
};

struct stream_object {
  explicit stream_object(context_object& the_context, int its_priority = 0);
  /// Puts work behind what is there; it is left out if the context has failed meanwhile.
  void push(std::function<void()> work, bool even_after_errors = false);
  bool is_empty();
  void wait_until_empty();

  context_object& context;
  const int priority;

private:
  struct item {
    std::function<void()> work;
    bool even_after_errors;
  };
  void run();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<item> items_;
  bool is_running_ = false;
  std::thread thread_;
};

/// What a kernel says that a block of it takes.
struct kernel_resources {
  int threads = 512, registers = 100, local_bytes = 0, ptx_target = 70;
};

struct function_object {
  context_object* context = nullptr;
  kernel_resources resources;
  std::string name;
  std::size_t function_size = 0;
  fake_cuda::kernel body;
  bool has_launch_arguments = true;
  int max_dynamic_shared = 48 << 10;
};

struct module_object {
  context_object* context = nullptr;
  std::vector<std::unique_ptr<function_object>> functions;
  kernel_resources resources;
};

struct pool_object {
  context_object* context = nullptr;
};

} // namespace falx::cuda

namespace fake_cuda {

using falx::cuda::context_object;

/// Everything there is.
class machine final : public control {
public:
  static machine& instance();
  machine();

  void add_kernel(const std::string& name, std::size_t function_size, kernel body,
                  bool has_launch_arguments) override;
  void fail(const std::string& entry, result error, int times) override;
  int calls(const std::string& entry) override;
  void hold(bool held) override;
  void pass(std::chrono::nanoseconds time) override { passed_ += time.count(); }
  std::chrono::steady_clock::time_point now() const {
    return std::chrono::steady_clock::now() + std::chrono::nanoseconds(passed_.load());
  }
  void settle() override;
  std::size_t allocated() override;
  std::map<std::uint64_t, texture> textures() override;
  int priority_of(falx::cuda::stream_handle stream) override { return stream->priority; }
  std::string take_complaints() override;

  /// Counts a call of \p entry and says what it fails with.
  result enter(const char* entry);
  /// The same for calls that need a current context.
  result enter_in_context(const char* entry);
  void complain(const std::string& what);

  /// Blocks of memory by address: true if \p bytes from \p address on are in one.
  bool owns(std::uint64_t address, std::size_t bytes);
  /// 0 if memory runs out.
  std::uint64_t allocate(std::size_t bytes, bool is_device);
  result free(std::uint64_t address);
  std::uint64_t add(const texture& made);
  result remove_texture(std::uint64_t handle);
  void wait_while_held();
  bool find_kernel(const std::string& name, falx::cuda::function_object& to);
  void add(falx::cuda::stream_object& stream);

  int version = 13000;
  std::vector<std::unique_ptr<context_object>> contexts;

private:
  struct block {
    std::size_t bytes;
    bool is_device;
  };
  struct registered_kernel {
    std::size_t function_size;
    kernel body;
    bool has_launch_arguments;
  };
  struct failure {
    result error;
    int times;
  };
  std::atomic<std::int64_t> passed_{0};
  std::mutex mutex_;
  std::condition_variable released_;
  bool held_ = false;
  std::map<std::string, registered_kernel> kernels_;
  std::map<std::string, failure> failures_;
  std::map<std::string, int> calls_;
  std::map<std::uint64_t, block> blocks_;
  std::size_t allocated_ = 0;
  std::map<std::uint64_t, texture> textures_;
  std::uint64_t last_texture_ = 0;
  std::string complaints_;
  std::vector<falx::cuda::stream_object*> streams_;
};

/// The calling thread's current context.
extern thread_local context_object* current;

/// Memory of one device.
constexpr std::size_t DEVICE_MEMORY = std::size_t{1} << 30;

} // namespace fake_cuda
