// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../rows.hpp"

#include <cstddef>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

namespace bench {

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
#define BENCH_CHECK(call) ::bench::check(call, #call)

/// One stream for all rows.
inline cudaStream_t stream() {
  static const cudaStream_t the_stream = [] {
    cudaStream_t made{};
    BENCH_CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
  }();
  return the_stream;
}

inline void wait() {
  BENCH_CHECK(cudaStreamSynchronize(stream()));
}

/// Device memory, freed at the end of the scope.
template <class T>
class array {
public:
  explicit array(std::size_t size) { BENCH_CHECK(cudaMalloc(&data_, size * sizeof(T))); }
  array(const array&) = delete;
  array& operator=(const array&) = delete;
  ~array() { cudaFree(data_); }
  T* data() const { return data_; }
  /// Element \p i, copied to the host.
  T at(std::size_t i) const {
    T value{};
    wait();
    BENCH_CHECK(cudaMemcpy(&value, data_ + i, sizeof(T), cudaMemcpyDeviceToHost));
    return value;
  }

private:
  T* data_ = nullptr;
};

inline unsigned blocks_for(std::size_t items, std::size_t block) {
  return static_cast<unsigned>((items + block - 1) / block);
}

/// Every launch is checked, which costs nothing that matters.
inline void launched() {
  BENCH_CHECK(cudaGetLastError());
}

template <class Launch>
double time_of(Launch launch) {
  return rows::best_time(
      [&] {
        launch();
        launched();
      },
      [] { wait(); });
}

} // namespace bench
