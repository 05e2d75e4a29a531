// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/queue.hpp"
#include "sycl/usm.hpp"

#include <cstddef>
#include <cstring>

/// Memory that both host and device write, of zeros at first, freed at the end of the scope.
template <class T>
class shared {
public:
  shared(const sycl::queue& queue, std::size_t count)
      : queue_(queue), data_(sycl::malloc_shared<T>(count, queue_)) {
    std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
  }
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;
  ~shared() { sycl::free(data_, queue_); }
  T* get() const { return data_; }
  T& operator[](std::size_t i) const { return data_[i]; }

private:
  sycl::queue queue_;
  T* data_;
};
