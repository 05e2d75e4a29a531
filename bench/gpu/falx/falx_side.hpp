// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../rows.hpp"

#include <cstddef>
#include <sycl/sycl.hpp>

namespace bench {

/// One in-order queue for all rows.
inline sycl::queue& queue() {
  static sycl::queue the_queue{sycl::property::queue::in_order()};
  return the_queue;
}

/// Device memory, freed at the end of the scope.
template <class T>
class array {
public:
  explicit array(std::size_t size) : data_(sycl::malloc_device<T>(size, queue())) {
    if (data_ == nullptr)
      throw sycl::exception(sycl::errc::memory_allocation, "no device memory for the benchmark");
  }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { sycl::free(data_, queue()); }
  T* data() const { return data_; }
  /// Element \p i, copied to the host.
  T at(std::size_t i) const {
    T value{};
    queue().memcpy(&value, data_ + i, sizeof(T)).wait();
    return value;
  }

private:
  T* data_;
};

template <class Launch>
double time_of(Launch launch) {
  return rows::best_time(launch, [] { queue().wait(); });
}

} // namespace bench
