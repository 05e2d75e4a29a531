// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../command.hpp"
#include "falx/kernel.hpp"
#include "falx/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// \file
/// What a backend offers the runtime. Everything that names a native API is behind this header; the runtime
/// holds no test for a particular backend.

namespace falx {

/// Facts about a device that do not change. Sizes in bytes. Feeds sycl::device::get_info.
struct device_description {
  std::string name;
  std::string vendor;
  std::string version;
  std::string driver_version;
  std::uint32_t vendor_id = 0;
  bool is_cpu = false;
  bool is_gpu = false;
  std::uint32_t compute_units = 1;
  std::size_t max_work_item_sizes[3] = {1, 1, 1}; // x fastest first
  std::size_t max_work_group_size = 1;
  std::vector<std::size_t> sub_group_sizes;
  std::uint64_t global_memory = 0;
  std::uint64_t local_memory = 0;
  std::uint64_t max_allocation = 0;
  std::uint64_t global_cache = 0;
  std::uint32_t cache_line = 64;
  std::uint32_t vector_bytes = 16; // natural vector register size
  bool has_fp16 = false;
  bool has_fp64 = true;
  bool has_atomic64 = true;
  bool unified_memory = false; // host memory is device memory
  bool error_correction = false;
};

/// A kernel compiled and loaded for one device and one configuration.
class loaded_kernel {
public:
  virtual ~loaded_kernel() = default;
};

/// Machine code as it came from the JIT or the cache.
struct kernel_binary {
  /// Path of the cached file, if there is one that can be loaded from there.
  std::string path;
  /// The bytes, when path is empty.
  std::vector<unsigned char> bytes;
  /// How many bytes of the file at path are the binary; the cache's trailer follows them.
  std::size_t size = 0;
};

struct kernel_operation {
  loaded_kernel* kernel = nullptr;
  const char* kernel_name = nullptr; // for messages
  const void* function = nullptr;    // owned by the command
  std::size_t function_size = 0;
  launch_geometry geometry{};
  std::size_t local_memory_bytes = 0;
};
struct copy_operation {
  memory_box source, destination;
};
struct fill_operation {
  memory_box destination;
  std::vector<unsigned char> pattern; // its size divides element_size * range.x
};
struct prefetch_operation {
  const void* pointer = nullptr;
  std::size_t bytes = 0;
};
/// Host tasks, and anything else that runs on the host in order with device work.
struct host_operation {
  std::function<void()> function;
};
/// Orders without doing (barriers, empty command groups).
struct empty_operation {};

using operation = std::variant<empty_operation, kernel_operation, copy_operation, fill_operation,
                               prefetch_operation, host_operation>;

/// One device of a backend. Thread-safe.
class backend_device {
public:
  virtual ~backend_device() = default;
  virtual const device_description& description() const noexcept = 0;
  /// In MHz; 0 if unknown. Not in the description, as finding out may take longer than everything there.
  virtual std::uint32_t clock_frequency() const { return 0; }
  /// The JIT target ("cpu", "ptx") and a digest of everything code generation depends on (CPU model and
  /// features): part of the cache key, computed without LLVM.
  virtual std::string_view jit_target() const noexcept = 0;
  virtual std::string_view target_digest() const noexcept = 0;

  /// Throws sycl::exception with errc::memory_allocation when memory runs out. \p alignment 0 means the
  /// strictest fundamental alignment (at least 128).
  virtual void* allocate(usm_kind kind, std::size_t bytes, std::size_t alignment) = 0;
  virtual void free(usm_kind kind, void* pointer) noexcept = 0;

  virtual std::unique_ptr<loaded_kernel> load(const kernel_binary& binary, std::string_view kernel_name) = 0;

  /// Starts \p work, whose host-side dependencies are complete; calls self.complete() when it is done, from
  /// any thread, possibly before returning. \p after lists commands of this backend that were handed over
  /// earlier and may not be complete: the backend orders after them natively.
  virtual void enqueue(command& self, const operation& work, std::span<const handle<command>> after) = 0;
  /// True if enqueue can order after \p other natively, so that no host-side wait is needed.
  virtual bool can_order_after(const command& other) const noexcept = 0;
};

/// One native API with its devices.
class backend {
public:
  virtual ~backend() = default;
  virtual std::string_view name() const noexcept = 0; // "cpu", "cuda"
  virtual std::string_view platform_name() const noexcept = 0;
  virtual std::span<backend_device* const> devices() = 0;
};

/// All backends that work on this machine, the CPU last. Built on first use.
std::span<backend* const> backends();

} // namespace falx
