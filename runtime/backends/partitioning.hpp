// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <vector>

namespace falx {

class backend_device;

/// Processors of the machine, by the numbers that the operating system gives them.
using processor_list = std::vector<std::uint32_t>;

/// Levels of the memory system of which processors share parts, from the outermost.
enum class memory_level { numa_node, l4_cache, l3_cache, l2_cache, l1_cache };

/// How a device that consists of processors of the machine can be divided (SYCL 2020 §4.6.4.2). Each
/// processor is a compute unit. Thread-safe.
class partitioning {
public:
  /// Those that are near each other in the memory system are neighbours in the list.
  virtual const processor_list& processors() const noexcept = 0;
  /// The device's processors by the part of the level that they share; those for which the system names none
  /// are in no list.
  virtual std::vector<processor_list> sharers(memory_level level) const = 0;
  /// The device that consists of some of the processors: its kernels run there alone. Lives as long as the
  /// process; the same object for the same processors in the same order. Throws sycl::exception with
  /// errc::runtime if the system lets the process have no thread for it.
  virtual backend_device& part(const processor_list& processors) = 0;

protected:
  ~partitioning() = default;
};

} // namespace falx
