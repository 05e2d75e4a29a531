// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../bench.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

/// \file
/// A row's kernel in OpenCL C, run by the OpenCL runtimes for CPUs that are installed. Their loader is opened
/// when the program runs, so neither building nor running needs any; OCL_ICD_FILENAMES names runtimes that
/// are not installed for all.

namespace bench::opencl {

/// Memory of the row, which the runtime uses as it is, or a number.
struct argument {
  void* memory;
  std::size_t size;
  unsigned char value[8];
};
template <class T>
argument memory(const array<T>& all) {
  return {all.data(), all.size() * sizeof(T), {}};
}
template <class T>
argument value(T number) {
  argument result{nullptr, sizeof(T), {}};
  static_assert(sizeof(T) <= sizeof(result.value));
  std::memcpy(result.value, &number, sizeof(T));
  return result;
}

/// The function `row` of \p source, launched for columns × rows work-items, in groups of \p group or as the
/// runtime chooses. The last argument is memory that it writes.
struct kernel {
  const char* source;
  std::vector<argument> arguments;
  std::size_t columns, rows = 1, group = 0;
  const char* options = "";
};

/// A kernel that is ready to run on one device, as long as the memory of its arguments lives.
class compiled_kernel {
public:
  virtual ~compiled_kernel() = default;
  /// Returns when the results are there.
  virtual void run() = 0;
};

class device {
public:
  virtual ~device() = default;
  /// That of its platform.
  virtual std::string name() const = 0;
  /// Throws std::runtime_error if the runtime does not compile \p which.
  virtual std::unique_ptr<compiled_kernel> compile(const kernel& which) = 0;
};

/// One of each runtime; none without a loader.
const std::vector<std::unique_ptr<device>>& devices();

} // namespace bench::opencl
