// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "backends/backend.hpp"
#include "checksum.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

/// \file
/// Kernels that are loaded before they are launched: those of the program's images that earlier processes
/// launched on such a device, which the kernel cache has beside their code. Reading and loading one takes
/// longer than many kernels run, and while a program prepares its data a thread can do it.

namespace falx {

/// Of one device. Thread-safe.
class preloaded_kernels {
public:
  /// Of an image, and of all images together that a process loads: what is not launched then takes time and
  /// memory of the device in vain.
  static constexpr std::size_t MOST_OF_IMAGE = 64, MOST = 256;
  static constexpr std::size_t MOST_BYTES = std::size_t{32} << 20;

  explicit preloaded_kernels(backend_device& device) : device_(device) {}

  /// Begins to load the kernels of the images that are registered now. Does nothing without a thread for it.
  void begin() noexcept;
  /// The kernel with that key, of the image with that digest; waits for it if it is being loaded. Null if it
  /// is not among those that are loaded ahead, was taken, or has not been begun: the caller loads it.
  std::unique_ptr<loaded_kernel> take(std::string_view image, const digest128& key);
  /// A launch has loaded that from the cache, or will be able to the next time: the next process shall load
  /// it ahead.
  void remember(std::string_view image, const digest128& key, const kernel_names& names);
  /// Begins nothing more, and returns when nothing is being loaded.
  void end() noexcept;

private:
  using place = std::pair<std::uint64_t, std::uint64_t>;
  static place place_of(const digest128& key) { return {key.high, key.low}; }

  /// What the cache says of a kernel that was launched.
  struct record {
    digest128 key;
    std::string symbol, pretty;
  };
  struct image_records {
    std::vector<record> records;
    /// What this process has launched of them.
    std::set<place> used;
  };
  struct preloaded {
    enum { waiting, begun, done } progress = waiting;
    std::unique_ptr<loaded_kernel> kernel;
  };

  digest128 key_of_records(std::string_view image) const;
  static std::vector<record> parse(const std::vector<unsigned char>& bytes);
  static std::vector<unsigned char> format(const std::vector<record>& records);

  /// Reads what the cache has of the image, unless that was done. The caller holds the mutex.
  image_records& records_of(std::string_view image);
  /// The thread. Loads one after the other.
  void run() noexcept;
  std::unique_ptr<loaded_kernel> load(const record& some) noexcept;

  backend_device& device_;
  std::size_t bytes_ = 0; // read by the thread

  std::mutex mutex_; // guards what follows
  std::condition_variable changed_;
  std::map<std::string, image_records, std::less<>> images_;
  std::deque<record> waiting_;
  /// To be loaded, being loaded, or loaded.
  std::map<place, preloaded> kernels_;
  std::thread thread_;
  bool is_ending_ = false;
};

/// Has kernels of the device loaded ahead, once it is ready. Does nothing for devices whose kernels can be
/// loaded at any time, and if FALX_AHEAD is off. Called once for each device.
void preload_kernels_of(backend_device& device);
/// Null for a device whose kernels are not loaded ahead.
preloaded_kernels* preloaded_kernels_of(const backend_device& device) noexcept;

} // namespace falx
