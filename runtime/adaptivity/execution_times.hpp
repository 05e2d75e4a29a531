// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

namespace falx {

class device_state;

/// How long kernels took on devices, by the number of work-items. Thread-safe.
class execution_times {
public:
  static execution_times& instance();

  /// In nanoseconds; of a number of work-items that was not measured, in proportion to the nearest that was.
  std::optional<double> expected(const void* kernel, const device_state& device,
                                 std::size_t work_items) const;
  void record(const void* kernel, const device_state& device, std::size_t work_items,
              std::uint64_t nanoseconds);
  /// Whether the launch that is about to happen should be measured: the first few, and then one in many.
  bool wants(const void* kernel, const device_state& device, std::size_t work_items);

private:
  /// Launches whose numbers of work-items have the same binary logarithm.
  struct size_class {
    int logarithm = 0;
    double work_items = 0;
    /// An average in which the last measurement counts half; 0 if there is none.
    double nanoseconds = 0;
    std::uint32_t launches = 0;
  };
  using key = std::pair<const void*, const device_state*>;
  size_class& class_of(const key& which, std::size_t work_items);

  mutable std::mutex mutex_;
  std::map<key, std::vector<size_class>> classes_;
};

} // namespace falx
